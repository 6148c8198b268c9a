"""What is sent to an OpenAI-compatible endpoint, and how its answers are read, over real HTTP."""

import base64
from contextlib import aclosing
from typing import Any

import pytest

from host.models import (
    Delta,
    ImagePart,
    JsonAnswer,
    Message,
    ModelAnswer,
    ModelRequest,
    NoAnswerError,
    TextPart,
    ToolCall,
    Usage,
    read_prompt,
    system,
    user,
)
from tests.models.asking import HELLO, KEY, WEATHER, asking, provider, settings
from tests.models.endpoint import (
    DONE,
    Endpoint,
    Told,
    chunk,
    completion,
    endpoint,
    says,
    streamed,
    told,
    wire_call,
)

ALL = ("tools", "vision", "embedding", "audio")


async def answer_of(told_answer: Told, request: ModelRequest = HELLO, **model: Any) -> tuple[ModelAnswer, Endpoint]:
    async with endpoint(told_answer) as running, asking(settings(provider("main", running.url), **model)) as models:
        return await models.generate("replyer", request), running


async def pieces_of(told_answer: Told, request: ModelRequest = HELLO) -> list[Delta]:
    async with (
        endpoint(told_answer) as running,
        asking(settings(provider("main", running.url))) as models,
        aclosing(models.stream("replyer", request)) as pieces,
    ):
        return [piece async for piece in pieces]


def whole(pieces: list[Delta]) -> ModelAnswer:
    *before, last = pieces
    assert all(piece.answer is None for piece in before)
    assert last.answer is not None
    assert "".join(piece.text for piece in pieces) == last.answer.text
    assert "".join(piece.reasoning for piece in pieces) == last.answer.reasoning
    return last.answer


async def test_an_answer_has_its_text_its_tokens_and_the_models_name_of_the_settings() -> None:
    answer, _ = await answer_of(says("Hi."), identifier="small-2026")
    assert answer == ModelAnswer("Hi.", usage=Usage(120, 9, 20), model="main-model")


async def test_the_request_carries_the_key_the_messages_and_what_task_and_model_are_set_to() -> None:
    async with endpoint(says()) as running:
        tasks = {"replyer": {"models": ["main-model"], "temperature": 0.8}}
        chosen = settings(
            provider("main", running.url, headers={"x-team": "tea"}),
            tasks=tasks,
            identifier="small-2026",
            temperature=0.1,
            max_tokens=77,
            token_limit="max_completion_tokens",
            extra={"top_k": 5},
        )
        async with asking(chosen) as models:
            await models.generate("replyer", ModelRequest((system("Be brief."), user("Hello?"))))
            await models.generate("replyer", ModelRequest((user("Hello?"),), temperature=0.0, max_tokens=5))
    first, second = running.asked
    assert first.path == "/v1/chat/completions"
    assert first.headers["authorization"] == f"Bearer {KEY}"
    assert first.headers["x-team"] == "tea"
    assert first.json == {
        "model": "small-2026",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello?"}],
        "temperature": 0.8,
        "max_completion_tokens": 77,
        "top_k": 5,
    }
    assert (second.json["temperature"], second.json["max_completion_tokens"]) == (0.0, 5)


async def test_without_a_key_no_authorization_is_sent() -> None:
    async with endpoint(says()) as running:
        bare = provider("bare", running.url, api_key=None)
        own = provider("own", running.url, api_key=None, headers={"authorization": "Token abc"})
        async with asking(settings(bare, own)) as models:
            await models.generate("replyer", HELLO, model="bare-model")
            await models.generate("replyer", HELLO, model="own-model")
    assert "authorization" not in running.asked[0].headers
    assert running.asked[1].headers["authorization"] == "Token abc"


async def test_what_the_environment_holds_for_another_endpoint_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID", "BASE_URL", "WEBHOOK_SECRET")
    for name in names:
        monkeypatch.setenv(f"OPENAI_{name}", "http://127.0.0.1:9/elsewhere")
    for key in (KEY, None):
        async with endpoint(says()) as running, asking(settings(provider("main", running.url, api_key=key))) as models:
            await models.generate("replyer", HELLO)
        assert "elsewhere" not in str(running.asked[0].headers)


async def test_tools_are_offered_and_calls_come_back_with_parsed_arguments() -> None:
    calls = [wire_call("call_1", "weather", '{"city": "Oslo"}'), wire_call("call_2", "weather", "")]
    request = ModelRequest((user("Weather?"),), tools=(WEATHER,), tool_choice="required")
    answer, running = await answer_of(told(completion(None, "tool_calls", tool_calls=calls)), request)
    assert answer.tool_calls == (ToolCall("call_1", "weather", {"city": "Oslo"}), ToolCall("call_2", "weather", {}))
    assert (answer.text, answer.finish_reason) == ("", "tool_calls")
    sent = running.asked[0].json
    assert sent["tools"] == [
        {
            "type": "function",
            "function": {"name": "weather", "description": WEATHER.description, "parameters": WEATHER.parameters},
        }
    ]
    assert sent["tool_choice"] == "required"


@pytest.mark.parametrize("written", ['{"city": "Os', "Oslo", '["Oslo"]', "3", "null", '{"a":' * 5000])
async def test_arguments_that_are_no_json_object_are_kept_raw_and_flagged(written: str) -> None:
    call = wire_call("call_1", "weather", written)
    answer, _ = await answer_of(told(completion("So:", "tool_calls", tool_calls=[call])))
    (read,) = answer.tool_calls
    assert read.malformed
    assert (read.raw_arguments, read.arguments) == (written, {})
    assert answer.text == "So:"


async def test_the_turn_with_calls_outputs_and_pictures_is_sent_in_role_form() -> None:
    call = ToolCall("call_1", "weather", {"city": "Oslo"}, extra_content={"sign": "x"})
    messages = (
        Message("user", (TextPart("Look:"), ImagePart("jpg", "QUJD"))),
        Message("assistant", (), "thinking of Oslo", (call,)),
        Message("tool", (TextPart("21 C"),), tool_call_id="call_1"),
    )
    _, running = await answer_of(says(), ModelRequest(messages), capabilities=["vision", "tools"])
    sent = running.asked[0].json["messages"]
    assert sent == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Look:"},
                {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,QUJD"}},
            ],
        },
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "weather", "arguments": '{"city": "Oslo"}'},
                    "extra_content": {"sign": "x"},
                }
            ],
        },
        {"role": "tool", "content": "21 C", "tool_call_id": "call_1"},
    ]
    assert [message.role for message in read_prompt(sent)] == ["user", "assistant", "tool"]


async def test_json_is_asked_for_with_and_without_a_schema() -> None:
    schema = {"type": "object", "properties": {"mood": {"type": "string"}}}
    _, free = await answer_of(says("{}"), ModelRequest((user("JSON?"),), json=JsonAnswer()))
    _, bound = await answer_of(says("{}"), ModelRequest((user("JSON?"),), json=JsonAnswer(schema, "mood")))
    assert free.asked[0].json["response_format"] == {"type": "json_object"}
    wanted = {"type": "json_schema", "json_schema": {"name": "mood", "schema": schema}}
    assert bound.asked[0].json["response_format"] == wanted


@pytest.mark.parametrize(
    "message",
    [
        {"content": "Hi.", "reasoning_content": "Hm."},
        {"content": "Hi.", "reasoning": "Hm."},
        {"content": "<think>Hm.</think>\n\nHi."},
    ],
)
async def test_reasoning_is_told_apart_in_every_form_in_use(message: dict[str, str]) -> None:
    answer, _ = await answer_of(told(_with(message)))
    assert (answer.text, answer.reasoning) == ("Hi.", "Hm.")
    cut = [
        chunk({name: text[at : at + 3]})
        for name, text in sorted(message.items(), reverse=True)
        for at in range(0, len(text), 3)
    ]
    streamed_answer = whole(await pieces_of(streamed(*cut, chunk({}, "stop"), DONE)))
    assert (streamed_answer.text, streamed_answer.reasoning) == ("Hi.", "Hm.")


def _with(message: dict[str, str]) -> dict[str, Any]:
    made = completion()
    made["choices"][0]["message"] = {"role": "assistant", **message}
    return made


async def test_a_stream_comes_piece_by_piece_with_the_whole_answer_and_its_tokens_at_the_end() -> None:
    usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7, "prompt_cache_hit_tokens": 3}
    async with (
        endpoint(
            streamed(
                chunk({"role": "assistant", "content": ""}),
                chunk({"content": "Hel"}),
                chunk({"content": "lo!"}),
                chunk({}, "stop"),
                chunk(None, usage=usage),
                DONE,
            )
        ) as running,
        asking(settings(provider("main", running.url))) as models,
    ):
        pieces = [piece async for piece in models.stream("replyer", HELLO)]
    assert [piece.text for piece in pieces] == ["Hel", "lo!", ""]
    assert whole(pieces) == ModelAnswer("Hello!", usage=Usage(5, 2, 3), model="main-model")
    assert running.asked[0].json["stream"] is True
    assert running.asked[0].json["stream_options"] == {"include_usage": True}


async def test_the_pieces_of_streamed_calls_are_put_together() -> None:
    def piece(index: int | None, **call: Any) -> bytes:
        function = {key: call.pop(key) for key in ("name", "arguments") if key in call}
        return chunk({"tool_calls": [{"index": index, **call, "function": function}]})

    answer = whole(
        await pieces_of(
            streamed(
                piece(0, id="a", type="function", name="weather", arguments=""),
                piece(0, arguments='{"city": '),
                piece(1, id="b", type="function", name="weather", arguments='{"city'),
                piece(0, arguments='"Oslo"}'),
                chunk({}, "tool_calls"),
                DONE,
            )
        )
    )
    assert answer.tool_calls[0] == ToolCall("a", "weather", {"city": "Oslo"})
    assert answer.tool_calls[1].raw_arguments == '{"city'
    assert answer.finish_reason == "tool_calls"


async def test_streamed_calls_without_an_index_are_told_apart_by_their_ids() -> None:
    first = {"tool_calls": [{"id": "a", "function": {"name": "weather", "arguments": '{"city":'}}]}
    rest = {"tool_calls": [{"function": {"arguments": '"Oslo"}'}}]}
    second = {"tool_calls": [{"id": "b", "function": {"name": "time", "arguments": "{}"}}]}
    pieces = (chunk(first), chunk(rest), chunk(second), chunk({}, "tool_calls"), DONE)
    answer = whole(await pieces_of(streamed(*pieces)))
    assert answer.tool_calls == (ToolCall("a", "weather", {"city": "Oslo"}), ToolCall("b", "time", {}))


@pytest.mark.parametrize(
    "body",
    [
        b"<html>502 Bad Gateway</html>",
        b"",
        b"\xff\xfe\x00",
        b"null",
        b"[]",
        b'{"choices": []}',
        b'{"choices": [{"index": 0}]}',
        b'{"choices": [{"message": {"content": 7}}]}',
        b'{"error": {"message": "overloaded"}}',
        b'{"choices": ' + b"[" * 100_000,
    ],
)
@pytest.mark.parametrize("streaming", [False, True])
async def test_a_body_that_is_no_answer_is_a_failure_that_says_so(body: bytes, streaming: bool) -> None:
    asked = pieces_of(streamed(b"data: " + body + b"\n\n", DONE)) if streaming else answer_of(told(body))
    with pytest.raises(NoAnswerError) as caught:
        await asked
    (attempt,) = caught.value.attempts
    assert attempt.kind in {"unreadable", "server"}


@pytest.mark.parametrize(
    ("told_answer", "kind"),
    [
        (says(""), "empty"),
        (says("  \n"), "empty"),
        (told(completion("", "length")), "empty"),
        (told(completion("", "content_filter")), "filtered"),
    ],
)
async def test_an_empty_answer_is_none(told_answer: Told, kind: str) -> None:
    with pytest.raises(NoAnswerError) as caught:
        await answer_of(told_answer)
    assert [attempt.kind for attempt in caught.value.attempts] == [kind]


async def test_vectors_come_in_the_order_of_the_texts() -> None:
    data = [{"index": 1, "embedding": [0.0, 1.0]}, {"index": 0, "embedding": [1.0, 0]}]
    async with (
        endpoint(told({"data": data, "usage": {"prompt_tokens": 4, "total_tokens": 4}})) as running,
        asking(settings(provider("main", running.url), capabilities=ALL)) as models,
    ):
        found = await models.embed(["tea", "rain"])
    assert found.vectors == ((1.0, 0.0), (0.0, 1.0))
    assert (found.usage, found.model) == (Usage(4), "main-model")
    assert running.asked[0].path == "/v1/embeddings"
    assert running.asked[0].json["input"] == ["tea", "rain"]


@pytest.mark.parametrize("vectors", [[], [[1.0]], [[1.0], [1.0, 2.0]], [[], []], [["a"], [1.0]]])
async def test_vectors_that_do_not_fit_the_texts_are_a_failure(vectors: list[list[object]]) -> None:
    data = [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    async with (
        endpoint(told({"data": data})) as running,
        asking(settings(provider("main", running.url), capabilities=ALL)) as models,
    ):
        with pytest.raises(NoAnswerError) as caught:
            await models.embed(["tea", "rain"])
    assert caught.value.attempts[0].kind == "unreadable"


async def test_speech_is_sent_as_a_file() -> None:
    sound = base64.b64decode("UklGRg==") * 3
    async with (
        endpoint(told({"text": "good morning"})) as running,
        asking(settings(provider("main", running.url), capabilities=ALL)) as models,
    ):
        transcript = await models.transcribe(sound)
    assert (transcript.text, transcript.model) == ("good morning", "main-model")
    assert running.asked[0].path == "/v1/audio/transcriptions"
    assert sound in running.asked[0].body
