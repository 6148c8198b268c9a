"""Calls over a channel, in both directions at once: matched by number, with deadlines, cancellation and failures."""

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from math import inf
from time import monotonic
from typing import TypeAlias

from msgspec import Struct

from host.hooks.failure import failure_of
from host.runtime.runners.channel import Channel, EndReason
from host.runtime.runners.wire import (
    Body,
    CancelHeader,
    EventHeader,
    FailureHeader,
    FrameTooLargeError,
    ReplyHeader,
    RequestHeader,
    WireError,
    pack,
    unpack,
)

__all__ = ["FrameTooLargeError", "Peer", "PeerGoneError", "RemoteFailureError", "Request"]


class PeerGoneError(Exception):
    """The channel has ended, so a call is not answered.

    Args:
        reason: why it ended.
    """

    def __init__(self, reason: EndReason) -> None:
        self.reason = reason
        super().__init__(reason.text())


class RemoteFailureError(Exception):
    """What was asked of the other side raised something there.

    Args:
        kind: the class of what was raised.
        text: its class and text, on one line.
        traceback: where it was raised, there.
    """

    def __init__(self, kind: str, text: str, traceback: str) -> None:
        self.kind = kind
        self.text = text
        self.traceback = traceback
        super().__init__(text)


class Request(Struct, frozen=True, eq=False):
    """What the other side asks.

    Args:
        method: what.
        body: with what, encoded.
        due: until when it waits, on `time.monotonic`; infinite when for ever.
        context: what this side gave along with the call that the other side is serving while it asks; None when it
            serves none, or that has ended.
    """

    method: str
    body: memoryview
    due: float
    context: object


Serve: TypeAlias = Callable[[Request], Awaitable[bytes]]

_serving: ContextVar[tuple[object, int]] = ContextVar("serving", default=(None, 0))
"""The peer whose request is being served in this task, and the number of it."""


class _Call(Struct, eq=False):
    reply: "asyncio.Future[memoryview]"
    due: float
    context: object


class Peer:
    """One side of a channel.

    Args:
        serve: answers a request; whatever it raises is the failure that the other side gets.
        event: is told what the other side tells: method and body.
        ended: is told that the channel has ended, once.
    """

    def __init__(
        self,
        serve: Serve,
        *,
        event: Callable[[str, memoryview], None],
        ended: Callable[[EndReason], None],
    ) -> None:
        self.last_heard = monotonic()
        self._serve = serve
        self._event = event
        self._tell_end = ended
        self._loop = asyncio.get_running_loop()
        self._channel: Channel | None = None
        self._end: EndReason | None = None
        self._last_number = 0
        self._calls: dict[int, _Call] = {}
        self._served: dict[int, asyncio.Task[None]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._armed_for = inf

    @property
    def pending(self) -> int:
        """How many calls of this side have not been answered yet."""
        return len(self._calls)

    @property
    def serving(self) -> int:
        """How many calls of the other side this one is answering."""
        return len(self._served)

    def attach(self, channel: Channel) -> None:
        """Use a channel, whose receiver this is."""
        self._channel = channel

    async def call(self, method: str, body: Body, *, due: float = inf, context: object = None) -> memoryview:
        """Ask something of the other side, and wait for the answer. To cancel the waiting cancels the serving there.

        Args:
            method: what.
            body: with what, encoded.
            due: until when to wait, on `time.monotonic`.
            context: what requests get that the other side makes while it serves this call.

        Returns:
            What is answered, encoded.

        Raises:
            RemoteFailureError: serving it raised something.
            PeerGoneError: the channel has ended.
            TimeoutError: it was due.
            FrameTooLargeError: it is larger than allowed; nothing was sent.
        """
        channel = self._channel
        if channel is not None and channel.full:
            await channel.drain()
        if self._end is not None or channel is None:
            raise PeerGoneError(self._end or EndReason("closed"))
        number = self._last_number = self._last_number + 1
        peer, within = _serving.get()
        remaining = None if due == inf else max((due - monotonic()) * 1000, 0.0)
        header = RequestHeader(number, method, remaining, within if peer is self else 0)
        channel.send(*pack(header, body))
        call = self._calls[number] = _Call(self._loop.create_future(), due, context)
        if due < self._armed_for:
            self._arm(due)
        try:
            return await call.reply
        except (asyncio.CancelledError, TimeoutError):
            if self._end is None:
                channel.send(*pack(CancelHeader(number)))
            raise
        finally:
            del self._calls[number]

    def notify(self, method: str, body: Body) -> None:
        """Tell the other side something; there is no answer. Nothing happens where nobody is there any more.

        Raises:
            FrameTooLargeError: it is larger than allowed; nothing was sent.
        """
        if self._channel is not None:
            self._channel.send(*pack(EventHeader(method), body))

    async def settle(self, seconds: float) -> None:
        """Wait, at most so long, until nothing else is being served than the request that this is called within."""
        others = [task for task in self._served.values() if task is not asyncio.current_task()]
        if others:
            await asyncio.wait(others, timeout=seconds)

    async def aclose(self) -> None:
        """End the channel: calls fail, and what is being served is cancelled and waited for."""
        if self._channel is not None:
            self._channel.close()
        self._finish(EndReason("closed"))
        tasks = [task for task in self._served.values() if task is not asyncio.current_task()]
        await asyncio.gather(*tasks, return_exceptions=True)

    def frame(self, frame: Body) -> None:
        """Called by the channel."""
        self.last_heard = monotonic()
        header, body = unpack(frame)
        if type(header) is ReplyHeader:
            call = self._called(header.id)
            if call is not None and not call.reply.done():
                call.reply.set_result(body)
        elif type(header) is RequestHeader:
            self._accept(header, body)
        elif type(header) is CancelHeader:
            task = self._served.get(header.id)
            if task is not None:
                task.cancel()
        elif type(header) is FailureHeader:
            call = self._called(header.id)
            if call is not None and not call.reply.done():
                call.reply.set_exception(RemoteFailureError(header.kind, header.text, header.traceback))
        elif type(header) is EventHeader and self._end is None:
            self._event(header.method, body)

    def ended(self, reason: EndReason) -> None:
        """Called by the channel."""
        self._finish(reason)

    def _called(self, number: int) -> _Call | None:
        """The call that an answer belongs to; None when nobody waits for it any more.

        Raises:
            WireError: there never was such a call.
        """
        call = self._calls.get(number)
        if call is None and not 0 < number <= self._last_number:
            raise WireError(f"an answer to call {number}, which was never made")
        return call

    def _accept(self, header: RequestHeader, body: memoryview) -> None:
        number = header.id
        if number in self._served:
            raise WireError(f"a second call with the number {number}")
        if self._end is not None:
            return
        around = self._calls.get(header.within) if header.within else None
        due = inf if header.remaining_ms is None else monotonic() + header.remaining_ms / 1000
        request = Request(
            header.method,
            body,
            due if around is None else min(due, around.due),
            None if around is None else around.context,
        )
        # Not by the loop's factory, which finds out whose tasks are whose: this one is nobody's.
        self._served[number] = asyncio.Task(self._answer(number, request), loop=self._loop)

    async def _answer(self, number: int, request: Request) -> None:
        _serving.set((self, number))
        try:
            answer = await self._serve(request)
            self._reply(*pack(ReplyHeader(number), answer))
        except BaseException as error:  # a border: what raises here is the other side's to know
            task = asyncio.current_task()
            if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
                return
            failure = failure_of(error)
            self._reply(*pack(FailureHeader(number, type(error).__name__, failure.text, failure.traceback)))
        finally:
            del self._served[number]

    def _reply(self, start: bytes, body: Body) -> None:
        if self._channel is not None:
            self._channel.send(start, body)

    def _arm(self, due: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._armed_for = due
        self._timer = self._loop.call_later(due - monotonic(), self._expire)

    def _expire(self) -> None:
        self._timer, self._armed_for = None, inf
        now, earliest = monotonic(), inf
        for call in self._calls.values():
            if call.due <= now:
                if not call.reply.done():
                    call.reply.set_exception(TimeoutError())
            elif call.due < earliest:
                earliest = call.due
        if earliest < inf:
            self._arm(earliest)

    def _finish(self, reason: EndReason) -> None:
        if self._end is not None:
            return
        self._end = reason
        if self._timer is not None:
            self._timer.cancel()
        for call in self._calls.values():
            if not call.reply.done():
                call.reply.set_exception(PeerGoneError(reason))
        for task in self._served.values():
            task.cancel()
        self._tell_end(reason)
