"""Back pressure, limits, and other sides that do not keep to the rules or die."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.runtime.runners.call_errors import CallTimedOutError, PeerGoneError
from host.runtime.runners.channel import Channel, EndKind, EndReason
from host.runtime.runners.peer import Request
from host.runtime.runners.socket_channel import LEAST_LIMIT, TAKEN, open_socket_channel
from host.runtime.runners.wire import (
    PREFIX,
    Answered,
    Asked,
    Body,
    Cancelled,
    Failed,
    Failure,
    Message,
    Told,
    body_of,
    frame_of,
)
from tests.runtime.runners.wire_ends import End, RawEnd, complaints, echo, forever, joined, raw

MB = 1024 * 1024


async def settled(count: Callable[[], int]) -> int:
    """What `count()` comes to once it does not change any more."""
    last, same = -1, 0
    while same < 50:
        await asyncio.sleep(0.001)
        same, last = (same + 1, last) if count() == last else (0, count())
    return last


# Back pressure.


async def test_calls_wait_while_the_other_side_does_not_read_and_none_is_refused() -> None:
    one, other = socket.socketpair()
    first = await End(echo).open(one)
    body = os.urandom(MB)
    calls = [asyncio.create_task(first.peer.call("echo", body)) for _ in range(60)]
    assert 1 <= await settled(lambda: first.peer.outgoing) <= 6
    with pytest.raises(CallTimedOutError):
        await first.peer.call("echo", body, due=asyncio.get_running_loop().time() + 0.01)
    calls.append(asyncio.create_task(first.peer.call("echo", body)))
    calls[30].cancel()
    second = await End(echo).open(other)
    answers = await asyncio.gather(*calls, return_exceptions=True)
    assert [answer == body for answer in answers] == [index != 30 for index in range(61)]
    await first.peer.aclose()
    await second.peer.aclose()


async def test_room_is_given_in_order_and_no_more_than_there_is() -> None:
    one, other = socket.socketpair()
    first = await End(forever).open(one)
    call = asyncio.create_task(first.peer.call("x", bytes(8 * MB)))
    assert await settled(lambda: first.peer.outgoing) == 1
    assert first.channel.full
    order: list[int] = []

    async def wait(number: int) -> None:
        await first.channel.drain(2 * MB)
        order.append(number)

    waiting = [asyncio.create_task(wait(number)) for number in range(12)]
    await asyncio.sleep(0)
    waiting[1].cancel()
    second = await End(forever).open(other)
    await waiting[0]
    # There was room for one of this size, and nobody knows yet that it is not used.
    assert order == [0]
    async with asyncio.timeout(5):
        await asyncio.gather(*waiting[2:])
    assert order == [0, *range(2, 12)]
    for end in (first, second):
        await end.peer.aclose()
    await asyncio.gather(call, return_exceptions=True)


async def test_ten_thousand_calls_at_once_are_all_answered() -> None:
    async with joined() as (one, _), asyncio.timeout(60):
        bodies = [number.to_bytes(4, "little") * 256 for number in range(10_000)]
        assert await asyncio.gather(*(one.peer.call("echo", body) for body in bodies)) == bodies


async def test_large_calls_both_ways_at_once_do_not_wait_for_each_other_for_ever() -> None:
    one, other = socket.socketpair()
    ends = await End(echo).open(one, stop_reading_above=MB), await End(echo).open(other)
    body = os.urandom(3 * MB)
    async with asyncio.timeout(60):
        answers = await asyncio.gather(*(end.peer.call("echo", body) for _ in range(20) for end in ends))
    assert all(answer == body for answer in answers)
    for end in ends:
        await end.peer.aclose()


async def test_who_asks_and_does_not_read_the_answers_is_not_read_from() -> None:
    served = 0

    async def large(request: Request) -> Body:
        nonlocal served
        served += 1
        return bytes(MB)

    async with raw(large, stop_reading_above=4 * MB) as (end, other):
        flood = b"".join(frame_of([Asked(number, "x", None, 0, bytes(4096))]) for number in range(1, 1001))
        writing = asyncio.create_task(other.write(flood))
        # What one reading brings is served; then nothing is read.
        paused_at = await settled(lambda: served)
        assert 5 <= paused_at <= 50
        assert not writing.done()
        answers = range(1, paused_at + 20)
        assert [await other.receive() for _ in answers] == [Answered(number, bytes(MB)) for number in answers]
        assert end.peer.reason is None
        writing.cancel()
        await asyncio.wait({writing})


async def test_a_flood_of_small_requests_lets_others_have_their_turn() -> None:
    served = 0

    async def count(request: Request) -> Body:
        nonlocal served
        served += 1
        return b""

    async with raw(count) as (_, other):
        # All of it is there to be read at once.
        await other.write(b"".join(frame_of([Asked(number, "x", None, 0)]) for number in range(1, 4001)))
        turns = [0]
        while served < 4000:
            await asyncio.sleep(0)
            turns.append(served)
        assert max(after - before for before, after in pairwise(turns)) <= TAKEN
        assert [await other.receive() for _ in range(4000)] == [Answered(number) for number in range(1, 4001)]


async def test_an_end_closes_although_the_other_side_does_not_read() -> None:
    async with raw(forever) as (end, _), asyncio.timeout(10):
        call = asyncio.create_task(end.peer.call("x", bytes(8 * MB)))
        assert await settled(lambda: end.peer.outgoing) == 1
        await end.peer.aclose()
        with pytest.raises(PeerGoneError):
            await call


async def test_a_limit_that_is_too_small_for_failures_is_refused() -> None:
    one, other = socket.socketpair()
    with one, other, pytest.raises(ValueError, match="too small"):
        await open_socket_channel(one, End(echo).peer, limit=LEAST_LIMIT - 1)


# Other sides that break the rules.

TOO_LONG = PREFIX.pack(1, LEAST_LIMIT + 1)
BROKEN: list[tuple[bytes, str]] = [
    (TOO_LONG, "frame_too_long"),
    (PREFIX.pack(0, 0), "garbage"),
    (PREFIX.pack(1, 5) + b"\x90hello", "garbage"),
    (PREFIX.pack(3, 0) + b"\x91\x92\x63", "garbage"),
    (frame_of([Answered(2, b"never asked")]), "unknown_call"),
    (frame_of([Failed(2, body_of(Failure("E", "E: no", "")))]), "unknown_call"),
    (frame_of([Failed(1, b"no failure")]), "garbage"),
    (frame_of([Cancelled(1)]), "unknown_call"),
    (frame_of([Asked(1, "x", None, 2)]), "unknown_call"),
    (frame_of([Asked(5, "x", None, 0)]) + frame_of([Asked(5, "x", None, 0)]), "repeated_id"),
    (frame_of([Asked(5, "x", None, 0)]) + frame_of([Asked(4, "x", None, 0)]), "repeated_id"),
    (frame_of([Told("unreadable", b"x")]), "bad_event"),
]


@pytest.mark.parametrize(("data", "code"), BROKEN, ids=[f"{index} {code}" for index, (_, code) in enumerate(BROKEN)])
async def test_who_breaks_the_protocol_is_cut_off_and_the_reason_is_told(data: bytes, code: str) -> None:
    async with raw(forever, limit=LEAST_LIMIT) as (end, other), asyncio.timeout(5):
        call = asyncio.create_task(end.peer.call("x", b""))
        await other.receive()
        await other.write(data)
        with pytest.raises(PeerGoneError) as caught:
            await call
        await end.gone.wait()
        assert end.reasons == [caught.value.reason]
        assert (end.reasons[0].kind, end.reasons[0].code) == (EndKind.PROTOCOL_ERROR, code)
        for locale in ("en", "zh"):
            assert end.reasons[0].text(locale) in caught.value.text(locale)


async def test_answers_before_the_protocol_was_broken_count() -> None:
    async with raw() as (end, other):
        call = asyncio.create_task(end.peer.call("x", b""))
        await other.receive()
        await other.write(frame_of([Answered(1, b"yes")]) + TOO_LONG[:3] + b"\xff" + frame_of([Told("log", b"no")]))
        assert await call == b"yes"
        await end.gone.wait()
        assert end.events == []


async def test_nothing_after_the_broken_message_is_taken() -> None:
    async with raw() as (end, other):
        await other.write(frame_of([Answered(1)]) + frame_of([Told("log", b"no")]))
        await end.gone.wait()
        assert end.events == []


async def test_a_request_that_was_cancelled_is_not_answered() -> None:
    async with raw() as (_, other):
        await other.write(frame_of([Asked(1, "x", None, 0), Cancelled(1), Asked(2, "x", None, 0)]))
        # What needs no waiting is answered before the next message is looked at.
        assert [await other.receive() for _ in range(2)] == [Answered(1), Answered(2)]
    async with raw(forever) as (end, other):
        await other.send(Asked(1, "x", None, 0))
        assert await settled(lambda: end.peer.incoming) == 1
        await other.send(Cancelled(1))
        assert await settled(lambda: end.peer.incoming) == 0
        end.peer.notify("next", b"")
        assert await other.receive() == Told("next")


async def test_a_receiver_that_ends_the_channel_gets_no_frame_after_that() -> None:
    class Leaves:
        def __init__(self) -> None:
            self.told: list[str] = []
            self.gone = asyncio.Event()

        def opened(self, channel: Channel) -> None:
            self.channel = channel

        def received(self, messages: list[Message]) -> None:
            self.told += [str(message.body, "ascii") for message in messages]
            self.channel.abort()

        def ended(self, reason: EndReason) -> None:
            self.told.append(reason.code)
            self.gone.set()

    one, other = socket.socketpair()
    receiver = Leaves()
    await open_socket_channel(one, receiver, limit=LEAST_LIMIT)
    with other:
        await RawEnd(other).write(b"".join(frame_of([Told("x", letter)]) for letter in (b"a", b"b", b"c")))
        await receiver.gone.wait()
    assert receiver.told == ["a", "closed_here"]


async def test_a_late_answer_to_a_cancelled_call_is_no_mistake() -> None:
    async with raw() as (end, other):
        call = asyncio.create_task(end.peer.call("x", b""))
        await other.receive()
        call.cancel()
        await asyncio.wait({call})
        assert await other.receive() == Cancelled(1)
        await other.send(Answered(1, b"late"))
        await other.send(Told("log", b"on"))
        await end.told.wait()
        assert end.peer.reason is None


BODIES = st.binary(max_size=20) | st.just(body_of(Failure("E", "E", "")))
MESSAGES = st.one_of(
    st.builds(Asked, st.integers(1, 5), st.text(max_size=5), st.none() | st.integers(0, 50), st.integers(0, 2), BODIES),
    st.builds(Answered, st.integers(1, 3), BODIES),
    st.builds(Failed, st.integers(1, 3), BODIES),
    st.builds(Cancelled, st.integers(1, 5)),
    st.builds(Told, st.text(max_size=5), BODIES),
)
FRAMES = st.lists(MESSAGES, max_size=3).map(frame_of)


@settings(max_examples=80, deadline=None)
@given(st.lists(FRAMES | st.binary(min_size=1, max_size=40), min_size=1, max_size=8))
def test_whatever_the_other_side_sends_the_end_is_typed_and_nothing_escapes(pieces: list[bytes]) -> None:
    async def attacked() -> None:
        with complaints() as heard:
            one, other = socket.socketpair()
            end = await End(echo).open(one, limit=LEAST_LIMIT)
            calls = [asyncio.create_task(end.peer.call("x", b"")) for _ in range(2)]
            await asyncio.sleep(0)
            with other:
                other.sendall(b"".join(pieces))
            async with asyncio.timeout(5):
                await end.gone.wait()
                outcomes = await asyncio.gather(*calls, return_exceptions=True)
            assert all(not isinstance(each, BaseException) or "Error" in type(each).__name__ for each in outcomes)
            assert end.reasons[0].kind in (EndKind.PROTOCOL_ERROR, EndKind.CLOSED_THERE)
            await end.peer.aclose()
            assert (len(end.reasons), end.peer.pending) == (1, 0)
            assert len(asyncio.all_tasks()) == 1
        assert heard == []

    asyncio.run(attacked())


# Other processes.

RUNNER = """
import asyncio, socket, sys
from host.runtime.runners.peer import Peer
from host.runtime.runners.socket_channel import open_socket_channel

async def main():
    gone = asyncio.Event()

    async def serve(request):
        if request.method == "hold":
            peer.notify("held", b"")
            await gone.wait()
        return request.body

    peer = Peer(serve, event=lambda method, body: None, ended=lambda reason: gone.set())
    await open_socket_channel(socket.socket(fileno=int(sys.argv[1])), peer, limit=16 * 1024 * 1024)
    await gone.wait()
    print(peer.reason.kind.value)

asyncio.run(main())
"""


def runner(sock: socket.socket) -> "subprocess.Popen[str]":
    """A process that serves over this end, which is then its own."""
    with sock:
        command = [sys.executable, "-c", RUNNER, str(sock.fileno())]
        return subprocess.Popen(command, pass_fds=[sock.fileno()], stdout=subprocess.PIPE, text=True)


async def test_another_process_is_called_and_sees_the_end() -> None:
    one, other = socket.socketpair()
    with runner(other) as process:
        end = await End(echo).open(one)
        body = os.urandom(4 * MB)
        assert await end.peer.call("echo", body) == body
        await end.peer.aclose()
        assert process.communicate(timeout=20)[0] == "closed_there\n"


async def test_the_death_of_a_process_fails_its_calls_at_once() -> None:
    one, other = socket.socketpair()
    with runner(other) as process:
        end = await End(echo).open(one)
        async with asyncio.timeout(20):
            calls = [asyncio.create_task(end.peer.call("hold", b"")) for _ in range(10)]
            await end.told.wait()
            process.send_signal(signal.SIGKILL)
            failures = await asyncio.gather(*calls, return_exceptions=True)
            await end.gone.wait()
        assert {type(failure) for failure in failures} == {PeerGoneError}
        assert [reason.kind for reason in end.reasons] == [EndKind.CLOSED_THERE]
        assert end.peer.pending == 0
