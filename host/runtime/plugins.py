"""All plugins of a host: found in folders, loaded in the order of what they need, unloaded in reverse, reloaded."""

import asyncio
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from loguru import logger

from host.hooks import Hooks
from host.runtime.code import Housing, Isolation, PluginCode
from host.runtime.coming_back import ComingBack
from host.runtime.components import Components
from host.runtime.config.configuration import PluginConfiguration
from host.runtime.dependencies.plan import LoadPlan
from host.runtime.discovery import PluginRoot
from host.runtime.lifecycle import Lifecycle
from host.runtime.manifests.versions import HostVersions
from host.runtime.problems import PluginError, report, without_frames
from host.runtime.records import Records, graph
from host.runtime.reloading import Reloading
from host.runtime.removal import Removed, move_to_trash, removable
from host.runtime.restarting import Restarting
from host.runtime.runners.restarts import RestartSettings
from host.runtime.running import Running, log_problem
from host.runtime.state import Plugin, PluginState


class Plugins:
    """The plugins in the folders of a host. Iteration gives their records by id, then path, in code-point order.

    A plugin becomes active in this order: manifest, what it needs, import, ``create_plugin()``, context, configuration,
    components, the checks of its hook handlers, ``on_load``; and only then its handlers are called. Whatever goes wrong
    with one is kept in its record, blocks those that need it, and leaves all others alone.

    Args:
        hooks: the kernel that the plugins' hook handlers go to.
        roots: where plugins lie.
        housing: where their code runs.
        data_dir: where their data lies, and the trash.
        versions: the releases that the host offers to plugins.
        restarts: how often a plugin is started again whose process ends.

    Attributes:
        components: what the active plugins offer besides hook handlers.
    """

    def __init__(
        self,
        hooks: Hooks,
        roots: Sequence[PluginRoot],
        housing: Housing,
        data_dir: Path,
        *,
        versions: HostVersions | None = None,
        restarts: RestartSettings | None = None,
    ) -> None:
        self._hooks = hooks
        self._records = Records(tuple(roots), versions or HostVersions())
        self.components = Components()
        self._lifecycle = Lifecycle(hooks, self.components, housing, self._lost)
        self._restarting = Restarting(restarts or RestartSettings())
        self._data_dir = data_dir.absolute()
        self._one_at_a_time = asyncio.Lock()
        self._running = Running(hooks, self._records, self._lifecycle, self._restarting)
        self._reloading = Reloading(hooks, self._records, self._lifecycle, self._running)
        self._coming_back = ComingBack(
            self._records, self._lifecycle, self._running, self._restarting, self._one_at_a_time
        )

    def __iter__(self) -> Iterator[Plugin]:
        return iter(self._records)

    def __getitem__(self, plugin_id: str) -> Plugin:
        """The plugin of this id; where several claim it, one that is not blocked.

        Raises:
            UnknownPluginError: none has it.
        """
        return self._records[plugin_id]

    def plan(self) -> LoadPlan:
        """What loads before what, and what cannot load, as things stand."""
        return self._records.plan()

    def graph(self) -> Mapping[str, tuple[str, ...]]:
        """The ids of the plugins that each plugin needs, there or not."""
        return graph(self.plan())

    def isolation(self, plugin: Plugin) -> Isolation:
        """Where a plugin runs, or would: in a process of its own, or in the host's."""
        return self._lifecycle.isolation(plugin)

    def restarts(self, plugin: Plugin) -> int:
        """How often a plugin came back, since the host began, after its process had ended."""
        return self._restarting.total(plugin)

    async def load_all(self) -> None:
        """Look through the folders, and load every plugin in them that is not active yet and not switched off."""
        async with self._one_at_a_time:
            self._records.look()
            for plugin in self:
                if plugin.state is PluginState.BLOCKED:
                    log_problem(plugin)
            await self._running.settle()

    async def load(self, plugin_id: str) -> Plugin:
        """Look at a plugin's folder again and load it, unless it is active; then whatever waited for it.

        Returns:
            Its record, a new one unless it was active: active, failed, blocked, or inactive when its configuration
            switches it off.

        Raises:
            UnknownPluginError: no folder holds it.
        """
        async with self._one_at_a_time:
            return await self._running.load_again(plugin_id)

    async def unload(self, plugin_id: str) -> Plugin:
        """Unload a plugin, if it is active, and those that need it before it.

        What its ``on_unload`` does wrong is in the record's `problem`.

        Raises:
            UnknownPluginError: there is none of this id.
        """
        async with self._one_at_a_time:
            plugin = self[plugin_id]
            if plugin in self._running:
                dependents = await self._running.unload_dependents(plugin)
                await self._running.unload(plugin)
                self._records.renew(dependents)
                await self._running.settle()
            self._hooks.remove(plugin_id)
            return plugin

    async def unload_all(self) -> None:
        """Unload every active plugin, the last loaded first."""
        await self._restarting.aclose()
        async with self._one_at_a_time:
            for plugin in reversed([*self._running]):
                await self._running.unload(plugin)

    async def enable(self, plugin_id: str) -> Plugin:
        """Switch a plugin on in its configuration file, and load it.

        Returns:
            Its record, as from `load`.

        Raises:
            UnknownPluginError: no folder holds it.
            ConfigError: its configuration file cannot be changed; it is as before.
        """
        async with self._one_at_a_time:
            PluginConfiguration(self[plugin_id]).set_enabled(True)
            return await self._running.load_again(plugin_id)

    async def disable(self, plugin_id: str) -> Plugin:
        """Switch a plugin off in its configuration file, and unload it.

        Returns:
            Its record, inactive.

        Raises:
            UnknownPluginError: there is none of this id.
            ConfigError: its configuration file cannot be changed; it runs on.
        """
        plugin = self[plugin_id]
        PluginConfiguration(plugin).set_enabled(False)
        await self.unload(plugin_id)
        if plugin.state is not PluginState.INACTIVE:
            async with self._one_at_a_time:
                self._records.look([plugin_id])
                await self._running.settle()
        return self[plugin_id]

    async def remove(self, plugin_id: str) -> Removed:
        """Unload a plugin, those that need it before it, and move its folder into the trash. Its data stays.

        Raises:
            UnknownPluginError: there is none of this id.
            DuplicatePluginError: several folders claim the id.
            BundledPluginError: it comes with the host.
            NotRemovedError: its folder cannot be moved. What was unloaded is loaded again.
        """
        async with self._one_at_a_time:
            plugin = removable(self._records, plugin_id)
            dependents = []
            if plugin in self._running:
                dependents = await self._running.unload_dependents(plugin)
                await self._running.unload(plugin)
                self._records.renew([*dependents, plugin])
            try:
                ids = [each.id for each in dependents]
                removed = await asyncio.to_thread(move_to_trash, plugin, self._data_dir, ids)
                self._hooks.remove(plugin_id)  # The guards of one that was given up.
                self._records.look([plugin_id])
            finally:
                await self._running.settle()
            logger.info("plugin {} is removed; its folder is {} now", plugin_id, removed.trash)
            return removed

    async def reload(self, plugin_id: str) -> Plugin:
        """Take over what changed in a plugin's folder, and load those that need it again.

        The new version is prepared beside the old one: imported, created, all its declarations checked. Only then the
        old one's ``on_unload`` ends before the new one's ``on_load`` begins, since both may want the same port or file.
        Where anything of this fails, the old version serves on, started again if need be, and `reload_problem` of its
        record says why. Hooks that are fired in between wait for the plugin, a little.

        Returns:
            The record that serves now; where there was no active one, what `load` returns.

        Raises:
            UnknownPluginError: there is none of this id.
        """
        async with self._one_at_a_time:
            old = self[plugin_id]
            self._restarting.forgive(old)
            if old.state is PluginState.ACTIVE:
                return await self._reloading.reload(old)
            if old in self._running:
                # Its process is down.
                self._records.renew(await self._running.unload_dependents(old))
                await self._running.unload(old)
            return await self._running.load_again(plugin_id)

    async def reconfigure(self, plugin_id: str) -> Plugin:
        """Take over what changed in a plugin's configuration file: tell the plugin, switch it off, or load it.

        A broken file leaves the last good configuration in force; `config_problem` of the record says what is wrong.

        Raises:
            UnknownPluginError: there is none of this id.
        """
        async with self._one_at_a_time:
            plugin = self[plugin_id]
            if plugin.state is PluginState.ACTIVE:
                switched_off = not await self._reconfigure(plugin)
            else:
                return plugin if plugin.runs else await self._running.load_again(plugin_id)
        return await self.unload(plugin_id) if switched_off else plugin

    async def tell(self, scope: str, config_data: Mapping[str, Any], version: str) -> None:
        """Tell the active plugins that asked for it that a configuration outside their own has changed.

        What one does wrong is in the `config_problem` of its record, and keeps it from nobody else.

        Args:
            scope: ``"bot"`` or ``"model"``; who asked for it, ``get_config_reload_subscriptions`` of the plugin says.
            config_data: the whole configuration; each plugin gets a copy of its own.
            version: its version, or "".
        """
        async with self._one_at_a_time:
            for plugin in [each for each in self._running if each.state is PluginState.ACTIVE]:
                await self._told(plugin, _code(plugin).tell(scope, config_data, version))

    def _lost(self, plugin: Plugin, loss: PluginError) -> None:
        """The process of an active plugin ended: start it again, after a pause, or give it up."""
        self._restarting.begin(plugin, self._coming_back.come_back(plugin, loss))

    async def _reconfigure(self, plugin: Plugin) -> bool:
        """Take over an active plugin's configuration; whether it is to run on."""
        try:
            now = await _code(plugin).configure()
        except PluginError as problem:
            plugin.config_problem = without_frames(problem)
            logger.error("plugin {}: the last good configuration counts on. {}", plugin.id, report(problem))
            return True
        plugin.config_problem = None
        if now.enabled and now.changed:
            await self._told(plugin, _code(plugin).tell_configured())
        return now.enabled

    async def _told(self, plugin: Plugin, telling: Awaitable[None]) -> None:
        try:
            await telling
        except PluginError as problem:
            plugin.config_problem = without_frames(problem)
            logger.error("{}", report(problem))


def _code(plugin: Plugin) -> PluginCode:
    assert plugin.code is not None, "an active plugin has code"
    return plugin.code
