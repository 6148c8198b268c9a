"""The way of one call through a pool: the first model, again after a pause where the fault may pass, then the next."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from loguru import logger

from host.models.errors import Attempt, NoAnswerError, ProviderError
from host.models.holding import HeldProvider
from host.models.settings import ModelEntry, TaskEntry
from host.models.usage import Caller

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model that may answer, and who asks it."""

    model: ModelEntry
    held: HeldProvider


@dataclass(slots=True)
class Call:
    """One call, and what was attempted for it so far.

    Args:
        task: for which task.
        caller: who asks.
        candidates: in the order in which they are asked.
        settings: of the task.
        deadline: when the call has to end, in seconds of the event loop's clock.
        once: whether each candidate gets a single attempt, whatever its provider is set to.
    """

    task: str
    caller: Caller
    candidates: Sequence[Candidate]
    settings: TaskEntry
    deadline: float
    once: bool = False
    attempts: list[Attempt] = field(default_factory=list)

    async def first_answer(self, ask: Callable[[Candidate], Awaitable[Answer]]) -> Answer:
        """What `ask` returns for the first candidate that answers.

        Raises:
            NoAnswerError: none did, or the deadline passed.
        """
        for candidate in self.candidates:
            retries = 0 if self.once else candidate.held.entry.retries
            for left in range(retries, -1, -1):
                try:
                    return await self.attempt(candidate, ask(candidate))
                except ProviderError as failure:
                    if self._time_left() <= 0:
                        raise NoAnswerError(self.task, self.attempts, out_of_time=True) from None
                    pause = self._pause(candidate, failure, retries - left)
                    if left == 0 or pause is None:
                        break
                    await asyncio.sleep(pause)
        raise NoAnswerError(self.task, self.attempts)

    async def attempt(self, candidate: Candidate, asked: Awaitable[Answer]) -> Answer:
        """Wait for one attempt, or one piece of a streamed one, as long as its provider and the call allow.

        Raises:
            ProviderError: it failed, which is recorded.
        """
        loop = asyncio.get_running_loop()
        started = loop.time()
        limit = min(self.deadline, started + candidate.held.entry.timeout_seconds)
        try:
            async with asyncio.timeout_at(limit):
                return await asked
        except TimeoutError:
            failure = ProviderError("timeout", f"after {loop.time() - started:.1f} s")
        except ProviderError as error:
            failure = error
        self._record(candidate, failure, loop.time() - started)
        raise failure

    def _record(self, candidate: Candidate, failure: ProviderError, seconds: float) -> None:
        model = candidate.model
        attempt = Attempt(model.name, model.provider, failure.kind, failure.detail, failure.status, seconds)
        self.attempts.append(attempt)
        logger.warning("task {}: model {}", self.task, attempt.text())

    def _pause(self, candidate: Candidate, failure: ProviderError, attempted: int) -> float | None:
        """Seconds until the same model is asked again; None where the next one is asked at once."""
        entry = candidate.held.entry
        if not failure.passes:
            return None
        if failure.retry_after_seconds is not None:
            pause = failure.retry_after_seconds
        else:
            pause = min(entry.longest_pause_seconds, entry.retry_seconds * 2**attempted) * random.uniform(0.5, 1.0)
        return pause if pause <= entry.longest_pause_seconds and pause < self._time_left() else None

    def _time_left(self) -> float:
        return self.deadline - asyncio.get_running_loop().time()
