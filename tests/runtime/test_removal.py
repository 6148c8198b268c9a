"""A plugin that is removed ends as if it were unloaded, and its folder lies in the trash, whole."""

import asyncio
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.hooks import Hooks, Source
from host.runtime import (
    BundledPluginError,
    DuplicatePluginError,
    Inline,
    NotRemovedError,
    PluginRoot,
    Plugins,
    PluginState,
    UnknownPluginError,
)
from host.runtime.following import following
from tests.runtime.plugin_folders import GREETER, PluginsIn, said, write_files, write_plugin
from tests.runtime.test_dependents import _write


def _files_below(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def _listing(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Path]:
    """A folder on another file system."""
    memory = Path("/dev/shm")
    if not memory.is_dir() or memory.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("takes a second file system")
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


async def test_a_plugin_is_unloaded_and_its_folder_is_moved_whole(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = write_plugin(tmp_path, "team.one", GREETER, {"assets/face.txt": "smile"})
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    files = _files_below(folder)
    (tmp_path / "data" / "plugins" / "team.one" / "kept.db").write_text("mine")
    removed = await plugins.remove("team.one")
    assert caplog.messages == ["on_load", "on_unload"]
    assert await said(hooks) == ""
    assert list(plugins) == []
    assert not folder.exists()
    assert removed.trash.parent == tmp_path / "data" / "trash" / "plugins"
    assert removed.trash.name.startswith("team.one-")
    assert _files_below(removed.trash) == files
    assert removed.data == tmp_path / "data" / "plugins" / "team.one"
    assert _listing(removed.data) == ["kept.db"]
    assert removed.unloaded == ()


async def test_those_that_need_it_are_unloaded_before_it_and_wait_for_it(
    plugins_in: PluginsIn, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    _write(tmp_path, "team.a", "team.b")
    _write(tmp_path, "team.b", "team.c")
    _write(tmp_path, "team.c")
    _write(tmp_path, "team.d")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    caplog.clear()
    removed = await plugins.remove("team.c")
    assert removed.unloaded == ("team.a", "team.b")
    assert caplog.messages == ["team.a goes", "team.b goes", "team.c goes"]
    states = {plugin.id: plugin.state for plugin in plugins}
    assert states == {
        "team.a": PluginState.BLOCKED,
        "team.b": PluginState.BLOCKED,
        "team.d": PluginState.ACTIVE,
    }
    removed.trash.rename(tmp_path / "back again")
    await plugins.load("team.c")
    assert {plugin.state for plugin in plugins} == {PluginState.ACTIVE}


async def test_one_that_failed_is_blocked_or_switched_off_can_be_removed(plugins_in: PluginsIn, tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.failed", "1 / 0")
    _write(tmp_path, "team.blocked", "team.missing")
    write_plugin(tmp_path, "team.off", files={"config.toml": "[plugin]\nenabled = false\n"})
    write_files(tmp_path / "no manifest", {"plugin.py": ""})
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    for plugin in list(plugins):
        assert plugin.state is not PluginState.ACTIVE
        await plugins.remove(plugin.id)
    assert list(plugins) == []
    assert _listing(tmp_path) == ["data"]
    assert len(_listing(tmp_path / "data" / "trash" / "plugins")) == 4


async def test_a_plugin_that_comes_with_the_host_runs_on(plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.one")
    plugins = plugins_in(tmp_path, PluginRoot(tmp_path, Source.BUILTIN))
    await plugins.load_all()
    with pytest.raises(BundledPluginError, match="Disable it"):
        await plugins.remove("team.one")
    assert await said(hooks) == "!"


async def test_of_several_with_one_id_none_is_removed(plugins_in: PluginsIn, tmp_path: Path) -> None:
    first = write_plugin(tmp_path, "team.one", folder="first")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    second = write_plugin(tmp_path, "team.one", folder="second")
    await plugins.load_all()
    with pytest.raises(DuplicatePluginError) as refused:
        await plugins.remove("team.one")
    assert refused.value.folders == (first, second)
    assert _listing(tmp_path) == ["data", "first", "second"]


HOSTILE = ["a/../b", "../outside", "..", ".", "", "%2e%2e", ".hidden", "con", "team.one.", "team.one/", "/etc", "\0"]


@pytest.mark.parametrize("plugin_id", HOSTILE)
async def test_an_id_is_compared_and_never_followed_as_a_path(
    plugins_in: PluginsIn, tmp_path: Path, plugin_id: str
) -> None:
    root = tmp_path / "plugins"
    write_plugin(root, "team.one")
    write_plugin(tmp_path, "team.two", folder="outside")
    write_plugin(root, "team.hidden", folder=".hidden")
    plugins = plugins_in(root)
    await plugins.load_all()
    with pytest.raises(UnknownPluginError):
        await plugins.remove(plugin_id)
    assert _listing(tmp_path) == ["outside", "plugins"]
    assert _listing(root) == [".hidden", "data", "team.one"]
    assert not (root / "data" / "trash").exists()


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such names")
@pytest.mark.parametrize("name", ["con", "dot.", "a\\..\\b", "%2e%2e", "two words", "line\nend", "x" * 255, "..."])
async def test_without_a_usable_manifest_the_folders_name_does_not_name_the_trash(
    plugins_in: PluginsIn, tmp_path: Path, name: str
) -> None:
    root = tmp_path / "plugins"
    write_files(root / f"_{name}"[-255:], {"plugin.py": ""})
    plugins = plugins_in(root)
    await plugins.load_all()
    (plugin,) = plugins
    removed = await plugins.remove(plugin.id)
    assert removed.trash.parent == root / "data" / "trash" / "plugins"
    assert set(removed.trash.name) <= set("abcdefghijklmnopqrstuvwxyzTZ0123456789_.-")
    assert _listing(removed.trash) == ["plugin.py"]
    assert removed.data is None


async def test_a_link_is_moved_and_what_it_leads_to_stays(plugins_in: PluginsIn, tmp_path: Path) -> None:
    source = write_plugin(tmp_path / "sources", "team.one")
    root = tmp_path / "plugins"
    root.mkdir()
    (root / "linked").symlink_to("../sources/team.one")
    plugins = plugins_in(root)
    await plugins.load_all()
    removed = await plugins.remove("team.one")
    assert _listing(root) == ["data"]
    assert (source / "plugin.py").is_file()
    assert removed.trash.resolve() == source


async def test_removed_twice_it_lies_in_the_trash_twice(plugins_in: PluginsIn, tmp_path: Path) -> None:
    plugins = plugins_in(tmp_path)
    trashes = []
    for word in ("first", "second"):
        write_plugin(tmp_path, "team.one", GREETER.replace('"!"', f'"{word}"'))
        await plugins.load_all()
        trashes.append((await plugins.remove("team.one")).trash)
    assert ["first" in (trash / "plugin.py").read_text() for trash in trashes] == [True, False]


async def test_what_cannot_be_moved_is_loaded_again_with_those_that_need_it(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    _write(tmp_path, "team.a", "team.b")
    _write(tmp_path, "team.b")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    (tmp_path / "data" / "trash").write_text("in the way")
    with pytest.raises(NotRemovedError, match=r"'team\.b' was not removed"):
        await plugins.remove("team.b")
    assert {plugin.state for plugin in plugins} == {PluginState.ACTIVE}
    assert await said(hooks) == "ab"


async def test_one_that_did_not_run_and_cannot_be_moved_still_does_not_run(
    plugins_in: PluginsIn, tmp_path: Path
) -> None:
    write_plugin(tmp_path, "team.one")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    await plugins.unload("team.one")
    (tmp_path / "data" / "trash").write_text("in the way")
    with pytest.raises(NotRemovedError):
        await plugins.remove("team.one")
    assert plugins["team.one"].state is PluginState.INACTIVE


async def test_the_trash_may_lie_on_another_file_system(hooks: Hooks, tmp_path: Path, elsewhere: Path) -> None:
    folder = write_plugin(tmp_path, "team.one", GREETER, {"assets/face.txt": "smile"})
    (folder / "link").symlink_to("assets/face.txt")
    files = _files_below(folder)
    plugins = Plugins(hooks, [PluginRoot(tmp_path, Source.THIRD_PARTY)], Inline(elsewhere), elsewhere)
    await plugins.load_all()
    removed = await plugins.remove("team.one")
    assert _listing(tmp_path) == []
    assert _files_below(removed.trash) == files
    assert (removed.trash / "link").is_symlink()


async def test_what_cannot_be_copied_to_another_file_system_lies_where_it_lay(
    hooks: Hooks, tmp_path: Path, elsewhere: Path
) -> None:
    folder = write_plugin(tmp_path, "team.one")
    os.mkfifo(folder / "pipe")  # copying refuses it
    plugins = Plugins(hooks, [PluginRoot(tmp_path, Source.THIRD_PARTY)], Inline(elsewhere), elsewhere)
    await plugins.load_all()
    with pytest.raises(NotRemovedError, match="is a named pipe"):
        await plugins.remove("team.one")
    assert _listing(tmp_path) == ["team.one"]
    assert _listing(folder) == ["_manifest.json", "pipe", "plugin.py"]
    assert _listing(elsewhere / "trash" / "plugins") == []
    assert plugins["team.one"].state is PluginState.ACTIVE
    await plugins.unload_all()


async def test_what_changed_in_a_folder_just_before_it_was_removed_is_no_news(
    plugins_in: PluginsIn, tmp_path: Path, logged: list[str]
) -> None:
    folder = write_plugin(tmp_path, "team.one")
    write_plugin(tmp_path, "team.two")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    async with following(plugins, code=True):
        write_files(folder, {"more.py": ""})
        await plugins.remove("team.one")
        await asyncio.sleep(0.6)
    own = ("WARNING on_load", "WARNING on_unload")
    assert not [line for line in logged if line.startswith(("WARNING", "ERROR")) and line not in own]
