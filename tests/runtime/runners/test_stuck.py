"""A plugin that blocks its process costs the call that it was in, on the host's clock, and nobody else anything."""

import asyncio
import os
import signal
from pathlib import Path
from time import monotonic

import pytest

from host.hooks import HookResult
from host.runtime import Isolation, PluginState, RunnerSettings
from host.runtime.problems import GivenUpError, StepTimeoutError
from tests.runtime.plugin_folders import GREETER, write_plugin
from tests.runtime.runners.household import NO_BREAKERS, QUICK, household, measured_lag
from tests.runtime.runners.processes import wait_dead

BLOCKING = """
    import logging, os, subprocess, sys, time
    from maibot_sdk import HookHandler

    class Blocking:
        @HookHandler("room.say", timeout_ms=100)
        {keyword} stuck(self, text, **kwargs):
            if text == "block":
                time.sleep({seconds})
            if text == "spin":
                while True: ...
            if text == "family":
                child = subprocess.Popen(["sleep", "300"])
                session = subprocess.Popen(["sleep", "300"], start_new_session=True)
                logging.getLogger("journal").warning("family %d %d", child.pid, session.pid)
                time.sleep(300)

        @HookHandler("room.say", name="swift", timeout_ms=20_000)
        async def swift(self, text, **kwargs):
            return {{"modified_kwargs": {{"text": text + "s"}}}}

    create_plugin = Blocking
"""
"""One handler that can be told to block, and one of the same plugin that answers."""
PATIENT = QUICK.model_copy(update={"grace_seconds": 20.0})
"""Limits under which a process may be stuck for longer than a test takes."""


def _write(root: Path, keyword: str = "async def", seconds: float = 30) -> None:
    write_plugin(root, "team.a_stuck", BLOCKING.format(keyword=keyword, seconds=seconds))
    write_plugin(root, "team.healthy", GREETER)


def _kinds(result: HookResult) -> list[tuple[str, str, str]]:
    return [(error.plugin_id, error.handler, error.kind) for error in result.errors]


async def test_neighbours_of_a_process_that_is_blocked_answer_and_are_not_charged(tmp_path: Path) -> None:
    _write(tmp_path, seconds=3)
    async with household(tmp_path, settings=PATIENT) as house:
        lag = 1.0
        for _ in range(3):  # Other programs of the machine can be the reason once, the plugin would be each time.
            began = monotonic()
            async with measured_lag() as measured:
                result = await house.say("block")
            lag = min(lag, measured.longest)
            assert 0.1 <= monotonic() - began < 10
            assert _kinds(result)[0] == ("team.a_stuck", "stuck", "timeout")
            assert "team.healthy" not in {error.plugin_id for error in result.errors}
            assert result.kwargs["text"].endswith("!")
            await house.said("it runs again: this waits for the rest of the three seconds")
            house.hooks.reset_breaker("team.a_stuck", "stuck")
        assert lag < 0.05
        [row] = house.hooks.describe()
        assert row.breakers["team.healthy", "greet"].failures == 0
        assert house.log.count("plugin team.a_stuck 1.2.3 is active") == 1


@pytest.mark.parametrize("deed", ["block", "spin"])
async def test_one_that_stays_stuck_is_killed_after_the_grace_and_started_again(tmp_path: Path, deed: str) -> None:
    _write(tmp_path)
    async with household(tmp_path) as house:
        pid = house.pid("team.a_stuck")
        began = monotonic()
        result = await house.say(deed)
        # The second handler of the plugin waits for the stuck process, until that is killed.
        assert _kinds(result) == [("team.a_stuck", "stuck", "timeout"), ("team.a_stuck", "swift", "unavailable")]
        assert "did not answer within 0.3 s after a call had passed its deadline" in result.errors[1].text
        assert result.kwargs["text"] == f"{deed}!"
        assert monotonic() - began < 10
        await house.active("team.a_stuck", times=2)
        assert house.pid("team.a_stuck") != pid
        assert await house.said() == "s!"


async def test_what_it_started_is_killed_with_it_though_it_holds_the_pipes(tmp_path: Path) -> None:
    _write(tmp_path)
    async with household(tmp_path) as house:
        began = monotonic()
        result = await house.say("family")
        assert _kinds(result)[0] == ("team.a_stuck", "stuck", "timeout")
        [line] = [line for line in house.log.lines if ": family " in line]
        family = [int(word) for word in line.split()[-2:]]
        await wait_dead(family)
        await house.active("team.a_stuck", times=2)
        assert monotonic() - began < 10


async def test_stopping_the_host_does_not_wait_for_a_stuck_plugin(tmp_path: Path) -> None:
    _write(tmp_path)
    async with household(tmp_path, settings=PATIENT, seconds=0.2) as house:
        dispatch = asyncio.create_task(house.say("family"))
        await house.log.holds(": family ")
        [line] = [line for line in house.log.lines if ": family " in line]
        began = monotonic()
        await house.plugins.unload_all()
        assert monotonic() - began < 10
        await wait_dead([int(word) for word in line.split()[-2:]])
        await dispatch


async def test_forty_hung_threads_of_one_plugin_hold_up_nobody(tmp_path: Path, isolation: Isolation) -> None:
    # Threads of the host's own process are waited for in the end; those of another go with it.
    _write(tmp_path, keyword="def", seconds=4 if isolation == "inline" else 300)
    async with household(tmp_path, isolation=isolation, hook_settings=NO_BREAKERS) as house:
        results = await asyncio.gather(*[house.say("block") for _ in range(40)])
        for result in results:
            assert _kinds(result)[0] == ("team.a_stuck", "stuck", "timeout")
            assert result.kwargs["text"].endswith("!")
        if isolation == "inline":
            assert house.hooks.hung_calls() == {"team.a_stuck": 4}
        else:
            await house.active("team.a_stuck", times=2)  # Recycled, with the reason.
            assert house.log.count("of its threads are stuck in calls that nobody waits for any more") >= 1
        async with asyncio.timeout(2):
            result = await house.say()
        assert result.kwargs["text"] == "s!"


SILENT = """
    import os, signal
    from maibot_sdk import HookHandler

    class Silent:
        @HookHandler("room.say")
        async def speak(self, text, **kwargs):
            return {"modified_kwargs": {"text": text + "s"}}

    create_plugin = Silent
"""


async def test_one_that_is_silent_though_nobody_calls_it_is_found_out(tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.silent", SILENT)
    settings = RunnerSettings(heartbeat_seconds=0.1, unresponsive_seconds=0.5, restarts=QUICK.restarts)
    async with household(tmp_path, settings=settings) as house:
        os.kill(house.pid("team.silent"), signal.SIGSTOP)
        await house.log.holds("it did not answer for 0.5 s, and was killed")
        await house.active("team.silent", times=2)
        assert await house.said() == "s"


BLOCKS_IN = """
    import time

    class P:
        {on_load}
        {on_unload}

    create_plugin = P
"""


async def test_a_sync_on_load_that_blocks_holds_up_neither_host_nor_neighbours(tmp_path: Path) -> None:
    write_plugin(
        tmp_path, "team.blocks", BLOCKS_IN.format(on_load="def on_load(self): time.sleep(300)", on_unload="x = 1")
    )
    write_plugin(tmp_path, "team.a_healthy", GREETER)
    async with measured_lag() as lag, household(tmp_path, seconds=0.3) as house:
        plugin = house.plugins["team.blocks"]
        assert plugin.state is PluginState.FAILED
        assert isinstance(plugin.problem, StepTimeoutError)
        assert plugin.problem.code == "on_load_timeout"
        assert await house.said() == "!"
    assert lag.longest < 1


async def test_a_sync_on_unload_that_blocks_is_cut_off(tmp_path: Path) -> None:
    write_plugin(
        tmp_path, "team.blocks", BLOCKS_IN.format(on_load="x = 1", on_unload="def on_unload(self): time.sleep(300)")
    )
    async with household(tmp_path, seconds=0.3) as house:
        pid = house.pid("team.blocks")
        plugin = await house.plugins.unload("team.blocks")
        assert plugin.state is PluginState.INACTIVE
        assert isinstance(plugin.problem, StepTimeoutError)
        assert plugin.problem.code == "on_unload_timeout"
        await wait_dead([pid])


GREEDY = """
    import mmap
    from maibot_sdk import HookHandler

    class Greedy:
        @HookHandler("room.say", name="greedy", timeout_ms=20_000)
        async def greedy(self, text, **kwargs):
            if text == "allocate":
                self.held = bytearray(500 << 20)
            if text == "map":
                # What the system does not count among the data of a process.
                self.held = mmap.mmap(-1, 200 << 20)
                for page in range(0, 200 << 20, 4096):
                    self.held[page] = 1
            return {"modified_kwargs": {"text": text + "g"}}

    create_plugin = Greedy
"""


async def test_memory_that_is_over_the_limit_is_refused_and_the_plugin_goes_on(tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.greedy", GREEDY)
    async with household(tmp_path, memory_limit_mb=100) as house:
        [error] = (await house.say("allocate")).errors
        assert (error.kind, error.text.split(":")[0]) == ("exception", "MemoryError")
        assert await house.said() == "g"


async def test_memory_that_was_taken_all_the_same_is_named_as_the_cause(tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.greedy", GREEDY)
    settings = QUICK.model_copy(update={"restarts": QUICK.restarts.model_copy(update={"most": 0})})
    async with household(tmp_path, memory_limit_mb=100, settings=settings) as house:
        await house.say("map")
        await house.log.holds("plugin 'team.greedy' is not started any more")
        plugin = house.plugins["team.greedy"]
        assert isinstance(plugin.problem, GivenUpError)
        assert "MiB of memory, its memory_limit_mb is 100, and it was killed" in plugin.problem.text()
