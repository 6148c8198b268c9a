"""``maibot-host plugins remove`` end to end: with a host that runs, and on the folders."""

from pathlib import Path

import pytest

from tests.cli.running import GOOD, host_over, write_plugin
from tests.cli.test_plugins import LEAVES_A_TRACE, imported, plugins, states


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "plugins"
    path.mkdir()
    return path


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def trash_of(folder: Path) -> list[str]:
    """The plugins in the trash, without the time."""
    trash = folder.parent / "data" / "trash" / "plugins"
    return [name.rpartition("-")[0] for name in names_in(trash)] if trash.exists() else []


async def test_a_running_host_unloads_it_and_says_what_became_of_everything(folder: Path) -> None:
    needs = [{"type": "plugin", "id": "a.base", "version_spec": ">=1.0.0"}]
    write_plugin(folder, "a.base", GOOD)
    write_plugin(folder, "b.top", GOOD, dependencies=needs)
    write_plugin(folder, "c.raises", "raise RuntimeError")
    data = folder.parent / "data"
    async with host_over(folder):
        removed = await plugins("remove", "a.base", "--yes", cwd=folder.parent)
        assert removed.code == 0, removed.err
        first, where, stays = removed.out.splitlines()
        assert first == "b.top was unloaded first, since it needs a.base."
        assert where.startswith(f"a.base is removed. Its folder is in the trash now: {data}/trash/plugins/a.base-")
        assert stays == f"Its data stays where it is: {data}/plugins/a.base"
        failed = await plugins("remove", "c.raises", "--yes", "--lang", "zh", cwd=folder.parent)
        assert (failed.code, failed.out.startswith("c.raises 已移除。")) == (0, True)
        listed = await plugins("list", cwd=folder.parent)
        assert states(listed)["b.top"] == "blocked"
        assert not {"a.base", "c.raises"} & set(states(listed))
        again = await plugins("remove", "a.base", "--yes", cwd=folder.parent)
        assert (again.code, "there is no plugin 'a.base'" in again.err) == (2, True)
        bundled = next(each for each in states(listed) if "maibot-host." in each)
        refused = await plugins("remove", bundled, "--yes", cwd=folder.parent)
        assert (refused.code, "comes with the host" in refused.err) == (1, True)
    assert trash_of(folder) == ["a.base", "c.raises"]


async def test_without_a_host_the_folder_is_moved_and_no_plugin_is_run(folder: Path) -> None:
    write_plugin(folder, "a.good", LEAVES_A_TRACE)
    arguments = ("--yes", "--plugins", str(folder))
    removed = await plugins("remove", "a.good", *arguments, cwd=folder.parent)
    assert removed.code == 0, removed.err
    assert removed.out.startswith("a.good is removed.")
    assert (imported(folder), names_in(folder), trash_of(folder)) == ([], [], ["a.good"])
    unknown = await plugins("remove", "../plugins", *arguments, cwd=folder.parent)
    assert (unknown.code, "there is no plugin '../plugins'" in unknown.err) == (2, True)
    bundled = next(iter(states(await plugins("list", cwd=folder.parent))))
    refused = await plugins("remove", bundled, "--yes", cwd=folder.parent)
    assert (refused.code, "comes with the host" in refused.err) == (1, True)


async def test_it_asks_first_and_does_nothing_without_the_owners_word(folder: Path) -> None:
    needs = [{"type": "plugin", "id": "a.base", "version_spec": ">=1.0.0"}]
    write_plugin(folder, "a.base", GOOD)
    write_plugin(folder, "b.top", GOOD, dependencies=needs)
    arguments = ("a.base", "--plugins", str(folder))
    for typed in ("n\n", "\n", ""):
        kept = await plugins("remove", *arguments, cwd=folder.parent, typed=typed)
        assert kept.code == 1
        assert str(folder / "a.base") in kept.out
        assert "Needed by b.top" in kept.out
    assert trash_of(folder) == []
    assert (await plugins("remove", *arguments, cwd=folder.parent, typed="y\n")).code == 0
    assert trash_of(folder) == ["a.base"]
