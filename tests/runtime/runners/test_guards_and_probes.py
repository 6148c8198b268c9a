"""A guard that cannot run ends the dispatch; a breaker's probe always resolves, whatever happens to it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from host.hooks import BreakerPosition, BreakerSettings, HookSettings
from host.runtime import Isolation
from tests.hooks.clock import Clock
from tests.runtime.plugin_folders import process_only, write_plugin
from tests.runtime.runners.household import Household, household

GUARD = """
    import asyncio, logging, os
    from maibot_sdk import HookHandler

    class Guard:
        @HookHandler("room.say", name="guard", error_policy="abort", timeout_ms=200)
        async def guard(self, text, **kwargs):
            if text == "forbidden":
                return {"action": "abort"}
            if text in ("hang", "park"):
                logging.getLogger("journal").warning(text)
                await asyncio.Event().wait()
            if text == "raise":
                raise ValueError("on purpose")
            if text == "exit":
                os._exit(3)
            if text == "garbage":
                os.write(3, b"\\xff" * 4096)
                await asyncio.Event().wait()

    create_plugin = Guard
"""
COOL_DOWN = 30.0
BREAKERS = BreakerSettings(min_failures=3, cool_down_seconds=COOL_DOWN, window_seconds=3600)


class _Guarded:
    """A household with a guard, and the clock of its breaker."""

    def __init__(self, house: Household, clock: Clock) -> None:
        self.house = house
        self.clock = clock

    @property
    def position(self) -> BreakerPosition:
        [row] = self.house.hooks.describe()
        return row.breakers["team.guard", "guard"].position

    async def kinds(self, text: str) -> list[str]:
        """The failures of a dispatch, which was ended by the guard wherever it failed."""
        result = await self.house.say(text)
        assert result.aborted is bool(result.errors)
        return [error.kind for error in result.errors]

    async def trip(self) -> None:
        for _ in range(BREAKERS.min_failures):
            assert await self.kinds("hang") == ["timeout"]
        assert self.position is BreakerPosition.OPEN


@asynccontextmanager
async def _guarded(root: Path, isolation: Isolation) -> AsyncIterator[_Guarded]:
    write_plugin(root, "team.guard", GUARD)
    clock = Clock()
    rules = HookSettings(breaker=BREAKERS, reload_wait_ms=30_000)
    async with household(root, isolation=isolation, hook_settings=rules, clock=clock) as house:
        yield _Guarded(house, clock)


async def test_what_a_guard_forbids_on_purpose_never_trips_its_breaker(tmp_path: Path, isolation: Isolation) -> None:
    async with _guarded(tmp_path, isolation) as guarded:
        for _ in range(5):
            result = await guarded.house.say("forbidden")
            assert (result.aborted, result.errors) == (True, ())
        assert await guarded.kinds("fine") == []
        assert guarded.position is BreakerPosition.CLOSED


async def test_a_guard_that_is_skipped_ends_the_dispatch_with_the_reason(tmp_path: Path, isolation: Isolation) -> None:
    async with _guarded(tmp_path, isolation) as guarded:
        await guarded.trip()
        result = await guarded.house.say("fine")
        assert result.stopped_by == ("team.guard", "guard")
        [error] = result.errors
        assert error.kind == "breaker_open"
        assert "the last with timeout" in error.text


@pytest.mark.parametrize("deed", ["raise", "hang"])
async def test_a_probe_that_fails_costs_one_more_cool_down(tmp_path: Path, isolation: Isolation, deed: str) -> None:
    async with _guarded(tmp_path, isolation) as guarded:
        await guarded.trip()
        guarded.clock.now += COOL_DOWN
        assert await guarded.kinds(deed) != []
        assert await guarded.kinds("fine") == ["breaker_open"]
        guarded.clock.now += COOL_DOWN
        assert await guarded.kinds("fine") == []
        assert guarded.position is BreakerPosition.CLOSED


async def test_a_probe_that_is_cancelled_makes_way_for_the_next(tmp_path: Path, isolation: Isolation) -> None:
    async with _guarded(tmp_path, isolation) as guarded:
        await guarded.trip()
        guarded.clock.now += COOL_DOWN
        probe = asyncio.create_task(guarded.house.say("park"))
        if isolation == "process":
            await guarded.house.log.holds("park")
        else:
            await asyncio.sleep(0)
        probe.cancel()
        await asyncio.wait({probe})
        assert probe.cancelled()
        assert await guarded.kinds("fine") == []
        assert guarded.position is BreakerPosition.CLOSED


@process_only
@pytest.mark.parametrize("deed", ["exit", "garbage"])
async def test_a_probe_whose_process_dies_or_breaks_the_protocol_resolves(
    tmp_path: Path, isolation: Isolation, deed: str
) -> None:
    async with _guarded(tmp_path, isolation) as guarded:
        await guarded.trip()
        guarded.clock.now += COOL_DOWN
        assert await guarded.kinds(deed) == ["unavailable"]
        await guarded.house.active("team.guard", times=2)
        guarded.clock.now += COOL_DOWN
        assert await guarded.kinds("fine") == []
        assert guarded.position is BreakerPosition.CLOSED
