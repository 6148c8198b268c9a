"""Components that are no hook handlers: found while their plugin is active, called by keyword, in whichever process."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from host.hooks import Source
from host.hooks.portable import InvalidValueError
from host.runtime import PluginRoot, Plugins
from host.runtime.components import Component, ComponentGoneError, ComponentTimeoutError
from tests.runtime.plugin_folders import PluginsIn, reached, write_plugin

SOURCE = """
    import asyncio
    import logging
    from maibot_sdk import Action, Command, MaiBotPlugin, Tool

    journal = logging.getLogger("journal")

    class P(MaiBotPlugin):
        async def on_load(self): ...

        @Command("greet", pattern="^/greet")
        async def greet(self, stream_id, **kwargs):
            return True, f"hello {stream_id}", 1

        @Tool("count", description="counts")
        def count(self, words, **kwargs):
            words.append("edited")
            return {"content": str(len(words)), "kinds": {"b", "a"}, "at": (1, 2)}

        @Tool("fails", description="fails")
        async def fails(self, **kwargs):
            raise LookupError("no such word")

        @Tool("leaves", description="leaves")
        async def leaves(self, **kwargs):
            raise SystemExit(3)

        @Tool("cancels", description="cancels itself")
        async def cancels(self, **kwargs):
            raise asyncio.CancelledError

        @Tool("odd", description="returns what cannot travel")
        async def odd(self, **kwargs):
            return object()

        @Tool("hangs", description="hangs", timeout_ms=50)
        async def hangs(self, **kwargs):
            journal.warning("begins")
            await asyncio.Event().wait()

        def get_components(self):
            more = [
                {"name": "by_prefix", "type": "TOOL", "metadata": {}},
                {"name": "by_plugin", "type": "API", "metadata": {"handler_name": "far"}},
            ]
            return [*super().get_components(), *more]

        async def handle_by_prefix(self, **kwargs):
            return "prefix"

        async def invoke_component(self, component_name, **kwargs):
            return [component_name, kwargs]

    create_plugin = P
"""


async def loaded(plugins_in: PluginsIn, root: Path, source: str = SOURCE) -> Plugins:
    """The one plugin of a test, active."""
    write_plugin(root, "team.one", source)
    plugins = plugins_in(root)
    await plugins.load_all()
    return plugins


def component(plugins: Plugins, name: str) -> Component:
    """The component of that name."""
    (found,) = [each for each in plugins.components.of_type("COMMAND", "TOOL", "API") if each.name == name]
    return found


async def test_components_are_there_while_their_plugin_is_active(plugins_in: PluginsIn, tmp_path: Path) -> None:
    plugins = await loaded(plugins_in, tmp_path)
    assert [each.name for each in plugins.components.of_type("COMMAND")] == ["greet"]
    greet = component(plugins, "greet")
    assert (greet.plugin_id, greet.type, greet.metadata["command_pattern"]) == ("team.one", "COMMAND", "^/greet")
    await plugins.unload("team.one")
    assert plugins.components.of_type("COMMAND", "TOOL", "API") == []
    with pytest.raises(ComponentGoneError, match="not running"):
        await greet.invoke({"stream_id": "s"})


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("greet", {"stream_id": "s", "text": "/greet"}, [True, "hello s", 1]),
        ("count", {"words": ["a", "b"]}, {"content": "3", "kinds": ["a", "b"], "at": [1, 2]}),
        ("by_prefix", {}, "prefix"),
        ("by_plugin", {"x": 1}, ["far", {"x": 1}]),
    ],
)
async def test_a_component_gets_its_arguments_by_keyword_and_returns_what_may_travel(
    plugins_in: PluginsIn, tmp_path: Path, name: str, arguments: dict[str, Any], result: object
) -> None:
    plugins = await loaded(plugins_in, tmp_path)
    given = {key: list(value) if isinstance(value, list) else value for key, value in arguments.items()}
    invoked = await component(plugins, name).invoke(arguments)
    assert (invoked.success, invoked.result) == (True, result)
    assert arguments == given


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("fails", "no such word"),
        ("leaves", "3"),
        ("cancels", "CancelledError"),
        ("odd", "returned what cannot travel"),
    ],
)
async def test_what_a_component_raises_is_the_text_of_its_result(
    plugins_in: PluginsIn, tmp_path: Path, name: str, text: str
) -> None:
    plugins = await loaded(plugins_in, tmp_path)
    invoked = await component(plugins, name).invoke({})
    assert not invoked.success
    assert text in invoked.result


async def test_a_component_that_does_not_end_in_time_is_cancelled(plugins_in: PluginsIn, tmp_path: Path) -> None:
    plugins = await loaded(plugins_in, tmp_path)
    with pytest.raises(ComponentTimeoutError, match=r"0\.05 s"):
        await component(plugins, "hangs").invoke({})
    assert (await component(plugins, "by_prefix").invoke({})).result == "prefix"


async def test_whoever_calls_can_be_cancelled(plugins_in: PluginsIn, tmp_path: Path) -> None:
    plugins = await loaded(plugins_in, tmp_path)
    call = asyncio.create_task(component(plugins, "hangs").invoke({}, timeout_ms=60_000))
    await reached("begins")
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


async def test_arguments_that_cannot_travel_are_the_callers_mistake(plugins_in: PluginsIn, tmp_path: Path) -> None:
    plugins = await loaded(plugins_in, tmp_path)
    with pytest.raises(InvalidValueError, match="words"):
        await component(plugins, "count").invoke({"words": object()})


async def test_bundled_ones_come_first_then_the_order_of_declaration(plugins_in: PluginsIn, tmp_path: Path) -> None:
    write_plugin(tmp_path / "others", "a.first", SOURCE)
    write_plugin(tmp_path / "bundled", "z.last", SOURCE)
    roots = PluginRoot(tmp_path / "others", Source.THIRD_PARTY), PluginRoot(tmp_path / "bundled", Source.BUILTIN)
    plugins = plugins_in(tmp_path, *roots)
    await plugins.load_all()
    names = [(each.plugin_id, each.name) for each in plugins.components.of_type("TOOL")]
    declared = ["cancels", "count", "fails", "hangs", "leaves", "odd", "by_prefix"]
    assert names == [(plugin_id, name) for plugin_id in ("z.last", "a.first") for name in declared]
