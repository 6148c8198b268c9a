"""``maibot-host migrate``: what it prints, what it writes, and how it ends."""

import asyncio
import json
import os
import stat
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from host.authoring.migration import ChangedMeanwhileError, migrate
from host.cli import commands
from tests.cli.running import environment, finished

OLD = """\
from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep(stage="pre_process", blocking=True)
    async def on_pre_process(self, **kwargs):
        ...


def create_plugin():
    return P()"""
MANIFEST = {
    "manifest_version": 1,
    "id": "demo.plugin",
    "name": "demo",
    "version": "1.0.0",
    "description": "d",
    "author": {"name": "a", "url": "u"},
    "host_application": {"min_version": "0.10.0"},
}


def _plugin(folder: Path, code: str = OLD) -> Path:
    plugin = folder / "demo"
    plugin.mkdir()
    (plugin / "plugin.py").write_text(code, encoding="utf-8")
    (plugin / "_manifest.json").write_text(json.dumps(MANIFEST, indent=2), encoding="utf-8")
    return plugin


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(commands, ["migrate", *map(str, arguments)], env={"LANGUAGE": "en"})


async def test_it_prints_a_diff_that_can_be_applied_and_writes_nothing(tmp_path: Path) -> None:
    plugin = _plugin(tmp_path)
    before = (plugin / "plugin.py").read_bytes()
    run = await finished("migrate", "demo", cwd=tmp_path, env=environment(PYTHONPATH=str(Path(__file__).parents[3])))
    assert run.code == 0, run.err
    assert "demo/plugin.py:5: note: on_pre_process" in run.err
    assert run.err.endswith("2 file(s) read, 2 to change, 0 thing(s) left to do by hand.\n")
    assert (plugin / "plugin.py").read_bytes() == before
    (tmp_path / "change.diff").write_text(run.out, encoding="utf-8", newline="")
    applying = await asyncio.create_subprocess_exec("git", "apply", "change.diff", cwd=tmp_path)
    assert await applying.wait() == 0
    applied = [file.read_bytes() for file in (plugin / "plugin.py", plugin / "_manifest.json")]
    assert b"WorkflowStep" not in applied[0]
    assert migrate([plugin]) == [change for change in migrate([plugin]) if not change.changed]
    assert json.loads(applied[1])["manifest_version"] == 2


def test_with_write_it_writes_and_keeps_what_was_there(tmp_path: Path) -> None:
    plugin = _plugin(tmp_path)
    file = plugin / "plugin.py"
    file.chmod(0o640)
    expected = {change.path: change.after for change in migrate([plugin])}
    first = _run(plugin, "--write")
    assert first.exit_code == 0, first.output
    assert {path: path.read_bytes() for path in expected} == expected
    assert (plugin / "plugin.py.bak").read_text(encoding="utf-8") == OLD
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    there = sorted(path.name for path in plugin.iterdir())
    assert there == ["_manifest.json", "_manifest.json.bak", "plugin.py", "plugin.py.bak"]
    assert _run(plugin, "--write").exit_code == 0
    assert sorted(path.name for path in plugin.iterdir()) == there, "nothing is left to write"
    file.write_text(OLD, encoding="utf-8")
    _run(plugin, "--write")
    assert (plugin / "plugin.py.bak1").exists(), "no backup takes the place of another"


def test_a_link_stays_a_link_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_text(OLD, encoding="utf-8")
    link = tmp_path / "plugin.py"
    link.symlink_to("real.py")
    assert _run(link, "--write").exit_code == 0
    assert link.is_symlink()
    assert "HookHandler" in (tmp_path / "real.py").read_text(encoding="utf-8")


def test_a_file_that_somebody_else_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = _plugin(tmp_path) / "plugin.py"
    (change,) = migrate([file])
    file.write_text("mine = 1\n", encoding="utf-8")
    with pytest.raises(ChangedMeanwhileError):
        change.write()
    assert not file.with_name("plugin.py.bak").exists()
    assert file.read_text(encoding="utf-8") == "mine = 1\n"


def test_a_folder_that_cannot_be_written_leaves_the_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = _plugin(tmp_path) / "plugin.py"

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    run = _run(file, "--write")
    assert run.exit_code == 2
    assert "No space left on device" in run.output
    assert file.read_text(encoding="utf-8") == OLD
    assert not list(file.parent.glob(".*"))


@pytest.mark.parametrize(("lang", "said"), [("en", "There is no skip_stage"), ("zh", "没有 skip_stage")])
def test_what_is_left_makes_the_exit_code_1_until_it_is_done(tmp_path: Path, lang: str, said: str) -> None:
    plugin = _plugin(tmp_path, OLD.replace("        ...", '        return {"hook_result": "skip_stage"}'))
    assert _run(plugin, "--lang", lang).exit_code == 1
    written = _run(plugin, "--write", "--lang", lang)
    assert (written.exit_code, said in written.stderr) == (1, True)
    assert _run(plugin, "--write").exit_code == 1
    file = plugin / "plugin.py"
    kept = [line for line in file.read_text(encoding="utf-8").splitlines() if "TODO(migrate)" not in line]
    file.write_text("\n".join(kept), encoding="utf-8")
    assert _run(plugin).exit_code == 0


def test_as_json_it_says_everything_for_machines(tmp_path: Path) -> None:
    plugin = _plugin(tmp_path, OLD.replace('"pre_process"', '"thinking"'))
    run = _run(plugin, "--json", "--write")
    told = json.loads(run.stdout)
    assert (run.exit_code, told["ok"], told["written"]) == (1, False, True)
    manifest, code = told["files"]
    assert manifest["backup"].endswith("_manifest.json.bak")
    assert code["changed"]
    assert [(left["code"], left["line"]) for left in code["left"]] == [("todo", 5)]
    assert "+    # TODO(migrate): " in code["diff"]
    assert [note["code"] for note in manifest["notes"]] == ["made_for", "capabilities_unknown"]


def test_keep_abort_writes_the_old_policy_out(tmp_path: Path) -> None:
    plugin = _plugin(tmp_path)
    assert "error_policy=ErrorPolicy.ABORT" in _run(plugin, "--keep-abort").stdout
    assert "error_policy" not in _run(plugin).stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "nowhere holds no Python file and no manifest"),
        (["empty"], "holds no Python file and no manifest"),
        (["demo", "--id", "nonsense"], "cannot be the id of a plugin"),
        (["demo", "other", "--id", "a.b"], "one plugin only"),
    ],
)
def test_wrong_use_is_told_with_exit_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: Sequence[str], said: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "_manifest.json").write_text("{}", encoding="utf-8")
    _plugin(tmp_path)
    monkeypatch.chdir(tmp_path)
    run = _run(*arguments)
    assert run.exit_code == 2
    assert said in run.stderr


def test_what_is_no_part_of_the_plugin_is_passed_over(tmp_path: Path) -> None:
    plugin = _plugin(tmp_path)
    for name in (".venv", "__pycache__", "site-packages"):
        (plugin / name).mkdir()
        (plugin / name / "old.py").write_text(OLD, encoding="utf-8")
    (plugin / "parts").mkdir()
    (plugin / "parts" / "old.py").write_text(OLD, encoding="utf-8")
    found = [change.path.relative_to(plugin).as_posix() for change in migrate([plugin])]
    assert found == ["_manifest.json", "parts/old.py", "plugin.py"]
