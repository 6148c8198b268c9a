"""``on_load`` ends before the first hook; ``on_unload`` comes after the last; neither can hold up the host."""

import asyncio
import gc
import os
import sys
from pathlib import Path

import pytest

from host.hooks import Hooks
from host.runtime import Plugins, PluginState, StepFailedError, StepTimeoutError
from tests.runtime.plugin_folders import GREETER, PluginsIn, inline_only, reached, said, write_plugin

METHODS = """
    import asyncio
    import logging

    journal = logging.getLogger("journal")

    class P:
        {load} on_load(self):
            journal.warning("on_load")
            {load_body}

        {unload} on_unload(self):
            journal.warning("on_unload")
            {unload_body}

    create_plugin = P
"""


def one_plugin(plugins_in: PluginsIn, root: Path, *, seconds: float = 30.0, **parts: str) -> Plugins:
    """Plugins below `root`, which are one: its life cycle is made of `parts`."""
    made = {"load": "async def", "load_body": "", "unload": "async def", "unload_body": ""} | parts
    write_plugin(root, "team.one", METHODS.format(**made))
    return plugins_in(root, seconds=seconds)


WAITS_FOR_GO = """
            import asyncio
            from pathlib import Path
            journal.warning("begins")
            await asyncio.to_thread(Path(__file__).with_name("go").read_bytes)
            journal.warning("ended")
"""
"""The body of a life-cycle method of `GREETER` that takes until somebody writes into the pipe ``go`` in its folder."""

WAITS_FOR_EVER = """
            try:
                await asyncio.Event().wait()
            finally:
                journal.warning("cut")
"""
IGNORES_THE_FIRST_CANCELLATION = """
            for _ in range(2):
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    journal.warning("no")
"""


def waiting_plugin(root: Path, step: str) -> Path:
    """A plugin one of whose methods waits; returns the pipe that lets it go on when something is written into it."""
    folder = write_plugin(root, "team.one", GREETER.replace(f'journal.warning("{step}")', WAITS_FOR_GO))
    os.mkfifo(folder / "go")
    return folder / "go"


async def test_no_hook_reaches_a_plugin_before_its_on_load_has_ended(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    go = waiting_plugin(tmp_path, "on_load")
    plugins = plugins_in(tmp_path)
    loading = asyncio.create_task(plugins.load_all())
    await reached("begins")
    assert plugins["team.one"].state is PluginState.LOADING
    assert await said(hooks, "early") == "early"
    await asyncio.to_thread(go.write_bytes, b"go")
    await loading
    assert await said(hooks, "late") == "late!"
    assert caplog.messages == ["begins", "ended", "hook"]


async def test_on_unload_runs_when_no_hook_reaches_the_plugin_any_more(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    go = waiting_plugin(tmp_path, "on_unload")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    unloading = asyncio.create_task(plugins.unload_all())
    await reached("begins")
    assert plugins["team.one"].state is PluginState.UNLOADING
    assert await said(hooks, "late") == "late"
    await asyncio.to_thread(go.write_bytes, b"go")
    await unloading
    assert caplog.messages == ["on_load", "begins", "ended"]


@inline_only
async def test_nothing_is_left_of_an_unloaded_plugin(plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.one")
    plugins = plugins_in(tmp_path)
    modules, finders = set(sys.modules), list(sys.meta_path)
    await plugins.load_all()
    assert set(sys.modules) > modules
    await plugins.unload("team.one")
    plugin = plugins["team.one"]
    assert (plugin.state, plugin.problem) == (PluginState.INACTIVE, None)
    assert (plugin.instance, plugin.components, plugin.registration) == (None, [], None)
    assert (set(sys.modules), list(sys.meta_path)) == (modules, finders)
    assert [row.handlers for row in hooks.describe()] == [[]]


@pytest.mark.parametrize("fails", ["import", "on_load", "on_unload", "never"])
async def test_no_object_of_a_plugin_outlives_it(plugins_in: PluginsIn, tmp_path: Path, fails: str) -> None:
    source = f"""
        class MarkerOfOne:
            def on_load(self):
                assert "{fails}" != "on_load"

            def on_unload(self):
                assert "{fails}" != "on_unload"

        create_plugin = MarkerOfOne
        marker = MarkerOfOne()
        assert "{fails}" != "import"
    """
    write_plugin(tmp_path, "team.one", source)
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    await plugins.unload_all()
    assert (plugins["team.one"].problem is None) == (fails == "never")
    gc.collect()
    assert [each for each in gc.get_objects() if type(each).__name__ == "MarkerOfOne"] == []


async def test_an_unloaded_plugin_can_be_loaded_again_in_its_newest_version(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    write_plugin(tmp_path, "team.one")
    plugins = plugins_in(tmp_path)
    for word in ("!", "?", "."):
        write_plugin(tmp_path, "team.one", GREETER.replace('"!"', repr(word)))
        await plugins.load("team.one")
        assert await said(hooks) == word
        await plugins.unload("team.one")
    await plugins.load_all()
    assert await said(hooks) == "."


async def test_unloading_what_is_not_active_does_nothing(
    plugins_in: PluginsIn, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_plugin(tmp_path, "team.one")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    await plugins.unload("team.one")
    assert (await plugins.unload("team.one")).state is PluginState.INACTIVE
    await plugins.unload_all()
    assert caplog.messages == ["on_load", "on_unload"]


async def test_all_are_unloaded_in_the_reverse_order_of_their_loading(
    plugins_in: PluginsIn, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for plugin_id in ("a.x", "b.x", "c.x"):
        write_plugin(
            tmp_path,
            plugin_id,
            GREETER.replace("on_unload", f"{plugin_id} ends", 2).replace(f"def {plugin_id} ends", "def on_unload"),
        )
    plugins = plugins_in(tmp_path)
    await plugins.load("b.x")
    await plugins.load_all()
    caplog.clear()
    await plugins.unload_all()
    assert caplog.messages == ["c.x ends", "a.x ends", "b.x ends"]


@pytest.mark.parametrize("kind", ["def", "async def"])
async def test_the_life_cycle_may_be_sync_or_async(
    plugins_in: PluginsIn, tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    plugins = one_plugin(plugins_in, tmp_path, load=kind, unload=kind)
    await plugins.load_all()
    assert plugins["team.one"].state is PluginState.ACTIVE
    await plugins.unload_all()
    assert caplog.messages == ["on_load", "on_unload"]
    assert plugins["team.one"].problem is None


async def test_methods_of_the_base_class_that_are_not_overridden_are_not_called(
    plugins_in: PluginsIn, tmp_path: Path
) -> None:
    write_plugin(tmp_path, "team.one", "from maibot_sdk import MaiBotPlugin\ncreate_plugin = MaiBotPlugin")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    assert plugins["team.one"].state is PluginState.ACTIVE
    await plugins.unload_all()
    assert plugins["team.one"].problem is None


async def test_on_load_that_hangs_is_cut_off_and_fails_the_plugin(
    plugins_in: PluginsIn, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    plugins = one_plugin(plugins_in, tmp_path, seconds=0.05, load_body=WAITS_FOR_EVER)
    write_plugin(tmp_path, "team.two")
    await plugins.load_all()
    problem = plugins["team.one"].problem
    assert isinstance(problem, StepTimeoutError)
    assert problem.text() == (
        "on_load of plugin 'team.one' did not end within 0.05 s and was cancelled. "
        "Start what takes long as a task there, and return."
    )
    assert plugins["team.one"].state is PluginState.FAILED
    assert plugins["team.two"].state is PluginState.ACTIVE
    assert caplog.messages == ["on_load", "cut", "on_load"]


@inline_only
async def test_on_load_that_ignores_its_cancellation_does_not_hold_up_the_host(
    plugins_in: PluginsIn, tmp_path: Path, logged: list[str]
) -> None:
    plugins = one_plugin(plugins_in, tmp_path, seconds=0.05, load_body=IGNORES_THE_FIRST_CANCELLATION)
    before = asyncio.all_tasks()
    await plugins.load_all()
    assert isinstance(plugins["team.one"].problem, StepTimeoutError)
    assert any("team.one on_load ignores that it was cancelled" in line for line in logged)
    (left,) = asyncio.all_tasks() - before
    left.cancel()
    await left


async def test_on_unload_that_fails_is_recorded_and_the_plugin_is_unloaded(
    plugins_in: PluginsIn, tmp_path: Path
) -> None:
    plugins = one_plugin(plugins_in, tmp_path, unload_body="1 / 0")
    await plugins.load_all()
    await plugins.unload_all()
    plugin = plugins["team.one"]
    assert plugin.state is PluginState.INACTIVE
    assert isinstance(plugin.problem, StepFailedError)
    assert plugin.problem.code == "on_unload_raised"
    assert "ZeroDivisionError" in plugin.traceback


async def test_on_unload_that_hangs_is_cut_off_and_the_plugin_is_unloaded(
    plugins_in: PluginsIn, tmp_path: Path
) -> None:
    plugins = one_plugin(plugins_in, tmp_path, seconds=0.05, unload_body="await asyncio.Event().wait()")
    await plugins.load_all()
    await plugins.unload_all()
    plugin = plugins["team.one"]
    assert plugin.state is PluginState.INACTIVE
    assert isinstance(plugin.problem, StepTimeoutError)


async def test_a_cancellation_made_up_by_the_plugin_is_its_failure(plugins_in: PluginsIn, tmp_path: Path) -> None:
    plugins = one_plugin(plugins_in, tmp_path, load_body="raise asyncio.CancelledError")
    await plugins.load_all()
    assert isinstance(plugins["team.one"].problem, StepFailedError)


@pytest.mark.parametrize("step", ["load", "unload"])
async def test_a_cancellation_of_the_host_goes_through_and_leaves_nothing_behind(
    plugins_in: PluginsIn, tmp_path: Path, caplog: pytest.LogCaptureFixture, step: str
) -> None:
    bodies = {"load": "", "unload": ""} | {step: WAITS_FOR_EVER}
    plugins = one_plugin(plugins_in, tmp_path, load_body=bodies["load"], unload_body=bodies["unload"])
    if step == "unload":
        await plugins.load_all()
    modules = {name for name in sys.modules if not name.startswith("_maibot_plugin_")}
    running = asyncio.create_task(plugins.load_all() if step == "load" else plugins.unload_all())
    await reached(f"on_{step}")
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert caplog.messages[-1] == "cut"
    assert plugins["team.one"].state is PluginState.INACTIVE
    assert set(sys.modules) == modules
