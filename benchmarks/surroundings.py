"""The kernel around its dispatches: registration, the hand-over to observers, waiting, deadlines."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from time import perf_counter, process_time

from benchmarks.handlers import HOOK, Plugin
from benchmarks.harness import Effort, Samples, paired
from benchmarks.kernel import hooks_with, methods
from benchmarks.payloads import TEN_SCALARS
from host.hooks import Declaration

OBSERVERS = 100
PARKED = 1_000
DEADLINE_MS = 10


async def register(effort: Effort) -> Samples:
    """A plugin with one handler registered anew, as a reload does it: checks, and the swap in the table."""
    hooks = hooks_with([])
    handler = Plugin(0).returns_none
    declarations = [Declaration(hook=HOOK, handler=handler)]

    async def registers() -> None:
        hooks.register("bench.plugin", declarations)

    async def reads_signature() -> None:
        inspect.signature(handler)

    return await paired(registers, reads_signature, effort)


async def hand_over(effort: Effort) -> Samples:
    """What 100 observers add to a dispatch, against 100 tasks of the same coroutine; neither has run yet."""
    looks_on = methods(Plugin.returns_none, 1)
    observers = methods(Plugin.returns_none, OBSERVERS)
    alone, observed = hooks_with(looks_on), hooks_with(observers, mode="observe")
    observed.register("bench.blocking", [Declaration(hook=HOOK, handler=looks_on[0])])
    loop = asyncio.get_running_loop()
    ratios, added, created = [], [], []
    for number in range(2 * effort.rounds):
        begun = perf_counter()
        await alone.invoke(HOOK, TEN_SCALARS)
        without = perf_counter() - begun
        # Whichever comes second finds the caches warm, so they take turns.
        for what in ("kernel", "tasks") if number % 2 else ("tasks", "kernel"):
            begun = perf_counter()
            if what == "kernel":
                await observed.invoke(HOOK, TEN_SCALARS)
                added.append(perf_counter() - begun - without)
            else:
                tasks = [loop.create_task(observer(hook_name=HOOK, **TEN_SCALARS)) for observer in observers]
                created.append(perf_counter() - begun)
                await asyncio.wait(tasks)
            await observed.drain()
        ratios.append(added[-1] / created[-1])
    return Samples(values=ratios, micros=min(added) * 1e6, base_micros=min(created) * 1e6)


async def parked(effort: Effort) -> Samples:
    """Processor time, in percent of one core, while 1,000 dispatches wait for their handler."""
    hooks = hooks_with(methods(Plugin.waits, 1))
    dispatches = [asyncio.ensure_future(hooks.invoke(HOOK, TEN_SCALARS)) for _ in range(PARKED)]
    await asyncio.sleep(0)
    begun, used = perf_counter(), process_time()
    await asyncio.sleep(effort.window)
    percent = 100 * (process_time() - used) / (perf_counter() - begun)
    assert not any(dispatch.done() for dispatch in dispatches), "they wait all the time"
    for dispatch in dispatches:
        dispatch.cancel()
    await asyncio.gather(*dispatches, return_exceptions=True)
    return Samples(values=[percent])


async def overshoot(effort: Effort) -> Samples:
    """Milliseconds from a deadline until the dispatch has ended."""
    hooks = hooks_with(methods(Plugin.waits, 1), timeout_ms=DEADLINE_MS)
    samples = []
    for _ in range(effort.rounds):
        begun = perf_counter()
        result = await hooks.invoke(HOOK, TEN_SCALARS)
        samples.append((perf_counter() - begun) * 1e3 - DEADLINE_MS)
        assert [error.kind for error in result.errors] == ["timeout"]
        # A handler that always fails would be skipped soon.
        for handler in hooks.describe()[0].handlers:
            hooks.reset_breaker(handler.plugin_id, handler.name)
    await hooks.aclose()
    return Samples(values=samples)


SURROUNDINGS: Mapping[str, Callable[[Effort], Awaitable[Samples]]] = {
    "register": register,
    "hand-over": hand_over,
    "parked": parked,
    "overshoot": overshoot,
}
"""How each case is measured."""
