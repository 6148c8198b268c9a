"""Plugins as they were written for SDK 1, and what the migration makes of each, byte by byte."""

from collections.abc import Iterator
from pathlib import Path

import libcst
import pytest

from host.authoring.migration import FileChange, migrate
from host.hooks import Hooks, RegistrationError
from tests.authoring.migration.migrated import AROUND, PLUGIN, TEXTS, builtin_hooks, message_with, register, run_new
from tests.authoring.migration.old_contract import STAGES, old_sdk, plugin_of, run_old

PAIRS = Path(__file__).parents[2] / "data" / "migration"
NAMES = sorted(path.name.removesuffix(".old.py") for path in PAIRS.glob("*.old.py"))
DONE = [name for name in NAMES if not name.startswith("left_")]
LEFT = [name for name in NAMES if name.startswith("left_")]
SPREAD_TOO_FAR = "order_of_too_many"
"""The pair whose order three slots cannot keep."""


@pytest.fixture(scope="module")
def hooks() -> Hooks:
    return builtin_hooks()


@pytest.fixture(autouse=True)
def unloaded(hooks: Hooks) -> Iterator[None]:
    yield
    hooks.remove(PLUGIN)


def _content(name: str, age: str) -> bytes:
    return (PAIRS / f"{name}.{age}.py").read_bytes()


def _migrated(folder: Path, name: str, content: bytes, locale: str = "en") -> FileChange:
    file = folder / "plugin.py"
    file.write_bytes(content)
    (change,) = migrate([file], keep_abort=name == "keep_abort", locale=locale)
    return change


def test_there_are_enough_of_them() -> None:
    assert len(NAMES) >= 40


@pytest.mark.parametrize("name", NAMES)
def test_a_plugin_becomes_the_expected_one(tmp_path: Path, name: str) -> None:
    change = _migrated(tmp_path, name, _content(name, "old"))
    assert change.after.decode(libcst.parse_module(change.after).encoding) == _content(name, "new").decode(
        libcst.parse_module(change.after).encoding
    )
    assert bool(change.left) == (name in LEFT)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("locale", ["en", "zh"])
def test_a_second_run_changes_nothing_and_lists_the_same(tmp_path: Path, name: str, locale: str) -> None:
    first = _migrated(tmp_path, name, _content(name, "old"), locale)
    second = _migrated(tmp_path, name, first.after, "en")
    assert not second.changed
    assert [remark.text() for remark in second.left] == [remark.text() for remark in first.left]


@pytest.mark.parametrize("name", NAMES)
def test_every_comment_of_the_old_plugin_is_in_the_new_one(name: str) -> None:
    old, new = (libcst.parse_module(_content(name, age)) for age in ("old", "new"))
    there = [comment.value for comment in _comments(new)]
    for comment in _comments(old):
        assert comment.value in there
        there.remove(comment.value)


def _comments(node: libcst.CSTNode) -> Iterator[libcst.Comment]:
    for child in node.children:
        if isinstance(child, libcst.Comment):
            yield child
        else:
            yield from _comments(child)


@pytest.mark.parametrize("name", DONE)
async def test_a_migrated_plugin_does_what_the_old_one_did(hooks: Hooks, name: str) -> None:
    with old_sdk():
        old = plugin_of(_content(name, "old"))
    register(hooks, _content(name, "new"))
    for hook in AROUND:
        for text in TEXTS:
            before = await run_old(old, hook, message_with(text))
            after = await run_new(hooks, hook, message_with(text))
            if name == SPREAD_TOO_FAR:
                before.message = after.message = {}
            assert after == before, (hook, text)


def test_what_is_left_is_told_in_both_languages(tmp_path: Path) -> None:
    for name in LEFT:
        english = _migrated(tmp_path, name, _content(name, "old"))
        chinese = _migrated(tmp_path, name, _content(name, "old"), "zh")
        assert len(english.left) == len(chinese.left)
        assert all(one.text() != other.text() for one, other in zip(english.left, chinese.left, strict=True))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("order_of_too_many", "order_lost"),
        ("order_of_two_stages", "order_moved"),
        ("hook_page", "abort_policy_dropped"),
        ("policy_written_out", "abort_policy_not_allowed"),
        ("message_under_another_name", "message_shape"),
    ],
)
def test_what_is_worth_knowing_is_noted(tmp_path: Path, name: str, code: str) -> None:
    notes = _migrated(tmp_path, name, _content(name, "old")).notes
    assert code in [note.code for note in notes]
    assert all(note.text("en") != note.text("zh") and note.line for note in notes)


def test_the_old_policy_is_noted_only_where_it_is_not_kept(tmp_path: Path) -> None:
    codes = [note.code for note in _migrated(tmp_path, "keep_abort", _content("keep_abort", "old")).notes]
    assert "abort_policy_dropped" not in codes
    assert codes.count("abort_policy_not_allowed") == 1


@pytest.mark.parametrize(("stage", "hook"), STAGES.items())
def test_each_stage_goes_to_its_hook(tmp_path: Path, stage: str, hook: str) -> None:
    declared = f'@WorkflowStep(stage="{stage}")\nasync def handler(self, **kwargs):\n    ...\n'
    change = _migrated(tmp_path, stage, f"from maibot_sdk import WorkflowStep\n\n\n{declared}".encode())
    assert f'@HookHandler("{hook}")' in change.after.decode()


def test_the_declaration_of_the_hook_page_becomes_its_new_one_and_nothing_is_added(tmp_path: Path) -> None:
    page = '@WorkflowStep(stage="pre_process", blocking=True)\nasync def on_pre_process(self, **kwargs):\n    ...\n'
    change = _migrated(tmp_path, "", f"from maibot_sdk import WorkflowStep\n\n\n{page}".encode())
    assert change.after.decode() == (
        "from maibot_sdk import HookHandler\nfrom maibot_sdk.types import HookMode\n\n\n"
        '@HookHandler("chat.receive.before_process", mode=HookMode.BLOCKING)\n'
        "async def on_pre_process(self, **kwargs):\n    ...\n"
    )


def test_a_step_that_was_corrected_loses_the_comment_on_it(tmp_path: Path) -> None:
    left = _migrated(tmp_path, "left_stage", _content("left_stage", "old"))
    corrected = left.after.replace(b'"thinking"', b'"process"').replace(b'"b", pick()', b'"b", "ingress"')
    again = _migrated(tmp_path, "left_stage", corrected.replace(b'@WorkflowStep("c")', b'@WorkflowStep("c", "egress")'))
    assert again.left == []
    assert b"WorkflowStep" not in again.after


def test_a_plugin_that_cannot_be_loaded_says_what_is_left(hooks: Hooks, tmp_path: Path) -> None:
    refused = _migrated(tmp_path, "left_context", _content("left_context", "old"))
    with pytest.raises(RegistrationError):
        register(hooks, refused.after)
    assert [remark.line for remark in refused.left] == [5, 13]


def test_what_is_no_python_is_left_and_stays(tmp_path: Path) -> None:
    broken = _migrated(tmp_path, "", b"from maibot_sdk import WorkflowStep\n\ndef f(:\n")
    assert not broken.changed
    assert [(remark.code, remark.line) for remark in broken.left] == [("no_python", 3)]
    unknown = _migrated(tmp_path, "", b"# -*- coding: nonsense -*-\nfrom maibot_sdk import WorkflowStep\n")
    assert [remark.code for remark in unknown.left] == ["no_python"]


def test_what_is_nested_too_deep_is_left_and_stays(tmp_path: Path) -> None:
    deep = "from maibot_sdk import WorkflowStep\nx = " + " + ".join(["1"] * 5000) + "\n"
    change = _migrated(tmp_path, "", deep.encode())
    assert not change.changed
    assert [remark.code for remark in change.left] in (["too_deep"], ["no_python"])


def test_steps_of_several_files_share_the_slots(tmp_path: Path) -> None:
    step = (
        "from maibot_sdk import WorkflowStep\n\n\nclass {0}:\n    @WorkflowStep('{0}', 'process', priority={1})\n"
        "    async def {0}(self, **kwargs): ...\n"
    )
    (tmp_path / "plugin.py").write_text(step.format("a", 1), encoding="utf-8")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "more.py").write_text(step.format("z", 2), encoding="utf-8")
    more, plugin = (change.after.decode() for change in migrate([tmp_path]))
    assert "order=HookOrder.EARLY" in more
    assert "order=HookOrder.NORMAL" in plugin
