"""Providers of plugins: what they are asked, and both forms in which they may answer."""

import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from host.models import (
    ImagePart,
    JsonAnswer,
    Message,
    ModelAnswer,
    ModelRequest,
    Models,
    NoAnswerError,
    TextPart,
    ToolCall,
    Usage,
    plugin_provider,
    system,
    user,
)
from maibot_sdk import LLMProviderBase
from tests.models.asking import HELLO, KEY, WEATHER, asking, provider, settings

FACTS = json.loads((Path(__file__).parent.parent / "data/models.json").read_text(encoding="utf-8"))
ALL = ["tools", "vision", "embedding", "audio"]
META = {"item_id": "a1", "logical_turn_id": "t1", "timestamp": "2026-09-21T22:13:20"}
Asked = list[Mapping[str, Any]]


def chosen() -> Any:
    return settings(provider("mine", "http://x/v1", kind="mine"), capabilities=ALL, identifier="big-1", extra={"k": 1})


async def asked_with(result: Any, ask: Callable[[Models], Awaitable[Any]]) -> tuple[Any, Asked]:
    asked: Asked = []

    async def invoke(arguments: Mapping[str, Any]) -> Any:
        asked.append(arguments)
        if isinstance(result, Exception):
            raise result
        return result

    async with asking(chosen()) as models:
        models.provide("mine", plugin_provider(invoke))
        return await ask(models), asked


async def answer_to(result: Any, request: ModelRequest = HELLO) -> ModelAnswer:
    answer: ModelAnswer
    answer, _ = await asked_with(result, lambda models: models.generate("replyer", request))
    return answer


async def test_a_response_is_asked_for_with_the_keys_that_plugins_know() -> None:
    facts = FACTS["LLM_PROVIDER"]
    request = ModelRequest((user("Hi"),), tools=(WEATHER,), temperature=0.5, max_tokens=9, json=JsonAnswer())
    _, (arguments,) = await asked_with({"content": "x"}, lambda models: models.generate("replyer", request))
    assert list(arguments) == [each["name"] for each in facts["kwargs"]]
    sent = arguments["request"]
    common = {name for name in facts["request_common"] if name != "request_kind"}
    assert set(sent) == {*common, "request_kind", *facts["operations"]["response"]["request"]}
    assert arguments["operation"] == sent["request_kind"] == "response"
    (names,) = facts["request_common"]["api_provider"].values()
    assert set(sent["api_provider"]) == {name.split(" ")[0] for name in names}
    assert set(sent["model_info"]) == set(facts["request_common"]["model_info"])
    assert sent["api_provider"]["api_key"] == KEY
    assert (sent["model_info"]["model_identifier"], sent["model_info"]["visual"]) == ("big-1", True)
    assert sent["extra_params"] == {"k": 1}
    assert (sent["temperature"], sent["max_tokens"]) == (0.5, 9)
    assert sent["response_format"] == {"format_type": "json_object", "schema": None}
    assert [tool["function"]["name"] for tool in sent["tool_options"]] == ["weather"]
    json.dumps(arguments)


async def test_the_conversation_is_told_as_context_items() -> None:
    call = ToolCall("c1", "weather", {"city": "Oslo"})
    messages = (
        system("Be brief."),
        Message("user", (TextPart("Look:"), ImagePart("png", "QUJD"))),
        Message("assistant", (TextPart("Let me see."),), "Hm.", (call,)),
        Message("tool", (TextPart("21 C"),), tool_call_id="c1"),
    )
    asked = lambda models: models.generate("replyer", ModelRequest(messages))  # noqa: E731
    _, (arguments,) = await asked_with({"content": "x"}, asked)
    items = arguments["request"]["context_items"]
    assert arguments["request"]["item_schema_version"] == FACTS["context_items"]["schema_version"]
    types = [item["item_type"] for item in items]
    assert types == [
        "SystemMessageItem", "UserMessageItem", "ReasoningItem", "AssistantMessageItem", "FunctionCallItem",
        "FunctionCallOutputItem",
    ]  # fmt: skip
    for item in items:
        needed = {name for name in FACTS["context_items"]["types"][item["item_type"]] if name not in ("rule", "phase")}
        assert needed | {"item_type", "meta"} == set(item)
        assert set(item["meta"]) == set(META)
    assert len({item["meta"]["item_id"] for item in items}) == len(items)
    turns = [item["meta"]["logical_turn_id"] for item in items]
    assert turns[:2] == [None, None]
    assert len(set(turns[2:])) == 1
    assert items[1]["parts"][1] == {"type": "image", "image_format": "png", "image_base64": "QUJD"}
    assert items[2]["text_parts"] == ["Hm."]
    assert items[4]["tool_call"]["args"] == {"city": "Oslo"}
    assert (items[5]["call_id"], items[5]["output"]) == ("c1", "21 C")


def text_item(*parts: dict[str, str]) -> dict[str, Any]:
    return {"item_type": "AssistantMessageItem", "meta": META, "parts": list(parts)}


def thought(representation: str, summary: list[str], text: list[str]) -> dict[str, Any]:
    told = {"representation": representation, "summary_parts": summary, "text_parts": text}
    return {"item_type": "ReasoningItem", "meta": META, **told}


def items(*output: Any, version: int = 1) -> dict[str, Any]:
    return {"item_schema_version": version, "output_items": list(output)}


async def test_an_answer_as_items_is_read() -> None:
    call = {"call_id": "c1", "func_name": "weather", "args": {"city": "Oslo"}, "extra_content": {"sign": 1}}
    output = items(
        thought("summary", ["Hm.", "Ah."], []),
        {"item_type": "ProviderActivityItem", "meta": META, "provider_type": "search"},
        text_item({"type": "TEXT", "text": "So: "}, {"type": "refusal", "refusal": "no"}),
        {"item_type": "FunctionCallItem", "meta": META, "tool_call": call},
    )
    usage = {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9, "prompt_cache_hit_tokens": 3}
    result = {**output, "usage": usage}
    assert await answer_to(result) == ModelAnswer(
        "So: no",
        "Hm.\nAh.",
        (ToolCall("c1", "weather", {"city": "Oslo"}, extra_content={"sign": 1}),),
        "tool_calls",
        Usage(7, 2, 3),
        "mine-model",
    )


@pytest.mark.parametrize(
    ("text", "reasoning", "call_id"), [("content", "reasoning_content", "id"), ("response", "reasoning", "call_id")]
)
async def test_an_answer_in_the_older_form_is_read(text: str, reasoning: str, call_id: str) -> None:
    call = {call_id: "c", "function": {"name": "t", "arguments": {"a": 1}}}
    answer = await answer_to({text: "Hi", reasoning: "Hm.", "tool_calls": [call]})
    assert (answer.text, answer.reasoning, answer.tool_calls) == ("Hi", "Hm.", (ToolCall("c", "t", {"a": 1}),))


async def test_arguments_of_the_older_form_that_are_no_dict_become_none() -> None:
    answer = await answer_to({"tool_calls": [{"id": "c", "function": {"name": "t", "arguments": "{}"}}]})
    assert answer.tool_calls == (ToolCall("c", "t", {}),)


TEXT = {"type": "text", "text": "x"}
CALL = {"item_type": "FunctionCallItem", "tool_call": {"call_id": "c", "func_name": "t", "args": {}}}


@pytest.mark.parametrize(
    "result",
    [
        None,
        "text",
        {"content": ["x"]},
        {"tool_calls": [{"id": "c"}]},
        {"output_items": [text_item(TEXT)]},
        items(text_item(TEXT), version=2),
        {"item_schema_version": 1, "output_items": {}},
        items(text_item(TEXT), "x"),
        items({**text_item(TEXT), "item_type": "UserMessageItem"}),
        items(text_item()),
        items(text_item({"type": "text", "text": ""})),
        items(text_item({"type": "video", "text": "x"})),
        items(thought("raw_text", ["x"], []), text_item(TEXT)),
        items(thought("raw_text", [], [""]), text_item(TEXT)),
        items(CALL, CALL),
    ],
)
async def test_what_is_no_answer_fails_as_unreadable(result: Any) -> None:
    with pytest.raises(NoAnswerError) as caught:
        await answer_to(result)
    assert [attempt.kind for attempt in caught.value.attempts] == ["unreadable"]


async def test_what_a_plugin_raises_is_the_attempts_failure_without_the_key() -> None:
    with pytest.raises(NoAnswerError, match=r"RuntimeError: no luck with \*\*\*") as caught:
        await answer_to(RuntimeError(f"no luck with {KEY}"))
    assert [attempt.kind for attempt in caught.value.attempts] == ["plugin"]


async def test_a_stream_of_a_plugin_is_one_piece() -> None:
    async def ask(models: Models) -> list[str]:
        return [piece.text async for piece in models.stream("replyer", HELLO)]

    pieces, _ = await asked_with({"content": "Hi."}, ask)
    assert pieces == ["Hi."]


async def test_vectors_are_asked_for_text_by_text() -> None:
    result = {"embedding": [1, 0.5], "usage": {"prompt_tokens": 2}}
    found, asked = await asked_with(result, lambda models: models.embed(["tea", "rain"]))
    assert found.vectors == ((1.0, 0.5), (1.0, 0.5))
    assert found.usage == Usage(4)
    assert [arguments["operation"] for arguments in asked] == ["embedding"] * 2
    assert [arguments["request"]["embedding_input"] for arguments in asked] == ["tea", "rain"]


@pytest.mark.parametrize("vector", [None, [], ["1"], [True], "abc"])
async def test_what_is_no_vector_fails(vector: Any) -> None:
    with pytest.raises(NoAnswerError, match="embedding"):
        await asked_with({"embedding": vector}, lambda models: models.embed(["tea"]))


async def test_speech_goes_out_in_base64() -> None:
    found, (arguments,) = await asked_with({"content": "hi"}, lambda models: models.transcribe(b"RIFF"))
    assert found.text == "hi"
    assert arguments["operation"] == "audio_transcription"
    assert arguments["request"]["audio_base64"] == "UklGRg=="


async def test_a_provider_of_the_sdk_answers() -> None:
    class Echo(LLMProviderBase):
        async def get_response(self, request: dict[str, Any]) -> dict[str, Any]:
            return {"content": request["context_items"][-1]["parts"][0]["text"][::-1]}

    async def invoke(arguments: Mapping[str, Any]) -> Any:
        return await Echo().dispatch(**arguments)

    async with asking(chosen()) as models:
        models.provide("mine", plugin_provider(invoke))
        assert (await models.generate("replyer", ModelRequest((user("abc"),)))).text == "cba"
        with pytest.raises(NoAnswerError, match="NotImplementedError"):
            await models.embed(["x"])
