"""Each method of a context, called in several ways, sends the same and makes the same of whatever the host answers."""

import json
from typing import Any

import pytest

from tests.oracle.comparison import Both
from tests.oracle.sdk import ROOT

pytestmark = pytest.mark.oracle

METHODS: dict[str, dict[str, Any]] = json.loads(
    (ROOT / "tests" / "data" / "capabilities.json").read_text(encoding="utf-8")
)

ODD_ARGUMENTS = (
    "None",
    "''",
    "' '",
    "' x '",
    "0",
    "5",
    "2.5",
    "True",
    "[]",
    "['a']",
    "('a',)",
    "{}",
    "{'k': 1}",
    "b'x'",
    "object()",
)

ODD_ANSWERS = (
    "None",
    "True",
    "False",
    "0",
    "2.9",
    "float('inf')",
    "'text'",
    "'7'",
    "b'x'",
    "[]",
    "()",
    "({'success': True},)",
    "{}",
    "{'success': None}",
    "{'success': 'no'}",
    "{'success': 0, 'error': 'x'}",
    "{'success': True, 'sent': False, 'message_id': 5}",
    "{'success': False, 'sent': True}",
    "{'sent': True}",
    "{'accepted': 1, 'success': False}",
    "{'accepted': ''}",
    "{'model_name': 'm'}",
    "{'success': True, 'model_name': 'm', 'model': None, 'tool_calls': None}",
    "object()",
    "Exception('x')",
)

VALUES = ("None", "0", "'text'", "'7'", "[1]", "(1,)", "{}", "{'count': 3}", "{'models': [1]}", "True", "2.5")


def calls(path: str, *arguments: str, answer: str = "{'success': True}") -> list[dict[str, Any]]:
    return [{"ask": "call", "path": path, "arguments": given, "answer": answer} for given in arguments]


def written(arguments: dict[str, Any], **more: str) -> str:
    """Arguments as source text; those in `more` are source text already."""
    return ", ".join(
        f"{name}={value}" for name, value in {**{key: repr(value) for key, value in arguments.items()}, **more}.items()
    )


@pytest.mark.parametrize("path", METHODS)
def test_a_call_sends_the_same(both: Both, path: str) -> None:
    required, every = METHODS[path]["required_arguments"], METHODS[path]["all_arguments"]
    questions = calls(
        path,
        "",
        written(required),
        written(every),
        ", ".join(map(repr, every.values())),
        written(every, timeout_ms="0"),
        written(required, timeout_ms="500", plugin_id="'other'"),
        written(required, capability="'other'"),
        *(written({**required, name: None}, **{name: value}) for name in every for value in ODD_ARGUMENTS),
    )
    assert [told for told in both.differences(questions) if told] == []


@pytest.mark.parametrize("path", METHODS)
def test_an_answer_is_made_into_the_same(both: Both, path: str) -> None:
    method = METHODS[path]
    keys = {key for told in method["answers"] if isinstance(told["answer"], dict) for key in told["answer"]}
    answers = [
        *ODD_ANSWERS,
        *(
            f"{{'success': {success}, {key!r}: {value}}}"
            for key in keys
            for value in VALUES
            for success in (True, False)
        ),
        *(f"{{{key!r}: {value}}}" for key in keys for value in VALUES),
    ]
    ways = [written(method["required_arguments"])]
    if "return_details" in method["all_arguments"]:
        ways += [written(method["required_arguments"], return_details=value) for value in ("True", "1", "'no'", "None")]
    questions = [question for answer in answers for question in calls(path, *ways, answer=answer)]
    assert [told for told in both.differences(questions) if told] == []


def test_the_bare_calls_send_and_return_the_same(both: Both) -> None:
    questions = [
        question
        for answer in ODD_ANSWERS
        for question in [
            *calls("call_capability", "''", "'x.y', 5, a=None", "'send.text', return_details=1", answer=answer),
            *calls("call_host_method", "' cap.call '", "'cap.call', plugin_id=' q ', timeout_ms=0", answer=answer),
            *calls("call_host_method", "'host.route_message', payload={'a': 1}", "'nonsense'", answer=answer),
        ]
    ]
    assert [told for told in both.differences(questions) if told] == []
