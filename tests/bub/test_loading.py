"""Plugins from entry points, in every shape; compared with what Bub itself answered."""

import types
from dataclasses import dataclass
from typing import Any

import pluggy
import pytest

from host.bub import BubError, Framework, hookimpl
from host.bub.catalogue import HOOKS
from tests.bub.making import ANSWERS, plugin


@dataclass(frozen=True)
class EntryPoint:
    """What the loader needs of one."""

    name: str
    gives: Any

    def load(self) -> Any:
        if isinstance(self.gives, Exception):
            raise self.gives
        return self.gives


class Class:
    def __init__(self, framework: Framework) -> None:
        self.framework = framework

    @hookimpl
    def resolve_session(self) -> str:
        return "cls"


def _module() -> types.ModuleType:
    module = types.ModuleType("mod")

    @hookimpl
    def resolve_session(message: Any) -> str:
        return "mod"

    module.resolve_session = resolve_session  # type: ignore[attr-defined]
    return module


def _instance() -> Any:
    return plugin(resolve_session=lambda: "inst")


async def test_every_shape_comes_in_and_one_that_fails_leaves_the_others(said: list[str]) -> None:
    def bad(framework: Framework) -> None:
        raise RuntimeError("init")

    module = _module()
    host = Framework()
    host.plugins.load(
        host,
        [
            EntryPoint("cls", Class),
            EntryPoint("inst", _instance()),
            EntryPoint("mod", module),
            EntryPoint("factory", lambda framework: _instance()),
            EntryPoint("bad", bad),
            EntryPoint("imp", ImportError("nope")),
            EntryPoint("dup", module),
        ],
    )
    recorded = ANSWERS["load_hooks_entry_point_shapes"]
    theirs = {name: status for name, status in recorded["status"].items() if name not in ("builtin", "dup")}
    mine = {name: [each.is_success, each.detail] for name, each in host.plugins.statuses.items() if name != "dup"}
    assert mine == theirs
    assert not host.plugins.statuses["dup"].is_success
    registered = [name for name in recorded["report"] if name != "builtin"]
    assert host.plugins.report()["resolve_session"] == registered[::-1], "theirs is the order of registration"
    assert said[:2] == [
        "WARNING: Failed to load plugin 'imp': nope",
        "WARNING: Failed to initialize plugin 'bad': init",
    ]
    assert await host.resolve_session({}) == "inst"


async def test_a_marker_that_is_not_ours_counts_too() -> None:
    marker: Any = pluggy.HookimplMarker("bub")

    class Marked:
        @marker(tryfirst=True)  # type: ignore[untyped-decorator]
        def resolve_session(self) -> str:
            return "marked"

    host = Framework()
    host.plugins.register(Marked(), "marked")
    host.plugins.register(plugin(resolve_session=lambda: "later"), "later")
    assert await host.resolve_session({}) == "marked"


def test_the_catalogue_names_what_the_pages_name(bub_hooks: list[dict[str, Any]]) -> None:
    assert {each["name"]: tuple(each["signature"]["params"]) for each in bub_hooks} == {
        name: hook.parameters for name, hook in HOOKS.items()
    }
    assert len([name for name in HOOKS if name != "provide_runtime_options"]) == 27


@pytest.mark.parametrize("name", HOOKS)
def test_each_hook_is_dispatched_as_its_page_says(name: str, bub_hooks: list[dict[str, Any]]) -> None:
    (page,) = (each for each in bub_hooks if each["name"] == name)
    hook = HOOKS[name]
    kind = page["dispatch"]["kind"]
    ways = {
        "first_result": {"bail"},
        "run_all": {"collect", "lifespan"},
        "sequential (fold": {"waterfall"},
        "sequential accumulate": {"collect"},
        "observer": {"notify"},
        "serial over": {"notify"},
    }
    assert hook.dispatch in next(allowed for start, allowed in ways.items() if kind.startswith(start))
    assert hook.part.value == page["family"]
    assert hook.at_once == page["sync_async"].startswith(("SYNC", "not documented"))


def test_an_error_names_its_kind() -> None:
    assert str(BubError("provider", "bad")) == "[provider] bad"
    assert BubError("tool", "m", {"error": "e"}).as_dict() == {
        "kind": "tool",
        "message": "m",
        "details": {"error": "e"},
    }
