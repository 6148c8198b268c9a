"""All plugins of a host: found in folders, loaded in the order of what they need, unloaded in reverse, reloaded."""

import asyncio
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from loguru import logger

from host.hooks import Hooks, RegistrationError
from host.runtime.code import Housing, Isolation, PluginCode
from host.runtime.components import Components
from host.runtime.config.configuration import PluginConfiguration
from host.runtime.dependencies.plan import LoadPlan
from host.runtime.dependencies.reasons import BlockedError, Trouble
from host.runtime.discovery import PluginRoot, look
from host.runtime.lifecycle import Lifecycle
from host.runtime.manifests.manifest import warnings_of
from host.runtime.manifests.versions import HostVersions
from host.runtime.problems import GoneError, PluginError, report
from host.runtime.records import Records, graph
from host.runtime.removal import Removed, move_to_trash, removable
from host.runtime.restarting import Restarting
from host.runtime.runners.restarts import RestartSettings
from host.runtime.state import Plugin, PluginState

_Problem = TypeVar("_Problem", bound=Exception)


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
        self._prepared: set[Plugin] = set()
        self._data_dir = data_dir.absolute()
        # In the order of loading.
        self._running: list[Plugin] = []
        self._one_at_a_time = asyncio.Lock()

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
                    _report(plugin)
            await self._settle()

    async def load(self, plugin_id: str) -> Plugin:
        """Look at a plugin's folder again and load it, unless it is active; then whatever waited for it.

        Returns:
            Its record, a new one unless it was active: active, failed, blocked, or inactive when its configuration
            switches it off.

        Raises:
            UnknownPluginError: no folder holds it.
        """
        async with self._one_at_a_time:
            return await self._load_again(plugin_id)

    async def unload(self, plugin_id: str) -> Plugin:
        """Unload a plugin, if it is active, and those that need it before it.

        What its ``on_unload`` does wrong is in the record's `problem`.

        Raises:
            UnknownPluginError: there is none of this id.
        """
        async with self._one_at_a_time:
            plugin = self[plugin_id]
            if plugin in self._running:
                dependents = await self._unload_dependents(plugin)
                await self._unload(plugin)
                self._records.renew(dependents)
                await self._settle()
            self._hooks.remove(plugin_id)
            return plugin

    async def unload_all(self) -> None:
        """Unload every active plugin, the last loaded first."""
        await self._restarting.aclose()
        async with self._one_at_a_time:
            for plugin in reversed(list(self._running)):
                await self._unload(plugin)

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
            return await self._load_again(plugin_id)

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
                await self._settle()
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
                dependents = await self._unload_dependents(plugin)
                await self._unload(plugin)
                self._records.renew([*dependents, plugin])
            try:
                ids = [each.id for each in dependents]
                removed = await asyncio.to_thread(move_to_trash, plugin, self._data_dir, ids)
                self._hooks.remove(plugin_id)  # The guards of one that was given up.
                self._records.look([plugin_id])
            finally:
                await self._settle()
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
                return await self._reload(old)
            if old in self._running:
                # Its process is down.
                self._records.renew(await self._unload_dependents(old))
                await self._unload(old)
            return await self._load_again(plugin_id)

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
                return plugin if plugin.runs else await self._load_again(plugin_id)
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
        self._restarting.begin(plugin, self._come_back(plugin, loss))

    async def _come_back(self, plugin: Plugin, loss: Trouble) -> None:
        await self._go_down(plugin, loss)
        while plugin in self._running:
            pause = self._restarting.pause(plugin, loss)
            if pause is None:
                await self._give_up(plugin, self._restarting.given_up(plugin, loss))
                return
            logger.info("plugin {} is started again in {:.1f} s", plugin.id, pause)
            await asyncio.sleep(pause)
            async with self._one_at_a_time:
                problem = await self._restart(plugin) if plugin in self._running else None
            if problem is None:
                return
            loss = problem

    async def _restart(self, plugin: Plugin) -> Trouble | None:
        """Start a plugin again that went down; why it did not come up."""
        try:
            if not await self._lifecycle.restart(plugin):
                await self._unload(plugin)
                return None
        except (PluginError, RegistrationError) as problem:
            plugin.problem = _without_frames(problem)
            _report(plugin)
            return problem
        plugin.problem = None
        self._restarting.came_back(plugin)
        return None

    async def _go_down(self, plugin: Plugin, loss: Trouble) -> None:
        async with self._one_at_a_time:
            if plugin in self._running:
                plugin.problem = loss
                await self._lifecycle.go_down(plugin, loss.text())
                _report(plugin)

    async def _give_up(self, plugin: Plugin, problem: PluginError) -> None:
        """Let a plugin fail whose process ended too often. Its guards stay, so that nothing passes them unseen."""
        async with self._one_at_a_time:
            if plugin not in self._running:
                return
            dependents = await self._unload_dependents(plugin)
            self._running.remove(plugin)
            await self._lifecycle.fail(plugin, problem.text())
            plugin.problem = problem
            _report(plugin)
            self._records.renew(dependents)
            await self._settle()

    async def _load_again(self, plugin_id: str) -> Plugin:
        self._records.look([plugin_id])
        plugin = self[plugin_id]
        if plugin.state is PluginState.BLOCKED:
            _report(plugin)
        await self._settle()
        return self[plugin_id]

    async def _settle(self) -> None:
        """Load whatever can be loaded now, in the order of what needs what, and say of the rest why it cannot be."""
        try:
            while not await self._load_in_order():
                """One of them did not come up, so what needs it has to wait: the rest is planned anew."""
        finally:
            # Only when the host is being stopped while it loads.
            for plugin in [*self._prepared]:
                await self._withdraw(plugin)

    async def _load_in_order(self) -> bool:
        """Prepare what was found, all at once, and start it in the order of what needs what.

        Returns:
            Whether all came up; if not, it stopped at the first that did not.
        """
        plan = self._records.plan()
        for plugin in [each for each in self._prepared if each.id in plan.blocked]:
            await self._withdraw(plugin)
            self._records.renew([plugin])
        self._block(plan)
        in_order = [self[plugin_id] for plugin_id in plan.order]
        found = [plugin for plugin in in_order if plugin.state is PluginState.DISCOVERED]
        if not await self._prepare_all(found):
            return False
        for plugin in in_order:
            if plugin in self._prepared and not await self._start(plugin):
                return False
        return True

    def _block(self, plan: LoadPlan) -> None:
        """Block what the plan blocks, and let go what waited for something that is there now."""
        waiting = [each for each in self if isinstance(each.problem, BlockedError) and each.id not in plan.blocked]
        self._records.renew(each for each in waiting if each.state is PluginState.BLOCKED)
        for plugin in self:
            problem = plan.blocked.get(plugin.id)
            if problem is None or plugin.runs:
                continue
            if plugin.state is PluginState.DISCOVERED:
                plugin.move_to(PluginState.BLOCKED)
                plugin.problem = problem
                _report(plugin)
            elif isinstance(plugin.problem, BlockedError):
                plugin.problem = problem

    async def _prepare_all(self, plugins: Sequence[Plugin]) -> bool:
        """Prepare plugins, those at once that have a process of their own; whether all can be started."""
        async with asyncio.TaskGroup() as group:
            elsewhere = [each for each in plugins if self._lifecycle.isolation(each) == "process"]
            tasks = [group.create_task(self._prepare(plugin)) for plugin in elsewhere]
            here = [await self._prepare(plugin) for plugin in plugins if plugin not in elsewhere]
        return all(here) and all(task.result() for task in tasks)

    async def _prepare(self, plugin: Plugin) -> bool:
        """Do all of loading a plugin that comes before ``on_load``; whether it can be started."""
        try:
            enabled = await self._lifecycle.prepare(plugin)
        except (PluginError, RegistrationError) as problem:
            self._fail(plugin, problem)
            return False
        self._prepared.add(plugin)
        if not enabled:
            # Only its model knew: there was no file before.
            await self._withdraw(plugin)
        return enabled

    async def _start(self, plugin: Plugin) -> bool:
        """Start a plugin that is prepared; whether it came up."""
        try:
            await self._lifecycle.start(plugin)
        except PluginError as problem:
            self._prepared.discard(plugin)
            await self._lifecycle.dispose(plugin, PluginState.FAILED)
            self._fail(plugin, problem)
            return False
        self._prepared.discard(plugin)
        self._running.append(plugin)
        self._restarting.started(plugin)
        self._warn(plugin)
        return True

    async def _withdraw(self, plugin: Plugin) -> None:
        """Take a plugin out again that is prepared and not to be started."""
        self._prepared.discard(plugin)
        await self._lifecycle.dispose(plugin, PluginState.INACTIVE)

    async def _reload(self, old: Plugin) -> Plugin:
        found = look(old.path, old.source)
        if found is None or found.manifest is None or found.problem is not None or found.id != old.id:
            problem = found.problem if found is not None else None
            return _keep(old, problem or GoneError(old.id, old.path))
        blocked = self._records.plan(instead=found.manifest).blocked.get(old.id)
        if blocked is not None:
            return _keep(old, blocked)
        new = Plugin.of(found)
        try:
            await self._lifecycle.prepare(new)
        except (PluginError, RegistrationError) as problem:
            return _keep(old, problem)
        dependents = self._dependents(old)
        try:
            for each in dependents:
                await self._unload(each)
            await self._swap(old, new)
        except BaseException:
            # The host is being stopped meanwhile.
            if new.state is PluginState.LOADING:
                await self._abandon(new)
            raise
        finally:
            self._records.renew(dependents)
        await self._settle()
        return self[old.id]

    async def _swap(self, old: Plugin, new: Plugin) -> None:
        """Stop the old version, start the new one; where that fails, start the old one again."""
        assert new.registration is not None
        new.registration.lease.suspend()
        self._hooks.activate(new.registration)
        try:
            await self._stop(old)
            try:
                await self._lifecycle.start(new)
            except PluginError as problem:
                self._hooks.deactivate(new.registration)
                await self._lifecycle.dispose(new, PluginState.FAILED)
                await self._revive(old, problem)
                return
        except BaseException:
            # The host is being stopped meanwhile.
            await self._abandon(old)
            raise
        self._records.put(new)
        self._running[self._running.index(old)] = new
        self._warn(new)
        await self._lifecycle.dispose(old, PluginState.INACTIVE)

    async def _revive(self, old: Plugin, problem: PluginError) -> None:
        """Start a version again that had to make way for one that then did not come up."""
        try:
            await self._lifecycle.revive(old)
        except (PluginError, RegistrationError) as worse:
            self._running.remove(old)
            await self._lifecycle.dispose(old, PluginState.FAILED)
            self._fail(old, worse)
        _keep(old, problem)

    def _fail(self, plugin: Plugin, problem: Trouble) -> None:
        """Note down why a plugin did not come up; one that had no part in that is tried again with what comes next."""
        plugin.problem = _without_frames(problem)
        _report(plugin)
        if self._restarting.excuses(plugin, problem):
            self._records.renew([plugin])

    async def _unload_dependents(self, plugin: Plugin) -> list[Plugin]:
        """Unload those that need a plugin, directly or by way of others; the last loaded first."""
        dependents = self._dependents(plugin)
        for each in dependents:
            await self._unload(each)
        return dependents

    def _dependents(self, plugin: Plugin) -> list[Plugin]:
        """Those running that need a plugin, directly or by way of others; the last loaded first."""
        needing = self._records.plan().dependents_of(plugin.id)
        return [each for each in reversed(self._running) if each.id in needing]

    async def _abandon(self, plugin: Plugin) -> None:
        """Take out a plugin whose start or end was cut short."""
        if plugin in self._running:
            self._running.remove(plugin)
        if plugin.registration is not None:
            self._hooks.deactivate(plugin.registration)
        if plugin.runs:
            await self._lifecycle.dispose(plugin, PluginState.INACTIVE)

    async def _unload(self, plugin: Plugin) -> None:
        self._restarting.stop(plugin)
        self._running.remove(plugin)
        try:
            await self._stop(plugin)
        finally:
            await self._lifecycle.dispose(plugin, PluginState.INACTIVE)
        logger.info("plugin {} is unloaded", plugin.id)

    async def _stop(self, plugin: Plugin) -> None:
        """Stop a plugin; what its ``on_unload`` does wrong is told, and keeps nothing up."""
        try:
            await self._lifecycle.stop(plugin)
        except PluginError as problem:
            plugin.problem = _without_frames(problem)
            _report(plugin)

    async def _reconfigure(self, plugin: Plugin) -> bool:
        """Take over an active plugin's configuration; whether it is to run on."""
        try:
            now = await _code(plugin).configure()
        except PluginError as problem:
            plugin.config_problem = _without_frames(problem)
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
            plugin.config_problem = _without_frames(problem)
            logger.error("{}", report(problem))

    def _warn(self, plugin: Plugin) -> None:
        if plugin.manifest is None:
            return
        for warning in warnings_of(plugin.manifest, self._records.versions):
            logger.warning("plugin {}: {}", plugin.id, warning.text())


def _code(plugin: Plugin) -> PluginCode:
    assert plugin.code is not None, "an active plugin has code"
    return plugin.code


def _keep(old: Plugin, problem: Trouble) -> Plugin:
    """Say why a new version is not taken."""
    old.reload_problem = _without_frames(problem)
    logger.error("plugin {} was not reloaded: {}", old.id, report(problem))
    return old


def _without_frames(problem: _Problem) -> _Problem:
    """The problem alone: the frames that it was raised through hold the plugin's objects."""
    problem.__context__ = problem.__cause__ = None
    return problem.with_traceback(None)


def _report(plugin: Plugin) -> None:
    if plugin.problem is not None:
        logger.error("{}", report(plugin.problem))
