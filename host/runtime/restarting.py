"""The restarts of plugins whose processes ended: one task a plugin, and what counts against each."""

import asyncio
from collections import Counter
from collections.abc import Coroutine
from time import monotonic
from typing import Any

from host.runtime.problems import GivenUpError, NoProcessError, ProcessLostError, Reason
from host.runtime.runners.restarts import Restarts, RestartSettings
from host.runtime.state import Plugin

_MOST_EXCUSED = 3
"""How often in a row a plugin is tried again at once that did not come up, though it had no part in that."""


class Restarting:
    """Which plugins are being started again, and how often that happened.

    Args:
        settings: how often, and with which pauses.
    """

    def __init__(self, settings: RestartSettings) -> None:
        self._settings = settings
        self._restarts: dict[str, Restarts] = {}
        self._innocent: dict[str, Restarts] = {}
        self._excused: Counter[str] = Counter()
        self._total: Counter[str] = Counter()
        self._tasks: dict[asyncio.Task[None], Plugin] = {}

    def begin(self, plugin: Plugin, coming_back: Coroutine[Any, Any, None]) -> None:
        """Have a plugin come back, in the background."""
        task = asyncio.create_task(coming_back, name=f"restart of {plugin.id}")
        self._tasks[task] = plugin
        task.add_done_callback(self._tasks.pop)

    def stop(self, plugin: Plugin) -> None:
        """Do not start it again, unless that is asked for from within its own coming back."""
        for task, coming in self._tasks.items():
            if coming is plugin and task is not asyncio.current_task():
                task.cancel()

    def pause(self, plugin: Plugin, loss: Exception) -> float | None:
        """For how many seconds to wait before it is started again; None when it is to be given up.

        What the plugin has no part in is not held against it: it comes back at once the first time, and is never given
        up for that.
        """
        if not _is_charged(loss):
            innocent = self._innocent.setdefault(plugin.id, Restarts(self._settings))
            pause = innocent.next_pause(monotonic())
            return 0.0 if innocent.count == 1 else pause or self._settings.longest_pause_seconds
        return self._of(plugin).next_pause(monotonic())

    def excuses(self, plugin: Plugin, problem: Exception) -> bool:
        """Whether a plugin that did not come up is to be tried again at once: it had no part in that."""
        if not isinstance(problem, ProcessLostError) or problem.charged:
            return False
        self._excused[plugin.id] += 1
        return self._excused[plugin.id] <= _MOST_EXCUSED

    def given_up(self, plugin: Plugin, loss: Reason) -> GivenUpError:
        """Why it is given up."""
        return GivenUpError(plugin.id, loss, self._of(plugin).count, self._settings.window_seconds)

    def started(self, plugin: Plugin) -> None:
        """It runs."""
        del self._excused[plugin.id]
        for restarts in (self._restarts, self._innocent):
            if plugin.id in restarts:
                restarts[plugin.id].started(monotonic())

    def came_back(self, plugin: Plugin) -> None:
        """It runs again."""
        self.started(plugin)
        self._total[plugin.id] += 1

    def forgive(self, plugin: Plugin) -> None:
        """Begin anew, because its owner says so."""
        self._restarts.pop(plugin.id, None)
        self._innocent.pop(plugin.id, None)

    def total(self, plugin: Plugin) -> int:
        """How often it was started again, whoever was to blame."""
        return self._total[plugin.id]

    async def aclose(self) -> None:
        """Start nothing again any more."""
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _of(self, plugin: Plugin) -> Restarts:
        return self._restarts.setdefault(plugin.id, Restarts(self._settings))


def _is_charged(loss: Exception) -> bool:
    return not isinstance(loss, NoProcessError) and (not isinstance(loss, ProcessLostError) or loss.charged)
