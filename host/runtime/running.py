"""The plugins that run: loaded in the order of what they need, taken down in reverse."""

import asyncio
from collections.abc import Iterator, Sequence

from loguru import logger

from host.hooks import Hooks, RegistrationError
from host.runtime.dependencies.plan import LoadPlan
from host.runtime.dependencies.reasons import BlockedError, Trouble
from host.runtime.lifecycle import Lifecycle
from host.runtime.manifests.manifest import warnings_of
from host.runtime.problems import PluginError, report, without_frames
from host.runtime.records import Records
from host.runtime.restarting import Restarting
from host.runtime.state import Plugin, PluginState


class Running:
    """The plugins that run, of those in some records. Iteration gives them in the order of their loading.

    One thing at a time is done with them; whoever calls sees to that.

    Args:
        hooks: the kernel.
        records: what the host knows of its plugins.
        lifecycle: takes single records from state to state.
        restarting: is told of what starts and what is not to start again.
    """

    def __init__(self, hooks: Hooks, records: Records, lifecycle: Lifecycle, restarting: Restarting) -> None:
        self._hooks = hooks
        self._records = records
        self._lifecycle = lifecycle
        self._restarting = restarting
        self._prepared: set[Plugin] = set()
        self._plugins: list[Plugin] = []

    def __iter__(self) -> Iterator[Plugin]:
        return iter([*self._plugins])

    def __contains__(self, plugin: Plugin) -> bool:
        return plugin in self._plugins

    def replace(self, old: Plugin, new: Plugin) -> None:
        """Put a new record of a plugin in the place of the one that ran."""
        self._records.put(new)
        self._plugins[self._plugins.index(old)] = new
        self.started(new)

    def remove(self, plugin: Plugin) -> None:
        """Take note that a plugin does not run any more."""
        self._plugins.remove(plugin)

    async def load_again(self, plugin_id: str) -> Plugin:
        """Look at a plugin's folder again and load it, then whatever waited for it.

        Returns:
            Its record.

        Raises:
            UnknownPluginError: no folder holds it.
        """
        self._records.look([plugin_id])
        plugin = self._records[plugin_id]
        if plugin.state is PluginState.BLOCKED:
            log_problem(plugin)
        await self.settle()
        return self._records[plugin_id]

    async def settle(self) -> None:
        """Load whatever can be loaded now, in the order of what needs what, and say of the rest why it cannot be."""
        try:
            while not await self._load_in_order():
                """One of them did not come up, so what needs it has to wait: the rest is planned anew."""
        finally:
            # Only when the host is being stopped while it loads.
            for plugin in [*self._prepared]:
                await self.withdraw(plugin)

    async def _load_in_order(self) -> bool:
        """Prepare what was found, all at once, and start it in the order of what needs what.

        Returns:
            Whether all came up; if not, it stopped at the first that did not.
        """
        plan = self._records.plan()
        for plugin in [each for each in self._prepared if each.id in plan.blocked]:
            await self.withdraw(plugin)
            self._records.renew([plugin])
        self._block(plan)
        in_order = [self._records[plugin_id] for plugin_id in plan.order]
        found = [plugin for plugin in in_order if plugin.state is PluginState.DISCOVERED]
        if not await self._prepare_all(found):
            return False
        for plugin in in_order:
            if plugin in self._prepared and not await self._start(plugin):
                return False
        return True

    def _block(self, plan: LoadPlan) -> None:
        """Block what the plan blocks, and let go what waited for something that is there now."""
        waiting = [
            each for each in self._records if isinstance(each.problem, BlockedError) and each.id not in plan.blocked
        ]
        self._records.renew(each for each in waiting if each.state is PluginState.BLOCKED)
        for plugin in self._records:
            problem = plan.blocked.get(plugin.id)
            if problem is None or plugin.runs:
                continue
            if plugin.state is PluginState.DISCOVERED:
                plugin.move_to(PluginState.BLOCKED)
                plugin.problem = problem
                log_problem(plugin)
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
            self.fail(plugin, problem)
            return False
        self._prepared.add(plugin)
        if not enabled:
            # Only its model knew: there was no file before.
            await self.withdraw(plugin)
        return enabled

    async def _start(self, plugin: Plugin) -> bool:
        """Start a plugin that is prepared; whether it came up."""
        try:
            await self._lifecycle.start(plugin)
        except PluginError as problem:
            self._prepared.discard(plugin)
            await self._lifecycle.dispose(plugin, PluginState.FAILED)
            self.fail(plugin, problem)
            return False
        self._prepared.discard(plugin)
        self._plugins.append(plugin)
        self.started(plugin)
        return True

    def started(self, plugin: Plugin) -> None:
        """Take note that a plugin came up, and warn of what its manifest has to be warned of."""
        self._restarting.started(plugin)
        if plugin.manifest is None:
            return
        for warning in warnings_of(plugin.manifest, self._records.versions):
            logger.warning("plugin {}: {}", plugin.id, warning.text())

    async def withdraw(self, plugin: Plugin) -> None:
        """Take a plugin out again that is prepared and not to be started."""
        self._prepared.discard(plugin)
        await self._lifecycle.dispose(plugin, PluginState.INACTIVE)

    def fail(self, plugin: Plugin, problem: Trouble) -> None:
        """Note down why a plugin did not come up; one that had no part in that is tried again with what comes next."""
        plugin.problem = without_frames(problem)
        log_problem(plugin)
        if self._restarting.excuses(plugin, problem):
            self._records.renew([plugin])

    async def unload_dependents(self, plugin: Plugin) -> list[Plugin]:
        """Unload those that need a plugin, directly or by way of others; the last loaded first."""
        dependents = self.dependents(plugin)
        for each in dependents:
            await self.unload(each)
        return dependents

    def dependents(self, plugin: Plugin) -> list[Plugin]:
        """Those running that need a plugin, directly or by way of others; the last loaded first."""
        needing = self._records.plan().dependents_of(plugin.id)
        return [each for each in reversed(self._plugins) if each.id in needing]

    async def abandon(self, plugin: Plugin) -> None:
        """Take out a plugin whose start or end was cut short."""
        if plugin in self._plugins:
            self._plugins.remove(plugin)
        if plugin.registration is not None:
            self._hooks.deactivate(plugin.registration)
        if plugin.runs:
            await self._lifecycle.dispose(plugin, PluginState.INACTIVE)

    async def unload(self, plugin: Plugin) -> None:
        """Take down a plugin that runs."""
        self._restarting.stop(plugin)
        self._plugins.remove(plugin)
        try:
            await self.stop(plugin)
        finally:
            await self._lifecycle.dispose(plugin, PluginState.INACTIVE)
        logger.info("plugin {} is unloaded", plugin.id)

    async def stop(self, plugin: Plugin) -> None:
        """Stop a plugin; what its ``on_unload`` does wrong is told, and keeps nothing up."""
        try:
            await self._lifecycle.stop(plugin)
        except PluginError as problem:
            plugin.problem = without_frames(problem)
            log_problem(plugin)


def log_problem(plugin: Plugin) -> None:
    """Put a plugin's problem in the log."""
    if plugin.problem is not None:
        logger.error("{}", report(plugin.problem))
