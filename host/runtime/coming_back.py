"""Plugins whose processes ended: they come back after a pause, or are given up."""

import asyncio

from loguru import logger

from host.hooks import RegistrationError
from host.runtime.dependencies.reasons import Trouble
from host.runtime.lifecycle import Lifecycle
from host.runtime.problems import PluginError, without_frames
from host.runtime.records import Records
from host.runtime.restarting import Restarting
from host.runtime.running import Running, log_problem
from host.runtime.state import Plugin


class ComingBack:
    """Starts plugins again whose processes ended.

    Args:
        records: what the host knows of its plugins.
        lifecycle: takes single records from state to state.
        running: the plugins that run.
        restarting: what counts against each.
        one_at_a_time: is held while anything is done with the plugins.
    """

    def __init__(
        self,
        records: Records,
        lifecycle: Lifecycle,
        running: Running,
        restarting: Restarting,
        one_at_a_time: asyncio.Lock,
    ) -> None:
        self._records = records
        self._lifecycle = lifecycle
        self._running = running
        self._restarting = restarting
        self._one_at_a_time = one_at_a_time

    async def come_back(self, plugin: Plugin, loss: Trouble) -> None:
        """Start an active plugin again, as often and with such pauses as is allowed.

        Args:
            plugin: its record.
            loss: how its process ended.
        """
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
                await self._running.unload(plugin)
                return None
        except (PluginError, RegistrationError) as problem:
            plugin.problem = without_frames(problem)
            log_problem(plugin)
            return problem
        plugin.problem = None
        self._restarting.came_back(plugin)
        return None

    async def _go_down(self, plugin: Plugin, loss: Trouble) -> None:
        async with self._one_at_a_time:
            if plugin in self._running:
                plugin.problem = loss
                await self._lifecycle.go_down(plugin, loss.text())
                log_problem(plugin)

    async def _give_up(self, plugin: Plugin, problem: PluginError) -> None:
        """Let a plugin fail whose process ended too often. Its guards stay, so that nothing passes them unseen."""
        async with self._one_at_a_time:
            if plugin not in self._running:
                return
            dependents = await self._running.unload_dependents(plugin)
            self._running.remove(plugin)
            await self._lifecycle.fail(plugin, problem.text())
            plugin.problem = problem
            log_problem(plugin)
            self._records.renew(dependents)
            await self._running.settle()
