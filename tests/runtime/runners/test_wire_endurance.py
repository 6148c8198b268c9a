"""Random calls, cancellations, deadlines and failures in both directions: every call ends once, and nothing is left."""

import asyncio
import os
import random
import socket
import time
from collections import Counter
from pathlib import Path
from typing import Literal

import pytest

from host.runtime.runners.call_errors import CallTimedOutError, PeerGoneError, RemoteFailureError
from host.runtime.runners.peer import Peer, Request
from host.runtime.runners.wire import Answered, Body
from tests.runtime.runners.wire_ends import End, complaints

CALLS = 600
Ending = Literal["close", "abort", "garbage", "none"]


class Restless:
    """One end that serves requests in one of many ways, chosen by chance.

    Args:
        chance: what chooses.
    """

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.end = End(self.serve)
        self.outcomes: Counter[str] = Counter()
        self.end_after = chance.randrange(1, 100)
        self.midway = asyncio.Event()

    @property
    def peer(self) -> Peer:
        return self.end.peer

    async def serve(self, request: Request) -> Body:
        way = self.chance.randrange(14)
        if way == 0:
            raise self.chance.choice((ValueError("no"), SystemExit(1), asyncio.CancelledError(), KeyboardInterrupt()))
        if way == 1:
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0)
        if way == 2:
            try:
                await asyncio.sleep(0.05)
            except asyncio.CancelledError:
                return b"late"
        if way < 6:
            await asyncio.sleep(self.chance.random() * 0.01)
        if way == 6 and request.method != "back":
            await self.peer.call("back", request.body)
        return request.body

    async def call(self) -> None:
        """One call, which must end in exactly one of the ways that are allowed."""
        size = self.chance.choice((0, 1, 1000, 1000, 1000, 1000, 1000, 1000, 20_000, 20_000, 100_000, 1_500_000))
        body, due = os.urandom(size), time.monotonic() + self.chance.choice((0.001, 0.02, 0.1, 2, 2, 2))
        outcome = "never ended"
        try:
            answer: Body = await self.peer.call("x", body, due=due)
            outcome = "answered" if answer in (body, b"late") else "answered to another"
        except (asyncio.CancelledError, CallTimedOutError, RemoteFailureError, PeerGoneError) as error:
            outcome = type(error).__name__
        finally:
            self.outcomes[outcome] += 1
            if self.outcomes["answered"] == self.end_after:
                self.midway.set()

    async def make(self) -> None:
        """All calls, some cancelled at some time; more and fewer at once."""
        tasks: list[asyncio.Task[None]] = []
        for _ in range(CALLS):
            tasks.append(asyncio.create_task(self.call()))
            if self.chance.random() < 0.1:
                asyncio.get_running_loop().call_later(self.chance.random() * 0.02, self.chance.choice(tasks).cancel)
            if self.chance.random() < 0.2:
                await asyncio.sleep(self.chance.random() * 0.002)
        # A task that is cancelled before it begins has made no call.
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            self.outcomes["not begun"] += isinstance(result, asyncio.CancelledError)


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize("ending", ["close", "abort", "garbage", "none"])
@pytest.mark.parametrize("seed", range(2))
async def test_every_call_ends_once_and_nothing_is_left(seed: int, ending: Ending) -> None:
    chance = random.Random(f"{seed} {ending}")
    before, tasks = descriptors(), asyncio.all_tasks()
    with complaints() as heard:
        one, other = socket.socketpair()
        first, second = Restless(chance), Restless(chance)
        await first.end.open(one, stop_reading_above=4_000_000)
        await second.end.open(other)
        making = asyncio.gather(first.make(), second.make())
        async with asyncio.timeout(60):
            await asyncio.gather(first.midway.wait(), second.midway.wait())
        if ending == "close":
            await second.peer.aclose()
        elif ending == "abort":
            second.end.channel.abort()
        elif ending == "garbage":
            second.end.channel.send(Answered(10**6))
        async with asyncio.timeout(60):
            await making
            if ending != "none":
                await asyncio.gather(first.end.gone.wait(), second.end.gone.wait())
        for end in (first, second):
            await end.peer.aclose()
            assert sum(end.outcomes.values()) == CALLS
            assert set(end.outcomes) <= {
                "answered",
                "not begun",
                "CancelledError",
                "CallTimedOutError",
                "RemoteFailureError",
                "PeerGoneError",
            }
            assert end.outcomes["answered"] > 0
            assert (end.outcomes["PeerGoneError"] > 0) == (ending != "none")
            assert (end.peer.pending, len(end.end.reasons)) == (0, 1)
        assert asyncio.all_tasks() == tasks
    assert heard == []
    assert descriptors() == before
