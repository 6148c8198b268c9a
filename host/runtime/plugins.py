"""All plugins of a host: found in folders, loaded and unloaded one after another."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

from loguru import logger

from host.hooks import Hooks, Registration, RegistrationError
from host.runtime.discovery import PluginRoot, discover, look
from host.runtime.lifecycle import Lifecycle
from host.runtime.problems import GoneError, PluginError, UnknownPluginError
from host.runtime.state import Plugin, PluginState

Problem = PluginError | RegistrationError


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
        self._roots = tuple(roots)
        self._records: dict[Path, Plugin] = {}
        self._lifecycle = Lifecycle(hooks, data_dir.absolute(), lifecycle_seconds)
        self._hooks = hooks
        self._order: list[Plugin] = []
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
            active = {path: plugin for path, plugin in self._records.items() if self._lifecycle.holds(plugin)}
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
            stale = {plugin.path for plugin in self if plugin.id == plugin_id and not self._holds(plugin.path)}
            for path in stale:
                del self._records[path]
            for found in discover(self._roots):
                if found.path in stale or (found.id == plugin_id and not self._holds(found.path)):
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
            for plugin in reversed(list(self._order)):
                await self._unload(plugin)

    async def reload(self, plugin_id: str) -> Plugin:
        """Take over what changed in a plugin's folder.

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
            if old.state is PluginState.ACTIVE:
                return await self._reload(old)
        return await self.load(plugin_id)

    async def _reload(self, old: Plugin) -> Plugin:
        found = look(old.path, old.source)
        if found is None or found.problem is not None or found.id != old.id:
            problem = found.problem if found is not None else None
            return _keep(old, problem or GoneError(old.id, old.path))
        new = Plugin.of(found)
        try:
            await self._lifecycle.prepare(new)
        except (PluginError, RegistrationError) as problem:
            return _keep(old, problem)
        assert new.registration is not None
        new.registration.lease.suspend()
        await self._stop(old, successor=new.registration)
        try:
            await self._lifecycle.start(new)
        except PluginError as problem:
            self._hooks.deactivate(new.registration)
            await self._lifecycle.dispose(new, PluginState.FAILED)
            return await self._revive(old, problem)
        await self._lifecycle.dispose(old, PluginState.INACTIVE)
        self._records[new.path] = new
        self._order[self._order.index(old)] = new
        return new

    async def _revive(self, old: Plugin, problem: PluginError) -> Plugin:
        """Start a version again that had to make way for one that then did not come up."""
        try:
            await self._lifecycle.revive(old)
        except (PluginError, RegistrationError) as worse:
            old.problem = _without_frames(worse)
            self._order.remove(old)
            await self._lifecycle.dispose(old, PluginState.FAILED)
            _report(old)
        return _keep(old, problem)

    async def _load(self, plugin: Plugin) -> None:
        try:
            await self._lifecycle.prepare(plugin)
            try:
                await self._lifecycle.start(plugin)
            except PluginError:
                await self._lifecycle.dispose(plugin, PluginState.FAILED)
                raise
            except BaseException:
                # The host is being stopped while the plugin loads.
                await self._lifecycle.dispose(plugin, PluginState.INACTIVE)
                raise
        except (PluginError, RegistrationError) as problem:
            plugin.problem = _without_frames(problem)
            _report(plugin)
        else:
            self._order.append(plugin)

    async def _unload(self, plugin: Plugin) -> None:
        self._order.remove(plugin)
        try:
            await self._stop(plugin)
        finally:
            await self._lifecycle.dispose(plugin, PluginState.INACTIVE)
        logger.info("plugin {} is unloaded", plugin.id)

    async def _stop(self, plugin: Plugin, successor: Registration | None = None) -> None:
        """Stop a plugin; what its ``on_unload`` does wrong is told, and keeps nothing up."""
        if successor is not None:
            self._hooks.activate(successor)
        try:
            await self._lifecycle.stop(plugin)
        except PluginError as problem:
            plugin.problem = _without_frames(problem)
            _report(plugin)

    def _holds(self, path: Path) -> bool:
        return path in self._records and self._lifecycle.holds(self._records[path])


def _without_frames(problem: Problem) -> Problem:
    """The problem alone: the frames that it was raised through hold the plugin's objects."""
    problem.__context__ = problem.__cause__ = None
    return problem.with_traceback(None)


def _keep(old: Plugin, problem: Problem) -> Plugin:
    """Say why a new version is not taken."""
    old.reload_problem = _without_frames(problem)
    lines = [problem.text(), problem.traceback if isinstance(problem, PluginError) else ""]
    logger.error("plugin {} was not reloaded: {}", old.id, "\n".join(filter(None, lines)))
    return old


def _report(plugin: Plugin) -> None:
    if plugin.problem is not None:
        logger.error("{}", "\n".join(filter(None, [plugin.problem.text(), plugin.traceback])))
