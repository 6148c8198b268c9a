"""A host with plugins, for tests that do something to the processes of these; and a look at what it leaves behind."""

import asyncio
import gc
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from loguru import logger

from host.hooks import BreakerSettings, HookResult, Hooks, HookSettings, HookSpec, Source
from host.runtime import Apart, Housing, Inline, Isolation, Plugin, PluginRoot, Plugins, RunnerSettings
from host.runtime.host_methods import HostCall
from host.runtime.runners.process import Launcher
from host.runtime.runners.restarts import RestartSettings
from host.runtime.runners.warm_parent import WarmParent
from tests.runtime.plugin_folders import SAY, Say
from tests.runtime.runners.processes import children_of, open_descriptors

QUICK = RunnerSettings(
    grace_seconds=0.3, restarts=RestartSettings(first_pause_seconds=0.05, longest_pause_seconds=0.1, jitter=0.0)
)
"""Limits for processes that are killed in a test, which is not to take long."""
SLOW_RESTARTS = QUICK.model_copy(update={"restarts": RestartSettings(first_pause_seconds=30, longest_pause_seconds=30)})
"""The same, where what is down stays down for the rest of the test."""
NO_BREAKERS = HookSettings(breaker=BreakerSettings(enabled=False), reload_wait_ms=30_000)


class Log:
    """The lines that are logged, each as ``"LEVEL origin: message"``, and the waiting for one."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._came = asyncio.Event()
        self._sink = logger.add(self._write, level="DEBUG", format="{message}")

    def close(self) -> None:
        """Listen no more."""
        logger.remove(self._sink)

    def count(self, text: str) -> int:
        """How many lines hold a text."""
        return sum(text in line for line in self.lines)

    async def holds(self, text: str, times: int = 1) -> None:
        """Wait until so many lines hold a text."""
        async with asyncio.timeout(30):
            while self.count(text) < times:
                await self._came.wait()

    def _write(self, message: Any) -> None:
        record = message.record
        self.lines.append(f"{record['level'].name} {record['extra'].get('origin', '')}: {record['message']}")
        came, self._came = self._came, asyncio.Event()
        came.set()


@dataclass
class Household:
    """A kernel, plugins and what makes their processes.

    Args:
        hooks: with the hook ``room.say``.
        plugins: below the folder of the test.
        launcher: makes the processes.
        log: everything that is logged.
    """

    hooks: Hooks
    plugins: Plugins
    launcher: Launcher
    log: Log = field(default_factory=Log)

    async def say(self, text: str = "") -> HookResult:
        """Fire the hook."""
        return await self.hooks.invoke(SAY, {"text": text})

    async def said(self, text: str = "") -> str:
        """What all plugins made of a text; none of them may fail."""
        result = await self.say(text)
        assert result.errors == ()
        made: str = result.kwargs["text"]
        return made

    def pid(self, plugin_id: str) -> int:
        """The process of a plugin."""
        code = self.plugins[plugin_id].code
        vitals = code.vitals() if code is not None else None
        assert vitals is not None
        return vitals.pid

    async def active(self, plugin_id: str, times: int = 1) -> Plugin:
        """Wait until a plugin has become active so often, and give its record."""
        await self.log.holds(f"plugin {plugin_id} 1.2.3 is active", times)
        return self.plugins[plugin_id]


@asynccontextmanager
async def household(
    root: Path,
    *,
    isolation: Isolation = "process",
    settings: RunnerSettings = QUICK,
    hook_settings: HookSettings | None = None,
    answer: Callable[[Hooks], HostCall] = lambda hooks: _refuse,
    launcher: Launcher | None = None,
    worker_threads: int = 4,
    seconds: float = 30.0,
    memory_limit_mb: int | None = None,
    clock: Callable[[], float] = monotonic,
) -> AsyncIterator[Household]:
    """Load the plugins below a folder; in the end, unload them and see that nothing is left.

    Args:
        root: where they lie, third-party.
        isolation: where they run.
        settings: the limits of their processes.
        hook_settings: those of the kernel.
        answer: what answers their calls to the host, given the kernel.
        launcher: makes the processes; a warm parent unless given.
        worker_threads: how many threads each gets.
        seconds: how long a life-cycle method may take.
        memory_limit_mb: how much memory each may use.
        clock: the one of the breakers.
    """
    before = _left()
    hooks = Hooks(hook_settings or HookSettings(reload_wait_ms=30_000), clock=clock)
    hooks.register_spec(HookSpec(name=SAY, payload=Say))
    launcher = launcher or WarmParent()
    data = root / "data"
    housing: Housing = Apart(
        launcher,
        data,
        settings,
        lifecycle_seconds=seconds,
        worker_threads=worker_threads,
        memory_limit_mb=lambda plugin_id: memory_limit_mb,
        answer=answer(hooks),
    )
    if isolation == "inline":
        housing = Inline(data, lifecycle_seconds=seconds, answer=answer(hooks))
    plugins = Plugins(hooks, [PluginRoot(root, Source.THIRD_PARTY)], housing, data, restarts=settings.restarts)
    house = Household(hooks, plugins, launcher)
    try:
        await plugins.load_all()
        yield house
    finally:
        house.log.close()
        await plugins.unload_all()
        await hooks.aclose()
        await launcher.aclose()
    await asyncio.sleep(0)
    assert _left() == before


async def _refuse(plugin: Plugin, method: str, payload: Any) -> Any:
    raise LookupError(f"nothing answers {method}")


def _left() -> tuple[int, list[int], int]:
    """Tasks, child processes and descriptors of this process."""
    gc.collect()  # Of transports that were closed, sockets go with the objects.
    return len(asyncio.all_tasks()), children_of(os.getpid()), open_descriptors(os.getpid())


class Lag:
    """How long a loop did not come round, at most, in seconds."""

    def __init__(self) -> None:
        self.longest = 0.0


@asynccontextmanager
async def measured_lag() -> AsyncIterator[Lag]:
    """Watch the loop of the host by a task that ticks in it."""
    lag = Lag()

    async def tick() -> None:
        while True:
            before = monotonic()
            await asyncio.sleep(0.002)
            lag.longest = max(lag.longest, monotonic() - before - 0.002)

    ticking = asyncio.create_task(tick())
    try:
        yield lag
    finally:
        ticking.cancel()
        await asyncio.wait({ticking})
