"""A plugin whose process keeps dying is started again with pauses, then given up; its owner decides at any time."""

import asyncio
import json
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from host.runtime import Plugins, PluginState, RestartSettings
from host.runtime.dependencies.reasons import BlockedError
from host.runtime.problems import GivenUpError
from tests.runtime.plugin_folders import GREETER, manifest, write_plugin
from tests.runtime.runners.household import QUICK, SLOW_RESTARTS, Household, household

DIES_SOON = """
    import asyncio, os
    from maibot_sdk import HookHandler

    class DiesSoon:
        async def on_load(self):
            print("last words", flush=True)
            asyncio.get_running_loop().call_later(0.05, os._exit, 7)

        @HookHandler("room.say", error_policy="abort")
        async def guard(self, **kwargs): ...

        @HookHandler("room.say")
        async def other(self, **kwargs): ...

    create_plugin = DiesSoon
"""
"""Dies a little after it has become active, each time. One of its handlers is a guard."""

GUARD = """
    from maibot_sdk import HookHandler

    class Guard:
        @HookHandler("room.say", error_policy="abort")
        async def guard(self, text, **kwargs):
            return {"modified_kwargs": {"text": text + "g"}}

    create_plugin = Guard
"""

THREE = QUICK.model_copy(update={"restarts": QUICK.restarts.model_copy(update={"most": 3})})


def _write_dependent(root: Path, plugin_id: str, needs: str) -> None:
    folder = write_plugin(root, plugin_id)
    needed = [{"type": "plugin", "id": needs, "version_spec": ">=1.0.0"}]
    (folder / "_manifest.json").write_text(json.dumps(manifest(plugin_id, dependencies=needed)), encoding="utf-8")


async def _given_up(house: Household, plugin_id: str) -> None:
    await house.log.holds(f"plugin {plugin_id!r} is not started any more")


async def test_it_is_started_again_so_often_and_then_failed_with_the_reason_and_its_last_lines(tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.dying", DIES_SOON)
    async with household(tmp_path, settings=THREE) as house:
        await _given_up(house, "team.dying")
        plugin = house.plugins["team.dying"]
        assert plugin.state is PluginState.FAILED
        assert isinstance(plugin.problem, GivenUpError)
        for locale, words in (("en", "ended 4 times within 300 s"), ("zh", "300 秒内结束了 4 次")):
            text = plugin.problem.text(locale)
            assert words in text
            assert "7" in text
            assert "last words" in text
        assert house.log.count("plugin team.dying 1.2.3 is active") == 1 + 3


async def test_pauses_grow_up_to_the_longest(tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.dying", DIES_SOON)
    restarts = RestartSettings(most=3, first_pause_seconds=0.1, longest_pause_seconds=0.3, jitter=0.0)
    async with household(tmp_path, settings=QUICK.model_copy(update={"restarts": restarts})) as house:
        await _given_up(house, "team.dying")
        pauses = [line.split(" in ")[1] for line in house.log.lines if "is started again in" in line]
        assert pauses == ["0.1 s", "0.2 s", "0.3 s"]


async def test_what_needs_it_is_blocked_and_what_does_not_goes_on(tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.dying", DIES_SOON)
    _write_dependent(tmp_path, "team.needing", "team.dying")
    write_plugin(tmp_path, "team.healthy")
    async with household(tmp_path, settings=THREE) as house:
        await _given_up(house, "team.dying")
        async with asyncio.timeout(30):
            await house.log.holds("plugin team.needing is unloaded")
            await house.plugins.load("team.healthy")  # Whatever is under way has ended then.
        needing = house.plugins["team.needing"]
        assert needing.state is PluginState.BLOCKED
        assert isinstance(needing.problem, BlockedError)
        assert "team.dying" in needing.problem.text()
        assert house.plugins["team.healthy"].state is PluginState.ACTIVE


async def test_its_guards_go_on_to_end_dispatches_and_its_other_handlers_are_gone(tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.dying", DIES_SOON)
    async with household(tmp_path, settings=THREE) as house:
        await _given_up(house, "team.dying")
        for _ in range(8):
            result = await house.say("hi")
            assert result.aborted
            assert result.stopped_by == ("team.dying", "guard")
            [error] = result.errors
            assert error.kind == "unavailable"
            assert "not started any more" in error.text
        [row] = house.hooks.describe()
        assert [handler.name for handler in row.handlers] == ["guard"]


async def test_a_reload_brings_it_back_with_those_that_need_it_and_forgives_its_deaths(tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.dying", DIES_SOON)
    _write_dependent(tmp_path, "team.needing", "team.dying")
    async with household(tmp_path, settings=THREE) as house:
        await _given_up(house, "team.dying")
        write_plugin(tmp_path, "team.dying", GREETER)
        plugin = await house.plugins.reload("team.dying")
        assert plugin.state is PluginState.ACTIVE
        assert house.plugins["team.needing"].state is PluginState.ACTIVE
        assert await house.said("hi") == "hi!!"
        for _ in range(3):  # All its deaths are allowed again.
            active = house.log.count("plugin team.dying 1.2.3 is active")
            os.kill(house.pid("team.dying"), signal.SIGKILL)
            await house.active("team.dying", times=active + 1)
        assert house.plugins["team.dying"].state is PluginState.ACTIVE


def _write_guard(root: Path) -> None:
    write_plugin(root, "team.guard", GUARD)


async def _bring_down(house: Household) -> None:
    os.kill(house.pid("team.guard"), signal.SIGKILL)
    await house.log.holds("plugin team.guard is started again in")
    assert house.plugins["team.guard"].state is PluginState.LOADING
    assert (await house.say()).aborted


GONE: list[Callable[[Plugins, str], Awaitable[Any]]] = [Plugins.unload, Plugins.disable, Plugins.remove]


@pytest.mark.parametrize("act", GONE, ids=lambda act: act.__name__)
async def test_while_it_pauses_it_can_be_taken_away(
    tmp_path: Path, act: Callable[[Plugins, str], Awaitable[Any]]
) -> None:
    _write_guard(tmp_path)
    _write_dependent(tmp_path, "team.needing", "team.guard")
    async with household(tmp_path, settings=SLOW_RESTARTS) as house:
        await _bring_down(house)
        [restart] = [task for task in asyncio.all_tasks() if task.get_name() == "restart of team.guard"]
        await act(house.plugins, "team.guard")
        assert [plugin.state for plugin in house.plugins if plugin.runs] == []
        assert house.hooks.table.of("team.guard") == ()
        assert not (await house.say()).aborted
        assert house.plugins["team.needing"].state is PluginState.BLOCKED
        assert ("team.guard" in {plugin.id for plugin in house.plugins}) is (act is not Plugins.remove)
        async with asyncio.timeout(5):
            await asyncio.wait({restart})


@pytest.mark.parametrize("act", GONE, ids=lambda act: act.__name__)
async def test_one_that_was_given_up_can_be_taken_away(
    tmp_path: Path, act: Callable[[Plugins, str], Awaitable[Any]]
) -> None:
    write_plugin(tmp_path, "team.dying", DIES_SOON)
    async with household(tmp_path, settings=THREE) as house:
        await _given_up(house, "team.dying")
        await act(house.plugins, "team.dying")
        assert house.hooks.table.of("team.dying") == ()
        assert not (await house.say()).aborted


async def test_while_it_pauses_a_reload_does_not_wait_for_the_pause(tmp_path: Path) -> None:
    _write_guard(tmp_path)
    _write_dependent(tmp_path, "team.needing", "team.guard")
    async with household(tmp_path, settings=SLOW_RESTARTS) as house:
        await _bring_down(house)
        plugin = await house.plugins.reload("team.guard")
        assert plugin.state is PluginState.ACTIVE
        assert house.plugins["team.needing"].state is PluginState.ACTIVE
        assert await house.said() == "g!"


async def test_while_it_pauses_others_are_told_of_changes_and_it_is_not(tmp_path: Path) -> None:
    _write_guard(tmp_path)
    write_plugin(tmp_path, "team.healthy")
    async with household(tmp_path, settings=SLOW_RESTARTS) as house:
        await _bring_down(house)
        await house.plugins.tell("bot", {}, "1")
        await house.plugins.reconfigure("team.guard")
        assert (await house.plugins.load("team.guard")).state is PluginState.LOADING
        assert house.plugins["team.healthy"].config_problem is None


async def test_a_version_that_does_not_come_up_again_counts_and_guards_stay(tmp_path: Path) -> None:
    _write_guard(tmp_path)
    async with household(tmp_path, settings=THREE) as house:
        write_plugin(tmp_path, "team.guard", "raise OSError('on purpose')")
        os.kill(house.pid("team.guard"), signal.SIGKILL)
        await _given_up(house, "team.guard")
        plugin = house.plugins["team.guard"]
        assert plugin.state is PluginState.FAILED
        assert plugin.problem is not None
        assert "on purpose" in plugin.problem.text()
        assert (await house.say()).stopped_by == ("team.guard", "guard")
        write_plugin(tmp_path, "team.guard", GUARD)
        assert (await house.plugins.reload("team.guard")).state is PluginState.ACTIVE
        assert await house.said() == "g"


async def test_a_process_that_dies_while_its_plugin_is_reloaded_makes_way_for_the_new_one(tmp_path: Path) -> None:
    _write_guard(tmp_path)
    async with household(tmp_path) as house:
        os.kill(house.pid("team.guard"), signal.SIGKILL)  # Nobody has noticed yet.
        assert (await house.plugins.reload("team.guard")).state is PluginState.ACTIVE
        assert await house.said() == "g"


async def test_a_reload_that_is_cancelled_leaves_no_half_of_it(tmp_path: Path) -> None:
    _write_guard(tmp_path)
    _write_dependent(tmp_path, "team.needing", "team.guard")
    async with household(tmp_path) as house:
        for turns in range(0, 60, 3):  # Together about what a reload takes.
            reload = asyncio.create_task(house.plugins.reload("team.guard"))
            for _ in range(turns):
                await asyncio.sleep(0.002)
            reload.cancel()
            await asyncio.wait({reload})
            assert house.plugins["team.guard"].state in (PluginState.ACTIVE, PluginState.INACTIVE)
            assert (await house.plugins.load("team.guard")).state is PluginState.ACTIVE
            assert (await house.plugins.load("team.needing")).state is PluginState.ACTIVE
            assert await house.said() == "g!"
