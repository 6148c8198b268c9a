"""Calls between two peers: answers, failures, cancellation, deadlines, and what a call is within."""

import asyncio
import time
from contextvars import ContextVar
from math import inf
from typing import Any

import pytest

from host.runtime.runners.call_errors import CallTimedOutError, PeerGoneError, RemoteFailureError
from host.runtime.runners.channel import EndKind, FrameTooLargeError
from host.runtime.runners.peer import Peer, Request
from host.runtime.runners.socket_channel import LEAST_LIMIT
from host.runtime.runners.wire import CHUNK, LARGE, Body
from tests.runtime.runners.wire_ends import echo, forever, joined

MB = 1024 * 1024


@pytest.mark.parametrize("size", [0, 1, 1000, LARGE - 50, LARGE, LARGE + 1, CHUNK - 20, CHUNK, CHUNK + 1, MB, 5 * MB])
async def test_a_body_arrives_as_it_was_sent(size: int) -> None:
    body = bytes(range(256)) * (size // 256 + 1)
    async with joined() as (one, other):
        assert await one.peer.call("echo", body[:size]) == body[:size]
        assert await other.peer.call("echo", memoryview(body)[:size]) == body[:size]


async def test_both_sides_call_at_once_and_each_gets_its_own_answers() -> None:
    async def backwards(request: Request) -> Body:
        await asyncio.sleep(0.001 * (5 - request.body[0] % 5))
        return request.method.encode() + b" " + bytes(request.body)

    async with joined(backwards, backwards) as ends:
        bodies = [bytes([number]) * (1 + 700 * number) for number in range(100)]
        answers = await asyncio.gather(*(end.peer.call(f"m{len(body)}", body) for body in bodies for end in ends))
        assert answers == [f"m{len(body)} ".encode() + body for body in bodies for _ in ends]


async def test_requests_are_served_at_the_same_time() -> None:
    everybody = asyncio.Barrier(50)

    async def meet(request: Request) -> Body:
        await everybody.wait()
        return b""

    async with joined(second=meet) as (one, _), asyncio.timeout(10):
        await asyncio.gather(*(one.peer.call("meet", b"") for _ in range(50)))


async def test_a_notification_arrives_before_what_is_sent_after_it() -> None:
    async with joined() as (one, other):
        one.peer.notify("log", b"1")
        one.peer.notify("log", b"2")
        await one.peer.call("echo", b"")
        assert other.events == [("log", b"1"), ("log", b"2")]


async def test_what_was_heard_last_is_known() -> None:
    async with joined() as (one, _):
        before = time.monotonic()
        await one.peer.call("echo", b"")
        assert before <= one.peer.last_heard <= time.monotonic()


async def test_a_name_that_is_too_long_is_refused_where_it_is_sent() -> None:
    async with joined() as (one, _):
        for sending in (one.peer.call("x" * 256, b""), asyncio.to_thread(one.peer.notify, "x" * 256, b"")):
            with pytest.raises(ValueError, match="allowed are 255"):
                await sending
        assert await one.peer.call("x" * 255, b"fine") == b"fine"


# Failures.


class UnreadableError(Exception):
    def __str__(self) -> str:
        raise ValueError("no text")


class SpitefulError(Exception):
    def __str__(self) -> str:
        raise SystemExit("no text")


class TwoArgumentsError(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} {two}")


FAILURES: list[tuple[BaseException, str, str]] = [
    (ValueError("no"), "ValueError", "ValueError: no"),
    (SystemExit(3), "SystemExit", "SystemExit: 3"),
    (KeyboardInterrupt(), "KeyboardInterrupt", "KeyboardInterrupt: "),
    (asyncio.CancelledError("made up"), "CancelledError", "CancelledError: made up"),
    (GeneratorExit(), "GeneratorExit", "GeneratorExit: "),
    (AssertionError(), "AssertionError", "AssertionError: "),
    (TwoArgumentsError(1, 2), "TwoArgumentsError", "TwoArgumentsError: 1 2"),
    (UnreadableError(), "UnreadableError", "UnreadableError (its text cannot be read: ValueError)"),
    (SpitefulError(), "SpitefulError", "SpitefulError (its text cannot be read)"),
    (ValueError("a\udc80b"), "ValueError", "ValueError: a\\udc80b"),
    (type("N" * 100_000, (Exception,), {})("x"), "N" * 256, "N" * 4096),
]


@pytest.mark.parametrize(("error", "kind", "text"), FAILURES, ids=[kind[:20] for _, kind, _ in FAILURES])
async def test_whatever_is_raised_is_the_callers_failure_at_once(error: BaseException, kind: str, text: str) -> None:
    async def serve(request: Request) -> Body:
        if request.method == "raise":
            raise error
        return b"fine"

    async with joined(second=serve) as (one, _), asyncio.timeout(5):
        with pytest.raises(RemoteFailureError) as caught:
            await one.peer.call("raise", b"")
        assert (caught.value.kind, caught.value.text) == (kind, text)
        assert await one.peer.call("other", b"") == b"fine"


async def test_a_failure_tells_where_and_why_it_was_raised() -> None:
    async def serve(request: Request) -> Body:
        try:
            raise KeyError("the cause")
        except KeyError as error:
            raise ValueError("the effect") from error

    async with joined(second=serve) as (one, _):
        with pytest.raises(RemoteFailureError, match="the effect") as caught:
            await one.peer.call("x", b"")
        for part in ("KeyError: 'the cause'", "direct cause", "ValueError: the effect", "in serve"):
            assert part in caught.value.traceback


@pytest.mark.parametrize("letter", ["x", "\U0001f600", "\udcff"])
async def test_a_failure_of_any_length_fits_into_the_smallest_frame(letter: str) -> None:
    async def serve(request: Request) -> Body:
        raise ValueError(letter * 5_000_000)

    async with joined(second=serve, limit=LEAST_LIMIT) as (one, _):
        with pytest.raises(RemoteFailureError) as caught:
            await one.peer.call("x", b"")
        assert 4096 <= len(caught.value.text) <= 6 * 4096
        assert 32_768 <= len(caught.value.traceback) <= 6 * 32_768


async def test_a_result_that_cannot_be_sent_is_a_failure() -> None:
    async def serve(request: Request) -> Body:
        result: Any = None if request.method == "none" else bytes(LEAST_LIMIT + 1)
        return result  # type: ignore[no-any-return]

    async with joined(second=serve, limit=LEAST_LIMIT) as (one, _):
        with pytest.raises(RemoteFailureError) as caught:
            await one.peer.call("none", b"")
        assert caught.value.kind == "TypeError"
        with pytest.raises(RemoteFailureError) as caught:
            await one.peer.call("large", b"")
        assert caught.value.kind == "FrameTooLargeError"


async def test_a_call_that_is_too_large_is_refused_and_the_channel_goes_on() -> None:
    async with joined(limit=LEAST_LIMIT) as (one, other):
        body = bytes(LEAST_LIMIT + 1)
        with pytest.raises(FrameTooLargeError) as caught:
            await one.peer.call("echo", body)
        assert (caught.value.limit, caught.value.size) == (LEAST_LIMIT, LEAST_LIMIT + 1)
        with pytest.raises(FrameTooLargeError):
            one.peer.notify("log", body)
        assert one.peer.outgoing == 0
        fits = body[:LEAST_LIMIT]
        assert await one.peer.call("echo", fits) == fits
        assert other.events == []


# Cancellation and deadlines.


class Held:
    """Serves requests that never end by themselves.

    Args:
        swallow: whether it answers although it was cancelled.
    """

    def __init__(self, swallow: bool = False) -> None:
        self.swallow = swallow
        self.begun = asyncio.Event()
        self.cancelled = asyncio.Event()
        self.dues: list[float] = []

    async def __call__(self, request: Request) -> Body:
        if request.method == "echo":
            return request.body
        self.dues.append(request.due)
        self.begun.set()
        try:
            return await forever(request)
        except asyncio.CancelledError:
            self.cancelled.set()
            if self.swallow:
                return b"late"
            raise


@pytest.mark.parametrize("swallow", [False, True])
async def test_a_cancelled_call_cancels_what_serves_it(swallow: bool) -> None:
    held = Held(swallow)
    async with joined(second=held) as (one, other), asyncio.timeout(5):
        call = asyncio.create_task(one.peer.call("hold", b""))
        await held.begun.wait()
        assert (one.peer.outgoing, other.peer.incoming) == (1, 1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert one.peer.outgoing == 0
        await held.cancelled.wait()
        assert await one.peer.call("echo", b"on") == b"on"
        assert other.peer.incoming == 0


async def test_a_call_that_is_cancelled_before_it_is_served_is_not_served() -> None:
    async with joined(second=Held()) as (one, other):
        call = asyncio.create_task(one.peer.call("hold", b""))
        # Both messages go out in one write, and so arrive in one turn of the loop.
        await one.peer.call("echo", b"")
        asyncio.get_running_loop().call_soon(call.cancel)
        again = [asyncio.create_task(one.peer.call("hold", b"")) for _ in range(3)]
        await asyncio.sleep(0)
        for each in again:
            each.cancel()
        await asyncio.gather(call, *again, return_exceptions=True)
        await one.peer.call("echo", b"")
        await one.peer.call("echo", b"")
        assert (one.peer.pending, other.peer.pending) == (0, 0)


async def test_an_answer_that_crosses_with_the_cancellation_is_dropped() -> None:
    async with joined() as (one, other):
        for turns in range(12):
            call = asyncio.create_task(one.peer.call("echo", b""))
            for _ in range(turns):
                await asyncio.sleep(0)
            call.cancel()
            await asyncio.wait({call})
        assert await one.peer.call("echo", b"on") == b"on"
        assert (one.peer.pending, other.peer.pending) == (0, 0)


async def test_deadlines_travel() -> None:
    async def remaining(request: Request) -> Body:
        return repr(request.due - time.monotonic()).encode()

    async with joined(second=remaining) as (one, _):
        assert 4 < float(bytes(await one.peer.call("x", b"", due=time.monotonic() + 5))) <= 5.001
        assert float(bytes(await one.peer.call("x", b""))) == inf


async def test_a_call_past_its_deadline_ends_by_itself_and_the_other_side_is_told() -> None:
    held = Held()
    async with joined(second=held) as (one, other), asyncio.timeout(5):
        begun = time.monotonic()
        parked = asyncio.create_task(one.peer.call("hold", b"", due=begun + 600))
        with pytest.raises(CallTimedOutError) as caught:
            await one.peer.call("hold", b"", due=begun + 0.05)
        assert caught.value.method == "hold"
        assert 0.05 <= time.monotonic() - begun < 1
        await held.cancelled.wait()
        with pytest.raises(CallTimedOutError):
            await one.peer.call("hold", b"", due=time.monotonic() - 1)
        assert not parked.done()
        assert (one.peer.outgoing, other.peer.reason) == (1, None)
        parked.cancel()


async def test_each_call_ends_at_its_own_deadline() -> None:
    async with joined(second=forever) as (one, _), asyncio.timeout(5):
        now = time.monotonic()
        calls = [asyncio.create_task(one.peer.call("x", b"", due=now + delay)) for delay in (0.15, 0.05, 0.1, 600)]
        done, _ = await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
        assert done == {calls[1]}
        outcomes = await asyncio.gather(*calls[:3], return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {CallTimedOutError}
        assert not calls[3].done()
        calls[3].cancel()


# What a call is within.


async def test_a_call_back_finds_the_context_and_the_deadline_of_the_call_that_it_is_within() -> None:
    due = time.monotonic() + 20
    seen: list[Request] = []

    async def host(request: Request) -> Body:
        seen.append(request)
        return b""

    async def runner(request: Request) -> Body:
        await other.peer.call("direct", b"")
        await other.peer.call("sooner", b"", due=due - 10)
        await asyncio.create_task(other.peer.call("in a task", b"", due=due + 10))
        await other.peer.call("on its own", b"", within=0)
        return b""

    async with joined(host, runner) as (one, other):
        context = object()
        await one.peer.call("x", b"", due=due, context=context)
        await other.peer.call("outside", b"")
    assert [(request.method, request.context is context) for request in seen] == [
        ("direct", True),
        ("sooner", True),
        ("in a task", True),
        ("on its own", False),
        ("outside", False),
    ]
    assert [round(due - request.due, 1) for request in seen] == [0, 10, 0, -inf, -inf]


async def test_a_call_back_after_the_end_of_the_call_that_it_was_within_is_on_its_own() -> None:
    answered = asyncio.Event()
    seen: list[object] = []
    tasks: list[asyncio.Task[Any]] = []

    async def host(request: Request) -> Body:
        seen.append(request.context)
        return b""

    async def runner(request: Request) -> Body:
        async def later() -> None:
            await answered.wait()
            await other.peer.call("late", b"")

        tasks.append(asyncio.create_task(later()))
        return b""

    async with joined(host, runner) as (one, other):
        await one.peer.call("x", b"", context="mine")
        answered.set()
        await tasks[0]
    assert seen == [None]


async def test_a_call_to_somebody_else_is_not_within() -> None:
    """The host serves one runner, and for that calls another: the other knows nothing of the first one's calls."""
    seen: list[object] = []

    async def records(request: Request) -> Body:
        seen.append(request.context)
        return b""

    async with joined(records) as (_, elsewhere):
        one: Peer

        async def relay(request: Request) -> Body:
            return await elsewhere.peer.call("relayed", b"")

        async with joined(echo, relay) as (first, _):
            one = first.peer
            await one.call("x", b"", context="mine")
    assert seen == [None]


async def test_requests_see_nothing_of_who_opened_the_channel() -> None:
    mark: ContextVar[str] = ContextVar("mark", default="none")

    async def tells(request: Request) -> Body:
        return mark.get().encode()

    mark.set("opener")
    async with joined(second=tells) as (one, _):
        assert await one.peer.call("x", b"") == b"none"


# The end.


async def test_a_peer_can_be_called_only_between_opening_and_end() -> None:
    async def serve(request: Request) -> Body:
        return b""

    peer = Peer(serve, event=lambda method, body: None, ended=lambda reason: None)
    with pytest.raises(PeerGoneError) as caught:
        await peer.call("x", b"")
    assert caught.value.reason.kind is EndKind.NOT_OPEN
    await peer.aclose()
    async with joined() as (one, _):
        await one.peer.aclose()
        with pytest.raises(PeerGoneError) as caught:
            await one.peer.call("x", b"")
        assert caught.value.reason.kind is EndKind.CLOSED_HERE
        one.peer.notify("x", b"")
        await one.peer.aclose()


async def test_the_end_fails_calls_and_cancels_requests_on_both_sides() -> None:
    held, here = Held(), Held()
    async with joined(here, held) as (one, other), asyncio.timeout(5):
        calls = [asyncio.create_task(end.peer.call("hold", b"")) for end in (one, other) for _ in range(20)]
        await asyncio.gather(held.begun.wait(), here.begun.wait())
        await one.peer.aclose()
        failures = await asyncio.gather(*calls, return_exceptions=True)
        await asyncio.gather(held.cancelled.wait(), here.cancelled.wait(), other.gone.wait())
        kinds = [failure.reason.kind for failure in failures if isinstance(failure, PeerGoneError)]
        assert kinds == [EndKind.CLOSED_HERE] * 20 + [EndKind.CLOSED_THERE] * 20
        assert (one.reasons[0].kind, other.reasons[0].kind) == (EndKind.CLOSED_HERE, EndKind.CLOSED_THERE)


@pytest.mark.parametrize("size", [4, 20_000, 200_000])
async def test_what_was_sent_before_the_end_is_delivered(size: int) -> None:
    async with joined() as (one, other):
        bodies = [number.to_bytes(4, "little") * (size // 4) for number in range(100)]
        for body in bodies:
            one.peer.notify("log", body)
        await one.peer.aclose()
        await other.gone.wait()
        assert [body for _, body in other.events] == bodies


async def test_a_request_may_end_the_channel_that_it_came_from() -> None:
    async def leaves(request: Request) -> Body:
        await other.peer.aclose()
        return b""

    async with joined(second=leaves) as (one, other), asyncio.timeout(0.9):
        with pytest.raises(PeerGoneError):
            await one.peer.call("leave", b"")
        await one.gone.wait()
