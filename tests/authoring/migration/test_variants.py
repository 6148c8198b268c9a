"""Generated plugins for SDK 1: in all the ways that the facts allow, and in ways that they say nothing of."""

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.authoring.migration import FileChange
from host.authoring.migration.folders import migrate
from host.hooks import Hooks, RegistrationError
from tests.authoring.migration.migrated import AROUND, PLUGIN, builtin_hooks, message_with, register, run_new
from tests.authoring.migration.old_contract import STAGES, old_sdk, plugin_of, run_old

SAID = ("hello", "abcdefgh", "")
WITH_MESSAGE = [stage for stage, hook in STAGES.items() if hook in AROUND]


@dataclass(frozen=True)
class Handler:
    """A handler of the old kind, in parts.

    Attributes:
        parameters: its signature.
        message: how it gets at the message.
    """

    parameters: str
    message: str


HANDLERS = [
    Handler("self, context, message, **kwargs", "message"),
    Handler("self, context, message", "message"),
    Handler("self, message, **kwargs", "message"),
    Handler("self, **kwargs", 'kwargs["message"]'),
    Handler("self, **kw", "kw.get('message')"),
    Handler("self, ctx, msg, **kwargs", "msg"),
    Handler("self, _context, message: dict, **_", "message"),
    Handler("self, *, context, message, **kwargs", "message"),
    Handler(
        "\n        self,\n        context,  # who asks\n        message,  # what is said\n        **kwargs,\n    ",
        "message",
    ),
]
WITHOUT_MESSAGE = [
    "self, context, message, **kwargs",
    "self, **kwargs",
    "self, context, **_",
    "self, *, context, message",
]
# What is returned where {c} holds, and after it; {m} is the message, {new} a changed one.
RETURNS = [
    'if {c}:\n    return {"hook_result": "abort"}\nreturn {"hook_result": "continue"}',
    'if {c}:\n    return\nreturn {"hook_result": "continue", "modified_message": {new}}',
    "if {c}: return {'hook_result' : 'abort',}\nreturn {'hook_result': 'continue', 'modified_message': {new},}",
    'result = {"hook_result": "continue"}\nif {c}:\n    result["hook_result"] = "abort"\n'
    'else:\n    result["modified_message"] = {new}\nreturn result',
    'return {"hook_result": "abort" if {c} else "continue", "modified_message": None}',
    'return {"hook_result": "continue", "modified_message": {new} if {c} else None}  # maybe',
    'changed = None\nif {c}:\n    changed = {new}\nreturn dict(hook_result="continue", modified_message=changed)',
    'if {c}:\n    return self.verdict("abort")\nreturn self.verdict("continue", {new})',
    'answer = dict(hook_result="continue")\nanswer.update({"modified_message": {new}})\nreturn answer',
    'word = "continue"\nif {c}:\n    word = ABORT\nreturn {"hook_result": word, "modified_message": {new}}',
    'return {"hook_result": "abort"} if {c} else None',
    'return {"hook_result": HookResult.ABORT if {c} else HookResult.CONTINUE.value}',
    "return None",
    'try:\n    return {"hook_result": "continue", "modified_message": {new}}\nfinally:\n    pass',
    'for _ in range(2):\n    if {c}:\n        return {  # enough\n            "hook_result": "abort",\n        }\n',
    'base = {"hook_result": "continue", "reason": "fine"}\nreturn {**base, "modified_message": {new}}',
]
CONDITIONS = ['len({m}["processed_plain_text"]) > 5', 'not {m}["processed_plain_text"]', "False", "True"]
QUIET = [
    "return None",
    'return {"hook_result": "continue"}',
    "...",
    'result = {"hook_result": "continue"}\nreturn result',
]
# What the facts say nothing of.
ODD_RETURNS = [
    'return {"hook_result": "skip_stage"}',
    "return True, {m}",
    'return {"hook_result": self.word}',
    "return self.unknown({m})",
    'return {key: "abort" for key in ("hook_result",)}',
    'return {"hook_result": "abort", "modified_message": context}',
    "yield",
    'return [{"hook_result": "abort"}][0]',
]
ODD_ARGUMENTS = ['stage="thinking"', "stage=pick()", '*("a", "process")', '**{"stage": "process"}', "", "stage=None"]
ODD_EXTRAS = [
    "filter=lambda message: True",
    "priority=len('ab')",
    "timeout_ms=-1",
    "timeout_ms=2.5",
    "error_policy=pick()",
]
ODD_PARAMETERS = [
    "self, context, message, *args",
    "self, other, **kwargs",
    "self, a, b, c",
    "self, message, context, session",
]

layouts = st.sampled_from(["({})", "(\n        {},\n    )", "(  # declared\n        {}\n    )", "( {}, )"])


@st.composite
def arguments(draw: Any, name: str, stage: str) -> str:
    """The arguments of a declaration, in one of its historical forms."""
    quoted = draw(st.sampled_from(['"{}"', "'{}'", '"" "{}"', '" {} "'])).format(
        draw(st.sampled_from([stage, stage.upper()]))
    )
    told = draw(
        st.sampled_from(
            [
                [f"stage={quoted}"],
                [quoted],
                [f'"{name}_"', quoted],
                [f'name="{name}_"', f"stage={quoted}"],
                [f"{quoted}"],
            ]
        )
    )
    extras = {
        "description": ['"说明"', '"what it does"'],
        "priority": ["0", "10", "-2", "+1", "LATER", "1.5"],
        "timeout_ms": ["0", "3_000"],
        "blocking": ["True"],
        "observe": ["False"],
        "error_policy": ['"skip"', "ErrorPolicy.LOG", "ErrorPolicy.SKIP", "ErrorPolicy.ABORT"],
        "filter": ["None"],
        "tag": ['"own"'],
    }
    chosen = draw(st.lists(st.sampled_from(sorted(extras)), unique=True, max_size=4))
    whole: str = draw(_joined([*told, *(f"{each}={draw(st.sampled_from(extras[each]))}" for each in chosen)]))
    return whole


@st.composite
def _joined(draw: Any, parts: list[str]) -> str:
    between = draw(st.sampled_from([", ", ",", ",\n        ", ",  # so\n        "]))
    layout: str = draw(layouts)
    return layout.format(between.join(parts))


def _indented(text: str, depth: int) -> str:
    return "\n".join(" " * depth + line if line else line for line in text.split("\n"))


@st.composite
def steps(draw: Any, name: str) -> str:
    """A step that the facts say how to rewrite."""
    stage = draw(st.sampled_from(sorted(STAGES)))
    if stage in WITH_MESSAGE:
        handler = draw(st.sampled_from(HANDLERS))
        body = draw(st.sampled_from(RETURNS)).replace("{c}", draw(st.sampled_from(CONDITIONS)))
        body = body.replace("{new}", f'{{**{{m}}, "platform": {{m}}["platform"] + "{name}"}}').replace(
            "{m}", handler.message
        )
        parameters = handler.parameters
    else:
        parameters, body = draw(st.sampled_from(WITHOUT_MESSAGE)), draw(st.sampled_from(QUIET))
    start = draw(st.sampled_from(["async def", "def"]))
    declared = draw(st.sampled_from(["WorkflowStep", "Step", "sdk.WorkflowStep"])) + draw(arguments(name, stage))
    return f"    # step {name}\n    @{declared}\n    {start} {name}({parameters}):\n{_indented(body, 8)}\n"


@st.composite
def odd_steps(draw: Any, name: str) -> str:
    """A step with something that the facts do not say how to rewrite."""
    step: str = draw(steps(name))
    kind = draw(st.sampled_from(["return", "argument", "extra", "parameter", "bare", "context"]))
    head, _, body = step.partition(f" {name}(")
    if kind == "bare":
        return f"    @WorkflowStep\n    def {name}(self, context, message, **kwargs):\n        return None\n"
    if kind == "argument":
        return f"    @WorkflowStep({draw(st.sampled_from(ODD_ARGUMENTS))})\n    def {name}({body}"
    if kind == "extra":
        extra = draw(st.sampled_from(ODD_EXTRAS))
        declared = f'@WorkflowStep("{name}_", "process", {extra})'
        return f"    {declared}\n    def {name}(self, context, message):\n        return None\n"
    parameters = draw(st.sampled_from(ODD_PARAMETERS)) if kind == "parameter" else "self, context, message, **kwargs"
    odd = "context.stop()" if kind == "context" else draw(st.sampled_from(ODD_RETURNS)).replace("{m}", "message")
    return f"{head} {name}({parameters}):\n        {odd}\n"


HEAD = """\
from maibot_sdk import MaiBotPlugin, WorkflowStep
import maibot_sdk as sdk
from maibot_sdk.components import WorkflowStep as Step
from maibot_sdk.types import ErrorPolicy{enum}

ABORT = "abort"
LATER = -100


def pick():
    return "skip"


class P(MaiBotPlugin):
    word = "continue"

"""
HELPER = """\
    def verdict(self, result, message=None):
        return {"hook_result": result, "modified_message": message}

"""


@st.composite
def plugins(draw: Any, *, odd: bool) -> str:
    """A whole plugin of one to three steps, the last of them odd or not."""
    names = draw(st.sampled_from([["a"], ["b", "a"], ["a", "c", "b"]]))
    told = [draw(steps(name)) for name in names]
    if odd:
        told[-1] = draw(odd_steps(names[-1]))
    # A helper that nobody calls would be left.
    helper = HELPER if any("verdict(" in each for each in told) else ""
    enum = ", HookResult" if any("HookResult" in each for each in told) else ""
    return HEAD.replace("{enum}", enum) + helper + "\n".join(told) + "\n\ndef create_plugin():\n    return P()\n"


@pytest.fixture(scope="module")
def hooks() -> Hooks:
    return builtin_hooks()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("plugins")


def _migrated(folder: Path, code: str | bytes) -> FileChange:
    file = folder / "plugin.py"
    file.write_bytes(code if isinstance(code, bytes) else code.encode())
    (change,) = migrate([file], keep_abort=True)
    return change


@pytest.mark.timeout(600)
@settings(max_examples=800)
@given(code=plugins(odd=False))
async def test_what_the_facts_say_how_to_rewrite_leaves_nothing_and_behaves_as_before(
    hooks: Hooks, folder: Path, code: str
) -> None:
    change = _migrated(folder, code)
    assert change.left == [], change.after.decode()
    register(hooks, change.after)
    try:
        if not any(note.code == "order_lost" for note in change.notes):
            await _compare(hooks, code, change)
    finally:
        hooks.remove(PLUGIN)


async def _compare(hooks: Hooks, code: str, change: FileChange) -> None:
    with old_sdk():
        old = plugin_of(code.encode())
    for hook in AROUND:
        for text in SAID:
            before = await run_old(old, hook, message_with(text))
            assert await run_new(hooks, hook, message_with(text)) == before, change.after.decode()


@pytest.mark.timeout(600)
@settings(max_examples=200)
@given(code=plugins(odd=True))
def test_what_they_say_nothing_of_parses_and_loads_or_is_listed_and_a_second_run_changes_nothing(
    hooks: Hooks, folder: Path, code: str
) -> None:
    change = _migrated(folder, code)
    ast.parse(change.after)
    try:
        register(hooks, change.after)
        hooks.remove(PLUGIN)
    except (RegistrationError, RuntimeError, TypeError, ImportError, ValueError):
        assert change.left, change.after.decode()
    again = _migrated(folder, change.after)
    assert not again.changed, again.diff().decode()
    assert [remark.text() for remark in again.left] == [remark.text() for remark in change.left]
