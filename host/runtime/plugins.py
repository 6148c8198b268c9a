"""All plugins of a host: found in folders, loaded and unloaded one after another."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

from loguru import logger

from host.hooks import Hooks, RegistrationError, declarations_of
from host.runtime.border import attempt, attempt_lifecycle
from host.runtime.construction import construct
from host.runtime.discovery import PluginRoot, discover
from host.runtime.importing import PluginPackage
from host.runtime.problems import PluginError, Step, UnknownPluginError
from host.runtime.state import Plugin, PluginState


class Plugins:
    """The plugins in the folders of a host. Iteration gives their records by id, then path, in code-point order.

    A plugin becomes active in this order: manifest, import, ``create_plugin()``, context, components, the checks of
    its hook handlers, ``on_load``; and only then its handlers are called. Whatever goes wrong with one is kept in its
    record and leaves the others alone.

    Args:
        hooks: the kernel that the plugins' hook handlers go to.
        roots: where plugins lie.
        data_dir: where they keep their data: ``plugins/<id>`` in it, and ``temp/plugins/<id>`` for what may be lost.
        lifecycle_seconds: how long ``on_load`` may take, and ``on_unload``.
    """

    def __init__(
        self, hooks: Hooks, roots: Sequence[PluginRoot], data_dir: Path, *, lifecycle_seconds: float = 30.0
    ) -> None:
        self._hooks = hooks
        self._roots = tuple(roots)
        self._data_dir = data_dir.absolute()
        self._lifecycle_seconds = lifecycle_seconds
        self._records: dict[Path, Plugin] = {}
        # In the order of loading, and so that of their coming up.
        self._packages: dict[Path, PluginPackage] = {}
        self._one_at_a_time = asyncio.Lock()

    def __iter__(self) -> Iterator[Plugin]:
        return iter(sorted(self._records.values(), key=lambda plugin: (plugin.id, str(plugin.path))))

    def __getitem__(self, plugin_id: str) -> Plugin:
        """The plugin of this id; where several claim it, one that is not blocked.

        Raises:
            UnknownPluginError: none has it.
        """
        claiming = [plugin for plugin in self if plugin.id == plugin_id]
        if not claiming:
            raise UnknownPluginError(plugin_id, [plugin.id for plugin in self])
        return min(claiming, key=lambda plugin: plugin.state is PluginState.BLOCKED)

    async def load_all(self) -> None:
        """Look through the folders, and load every plugin in them that is not active yet, by id."""
        async with self._one_at_a_time:
            active = {path: plugin for path, plugin in self._records.items() if path in self._packages}
            self._records = {found.path: Plugin.of(found) for found in discover(self._roots)} | active
            for plugin in self:
                if plugin.state is PluginState.DISCOVERED:
                    await self._load(plugin)
                elif plugin.state is PluginState.BLOCKED:
                    _report(plugin)

    async def load(self, plugin_id: str) -> Plugin:
        """Look at the folders again, and load one plugin, unless it is active.

        Returns:
            Its record, a new one unless it was active: active, failed or blocked.

        Raises:
            UnknownPluginError: no folder holds it.
        """
        async with self._one_at_a_time:
            stale = {plugin.path for plugin in self if plugin.id == plugin_id and plugin.path not in self._packages}
            for path in stale:
                del self._records[path]
            for found in discover(self._roots):
                if found.path in stale or (found.id == plugin_id and found.path not in self._packages):
                    self._records[found.path] = Plugin.of(found)
            plugin = self[plugin_id]
            if plugin.state is PluginState.DISCOVERED:
                await self._load(plugin)
            elif plugin.state is PluginState.BLOCKED:
                _report(plugin)
            return plugin

    async def unload(self, plugin_id: str) -> Plugin:
        """Unload one plugin, if it is active. What its ``on_unload`` does wrong is in the record's `problem`.

        Raises:
            UnknownPluginError: there is none of this id.
        """
        async with self._one_at_a_time:
            plugin = self[plugin_id]
            if plugin.state is PluginState.ACTIVE:
                await self._unload(plugin)
            return plugin

    async def unload_all(self) -> None:
        """Unload every active plugin, the last loaded first."""
        async with self._one_at_a_time:
            for path in reversed(list(self._packages)):
                await self._unload(self._records[path])

    async def _load(self, plugin: Plugin) -> None:
        plugin.move_to(PluginState.LOADING)
        self._packages[plugin.path] = PluginPackage(plugin.id, plugin.path)
        try:
            await self._bring_up(plugin)
        except (PluginError, RegistrationError) as problem:
            plugin.problem = problem.with_traceback(None)
            self._take_down(plugin, PluginState.FAILED)
            _report(plugin)
        except BaseException:
            # The host is being stopped while the plugin loads.
            self._take_down(plugin, PluginState.INACTIVE)
            raise

    async def _bring_up(self, plugin: Plugin) -> None:
        package = self._packages[plugin.path]
        construct(plugin, package, self._data_dir)
        declarations = attempt(plugin, Step.COMPONENTS, lambda: declarations_of(plugin.instance, plugin.components))
        registration = self._hooks.check(plugin.id, declarations, source=plugin.source)
        plugin.registration = registration
        for warning in registration.warnings:
            logger.warning("plugin {}: {}", plugin.id, warning.text())
        with package.contained():
            await attempt_lifecycle(plugin, Step.ON_LOAD, self._lifecycle_seconds)
        self._hooks.activate(registration)
        plugin.move_to(PluginState.ACTIVE)
        logger.info("plugin {} {} is active, hook handlers: {}", plugin.id, plugin.version, len(registration.handlers))

    async def _unload(self, plugin: Plugin) -> None:
        plugin.move_to(PluginState.UNLOADING)
        self._hooks.remove(plugin.id)
        try:
            with self._packages[plugin.path].contained():
                await attempt_lifecycle(plugin, Step.ON_UNLOAD, self._lifecycle_seconds)
        except PluginError as problem:
            plugin.problem = problem.with_traceback(None)
            _report(plugin)
        finally:
            self._take_down(plugin, PluginState.INACTIVE)
            logger.info("plugin {} is unloaded", plugin.id)

    def _take_down(self, plugin: Plugin, state: PluginState) -> None:
        self._hooks.remove(plugin.id)
        self._packages.pop(plugin.path).remove()
        plugin.instance, plugin.components, plugin.registration = None, [], None
        plugin.move_to(state)


def _report(plugin: Plugin) -> None:
    if plugin.problem is not None:
        logger.error("{}", "\n".join(filter(None, [plugin.problem.text(), plugin.traceback])))
