"""What plugins that misbehave cost those that do not: each has a process of its own, on the same machine."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from typing_extensions import TypedDict

from benchmarks.harness import Effort, Samples
from benchmarks.plugin_folders import loaded_apart, write_plugin
from host.hooks import Hooks, HookSettings, HookSpec
from host.hooks.settings import BreakerSettings
from host.runtime import RestartSettings

HEALTHY = ("bench.healthy-1", "bench.healthy-2", "bench.healthy-3")
CRASHES = "bench.crashes"
BAD = {
    "bench.spins": "while monotonic() < end: pass",
    "bench.sleeps": "sleep(seconds)",
    CRASHES: "os._exit(1)",
}
"""What a handler does that misbehaves, by the plugin that does it."""
DEADLINE_MS = 100
"""For the handlers that misbehave: they go on past it."""
_PAUSE = 0.001
_TICK = 0.002

_SOURCE = """
import os
from time import monotonic, sleep

from maibot_sdk import HookHandler, MaiBotPlugin


class Neighbour(MaiBotPlugin):
    async def on_load(self):
        pass

    async def on_unload(self):
        pass

    async def on_config_update(self, scope, config_data, version):
        pass

    @HookHandler("{hook}", timeout_ms={timeout_ms})
    async def handle(self, seconds, **kwargs):
        end = monotonic() + seconds
        {does}


def create_plugin():
    return Neighbour()
"""
_RESTARTS = RestartSettings(most=100, first_pause_seconds=0.1, longest_pause_seconds=0.1)


class Seconds(TypedDict):
    """How long a handler that misbehaves does so."""

    seconds: float


async def _worst_lag(seconds: float) -> float:
    """The longest time in seconds by which the event loop was late for a timer, watched for so long."""
    worst, end = 0.0, perf_counter() + seconds
    while (begun := perf_counter()) < end:
        await asyncio.sleep(_TICK)
        worst = max(worst, perf_counter() - begun - _TICK)
    return worst


@asynccontextmanager
async def street() -> AsyncIterator[Hooks]:
    """A kernel with a hook for each plugin, all of them loaded. No breaker keeps the bad ones from being called."""
    hooks = Hooks(HookSettings(breaker=BreakerSettings(enabled=False)))
    with TemporaryDirectory() as name:
        folder = Path(name)
        for plugin_id, does in {**dict.fromkeys(HEALTHY, "return None"), **BAD}.items():
            hooks.register_spec(HookSpec(name=plugin_id, payload=Seconds))
            timeout_ms = DEADLINE_MS if plugin_id in BAD else 10_000
            source = _SOURCE.format(hook=plugin_id, does=does, timeout_ms=timeout_ms)
            write_plugin(folder / "plugins", plugin_id, source)
        async with loaded_apart(hooks, folder, _RESTARTS):
            yield hooks


async def _misbehave(hooks: Hooks, plugin_id: str, seconds: float) -> None:
    """Call a handler that misbehaves, over and over, until cancelled."""
    while True:
        await hooks.invoke(plugin_id, {"seconds": seconds})
        await asyncio.sleep(_PAUSE)


async def _latency(hooks: Hooks, seconds: float) -> float:
    """Median seconds of dispatches to the healthy handlers, one at a time, in turns, for so long."""
    took, end = [], perf_counter() + seconds
    while perf_counter() < end:
        for hook in HEALTHY:
            begun = perf_counter()
            result = await hooks.invoke(hook, {"seconds": 0.0})
            took.append(perf_counter() - begun)
            assert not result.errors, result.errors
        await asyncio.sleep(_PAUSE)
    return median(took)


@asynccontextmanager
async def disturbed_by_neighbours(hooks: Hooks, seconds: float) -> AsyncIterator[None]:
    """With every bad plugin at it for so many seconds; afterwards each of them has come free again."""
    stuck = seconds + DEADLINE_MS / 1000
    tasks = [asyncio.create_task(_misbehave(hooks, plugin_id, stuck)) for plugin_id in BAD]
    try:
        await asyncio.sleep(DEADLINE_MS / 1000)
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    for plugin_id in BAD.keys() - {CRASHES}:
        await _until_it_answers(hooks, plugin_id)


async def _until_it_answers(hooks: Hooks, plugin_id: str) -> None:
    """Call a handler until it does not fail; each call waits for it up to its deadline."""
    failed = True
    while failed:
        result = await hooks.invoke(plugin_id, {"seconds": 0.0})
        failed = bool(result.errors)


async def latency(effort: Effort) -> Samples:
    """Dispatches to the healthy ones with bad neighbours, against the same without them; the two take turns."""
    window, disturbed = effort.window / 2, []
    async with street() as hooks:
        await _latency(hooks, window)
        quiet = [await _latency(hooks, window)]
        for _ in range(_windows(effort)):
            async with disturbed_by_neighbours(hooks, window):
                disturbed.append(await _latency(hooks, window))
            quiet.append(await _latency(hooks, window))
    ratios = [2 * each / (before + after) for each, before, after in zip(disturbed, quiet, quiet[1:], strict=False)]
    return Samples(values=ratios, micros=min(disturbed) * 1e6, base_micros=min(quiet) * 1e6)


async def lag(effort: Effort) -> Samples:
    """Milliseconds by which the host's event loop was late for a timer at most, with bad neighbours."""
    window, lags = effort.window / 2, []
    async with street() as hooks:
        for _ in range(_windows(effort)):
            async with disturbed_by_neighbours(hooks, window):
                watching = asyncio.create_task(_worst_lag(window))
                await _latency(hooks, window)
                lags.append(await watching * 1e3)
    return Samples(values=lags, worst=True)


def _windows(effort: Effort) -> int:
    return max(1, effort.rounds // 8)


NEIGHBOURS: Mapping[str, Callable[[Effort], Awaitable[Samples]]] = {
    "neighbours-latency": latency,
    "neighbours-lag": lag,
}
"""How each case is measured."""
