"""One message through Bub's turn alone; compared with what Bub itself answered."""

import asyncio
from typing import Any

import pytest

from host.bub import AsyncStreamEvents, StreamEvent
from host.bub.prompt import Media, audio, image, to_content, to_legacy_prompt, video
from tests.bub.making import ANSWERS, framework, plain, plugin


def whole(log: list[Any], **others: Any) -> Any:
    """A plugin that takes part in every step and writes down that it did."""

    def resolve_session(message: Any) -> str:
        log.append("resolve_session")
        return "s"

    def load_state() -> dict[str, Any]:
        log.append("load_state")
        return {}

    def build_prompt() -> str:
        log.append("build_prompt")
        return "p"

    async def run_model() -> str:
        log.append("run_model")
        return "out"

    def save_state(model_output: str) -> None:
        log.append(("save_state", model_output))

    def render_outbound(model_output: str) -> list[Any]:
        log.append("render_outbound")
        return [{"content": model_output}]

    def dispatch_outbound(message: Any) -> bool:
        log.append(("dispatch_outbound", message["content"]))
        return True

    def on_error(stage: str, error: Exception) -> None:
        log.append(("on_error", stage, type(error).__name__, str(error)))

    steps = (
        resolve_session,
        load_state,
        build_prompt,
        run_model,
        save_state,
        render_outbound,
        dispatch_outbound,
        on_error,
    )
    return plugin(**{**{each.__name__: each for each in steps}, **others})


async def failed(log: list[Any], **others: Any) -> list[Any]:
    """The log of a turn that has to fail, with what it raised at the end."""
    with pytest.raises(Exception) as raised:  # noqa: PT011 - the answer names the type
        await framework(whole(log, **others)).process_inbound({"content": "x"})
    log.append(("raised", repr(raised.value)))
    return log


async def test_the_steps_in_order() -> None:
    log: list[Any] = []
    result = await framework(whole(log)).process_inbound({"content": "x"})
    assert plain([log, result.outbounds]) == ANSWERS["turn_order_normal"]


async def test_with_nobody_there_it_echoes() -> None:
    message = {"content": "hello", "channel": "c", "chat_id": "r"}
    result = await framework().process_inbound(message)
    assert {
        "session_id": result.session_id,
        "prompt": result.prompt,
        "model_output": result.model_output,
        "outbounds": result.outbounds,
        "inbound_mutated": message,
    } == ANSWERS["turn_no_plugins_at_all"]


async def _model_fails() -> None:
    raise ValueError("model")


async def test_a_failing_model() -> None:
    assert plain(await failed([], run_model=_model_fails)) == ANSWERS["turn_model_raises"]


async def test_a_cancelled_model_saves_and_tells_nobody() -> None:
    log: list[Any] = []
    inside = asyncio.Event()

    async def run_model() -> None:
        log.append("in model")
        inside.set()
        await asyncio.Event().wait()

    turn = asyncio.create_task(framework(whole(log, run_model=run_model)).process_inbound({"content": "x"}))
    await inside.wait()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert plain([*log, "cancelled"]) == ANSWERS["turn_model_cancelled"]


async def test_nothing_is_saved_where_the_prompt_failed() -> None:
    def build_prompt() -> None:
        raise ValueError("bp")

    assert plain(await failed([], build_prompt=build_prompt)) == ANSWERS["turn_build_prompt_raises_no_save_state"]


async def test_a_failure_to_save_takes_the_place_of_the_models() -> None:
    def save_state() -> None:
        raise KeyError("save")

    log: list[Any] = []
    host = framework(whole(log, run_model=_model_fails, save_state=save_state))
    with pytest.raises(KeyError) as raised:
        await host.process_inbound({"content": "x"})
    log.append(("raised", repr(raised.value), "context", repr(raised.value.__context__)))
    assert plain(log) == ANSWERS["turn_save_state_raises_masks_model_error"]


@pytest.mark.parametrize(
    ("answer", "question"), [(None, "turn_model_returns_none"), ("", "turn_model_returns_empty_string")]
)
async def test_a_model_that_says_nothing(answer: Any, question: str) -> None:
    log: list[Any] = []

    async def run_model() -> Any:
        return answer

    result = await framework(whole(log, run_model=run_model)).process_inbound({"content": "x"})
    assert plain([log, result.model_output]) == ANSWERS[question]


async def test_a_model_that_gives_no_text() -> None:
    log = await failed([], run_model=lambda: 5)
    assert plain([*log[:-1], log[-1][1]]) == ANSWERS["turn_model_returns_nonstr"]


@pytest.mark.parametrize(
    ("shape", "rendered"),
    [
        ("None", None),
        ("tuple", ({"content": "a"},)),
        ("single_dict", {"content": "a"}),
        ("str", "a"),
        ("empty", []),
    ],
)
async def test_what_is_rendered(shape: str, rendered: Any) -> None:
    turn = whole([], render_outbound=lambda: rendered, dispatch_outbound=lambda: True)
    result = await framework(turn).process_inbound({"content": "x", "channel": "c"})
    assert result.outbounds == ANSWERS["render_outbound_shapes"][shape]


async def test_rendered_messages_follow_the_run_order() -> None:
    host = framework(
        plugin(render_outbound=lambda: [{"content": "low"}]), plugin(render_outbound=lambda: [{"content": "high"}])
    )
    outbounds = await host.collect_outbounds({}, "s", {}, "m")
    assert [each["content"] for each in outbounds] == ANSWERS["render_outbound_concat_order"]


async def test_an_error_in_a_stream_is_told_and_the_stream_goes_on() -> None:
    told: list[Any] = []
    closed: list[str] = []

    async def run_model_stream() -> AsyncStreamEvents:
        async def events() -> Any:
            try:
                yield StreamEvent("text", {"delta": "a"})
                yield StreamEvent("error", {"kind": "provider", "message": "bad"})
                yield StreamEvent("text", {"delta": "b"})
            finally:
                closed.append("closed")

        return AsyncStreamEvents(events())

    host = framework(
        plugin(run_model_stream=run_model_stream, on_error=lambda stage, error: told.append([stage, str(error)]))
    )
    streamed = await host.process_inbound({"content": "x"}, stream_output=True)
    joined = await host.process_inbound({"content": "x"})
    assert [[streamed.model_output, joined.model_output], told] == ANSWERS["stream_error_event_notifies_and_continues"]
    assert closed == ["closed"] * 2


async def test_a_stream_is_closed_when_the_turn_is_cancelled() -> None:
    inside, closed = asyncio.Event(), asyncio.Event()

    async def events() -> Any:
        try:
            yield StreamEvent("text", {"delta": "a"})
            inside.set()
            await asyncio.Event().wait()
        finally:
            closed.set()

    host = framework(plugin(run_model_stream=lambda: AsyncStreamEvents(events())))
    turn = asyncio.create_task(host.process_inbound({"content": "x"}, stream_output=True))
    await inside.wait()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert closed.is_set()


async def test_a_stream_of_no_answer_is_no_answer() -> None:
    """A difference: 0.5.1 makes the text "None" of it, which its semantics ask not to be copied."""
    assert ANSWERS["stream_plain_none_text_is_str_None"] == "None"
    told: list[str] = []

    def on_error(stage: str) -> None:
        told.append(stage)

    host = framework(plugin(run_model=lambda: None, on_error=on_error))
    result = await host.process_inbound({"content": "x"}, stream_output=True)
    assert [result.model_output, told] == ["x", ["run_model"]]


async def test_a_stream_goes_through_the_router() -> None:
    class Router:
        def wrap_stream(self, message: Any, stream: Any) -> Any:
            async def shouting() -> Any:
                async for event in stream:
                    yield StreamEvent("text", {"delta": event.data["delta"].upper()})

            return AsyncStreamEvents(shouting())

    host = framework(plugin(run_model=lambda: "quiet"))
    host.router = Router()
    assert (await host.process_inbound({"content": "x"}, stream_output=True)).model_output == "QUIET"


async def test_the_model_hooks_get_the_older_form_of_the_prompt() -> None:
    seen: list[Any] = []

    def run_model(prompt: Any) -> None:
        seen.append(prompt)

    contents = [["hello", "you"], ["look", image("http://x/1.png", media_type="image/png")]]
    for content in contents:
        host = framework(plugin(build_prompt=lambda c=content: c, run_model=run_model))
        await host.process_inbound({"content": "x"})
    assert seen == [
        "hello\nyou",
        [
            {"type": "text", "text": "look"},
            {"type": "image", "media_type": "image/png", "url": "http://x/1.png"},
        ],
    ]


def test_prompt_content_there_and_back() -> None:
    content = ["look", image("i"), audio("a", "audio/ogg"), video("v")]
    assert to_content(to_legacy_prompt(content)) == content
    assert to_content("text") == ["text"]
    assert to_legacy_prompt([Media("video", "v")]) == [{"type": "video", "media_type": None, "url": "v"}]
