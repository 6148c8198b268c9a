"""A pytest plugin for Bub's own test suite: the dispatch of this project in the place of Bub's, by name.

It runs in an environment with Bub, in another process than the tests here. Every module of Bub that holds the class
``HookRuntime`` or ``AgentHooks`` gets ours; Bub's own raise when they are touched.
"""

import importlib
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pluggy
import pytest
from bub.hooks import interception  # type: ignore[import-not-found]
from bub.hooks import runtime as own

from host.bub import Plugins
from host.bub.agent_hooks import AgentHooks as OurAgentHooks
from host.bub.runtime import HookRuntime as OurRuntime
from host.bub.runtime import ModelSelection, not_supported
from host.hooks import COLLECT, series_at_once

# Whatever holds the classes is imported before they are replaced.
for module in ("bub.framework", "bub.builtin.hook_impl", "bub.channels.manager"):
    importlib.import_module(module)

touched: list[str] = []
calls = [0]


class OurTable(Plugins):
    """The plugins of a pluggy manager, registered here in the same order; looked at anew when they change."""

    def __init__(self, manager: pluggy.PluginManager) -> None:
        super().__init__()
        self._manager = manager

    def refresh(self) -> None:
        theirs = self._manager.list_name_plugin()
        wanted = [(name, plugin) for name, plugin in theirs if plugin is not None]
        if wanted == self.in_order():
            return
        for name, _ in self.in_order():
            self.unregister(name)
        for name, plugin in wanted:
            self.register(plugin, name)


class HookRuntime(OurRuntime):
    """Ours, made as theirs is."""

    def __init__(self, manager: pluggy.PluginManager) -> None:
        table = OurTable(manager)
        super().__init__(table, ModelSelection.RELEASED)
        self._ours = table

    def hook_report(self) -> dict[str, list[str]]:
        self._ours.refresh()
        return {hook: names[::-1] for hook, names in self._ours.report().items()}

    def _iter_hookimpls(self, hook: str) -> list[Any]:
        """What their framework asks for where it calls implementations by itself: those of ours, in our order."""
        self._ours.refresh()
        plugins = dict(self._ours.in_order())
        return [
            SimpleNamespace(
                plugin_name=each.plugin,
                plugin=plugins[each.plugin],
                function=each.function,
                argnames=each.parameters,
            )
            for each in self._ours.table.of(hook)
        ]

    def _invoke_impl_sync(self, *, hook_name: str, impl: Any, call_kwargs: dict[str, Any], kwargs: Any) -> Any:
        """One implementation, asked by our loop."""
        self._ours.refresh()
        (chosen,) = [each for each in self._ours.table.of(hook_name) if each.function == impl.function]
        return next(iter(series_at_once([chosen], call_kwargs, COLLECT, refuse=not_supported)), None)

    def __getattribute__(self, name: str) -> Any:

        if not name.startswith("_"):
            calls[0] += 1
            object.__getattribute__(self, "_ours").refresh()
        return object.__getattribute__(self, name)


class AgentHooks(OurAgentHooks):
    """Ours; decisions that it makes itself are given as theirs, since their tests compare them."""

    async def before_tool_call(self, call: Any, state: dict[str, Any]) -> tuple[Any, Any]:
        changed, decision = await super().before_tool_call(call, state)
        if not isinstance(decision, interception.ToolCallDecision):
            decision = interception.ToolCallDecision.proceed()
        return changed, decision


def _raising(place: str) -> Any:
    def touch(*_: Any, **__: Any) -> None:
        touched.append(place)
        raise AssertionError(f"Bub's own {place} was touched")

    return touch


def _replace(theirs: type, ours: type) -> None:
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "bub":
            for key, value in list(vars(module).items()):
                if value is theirs:
                    setattr(module, key, ours)
    for key, value in list(vars(theirs).items()):
        if callable(value):
            setattr(theirs, key, _raising(f"{theirs.__name__}.{key}"))


_replace(own.HookRuntime, HookRuntime)
_replace(interception.AgentHooks, AgentHooks)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how often ours was asked, and whether theirs was touched."""
    terminalreporter.write_line(f"dispatch: {calls[0]} calls of ours, {len(touched)} of Bub's own")


@pytest.fixture(autouse=True)
def _untouched() -> Iterator[None]:
    yield
    assert touched == []
