"""What counts as a plugin's folder, whose it is, and in which order plugins are found."""

from itertools import permutations
from pathlib import Path

import pytest

from host.hooks import Source
from host.runtime import (
    DuplicatePluginError,
    FoundPlugin,
    ManifestError,
    NoEntryError,
    NoManifestError,
    PluginRoot,
    discover,
)
from tests.runtime.plugin_folders import write_files, write_plugin


def third_party(*paths: Path) -> list[FoundPlugin]:
    return discover([PluginRoot(path, Source.THIRD_PARTY) for path in paths])


def test_a_folder_with_manifest_and_entry_is_found(tmp_path: Path) -> None:
    folder = write_plugin(tmp_path, "team.one", folder="anything")
    (found,) = third_party(tmp_path)
    assert (found.id, found.path, found.problem) == ("team.one", folder, None)


def test_what_is_no_plugin_folder_is_passed_over(tmp_path: Path) -> None:
    for name in (".hidden", "__pycache__", "data"):
        write_plugin(tmp_path, "team.one", folder=name)
    (tmp_path / "empty").mkdir()
    write_files(tmp_path, {"plugin.py": "", "_manifest.json": "{}", "notes/readme.txt": "", "README.md": ""})
    assert third_party(tmp_path) == []


def test_a_root_that_does_not_exist_holds_no_plugins_and_is_mentioned(tmp_path: Path, logged: list[str]) -> None:
    assert third_party(tmp_path / "nowhere") == []
    assert any(line.startswith("WARNING") and "nowhere" in line for line in logged)


def test_an_entry_without_manifest_is_a_problem(tmp_path: Path) -> None:
    write_files(tmp_path / "lost", {"plugin.py": ""})
    (found,) = third_party(tmp_path)
    assert isinstance(found.problem, NoManifestError)
    assert (found.id, found.manifest) == ("lost", None)


def test_a_manifest_without_entry_is_a_problem(tmp_path: Path) -> None:
    (write_plugin(tmp_path, "team.one") / "plugin.py").unlink()
    (found,) = third_party(tmp_path)
    assert isinstance(found.problem, NoEntryError)
    assert found.id == "team.one"


def test_a_refused_manifest_blocks_its_folder_only(tmp_path: Path) -> None:
    write_files(tmp_path / "broken", {"_manifest.json": "{", "plugin.py": ""})
    write_plugin(tmp_path, "team.one")
    broken, healthy = third_party(tmp_path)
    assert isinstance(broken.problem, ManifestError)
    assert healthy.problem is None


def test_an_id_in_two_places_blocks_both_and_each_names_both(tmp_path: Path) -> None:
    first = write_plugin(tmp_path / "bundled", "team.one")
    second = write_plugin(tmp_path / "installed", "team.one", folder="copy")
    write_plugin(tmp_path / "installed", "team.two")
    found = third_party(tmp_path / "installed", tmp_path / "bundled")
    assert [plugin.path for plugin in found] == [first, second, tmp_path / "installed" / "team.two"]
    for plugin in found[:2]:
        assert isinstance(plugin.problem, DuplicatePluginError)
        assert plugin.problem.folders == (first, second)
        assert str(first) in plugin.problem.text("zh")
        assert str(second) in plugin.problem.text("zh")
    assert found[2].problem is None


def test_the_source_is_that_of_the_root_whatever_the_manifest_says(tmp_path: Path) -> None:
    for root, plugin_id in (("bundled", "a.plain"), ("installed", "b.liar")):
        folder = write_plugin(tmp_path / root, plugin_id)
        text = (folder / "_manifest.json").read_text(encoding="utf-8")
        lies = '{"source": "builtin", "is_built_in": true, '
        (folder / "_manifest.json").write_text(text.replace("{", lies, 1), encoding="utf-8")
    roots = [PluginRoot(tmp_path / "bundled", Source.BUILTIN), PluginRoot(tmp_path / "installed", Source.THIRD_PARTY)]
    assert [(found.id, found.source) for found in discover(roots)] == [
        ("a.plain", Source.BUILTIN),
        ("b.liar", Source.THIRD_PARTY),
    ]


@pytest.mark.parametrize("ids", list(permutations(["x.b", "x-b", "X.a", "x.a"])))
def test_plugins_are_found_by_id_in_code_point_order(tmp_path: Path, ids: tuple[str, ...]) -> None:
    # The names of the folders say the opposite of the ids, and they are made in any order.
    for place, plugin_id in enumerate(ids):
        write_plugin(tmp_path / f"root{place % 2}", plugin_id, folder=f"f{ord(plugin_id[-1])}{place}")
    assert [found.id for found in third_party(tmp_path / "root1", tmp_path / "root0")] == ["X.a", "x-b", "x.a", "x.b"]
