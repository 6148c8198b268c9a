"""Ratios that hold on a noisy machine.

The speed of a shared machine swings by a factor of two for seconds at a time, so two medians taken one after the other
cannot be compared. Here each short stretch of the subject lies between two stretches of its base, and what is kept is
the ratio of the three; a swing that is longer than some milliseconds hits all of them alike. Where things happen to
lie in memory changes speeds too, for as long as a process lives, so that several processes share the rounds.

Plain standard library: this runs in the environments of the peers too.
"""

import asyncio
import gc
import statistics
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter

Action = Callable[[], Awaitable[object]]
"""One call of what is measured."""

Clock = Callable[[], float]
"""Seconds since some moment."""

TURNS = 6
"""Turns of the event loop within a stretch: a host yields too, and cancelled timers are swept then."""

EACH = 4
"""Calls that each of many callers makes, one after another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How much is measured.

    Args:
        processes: how often everything is done, each time in a fresh process.
        rounds: paired stretches of each ratio in one process, and samples of whatever is sampled one by one.
        stretch: seconds that one stretch takes.
        window: seconds that an idle process is watched.
    """

    processes: int
    rounds: int
    stretch: float
    window: float


FULL = Effort(processes=5, rounds=25, stretch=0.003, window=1.5)
QUICK = Effort(processes=1, rounds=15, stretch=0.002, window=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """What one process measured of one case.

    Args:
        values: ratios, or whatever the case counts.
        micros: microseconds per call of the subject, at its fastest; None where the values are no ratios.
        base_micros: the same of its base.
        worst: what counts is the largest value, and not the median.
    """

    values: list[float]
    micros: float | None = None
    base_micros: float | None = None
    worst: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured value with its spread.

    Args:
        value: the median, or the largest value where that is what counts.
        low: the first quartile.
        high: the third quartile.
        micros: as in `Samples`, of the fastest process.
        base_micros: likewise.
    """

    value: float
    low: float
    high: float
    micros: float | None = None
    base_micros: float | None = None


def figure_of(parts: Sequence[Samples]) -> Figure:
    """What the samples of one case, one part a process, come to."""
    values = [value for part in parts for value in part.values]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return Figure(
        value=max(values) if any(part.worst for part in parts) else middle,
        low=low,
        high=high,
        micros=min((part.micros for part in parts if part.micros is not None), default=None),
        base_micros=min((part.base_micros for part in parts if part.base_micros is not None), default=None),
    )


async def paired(subject: Action, base: Action, effort: Effort, clock: Clock = perf_counter) -> Samples:
    """The cost of `subject` as a multiple of that of `base`, once a round, by a clock."""
    calls = await _calls_per_stretch(subject, effort.stretch)
    base_calls = await _calls_per_stretch(base, effort.stretch)
    gc.collect()
    subjects, bases, ratios = [], [await _stretch(base, base_calls, clock)], []
    for _ in range(effort.rounds):
        subjects.append(await _stretch(subject, calls, clock))
        bases.append(await _stretch(base, base_calls, clock))
        ratios.append(2 * subjects[-1] / (bases[-2] + bases[-1]))
    return Samples(values=ratios, micros=min(subjects) * 1e6, base_micros=min(bases) * 1e6)


async def paired_at_once(subject: Action, base: Action, count: int, effort: Effort) -> Samples:
    """The same with so many calls under way at once, on both sides; microseconds are those of one call."""
    if count == 1:
        return await paired(subject, base, effort)

    async def caller(action: Action) -> None:
        for _ in range(EACH):
            await action()

    async def callers(action: Action) -> None:
        await asyncio.gather(*[caller(action) for _ in range(count)])

    samples = await paired(partial(callers, subject), partial(callers, base), effort)
    assert samples.micros is not None
    assert samples.base_micros is not None
    calls = count * EACH
    return replace(samples, micros=samples.micros / calls, base_micros=samples.base_micros / calls)


async def _calls_per_stretch(action: Action, seconds: float) -> int:
    calls = TURNS
    while True:
        # The first, short ones also warm up what specialises itself and what is imported late.
        each = await _stretch(action, calls)
        if each * calls > seconds / 2:
            return max(TURNS, round(seconds / each))
        calls *= 3


async def _stretch(action: Action, calls: int, clock: Clock = perf_counter) -> float:
    """Seconds per call."""
    per_turn = max(1, calls // TURNS)
    begun = clock()
    for _ in range(TURNS):
        for _ in range(per_turn):
            await action()
        await asyncio.sleep(0)
    return (clock() - begun) / (TURNS * per_turn)
