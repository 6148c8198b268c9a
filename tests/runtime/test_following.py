"""What changes in plugins' folders is taken over while they run: configuration always, code where that is wanted."""

import asyncio
from pathlib import Path

from host.hooks import Hooks
from host.runtime.following import following
from tests.runtime.plugin_folders import GREETER, PluginsIn, said, write_files, write_plugin
from tests.runtime.test_configured_plugins import SPEAKER, _set


async def _becomes(hooks: Hooks, text: str) -> None:
    async with asyncio.timeout(30):
        while await said(hooks, "") != text:  # noqa: ASYNC110 - the file system tells the host, and nobody else
            await asyncio.sleep(0.01)


def _saying(word: str) -> str:
    return GREETER.replace('return "!"', f'return "{word}"')


async def test_code_that_changes_is_reloaded_also_after_it_was_broken(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    folder = write_plugin(tmp_path, "team.one", _saying("old"))
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    async with following(plugins, code=True):
        write_files(folder, {"plugin.py": _saying("new")})
        await _becomes(hooks, "new")
        write_files(folder, {"plugin.py": "def create_plugin(:"})
        async with asyncio.timeout(30):
            while plugins["team.one"].reload_problem is None:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)
        assert await said(hooks, "") == "new"
        write_files(folder, {"plugin.py": _saying("newest")})
        await _becomes(hooks, "newest")


async def test_three_files_touched_at_once_make_one_reload(plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path) -> None:
    source = GREETER.replace('return "!"', "from . import a, b\n            return a.WORD + b.WORD")
    folder = write_plugin(tmp_path, "team.one", source, {"a.py": "WORD = '1'\n", "b.py": "WORD = '2'\n"})
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    reloads: list[str] = []
    reload = plugins.reload

    async def counting(plugin_id: str) -> object:
        reloads.append(plugin_id)
        return await reload(plugin_id)

    plugins.reload = counting  # type: ignore[method-assign, assignment]
    async with following(plugins, code=True):
        write_files(folder, {"a.py": "WORD = '3'\n", "b.py": "WORD = '4'\n", "plugin.py": source + "\n"})
        await _becomes(hooks, "34")
        await asyncio.sleep(0.5)
    assert reloads == ["team.one"]


async def test_without_reloading_only_the_configuration_is_taken_over(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    folder = write_plugin(tmp_path, "team.one", SPEAKER)
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    async with following(plugins, code=False):
        write_files(folder, {"plugin.py": "raise AssertionError"})
        await asyncio.sleep(0.5)
        _set(folder, '"hello"', '"bye"')
        await _becomes(hooks, "bye")
    assert plugins["team.one"].reload_problem is None
