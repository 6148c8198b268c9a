"""Manifests of version 1: the public ones come up to version 2, and what cannot be known is listed."""

import json
from pathlib import Path
from typing import Any

import pytest

from host.authoring.migration import FileChange, migrate
from host.runtime.manifests.manifest import Manifest, read_manifest, warnings_of
from host.runtime.manifests.versions import HostVersions

LINES = (Path(__file__).parents[2] / "data" / "manifests.jsonl").read_text(encoding="utf-8").splitlines()
OLD, NEW = ([line for line in LINES if json.loads(line)["manifest_version"] == version] for version in (1, 2))
UNUSABLE = {
    "久远.aaaaaaa-aaaa-aaaaaa152",
    "久远.aaaa_aaaaaaa_aaaaaa272",
    "寻.aaa_aaaaa_aaaaaa52",
    "aaaaaa_aaaaa_aaaaaa26",
    "aaaaaa_aaaaaaa286",
}
LEAST: dict[str, Any] = {
    "manifest_version": 1,
    "id": "demo.plugin",
    "name": "demo",
    "version": "1.0.0",
    "description": "d",
    "author": {"name": "a", "url": "u"},
    "host_application": {"min_version": "0.10.0", "max_version": "0.12.2"},
}


def _brought_up(folder: Path, content: str | bytes, plugin_id: str | None = None) -> FileChange:
    file = folder / "_manifest.json"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    (change,) = (each for each in migrate([folder], plugin_id=plugin_id) if each.path == file)
    return change


def _loaded(change: FileChange) -> Manifest:
    change.path.write_bytes(change.after)
    return read_manifest(change.path)


@pytest.mark.parametrize("line", OLD)
def test_a_public_manifest_comes_up_to_version_2(tmp_path: Path, line: str) -> None:
    old = json.loads(line)
    change = _brought_up(tmp_path, line)
    if old.get("id") is None or old["id"] in UNUSABLE:
        assert [remark.code for remark in change.left] == ["no_id" if "id" not in old else "wrong_id"]
        change = _brought_up(tmp_path, line, "your-name.plugin")
    assert change.left == []
    new = _loaded(change)
    assert new.id == (old.get("id") if old.get("id") not in UNUSABLE else None) or new.id == "your-name.plugin"
    assert (new.name, new.description, new.license) == (old["name"], old["description"], old["license"])
    assert new.author.model_dump() == old["author"]
    assert new.urls.repository == old.get("repository_url", "")
    assert new.urls.homepage == old.get("homepage_url", "")
    assert new.i18n.default_locale == old.get("default_locale", "")
    assert new.i18n.locales_path == old.get("locales_path", "")
    assert warnings_of(new, HostVersions()) == []
    assert not _brought_up(tmp_path, change.after).changed


@pytest.mark.parametrize("line", NEW[:5])
def test_a_manifest_of_version_2_stays_as_it_is(tmp_path: Path, line: str) -> None:
    change = _brought_up(tmp_path, line)
    assert not change.changed
    assert not change.left


def test_what_a_manifest_of_version_2_lacks_is_listed(tmp_path: Path) -> None:
    change = _brought_up(tmp_path, json.dumps({"manifest_version": 2, "version": "1"}))
    assert [remark.code for remark in change.left] == ["no_id", "manifest", "manifest", "manifest", "manifest"]
    assert all(remark.text("en") != remark.text("zh") for remark in change.left)


def test_an_id_is_never_guessed_but_offered(tmp_path: Path) -> None:
    folder = tmp_path / "my plugin"
    folder.mkdir()
    (without := dict(LEAST)).pop("id")
    change = _brought_up(folder, json.dumps(without))
    assert "id" not in json.loads(change.after)
    assert "'a.my-plugin'" in change.left[0].text()
    assert list(json.loads(_brought_up(folder, json.dumps(without), "a.b").after))[:2] == ["manifest_version", "id"]
    assert json.loads(_brought_up(folder, json.dumps(LEAST), "a.b").after)["id"] == "demo.plugin"


def test_the_releases_are_those_that_know_the_new_sdk(tmp_path: Path) -> None:
    change = _brought_up(tmp_path, json.dumps(LEAST))
    new = _loaded(change)
    assert new.host_application.model_dump() == {"min_version": "1.0.0", "max_version": ""}
    assert new.sdk.model_dump() == {"min_version": "2.0.0", "max_version": "2.99.99"}
    assert any("0.10.0 - 0.12.2" in note.text() for note in change.notes)


@pytest.mark.parametrize(
    ("found", "written"), [("0.5", "0.5.0"), ("2", "2.0.0"), ("1.2.3", "1.2.3"), ("1.2.3.4", None), ("1.0rc1", None)]
)
def test_a_short_version_is_filled_up_and_no_other_is_touched(tmp_path: Path, found: str, written: str | None) -> None:
    change = _brought_up(tmp_path, json.dumps({**LEAST, "version": found}))
    assert json.loads(change.after)["version"] == (written or found)
    assert bool(change.left) == (written is None)


def test_packages_of_version_1_become_dependencies_and_the_others_are_told(tmp_path: Path) -> None:
    needs = {
        "python": [
            "Pillow",
            {"name": "aiohttp", "version": ">=3.8.0", "required": True},
            {"name": "pytz", "version": ">=2021.1", "required": False},
            "not a package!",
        ],
        "plugins": ["other"],
    }
    change = _brought_up(tmp_path, json.dumps({**LEAST, "plugin_info": {"dependencies": needs, "plugin_type": "tool"}}))
    new = _loaded(change)
    assert {name: str(spec) for name, spec in new.needed_packages.items()} == {"pillow": "", "aiohttp": ">=3.8.0"}
    assert new.plugin_type == "tool"
    (told,) = (note.text() for note in change.notes if note.code == "dependencies_dropped")
    assert all(name in told for name in ("pytz", "not a package!", "plugins"))


def test_capabilities_are_those_that_were_asked_for_and_that_the_code_calls(tmp_path: Path) -> None:
    code = (
        "class P:\n    async def f(self):\n        await self.ctx.db.query('x')\n        await self.ctx.nonsense.f()\n"
    )
    (tmp_path / "plugin.py").write_text(code, encoding="utf-8")
    change = _brought_up(tmp_path, json.dumps({**LEAST, "permissions": ["send.image", "network.http"]}))
    assert _loaded(change).capabilities == ("send.image", "database.query")
    assert any("network.http" in note.text() for note in change.notes if note.code == "keys_dropped")


@pytest.mark.parametrize("indent", ["  ", "\t", "    "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_indents_line_ends_and_the_byte_order_mark_stay(tmp_path: Path, indent: str, end: str, mark: str) -> None:
    text = json.dumps({**LEAST, "name": "过滤"}, ensure_ascii=False, indent=indent) + "\n"
    change = _brought_up(tmp_path, (mark + text.replace("\n", end)).encode())
    after = change.after.decode()
    assert after.startswith(f'{mark}{{{end}{indent}"manifest_version": 2,{end}')
    assert after.endswith(f"}}{end}")
    assert after.count("\n") == after.count(end)
    assert "过滤" in after


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b"[" * 100_000, b"[]"])
def test_what_is_no_manifest_is_left_and_stays(tmp_path: Path, content: bytes) -> None:
    change = _brought_up(tmp_path, content)
    assert not change.changed
    assert change.left
