"""``maibot-host check``: all that is wrong with a plugin, with file and line, without running the bot."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from host.authoring import PluginReport, check_plugins
from host.hooks import HookSettings
from tests.cli.running import environment, finished, write_plugin

ROOT = Path(__file__).parent.parent.parent

MANY_MISTAKES = """\
from maibot_sdk import HookHandler, MaiBotPlugin


class P(MaiBotPlugin):
    @HookHandler("chat.recieve.before_process", timeout_ms=-5)
    async def misspelt(self, **kwargs): ...

    @HookHandler("send_service.after_send", error_policy="abort")
    async def asks_too_much(self, nonsense, **kwargs): ...

    @HookHandler("maisaka.planner.before_request", mode="observe")
    async def disappoints(self, **kwargs): ...

    async def on_load(self):
        raise AssertionError("a check must not call life-cycle methods")


def create_plugin():
    return P()
"""


def _found(report: PluginReport) -> list[tuple[str, str, int]]:
    return [(finding.severity, finding.found.code, finding.line) for finding in report.findings]


def test_everything_wrong_with_a_plugin_is_found_at_once_with_its_line(tmp_path: Path) -> None:
    write_plugin(tmp_path, "a.plugin", MANY_MISTAKES)
    (report,) = check_plugins(tmp_path / "a.plugin")
    assert (report.id, report.ok) == ("a.plugin", False)
    assert _found(report) == [
        ("error", "bad_timeout", 5),
        ("error", "unknown_hook", 5),
        ("error", "abort_policy_not_allowed", 8),
        ("error", "unfillable_parameters", 8),
        ("warning", "warn_blocking_without_effect", 8),
        ("warning", "warn_observer_on_change_only", 11),
    ]
    assert {finding.file for finding in report.findings} == {str(tmp_path / "a.plugin" / "plugin.py")}
    assert "chat.receive.before_process" in report.findings[1].text()


def test_a_refused_manifest_does_not_hide_what_is_wrong_with_the_code(tmp_path: Path) -> None:
    write_plugin(tmp_path, "a.plugin", MANY_MISTAKES, version="1.0", name="")
    (report,) = check_plugins(tmp_path / "a.plugin")
    assert [code for _, code, _ in _found(report)][:3] == ["key_wrong", "key_wrong", "bad_timeout"]
    assert report.findings[0].file.endswith("_manifest.json")


@pytest.mark.parametrize(
    ("code", "found", "line"),
    [
        ("def create_plugin(:\n", "import_raised", 1),
        ("import json\nraise RuntimeError('at import')\n", "import_raised", 2),
        ("import sys\nsys.exit(3)\n", "import_raised", 2),
        ("x = 1\n", "no_create_plugin", 0),
        ("def create_plugin():\n    return None\n", "create_plugin_none", 0),
        ("def create_plugin():\n    raise ValueError('no')\n", "create_raised", 2),
        (
            "from maibot_sdk import WorkflowStep\nclass P:\n    @WorkflowStep(stage='egress')\n    def f(self): ...\n",
            "import_raised",
            3,
        ),
        (
            "class P:\n    def get_components(self):\n        return [{'name': 'old', 'type': 'workflow_step'}]\n"
            "def create_plugin():\n    return P()\n",
            "workflow_step",
            0,
        ),
    ],
)
def test_code_that_cannot_be_loaded_is_found(tmp_path: Path, code: str, found: str, line: int) -> None:
    write_plugin(tmp_path, "a.plugin", code)
    (report,) = check_plugins(tmp_path / "a.plugin")
    assert _found(report) == [("error", found, line)]


def test_a_folder_of_plugins_gives_a_report_for_each(tmp_path: Path) -> None:
    write_plugin(tmp_path, "b.good", "class P: ...\ndef create_plugin():\n    return P()\n")
    write_plugin(tmp_path, "a.bad", "x = 1\n")
    assert [(report.id, report.ok) for report in check_plugins(tmp_path)] == [("a.bad", False), ("b.good", True)]
    assert check_plugins(tmp_path / "nowhere") == []


def test_the_bundled_plugins_are_fine() -> None:
    reports = check_plugins(ROOT / "plugins")
    assert len(reports) == 3
    assert all(report.findings == [] and report.handlers for report in reports)


def test_strict_modes_turn_a_warning_into_an_error(tmp_path: Path) -> None:
    code = (
        MANY_MISTAKES.replace("chat.recieve", "chat.receive").replace("-5", "5").replace(', error_policy="abort"', "")
    )
    write_plugin(tmp_path, "a.plugin", code.replace("nonsense, ", ""))
    (report,) = check_plugins(tmp_path)
    assert [severity for severity, _, _ in _found(report)] == ["warning", "warning"]
    (report,) = check_plugins(tmp_path, HookSettings(strict_modes=True))
    assert ("error", "observer_on_change_only", 11) in _found(report)


def test_a_check_leaves_nothing_behind_in_the_interpreter_or_the_folder(tmp_path: Path) -> None:
    write_plugin(tmp_path, "a.plugin", "from . import helper\nclass P: ...\ndef create_plugin():\n    return P()\n")
    (tmp_path / "a.plugin" / "helper.py").write_text("VALUE = 1\n", encoding="utf-8")
    modules, path, files = set(sys.modules), list(sys.path), sorted(tmp_path.rglob("*"))
    (report,) = check_plugins(tmp_path)
    assert report.ok
    assert (set(sys.modules), sys.path, sorted(tmp_path.rglob("*"))) == (modules, path, files)


async def test_the_command_says_it_as_text_and_as_json_and_by_its_exit_code(tmp_path: Path) -> None:
    bad = write_plugin(tmp_path / "bad", "a.plugin", MANY_MISTAKES) / "a.plugin"
    run = await finished("check", str(bad), cwd=tmp_path)
    assert run.code == 1
    assert f"{bad / 'plugin.py'}:5: error: 'misspelt' subscribes to 'chat.recieve.before_process'" in run.out
    assert "a.plugin: 4 error(s), 2 warning(s)" in run.out
    chinese = await finished("check", str(bad), cwd=tmp_path, env=environment(LANG="zh_CN.UTF-8"))
    assert "plugin.py:5: 错误: 'misspelt' 订阅了未注册的 Hook" in chinese.out
    told: dict[str, Any] = json.loads((await finished("check", "--json", str(bad), cwd=tmp_path)).out)
    assert told["ok"] is False
    assert told["plugins"][0]["findings"][1] | {"message": ""} == {
        "severity": "error",
        "code": "unknown_hook",
        "handler": "misspelt",
        "file": str(bad / "plugin.py"),
        "line": 5,
        "message": "",
        "traceback": "",
    }


async def test_warnings_alone_are_fine_unless_strict_and_no_plugin_is_code_two(tmp_path: Path) -> None:
    code = """
from maibot_sdk import HookHandler

class P:
    @HookHandler("send_service.after_send")
    async def blocks(self, **kwargs): ...

def create_plugin():
    return P()
"""
    folder = str(write_plugin(tmp_path / "warned", "a.plugin", code))
    assert (await finished("check", folder, cwd=tmp_path)).code == 0
    assert (await finished("check", "--strict", folder, cwd=tmp_path)).code == 1
    nothing = await finished("check", "nowhere", cwd=tmp_path)
    assert (nothing.code, "nowhere holds no plugin" in nothing.err) == (2, True)
