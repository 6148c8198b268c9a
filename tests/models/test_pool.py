"""A call's way through a pool: further attempts, the next model, deadlines, what is told when nobody answers."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from email.utils import formatdate
from time import perf_counter, time

import pytest

from host.models import (
    BrokenStreamError,
    Caller,
    Delta,
    ImagePart,
    ModelRequest,
    Models,
    NoAnswerError,
    NoModelError,
    UnknownModelError,
    UnknownTaskError,
    Usage,
    UsageRecord,
    user,
)
from tests.models.asking import HELLO, WEATHER, asking, provider, settings
from tests.models.endpoint import DONE, LIMIT_S, Told, chunk, endpoint, says, streamed, told

BUSY = told({"error": {"message": "slow down"}}, 429)
BROKEN = told({"error": {"message": "oops"}}, 500)


def kinds(error: NoAnswerError) -> list[tuple[str, str, int | None]]:
    return [(attempt.model, attempt.kind, attempt.status) for attempt in error.attempts]


@pytest.mark.parametrize("fault", [BUSY, BROKEN, told({}, 503), told({}, 408), says(""), told(b"<html>")])
async def test_what_may_pass_is_tried_again_with_the_same_model(fault: Told) -> None:
    async with (
        endpoint(fault, fault, says("At last.")) as running,
        asking(settings(provider("main", running.url, retries=2))) as models,
    ):
        answer = await models.generate("replyer", HELLO)
    assert answer.text == "At last."
    assert len(running.asked) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
async def test_what_is_refused_goes_to_the_next_model_at_once(status: int) -> None:
    async with endpoint(told({"error": {"message": "no"}}, status)) as first, endpoint(says("Second.")) as second:
        chosen = settings(provider("a", first.url, retries=5), provider("b", second.url))
        async with asking(chosen) as models:
            answer = await models.generate("replyer", HELLO)
    assert (answer.text, answer.model) == ("Second.", "b-model")
    assert len(first.asked) == 1


async def test_the_next_model_is_asked_when_the_first_stays_broken() -> None:
    async with endpoint(BROKEN) as first, endpoint(says("Second.")) as second:
        chosen = settings(provider("a", first.url, retries=2), provider("b", second.url))
        async with asking(chosen) as models:
            assert (await models.generate("replyer", HELLO)).model == "b-model"
    assert (len(first.asked), len(second.asked)) == (3, 1)


async def test_where_nobody_listens_the_next_model_is_asked() -> None:
    async with endpoint(says()) as gone:
        pass
    async with (
        endpoint(says("Second.")) as second,
        asking(settings(provider("a", gone.url), provider("b", second.url))) as models,
    ):
        assert (await models.generate("replyer", HELLO)).model == "b-model"


async def test_a_pause_that_the_provider_asks_for_is_kept() -> None:
    async with (
        endpoint(told({}, 429, retry_after="0.3"), says()) as running,
        asking(settings(provider("main", running.url, retries=1))) as models,
    ):
        await models.generate("replyer", HELLO)
        running.answers[:] = [told({}, 429, retry_after="0.3"), says()]
        started = perf_counter()
        await models.generate("replyer", HELLO)
    assert perf_counter() - started >= 0.3


@pytest.mark.parametrize("asked", ["60", formatdate(time() + 3600, usegmt=True)], ids=["seconds", "date"])
async def test_where_the_pause_is_too_long_the_next_model_is_asked_at_once(asked: str) -> None:
    busy = told({}, 429, retry_after=asked)
    async with endpoint(busy) as first, endpoint(says("Second.")) as second:
        chosen = settings(provider("a", first.url, retries=3), provider("b", second.url))
        async with asking(chosen) as models, asyncio.timeout(LIMIT_S):
            assert (await models.generate("replyer", HELLO)).model == "b-model"
    assert len(first.asked) == 1


async def test_a_slow_model_is_hung_up_on_and_the_next_one_asked() -> None:
    async with endpoint(Told([asyncio.Event()])) as slow, endpoint(says("Second.")) as second:
        chosen = settings(provider("a", slow.url, timeout_seconds=2.0), provider("b", second.url))
        async with asking(chosen) as models, asyncio.timeout(LIMIT_S):
            assert (await models.generate("replyer", HELLO)).model == "b-model"
            await slow.left.wait()


async def test_a_body_that_drips_for_ever_counts_as_slow() -> None:
    drips = Told([b" ", asyncio.Event()], headers={"content-type": "application/json"})
    async with endpoint(drips) as slow, asking(settings(provider("a", slow.url, timeout_seconds=2.0))) as models:
        with pytest.raises(NoAnswerError) as caught:
            await models.generate("replyer", HELLO)
        async with asyncio.timeout(LIMIT_S):
            await slow.left.wait()
    assert kinds(caught.value) == [("a-model", "timeout", None)]


async def test_the_deadline_of_the_call_ends_it_whatever_is_left_to_try() -> None:
    async with endpoint(Told([asyncio.Event()])) as slow, endpoint(says()) as second:
        chosen = settings(provider("a", slow.url, retries=5), provider("b", second.url))
        async with asking(chosen) as models:
            with pytest.raises(NoAnswerError) as caught:
                await models.generate("replyer", HELLO, deadline_seconds=2.0)
    assert caught.value.out_of_time
    assert kinds(caught.value) == [("a-model", "timeout", None)]
    assert second.asked == []


async def test_the_tasks_own_deadline_counts_where_the_call_gives_none() -> None:
    async with endpoint(Told([asyncio.Event()])) as slow:
        chosen = settings(provider("a", slow.url), tasks={"replyer": {"timeout_seconds": 1.5}})
        async with asking(chosen) as models, asyncio.timeout(LIMIT_S):
            with pytest.raises(NoAnswerError):
                await models.generate("replyer", HELLO)


async def test_cancelling_the_caller_closes_the_connection() -> None:
    async with (
        endpoint(Told([asyncio.Event()])) as slow,
        asking(settings(provider("a", slow.url, retries=5))) as models,
    ):
        call = asyncio.create_task(models.generate("replyer", HELLO))
        await slow.arrived.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        async with asyncio.timeout(LIMIT_S):
            await slow.left.wait()
    assert len(slow.asked) == 1


async def test_when_none_answers_every_attempt_is_told_in_both_languages() -> None:
    async with endpoint(BUSY) as first, endpoint(told({"error": {"message": "who are you?"}}, 401)) as second:
        chosen = settings(provider("a", first.url, retries=1), provider("b", second.url))
        async with asking(chosen) as models:
            with pytest.raises(NoAnswerError) as caught:
                await models.generate("planner", HELLO)
    assert caught.value.task == "planner"
    assert kinds(caught.value) == [("a-model", "busy", 429)] * 2 + [("b-model", "refused", 401)]
    english, chinese = caught.value.text(), caught.value.text("zh")
    assert english.count("too many requests 429") == 2
    assert "who are you?" in english
    assert "请求过多" in chinese
    assert "共尝试 3 次" in chinese


async def test_a_model_that_is_named_is_asked_alone_and_once() -> None:
    async with endpoint(BROKEN) as first, endpoint(says()) as second:
        tasks = {"replyer": {"models": ["b-model"], "temperature": 0.9}}
        chosen = settings(provider("a", first.url, retries=5), provider("b", second.url), tasks=tasks)
        async with asking(chosen) as models:
            with pytest.raises(NoAnswerError):
                await models.generate("replyer", HELLO, model="a-model")
            with pytest.raises(UnknownModelError) as unknown:
                await models.generate("replyer", HELLO, model="c-model")
    assert len(first.asked) == 1
    assert first.asked[0].json["temperature"] == 0.9
    assert second.asked == []
    assert "a-model, b-model" in str(unknown.value)


async def test_models_that_cannot_do_what_is_asked_are_passed_over() -> None:
    async with endpoint(says()) as plain, endpoint(says()) as able:
        chosen = settings(provider("a", plain.url), provider("b", able.url), capabilities=["chat"])
        models_of = [
            entry.model_copy(update={"capabilities": can})
            for entry, can in zip(chosen.models, (("chat",), ("tools", "vision")), strict=True)
        ]
        async with asking(chosen.model_copy(update={"models": tuple(models_of)})) as models:
            assert (await models.generate("planner", ModelRequest((user("?"),), tools=(WEATHER,)))).model == "b-model"
            assert (
                await models.generate("planner", ModelRequest((user("?", ImagePart("png", "QQ==")),)))
            ).model == "b-model"
            assert (await models.generate("planner", HELLO)).model == "a-model"
    assert len(plain.asked) == 1


async def test_a_stream_falls_back_until_its_first_piece_and_breaks_after_it() -> None:
    whole = streamed(chunk({"content": "Hi"}), chunk({}, "stop"), DONE)
    half = streamed(chunk({"content": "Hal"}), chunk({"content": "f"}))
    async with (
        endpoint(BROKEN, half) as first,
        endpoint(whole) as second,
        asking(settings(provider("a", first.url), provider("b", second.url))) as models,
    ):
        texts = [piece.text async for piece in models.stream("replyer", HELLO)]
        heard: list[str] = []
        with pytest.raises(BrokenStreamError) as caught:
            await listen(models.stream("replyer", HELLO), heard)
    assert texts == ["Hi", ""]
    assert heard == ["Hal", "f"]
    assert kinds(caught.value) == [("a-model", "unreadable", None)]
    assert len(second.asked) == 1


async def listen(pieces: AsyncGenerator[Delta, None], heard: list[str]) -> None:
    async for piece in pieces:
        heard += [piece.text]


async def test_a_stream_that_stalls_is_hung_up_on() -> None:
    stalling = streamed(chunk({"content": "Hal"}), asyncio.Event())
    async with (
        endpoint(stalling) as running,
        asking(settings(provider("a", running.url, timeout_seconds=2.0))) as models,
    ):
        heard: list[str] = []
        with pytest.raises(BrokenStreamError) as caught:
            await listen(models.stream("replyer", HELLO), heard)
        async with asyncio.timeout(LIMIT_S):
            await running.left.wait()
    assert heard == ["Hal"]
    assert kinds(caught.value) == [("a-model", "timeout", None)]


async def test_leaving_a_stream_early_closes_the_connection() -> None:
    async with (
        endpoint(streamed(chunk({"content": "Hal"}), asyncio.Event())) as running,
        asking(settings(provider("a", running.url))) as models,
    ):
        async with aclosing(models.stream("replyer", HELLO)) as pieces:
            assert (await anext(pieces)).text == "Hal"
        async with asyncio.timeout(LIMIT_S):
            await running.left.wait()


async def test_an_error_within_a_stream_is_told() -> None:
    async with (
        endpoint(streamed(chunk({"content": "Hal"}), b'data: {"error": {"message": "out of memory"}}\n\n')) as running,
        asking(settings(provider("a", running.url))) as models,
    ):
        with pytest.raises(BrokenStreamError, match="out of memory"):
            await listen(models.stream("replyer", HELLO), [])


async def test_what_a_call_took_is_counted_with_its_cost() -> None:
    used: list[UsageRecord] = []
    usage = chunk(None, usage={"prompt_tokens": 10, "completion_tokens": 4})
    async with endpoint(BROKEN, says(), streamed(chunk({"content": "Hi"}), chunk({}, "stop"), usage, DONE)) as running:
        chosen = settings(provider("main", running.url, retries=1), price_in=2.0, price_out=10.0, price_cached=0.5)
        async with asking(chosen, used) as models:
            await models.generate("utils", HELLO, caller=Caller("draw", plugin_id="some.plugin"))
            await listen(models.stream("replyer", HELLO, caller=Caller("bot")), [])
    first, second = used
    assert (first.task, first.model, first.provider, first.caller) == (
        "utility",
        "main-model",
        "main",
        Caller("draw", plugin_id="some.plugin"),
    )
    assert first.usage == Usage(120, 9, 20)
    assert first.cost == pytest.approx((100 * 2.0 + 20 * 0.5 + 9 * 10.0) / 1e6)
    assert first.seconds > 0
    assert (second.task, second.caller, second.usage) == ("replyer", Caller("bot"), Usage(10, 4))
    assert second.cost == pytest.approx((10 * 2.0 + 4 * 10.0) / 1e6)


async def test_unknown_tasks_and_tasks_that_no_model_can_do_are_told() -> None:
    async with asking(settings(provider("main", "http://127.0.0.1:9"))) as models:
        with pytest.raises(UnknownTaskError, match="planner"):
            await models.generate("planer", HELLO)
        with pytest.raises(NoModelError, match="embedding"):
            await models.embed(["tea"])
        with pytest.raises(NoModelError, match="audio"):
            await models.transcribe(b"RIFF")
        with pytest.raises(NoModelError, match="vision"):
            await models.generate("vlm", HELLO)


async def test_many_calls_run_side_by_side() -> None:
    gate = asyncio.Event()
    waits = Told([gate, says().pieces[0]], headers={"content-type": "application/json"})
    async with endpoint(waits) as running, asking(settings(provider("main", running.url))) as models:
        calls = [asyncio.create_task(models.generate("replyer", HELLO)) for _ in range(20)]
        async with asyncio.timeout(LIMIT_S):
            while len(running.asked) < len(calls):
                running.arrived.clear()
                await running.arrived.wait()
        gate.set()
        answers = await asyncio.gather(*calls)
    assert {answer.text for answer in answers} == {"Hello!"}


def test_models_can_be_made_before_the_loop_runs() -> None:
    assert "utils" in Models(settings()).tasks
