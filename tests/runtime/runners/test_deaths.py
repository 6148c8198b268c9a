"""A plugin's process that dies, at whatever time, costs the call that it was in, and comes back."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from host.hooks import HookResult, HookSettings
from host.runtime import PluginState
from host.runtime.problems import ProcessLostError
from host.runtime.runners.warm_parent import WarmParent
from tests.runtime.plugin_folders import GREETER, write_plugin
from tests.runtime.runners.household import NO_BREAKERS, SLOW_RESTARTS, household, measured_lag

MORTAL = """
    import asyncio, ctypes, faulthandler, logging, os, signal, threading
    from maibot_sdk import HookHandler

    class Mortal:
        @HookHandler("room.say", timeout_ms=20_000, name="speak")
        async def speak(self, text, **kwargs):
            if text == "exit":
                os._exit(3)
            if text == "crash":
                ctypes.string_at(0)
            if text == "wait":
                logging.getLogger("journal").warning("waits")
                await asyncio.Event().wait()
            if text == "answer, then die":
                asyncio.get_running_loop().call_soon(lambda: asyncio.get_running_loop().call_soon(os._exit, 4))
            return {"modified_kwargs": {"text": text + "m"}}

    create_plugin = Mortal
"""
"""Appends ``m``, unless it is told to die."""


def _mortal_and_healthy(root: Path) -> None:
    write_plugin(root, "team.a_mortal", MORTAL)
    write_plugin(root, "team.healthy")


def _error(result: HookResult) -> tuple[str, str, str]:
    """Of the one failure of a dispatch: whose, which kind, and its text."""
    [error] = result.errors
    return error.plugin_id, error.kind, error.text


async def test_killed_between_calls_it_comes_back(tmp_path: Path) -> None:
    _mortal_and_healthy(tmp_path)
    async with household(tmp_path) as house:
        before = house.pid("team.a_mortal")
        os.kill(before, signal.SIGKILL)
        plugin = await house.active("team.a_mortal", times=2)
        assert plugin.state is PluginState.ACTIVE
        assert plugin.problem is None
        assert house.pid("team.a_mortal") != before
        assert await house.said() == "m!"


async def test_while_it_is_down_its_handlers_fail_at_once_and_are_not_charged(tmp_path: Path) -> None:
    _mortal_and_healthy(tmp_path)
    async with household(tmp_path, settings=SLOW_RESTARTS) as house:
        os.kill(house.pid("team.a_mortal"), signal.SIGKILL)
        await house.log.holds("team.a_mortal is started again in")
        plugin = house.plugins["team.a_mortal"]
        assert plugin.state is PluginState.LOADING
        assert isinstance(plugin.problem, ProcessLostError)
        for _ in range(10):  # More than what would open a breaker.
            result = await house.say("hi")
            assert result.kwargs["text"] == "hi!"
            whose, kind, text = _error(result)
            assert (whose, kind) == ("team.a_mortal", "unavailable")
            assert "SIGKILL" in text


async def test_killed_in_the_middle_of_a_call_it_fails_that_call_at_once_and_the_others_go_on(tmp_path: Path) -> None:
    _mortal_and_healthy(tmp_path)
    async with household(tmp_path) as house:
        dispatches = [asyncio.create_task(house.say("wait")) for _ in range(20)]
        await house.log.holds("waits", times=20)
        os.kill(house.pid("team.a_mortal"), signal.SIGKILL)
        async with asyncio.timeout(5):
            results = await asyncio.gather(*dispatches)
        for result in results:
            whose, kind, text = _error(result)
            assert (whose, kind) == ("team.a_mortal", "unavailable")
            assert "SIGKILL" in text
            assert result.kwargs["text"] == "wait!"
        await house.active("team.a_mortal", times=2)
        assert await house.said() == "m!"


@pytest.mark.parametrize(("deed", "named"), [("exit", "exit code 3"), ("crash", "SIGSEGV")])
async def test_the_failure_says_how_the_process_ended_and_is_charged(tmp_path: Path, deed: str, named: str) -> None:
    _mortal_and_healthy(tmp_path)
    async with household(tmp_path) as house:
        result = await house.say(deed)
        whose, kind, text = _error(result)
        assert (whose, kind) == ("team.a_mortal", "unavailable")
        assert named in text
        assert result.kwargs["text"] == f"{deed}!"
        [row] = house.hooks.describe()
        assert row.breakers["team.a_mortal", "speak"].failures == 1
        await house.active("team.a_mortal", times=2)


async def test_dying_right_after_its_answer_it_has_answered(tmp_path: Path) -> None:
    _mortal_and_healthy(tmp_path)
    async with household(tmp_path, hook_settings=NO_BREAKERS) as house:
        assert await house.said("answer, then die") == "answer, then diem!"
        await house.active("team.a_mortal", times=2)
        assert await house.said() == "m!"


async def test_calls_end_whenever_the_process_is_killed(tmp_path: Path) -> None:
    """The process is killed while calls are on their way in both directions."""
    _mortal_and_healthy(tmp_path)
    async with household(tmp_path, hook_settings=NO_BREAKERS, settings=SLOW_RESTARTS) as house:
        dispatches = [asyncio.create_task(house.say("hi")) for _ in range(300)]
        await asyncio.wait(dispatches, return_when=asyncio.FIRST_COMPLETED)
        os.kill(house.pid("team.a_mortal"), signal.SIGKILL)
        async with asyncio.timeout(10):
            results = await asyncio.gather(*dispatches)
        failed = [result for result in results if result.errors]
        assert {error.kind for result in failed for error in result.errors} <= {"unavailable"}
        assert {result.kwargs["text"] for result in results} <= {"him!", "hi!"}
        assert len(failed) == sum(result.kwargs["text"] == "hi!" for result in results)


async def test_the_death_of_the_warm_parent_restarts_all_and_charges_nobody(tmp_path: Path) -> None:
    ids = [f"team.p{number}" for number in range(4)]
    for plugin_id in ids:
        write_plugin(tmp_path, plugin_id)
    parent = WarmParent()
    async with household(tmp_path, launcher=parent, hook_settings=HookSettings(reload_wait_ms=30_000)) as house:
        for death in range(1, 8):  # More than what a plugin of its own would be allowed.
            pids = {house.pid(plugin_id) for plugin_id in ids}
            assert parent.pid is not None
            os.kill(parent.pid, signal.SIGKILL)
            for plugin_id in ids:
                await house.active(plugin_id, times=1 + death)
            assert not pids & {house.pid(plugin_id) for plugin_id in ids}
            assert await house.said() == "!" * 4
        [row] = house.hooks.describe()
        assert [state.failures for state in row.breakers.values()] == [0] * 4


async def test_a_call_that_the_warm_parents_death_cuts_off_is_not_charged(tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.a_mortal", MORTAL)
    parent = WarmParent()
    async with household(tmp_path, launcher=parent) as house:
        dispatch = asyncio.create_task(house.say("wait"))
        await house.log.holds("waits")
        assert parent.pid is not None
        os.kill(parent.pid, signal.SIGKILL)
        whose, kind, text = _error(await dispatch)
        assert (whose, kind) == ("team.a_mortal", "unavailable")
        assert "warm parent" in text
        [row] = house.hooks.describe()
        assert row.breakers["team.a_mortal", "speak"].failures == 0
        await house.active("team.a_mortal", times=2)


async def test_deaths_do_not_hold_up_the_hosts_loop(tmp_path: Path) -> None:
    for number in range(6):
        write_plugin(tmp_path, f"team.p{number}", GREETER)
    async with household(tmp_path) as house, measured_lag() as lag:
        for number in range(6):
            os.kill(house.pid(f"team.p{number}"), signal.SIGKILL)
        for number in range(6):
            await house.active(f"team.p{number}", times=2)
        assert await house.said() == "!" * 6
    assert lag.longest < 0.5


SLOW_TO_LOAD = """
    import asyncio, logging
    from maibot_sdk import HookHandler

    class Slow:
        async def on_load(self):
            logging.getLogger("journal").warning("loading")
            await asyncio.sleep(0.3)

        @HookHandler("room.say")
        async def speak(self, text, **kwargs):
            return {"modified_kwargs": {"text": text + "s"}}

    create_plugin = Slow
"""


async def test_plugins_that_are_just_being_loaded_come_up_though_the_warm_parent_dies(tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.slow", SLOW_TO_LOAD)
    write_plugin(tmp_path, "team.then", SLOW_TO_LOAD)
    parent = WarmParent()
    async with household(tmp_path, launcher=parent) as house:
        await house.plugins.unload_all()
        loads = [asyncio.create_task(house.plugins.load(each)) for each in ("team.slow", "team.then")]
        await house.log.holds("loading", times=3)
        assert parent.pid is not None
        os.kill(parent.pid, signal.SIGKILL)
        await asyncio.wait(loads)
        assert [load.result().state for load in loads] == [PluginState.ACTIVE] * 2
        assert await house.said() == "ss"


async def test_a_reload_whose_new_version_goes_down_with_the_warm_parent_is_reported_and_all_come_back(
    tmp_path: Path,
) -> None:
    write_plugin(tmp_path, "team.slow", SLOW_TO_LOAD)
    parent = WarmParent()
    async with household(tmp_path, launcher=parent) as house:
        reload = asyncio.create_task(house.plugins.reload("team.slow"))
        await house.log.holds("loading", times=2)
        assert parent.pid is not None
        os.kill(parent.pid, signal.SIGKILL)
        plugin = await reload
        assert plugin.state is PluginState.ACTIVE
        assert await house.said() == "s"
