"""Which of ``run_model`` and ``run_model_stream`` is used.

As released, Bub takes the plugin registered last; that rule stands behind a setting, and is compared with what Bub
itself answered. Its newer page says: "The framework selects the model hook implementation according to the priority
rules above; tryfirst / trylast also apply to these two hooks." That is the rule here unless the setting says otherwise.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from host.bub import AsyncStreamEvents, ModelSelection, StreamEvent, hookimpl
from tests.bub.making import ANSWERS, framework


def _stream(*texts: str) -> AsyncStreamEvents:
    async def events() -> Any:
        for text in texts:
            yield StreamEvent("text", {"delta": text})

    return AsyncStreamEvents(events())


class Stream:
    NAME = "stream"

    @hookimpl
    async def run_model_stream(self) -> AsyncStreamEvents:
        return _stream("st", "ream")


class Plain:
    NAME = "plain"

    @hookimpl
    async def run_model(self) -> str:
        return "plain"


class PlainNone:
    NAME = "plain none"

    @hookimpl
    async def run_model(self) -> None:
        return None


class PlainLast:
    NAME = "plain last"

    @hookimpl(trylast=True)
    async def run_model(self) -> str:
        return "plain-trylast"


class StreamFirst:
    NAME = "stream first"

    @hookimpl(tryfirst=True)
    async def run_model_stream(self) -> AsyncStreamEvents:
        return _stream("tryfirst")


class OtherName:
    NAME = "other name"

    @hookimpl(specname="run_model_stream")
    async def other_name(self) -> AsyncStreamEvents:
        return _stream("specname")


class AttributeOnly:
    NAME = "attribute only"
    run_model = None


class StreamNone:
    NAME = "stream none"

    @hookimpl
    async def run_model_stream(self) -> None:
        return None


class RawGenerator:
    NAME = "raw generator"

    @hookimpl
    async def run_model_stream(self) -> Any:
        yield StreamEvent("text", {"delta": "x"})


class Both:
    NAME = "both"

    @hookimpl
    async def run_model(self) -> str:
        return "whole"

    @hookimpl
    async def run_model_stream(self) -> AsyncStreamEvents:
        return _stream("in ", "parts")


async def both_forms(plugins: Sequence[type], selection: ModelSelection) -> dict[str, Any]:
    """What a caller that wants text gets, and one that wants a stream."""
    runtime = framework(*(each() for each in plugins), selection=selection).runtime
    asked: dict[str, Any] = {"prompt": "p", "session_id": "s", "state": {}}
    answers: dict[str, Any] = {}
    answers["run_model"] = await runtime.run_model(**asked)
    try:
        stream = await runtime.run_model_stream(**asked)
        answers["run_model_stream"] = None if stream is None else [event.data async for event in stream]
    except TypeError as error:
        answers["run_model_stream"] = f"RAISED TypeError: {error}"
    return answers


ALIKE = {
    "select_stream_then_plain_registered_later": (Stream, Plain),
    "select_plain_then_stream_registered_later": (Plain, Stream),
    "select_only_stream": (Stream,),
    "select_only_plain": (Plain,),
    "select_plain_none_over_stream": (Stream, PlainNone),
    "select_raw_async_generator": (RawGenerator,),
}
"""Questions on which both rules agree."""

BY_PRIORITY = {
    "select_trylast_plain_registered_after_stream": ((Stream, PlainLast), "stream", ["st", "ream"]),
    "select_tryfirst_stream_registered_before_plain": ((StreamFirst, Plain), "tryfirst", ["tryfirst"]),
    "select_specname_stream_only": ((OtherName,), "specname", ["specname"]),
    "select_attr_without_hookimpl_shadows_stream": ((Stream, AttributeOnly), "stream", ["st", "ream"]),
}
"""Those on which they do not: the plugins, and the text and the deltas by priority."""


@pytest.mark.parametrize("selection", ModelSelection)
@pytest.mark.parametrize("question", ALIKE)
async def test_either_rule_answers_as_bub(question: str, selection: ModelSelection) -> None:
    assert await both_forms(ALIKE[question], selection) == ANSWERS[question]


@pytest.mark.parametrize("question", BY_PRIORITY)
async def test_the_released_rule_answers_as_bub(question: str) -> None:
    assert await both_forms(BY_PRIORITY[question][0], ModelSelection.RELEASED) == ANSWERS[question]


@pytest.mark.parametrize("question", BY_PRIORITY)
async def test_priority_chooses(question: str) -> None:
    plugins, text, deltas = BY_PRIORITY[question]
    expected = {"run_model": text, "run_model_stream": [{"delta": each} for each in deltas]}
    assert expected != ANSWERS[question]
    assert await both_forms(plugins, ModelSelection.PRIORITY) == expected


@pytest.mark.parametrize("selection", ModelSelection)
async def test_of_a_plugin_with_both_the_callers_own_form_is_used(selection: ModelSelection) -> None:
    expected = {"run_model": "whole", "run_model_stream": [{"delta": "in "}, {"delta": "parts"}]}
    assert await both_forms((Both,), selection) == expected


async def test_a_stream_that_is_none_is_no_answer() -> None:
    """A difference: 0.5.1 fails on the None. Its semantics: "No model/None -> on_error(stage='run_model')"."""
    assert "AttributeError" in ANSWERS["select_stream_returns_none"]["run_model"]
    answers = await both_forms((StreamNone,), ModelSelection.PRIORITY)
    assert answers == {"run_model": None, "run_model_stream": ANSWERS["select_stream_returns_none"]["run_model_stream"]}
