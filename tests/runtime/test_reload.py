"""A plugin is reloaded: prepared beside the old one, swapped, and taken back where the new one does not come up."""

import asyncio
import logging
import sys
from pathlib import Path

import pytest

from host.hooks import Hooks, HookSettings, HookSpec, Source
from host.runtime import Inline, PluginRoot, Plugins, PluginState, StepFailedError
from tests.runtime.plugin_folders import (
    GREETER,
    SAY,
    PluginsIn,
    Say,
    inline_only,
    reached,
    said,
    write_files,
    write_plugin,
)


def _saying(word: str, extra: str = "") -> str:
    return GREETER.replace('return "!"', f'return "{word}"') + extra


async def test_the_new_code_serves_and_the_old_one_is_gone(plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.one", _saying("old"))
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    old = plugins["team.one"]
    write_plugin(tmp_path, "team.one", _saying("new"))
    new = await plugins.reload("team.one")
    assert (old.state, new.state) == (PluginState.INACTIVE, PluginState.ACTIVE)
    assert plugins["team.one"] is new
    assert await said(hooks, "") == "new"
    assert len(hooks.table.of("team.one")) == 1


async def test_the_old_ones_on_unload_ends_before_the_new_ones_on_load_begins(
    plugins_in: PluginsIn, tmp_path: Path
) -> None:
    """Both want the same port."""
    code = """
        import asyncio
        from maibot_sdk import MaiBotPlugin

        class Serves(MaiBotPlugin):
            async def on_load(self):
                self.server = await asyncio.start_server(lambda r, w: None, "127.0.0.1", PORT)

            async def on_unload(self):
                self.server.close()
                await self.server.wait_closed()

        def create_plugin():
            return Serves()
    """
    probe = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    port = probe.sockets[0].getsockname()[1]
    probe.close()
    await probe.wait_closed()
    write_plugin(tmp_path, "team.one", code.replace("PORT", str(port)))
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    for _ in range(3):
        plugin = await plugins.reload("team.one")
        assert (plugin.state, plugin.reload_problem) == (PluginState.ACTIVE, None)


@pytest.mark.parametrize(
    ("broken", "text"),
    [
        ("def create_plugin(:", "SyntaxError"),
        ("raise RuntimeError('at import')", "at import"),
        (GREETER.replace("room.say", "room.shout"), "room.shout"),
        (GREETER.replace("return Greeter()", "return None"), "create_plugin"),
    ],
)
async def test_a_version_that_cannot_be_prepared_leaves_the_old_one_serving_untouched(
    plugins_in: PluginsIn,
    hooks: Hooks,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    broken: str,
    text: str,
) -> None:
    write_plugin(tmp_path, "team.one", _saying("old"))
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    caplog.clear()
    write_plugin(tmp_path, "team.one", broken)
    plugin = await plugins.reload("team.one")
    assert plugin.state is PluginState.ACTIVE
    assert plugin.reload_problem is not None
    assert text in plugin.reload_problem.text()
    assert await said(hooks, "") == "old"
    assert caplog.messages == ["hook"]
    # The next good save loads.
    write_plugin(tmp_path, "team.one", _saying("new"))
    plugin = await plugins.reload("team.one")
    assert plugin.reload_problem is None
    assert await said(hooks, "") == "new"


async def test_a_version_that_breaks_in_on_load_makes_way_for_the_old_one_again(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_plugin(tmp_path, "team.one", _saying("old"))
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    caplog.clear()
    write_plugin(tmp_path, "team.one", _saying("new").replace('journal.warning("on_load")', "raise OSError('no port')"))
    plugin = await plugins.reload("team.one")
    assert plugin.state is PluginState.ACTIVE
    assert isinstance(plugin.reload_problem, StepFailedError)
    assert "no port" in plugin.reload_problem.traceback
    assert await said(hooks, "") == "old"
    assert caplog.messages == ["on_unload", "on_load", "hook"]
    await plugins.unload("team.one")
    assert caplog.messages[-1] == "on_unload"


async def test_when_not_even_the_old_one_comes_up_again_the_plugin_has_failed(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    once = GREETER.replace(
        'journal.warning("on_load")',
        'if hasattr(self, "loaded"): raise OSError("only once")\n            self.loaded = True',
    )
    write_plugin(tmp_path, "team.one", once)
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    write_plugin(tmp_path, "team.one", GREETER.replace('journal.warning("on_load")', "raise OSError('new')"))
    plugin = await plugins.reload("team.one")
    assert plugin.state is PluginState.FAILED
    assert plugin.problem is not None
    assert "only once" in plugin.problem.text()
    assert await said(hooks, "") == ""
    # It can be loaded again once it was put right.
    write_plugin(tmp_path, "team.one")
    assert (await plugins.reload("team.one")).state is PluginState.ACTIVE


async def test_hooks_fired_while_a_plugin_is_reloaded_wait_for_it(tmp_path: Path) -> None:
    hooks = Hooks(HookSettings(reload_wait_ms=60_000))
    hooks.register_spec(HookSpec(name=SAY, payload=Say))
    plugins = Plugins(hooks, [PluginRoot(tmp_path, Source.THIRD_PARTY)], Inline(tmp_path / "data"), tmp_path / "data")
    slow = 'await asyncio.sleep(0.05); journal.warning("on_load")'
    source = _saying("old").replace("import logging", "import asyncio\n    import logging")
    write_plugin(tmp_path, "team.one", source)
    await plugins.load_all()
    write_plugin(tmp_path, "team.one", source.replace("old", "new").replace('journal.warning("on_load")', slow))
    reloading = asyncio.create_task(plugins.reload("team.one"))
    seen = set()
    while not reloading.done():
        seen.add(await said(hooks, ""))
        await asyncio.sleep(0)
    assert seen <= {"old", "new"}
    assert await said(hooks, "") == "new"
    await plugins.unload_all()


async def test_helpers_and_constants_are_new_after_a_reload_and_a_removed_handler_is_not_called(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    source = GREETER.replace('return "!"', "from . import helper\n            return helper.WORD")
    folder = write_plugin(tmp_path, "team.one", source, {"helper.py": "WORD = 'one'\n"})
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    assert await said(hooks, "") == "one"
    write_files(folder, {"helper.py": "WORD = 'two'\n"})
    await plugins.reload("team.one")
    assert await said(hooks, "") == "two"
    write_files(folder, {"plugin.py": "class P: ...\ndef create_plugin():\n    return P()\n"})
    await plugins.reload("team.one")
    assert await said(hooks, "") == ""
    assert hooks.table.of("team.one") == ()


TICKER = """
    import asyncio
    import logging
    from maibot_sdk import HookHandler, MaiBotPlugin

    ticks = logging.getLogger("ticks")

    class Ticker(MaiBotPlugin):
        async def on_load(self):
            self.task = asyncio.create_task(self.tick())
            self.wrapped = asyncio.create_task(asyncio.wait_for(self.tick(), 3600))
            asyncio.get_running_loop().call_later(3600, self.due)
            logging.getLogger().addHandler(logging.NullHandler())

        async def tick(self):
            while True:
                await asyncio.sleep(3600)

        def due(self): ...

        @HookHandler("room.say")
        async def starts_more(self, **kwargs):
            self.more = asyncio.create_task(self.tick())

    def create_plugin():
        return Ticker()
"""


@inline_only
async def test_ten_reloads_leave_one_of_everything_and_unloading_leaves_nothing(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    loop = asyncio.get_running_loop()
    write_plugin(tmp_path, "team.one", TICKER)
    plugins = plugins_in(tmp_path)

    def counted() -> tuple[int, int, int, int]:
        timers = [each for each in loop._scheduled if not each.cancelled() and "due" in repr(each)]  # type: ignore[attr-defined]
        modules = [name for name in sys.modules if "team_one" in name]
        return len(asyncio.all_tasks()), len(timers), len(logging.getLogger().handlers), len(modules)

    before = counted()
    await plugins.load_all()
    await said(hooks, "")
    loaded = counted()
    # Before Python 3.12, wait_for makes a task of its own.
    tasks = 3 if sys.version_info >= (3, 12) else 4
    assert [now - then for now, then in zip(loaded, before, strict=True)] == [tasks, 1, 1, 2]
    for _ in range(10):
        await plugins.reload("team.one")
        await said(hooks, "")
        assert counted() == loaded
    await plugins.unload("team.one")
    assert counted() == before


async def test_a_hundred_reloads_leave_memory_flat(plugins_in: PluginsIn, tmp_path: Path) -> None:
    import gc

    write_plugin(tmp_path, "team.one", TICKER)
    plugins = plugins_in(tmp_path)
    await plugins.load_all()

    async def blocks_after(reloads: int) -> int:
        for _ in range(reloads):
            await plugins.reload("team.one")
        gc.collect()
        return sys.getallocatedblocks()

    first = await blocks_after(20)
    last = await blocks_after(100)
    assert last - first < 100 * 10


@inline_only
async def test_a_task_that_ignores_its_cancellation_is_named(
    plugins_in: PluginsIn, tmp_path: Path, logged: list[str]
) -> None:
    stubborn = """
        import asyncio
        from maibot_sdk import MaiBotPlugin

        class Stubborn(MaiBotPlugin):
            async def on_load(self):
                self.task = asyncio.create_task(self.hold(), name="stubborn one")

            async def hold(self):
                for _ in range(3):
                    try:
                        await asyncio.sleep(2)
                    except asyncio.CancelledError:
                        pass

        def create_plugin():
            return Stubborn()
    """
    write_plugin(tmp_path, "team.one", stubborn)
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    task = next(task for task in asyncio.all_tasks() if task.get_name() == "stubborn one")
    await plugins.unload("team.one")
    assert any("stubborn one ignores that it was cancelled" in line for line in logged)
    task.cancel()
    task.cancel()
    await asyncio.wait({task})


async def test_a_dispatch_that_calls_the_plugin_is_not_taken_for_a_task_of_it(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    waits = """
        import asyncio
        import logging
        from maibot_sdk import HookHandler

        class P:
            @HookHandler("room.say")
            async def waits(self, **kwargs):
                logging.getLogger("journal").warning("called")
                await asyncio.sleep(0.05)
                return {"modified_kwargs": {"text": "done"}}

        def create_plugin():
            return P()
    """
    write_plugin(tmp_path, "team.one", waits)
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    dispatch = asyncio.create_task(said(hooks, ""))
    await reached("called")
    await plugins.reload("team.one")
    assert await dispatch == "done"


async def test_a_folder_that_does_not_hold_the_plugin_any_more_keeps_the_old_one(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    folder = write_plugin(tmp_path, "team.one", _saying("old"))
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    (folder / "_manifest.json").unlink()
    (folder / "plugin.py").unlink()
    plugin = await plugins.reload("team.one")
    assert plugin.reload_problem is not None
    assert "team.one" in plugin.reload_problem.text()
    assert await said(hooks, "") == "old"


async def test_reloading_what_is_not_active_loads_it(plugins_in: PluginsIn, tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.one", "x = 1")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    assert plugins["team.one"].state is PluginState.FAILED
    write_plugin(tmp_path, "team.one")
    assert (await plugins.reload("team.one")).state is PluginState.ACTIVE
    await plugins.unload("team.one")
    assert (await plugins.reload("team.one")).state is PluginState.ACTIVE
