"""``component.load_plugin`` and its like: plugins that have others loaded, unloaded and reloaded."""

from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from typing_extensions import TypedDict

from host.capabilities.arguments import Arguments, Id
from host.capabilities.capability import Capability, CapabilitySpec
from host.capabilities.component import Done
from host.capabilities.errors import RefusalError, SaidError
from host.capabilities.host_tasks import HostTasks
from host.runtime import Plugin, Plugins, PluginState, UnknownPluginError
from maibot_sdk.hooks import Text


class Loaded(TypedDict):
    """How many plugins were loaded: one."""

    success: bool
    count: int


class _OnePlugin(Arguments):
    plugin_name: Id


LOAD = CapabilitySpec("component.load_plugin", _OnePlugin, Loaded, Text("Loads a plugin.", "加载一个插件。"))
UNLOAD = CapabilitySpec("component.unload_plugin", _OnePlugin, Done, Text("Unloads a plugin.", "卸载一个插件。"))
RELOAD = CapabilitySpec(
    "component.reload_plugin", _OnePlugin, Done, Text("Loads a plugin afresh.", "重新加载一个插件。")
)
MOVES = (LOAD, UNLOAD, RELOAD)


class PluginMoves:
    """Loads, unloads and reloads plugins for plugins.

    Args:
        plugins: all of them.
    """

    def __init__(self, plugins: Plugins) -> None:
        self._plugins = plugins
        self._tasks = HostTasks()

    async def aclose(self) -> None:
        """End what plugins asked for and what is still going on. To be done before the plugins are unloaded."""
        await self._tasks.aclose()

    def offers(self) -> Iterable[Capability]:
        """``component.load_plugin``, ``unload_plugin`` and ``reload_plugin``."""
        return LOAD.by(self._load), UNLOAD.by(self._unload), RELOAD.by(self._reload)

    async def _load(self, plugin: Plugin, asked: _OnePlugin) -> Loaded:
        await self._moved(plugin, asked.plugin_name, self._plugins.load)
        return {"success": True, "count": 1}

    async def _reload(self, plugin: Plugin, asked: _OnePlugin) -> Done:
        now = await self._moved(plugin, asked.plugin_name, self._plugins.reload)
        if now.reload_problem is not None:
            raise SaidError(now.reload_problem)
        return {"success": True}

    async def _unload(self, plugin: Plugin, asked: _OnePlugin) -> Done:
        await self._moved(plugin, asked.plugin_name, self._plugins.unload, PluginState.INACTIVE)
        return {"success": True}

    async def _moved(
        self,
        caller: Plugin,
        plugin_id: str,
        move: Callable[[str], Coroutine[Any, Any, Plugin]],
        wanted: PluginState = PluginState.ACTIVE,
    ) -> Plugin:
        """The record of a plugin that was loaded, unloaded or reloaded.

        Raises:
            RefusalError: there is none, it did not come to the wanted state, or the caller is itself being loaded or
                unloaded: plugins are moved one at a time, so it would wait for itself.
        """
        if caller.state is not PluginState.ACTIVE:
            raise RefusalError("not_while_moving", state=caller.state.value)
        try:
            now = await self._tasks.run(move(plugin_id))
        except UnknownPluginError as error:
            raise SaidError(error) from None
        if now.state is wanted:
            return now
        if now.problem is not None:
            raise SaidError(now.problem)
        raise RefusalError("plugin_state", plugin_id=plugin_id, state=now.state.value)
