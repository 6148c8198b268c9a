"""Calls over a channel, in both directions at once. The same at both ends."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import Context, ContextVar
from math import inf
from time import monotonic

from msgspec import Struct

from host.hooks.failure import failure_of
from host.runtime.runners.call_errors import CallTimedOutError, PeerGoneError, RemoteFailureError
from host.runtime.runners.channel import CLOSED_HERE, NOT_OPEN, Channel, EndReason
from host.runtime.runners.eager import begin
from host.runtime.runners.wire import (
    MAX_METHOD,
    Answered,
    Asked,
    Body,
    Cancelled,
    Failed,
    Failure,
    Message,
    ProtocolError,
    Told,
    body_of,
    read_failure,
)

GRACE = 0.02
"""Seconds past its deadline after which a call ends by itself: whoever watches the same deadline comes first."""
CLEANUP_SECONDS = 1.0
"""What the other side gets to read what was sent, and cancelled requests to clean up, at most."""
MAX_NAME = 256
"""Characters of an exception's class name that are kept."""


class Request(Struct, frozen=True, eq=False, gc=False):
    """A call of the other side.

    Args:
        method: what is called.
        body: its argument, encoded.
        due: until when it has to be done, on the clock of `time.monotonic`; inf without a deadline. Who serves it need
            not watch that, since it is cancelled by the caller.
        context: what was given to the call that the other side was serving when it made this one; None once that call
            has ended, and for a call that was made on its own.
    """

    method: str
    body: Body
    due: float
    context: object | None


class _Call(Struct, eq=False):
    """A call of ours that was not answered yet."""

    # The body, or the exception to raise: one that nobody fetches is not complained about.
    answer: asyncio.Future[Body | Exception]
    method: str
    due: float
    context: object | None


class _Served(Struct, eq=False):
    """A request that is being served."""

    peer: "Peer"
    id: int
    task: asyncio.Task[None] | None = None
    dropped: bool = False

    def drop(self) -> None:
        """Nobody waits for it any more."""
        self.dropped = True
        if self.task is not None:
            self.task.cancel()


_serving: ContextVar[_Served | None] = ContextVar("_serving", default=None)


class Peer:
    """One end of a channel: calls the other end, and serves its calls, each in a task of its own.

    It is the receiver that the channel is opened with.

    Args:
        serve: serves a request and returns the encoded result. Whatever it raises becomes the caller's
            `RemoteFailureError`.
        event: takes a method and a body that the other side notified us of. An exception out of it cuts the other side
            off: it is what cannot be read.
        ended: is called once, when the channel has ended.

    Attributes:
        last_heard: when the last frame came, on the clock of `time.monotonic`.
    """

    def __init__(
        self,
        serve: Callable[[Request], Awaitable[Body]],
        *,
        event: Callable[[str, Body], None],
        ended: Callable[[EndReason], None],
    ) -> None:
        self._serve = serve
        self._event = event
        self._on_ended = ended
        self._loop = asyncio.get_running_loop()
        self._channel: Channel
        self._reason: EndReason | None = NOT_OPEN
        self._gone = asyncio.Event()
        self._calls: dict[int, _Call] = {}
        self._last_call = 0
        self._served: dict[int, _Served] = {}
        self._last_served = 0
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_at = inf
        self.last_heard = monotonic()

    @property
    def outgoing(self) -> int:
        """Calls of ours that are not answered yet."""
        return len(self._calls)

    @property
    def incoming(self) -> int:
        """Requests whose tasks have not ended yet, those that were cancelled included."""
        return len(self._served)

    @property
    def pending(self) -> int:
        """`outgoing` and `incoming` together."""
        return len(self._calls) + len(self._served)

    @property
    def reason(self) -> EndReason | None:
        """Why nothing can be called; None while it can."""
        return self._reason

    async def call(
        self, method: str, body: Body, *, due: float = inf, context: object | None = None, within: int | None = None
    ) -> Body:
        """Call the other side. Waits for room where too much waits to be written; cancelled, it cancels the request.

        Args:
            method: what is called.
            body: its argument, encoded.
            due: until when it has to be done, on the clock of `time.monotonic`.
            context: what the other side's calls from within this one are given; it stays here.
            within: the request of the other side that this call belongs to; by default the one that is served in this
                context, if any. 0 for none.

        Returns:
            The encoded result.

        Raises:
            RemoteFailureError: the other side's `serve` raised.
            PeerGoneError: the channel has ended.
            CallTimedOutError: it was not answered in time, and nobody cancelled it.
            FrameTooLargeError: it is larger than a frame may be; nothing was sent.
        """
        if self._reason is None and self._channel.full:
            await self._room(method, len(body), due)
        if self._reason is not None:
            raise PeerGoneError(self._reason)
        if len(method) > MAX_METHOD:
            raise _name_too_long(method)
        if within is None:
            served = _serving.get()
            within = served.id if served is not None and served.peer is self else 0
        number = self._last_call + 1
        # Rounded up.
        remaining = None if due == inf else int(left * 1000) + 1 if (left := due - monotonic()) > 0 else 0
        self._channel.send(Asked(number, method, remaining, within, body))
        self._last_call = number
        call = self._calls[number] = _Call(self._loop.create_future(), method, due, context)
        if due < self._alarm_at:
            self._arm(due)
        try:
            outcome = await call.answer
        except BaseException:
            if self._calls.pop(number, None) is not None:
                self._channel.send(Cancelled(number))
            raise
        if not isinstance(outcome, Exception):
            return outcome
        try:
            raise outcome
        finally:
            del outcome  # it would hold itself, by way of this frame

    def notify(self, method: str, body: Body) -> None:
        """Tell the other side something. Never waits; after the end it is dropped.

        Args:
            method: what it is about.
            body: what is told, encoded.

        Raises:
            FrameTooLargeError: it is larger than a frame may be; nothing was sent.
        """
        if len(method) > MAX_METHOD:
            raise _name_too_long(method)
        if self._reason is None:
            self._channel.send(Told(method, body))

    async def settle(self, seconds: float) -> None:
        """Wait, at most so long, until nothing else is served than the request that this is called within."""
        own = asyncio.current_task()
        others = [each.task for each in self._served.values() if each.task is not None and each.task is not own]
        if others:
            await asyncio.wait(others, timeout=seconds)

    async def aclose(self) -> None:
        """End it: calls fail, requests are cancelled, what was sent before is delivered if the other side reads it."""
        if self._reason is NOT_OPEN:
            return
        self._finish(CLOSED_HERE)
        self._channel.close()
        try:
            async with asyncio.timeout(CLEANUP_SECONDS):
                await self._gone.wait()
        except TimeoutError:
            self._channel.abort()
            await self._gone.wait()
        own = asyncio.current_task()
        tasks = [served.task for served in self._served.values() if served.task is not None and served.task is not own]
        if tasks:
            await asyncio.wait(tasks, timeout=CLEANUP_SECONDS)

    # What the channel calls.

    def opened(self, channel: Channel) -> None:
        """The channel can be used."""
        self._channel = channel
        self._reason = None

    def received(self, messages: list[Message]) -> None:
        """Messages came.

        Raises:
            ProtocolError: the other side is to be cut off.
        """
        self.last_heard = monotonic()
        for message in messages:
            if isinstance(message, Answered):
                call = self._calls.pop(message.id, None)
                if call is None:
                    self._check_late(message.id)
                elif not call.answer.done():
                    call.answer.set_result(message.body)
            elif self._reason is not None:
                return
            elif isinstance(message, Asked):
                self._ask(message)
            elif isinstance(message, Failed):
                self._fail(message.id, _remote(read_failure(message.body)))
            elif isinstance(message, Cancelled):
                self._cancel(message.id)
            else:
                self._tell(message.method, message.body)

    def ended(self, reason: EndReason) -> None:
        """The channel ended."""
        self._finish(reason)
        self._gone.set()
        self._on_ended(reason)

    # Our calls.

    async def _room(self, method: str, size: int, due: float) -> None:
        try:
            async with asyncio.timeout(None if due == inf else due + GRACE - monotonic()):
                await self._channel.drain(size)
        except TimeoutError:
            raise CallTimedOutError(method) from None

    def _check_late(self, number: int) -> None:
        """An answer may be late, since the call was cancelled. But never early."""
        if number > self._last_call:
            raise ProtocolError("unknown_call", id=number)

    def _fail(self, number: int, error: Exception) -> None:
        call = self._calls.pop(number, None)
        if call is None:
            self._check_late(number)
        elif not call.answer.done():
            call.answer.set_result(error)

    def _arm(self, due: float) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm_at = due
        self._alarm = self._loop.call_later(due + GRACE - monotonic(), self._expire)

    def _expire(self) -> None:
        self._alarm = None
        self._alarm_at = inf
        now = monotonic() - GRACE
        for number in [number for number, call in self._calls.items() if call.due <= now]:
            self._fail(number, CallTimedOutError(self._calls[number].method))
            self._channel.send(Cancelled(number))
        earliest = min((call.due for call in self._calls.values()), default=inf)
        if earliest < inf:
            self._arm(earliest)

    # The other side's calls.

    def _ask(self, asked: Asked) -> None:
        if asked.id <= self._last_served:
            raise ProtocolError("repeated_id", id=asked.id, last=self._last_served)
        if asked.within > self._last_call:
            raise ProtocolError("unknown_call", id=asked.within)
        self._last_served = asked.id
        due = inf if asked.remaining_ms is None else monotonic() + asked.remaining_ms / 1000
        context = None
        if asked.within and (outer := self._calls.get(asked.within)):
            due = min(due, outer.due)
            context = outer.context
        served = self._served[asked.id] = _Served(self, asked.id)
        request = Request(asked.method, asked.body, due, context)
        # In an empty context: nothing of whoever opened the channel hangs on to it.
        served.task = begin(self._run(served, request), self._loop, Context())

    async def _run(self, served: _Served, request: Request) -> None:
        try:
            _serving.set(served)
            body = await self._serve(request)
            if not served.dropped:
                self._channel.send(Answered(served.id, body))
        except BaseException as error:  # a border: whatever it is, the caller gets to know it at once
            if not served.dropped:
                self._channel.send(Failed(served.id, body_of(_failure(error))))
        finally:
            del self._served[served.id]
            served.task = None

    def _cancel(self, number: int) -> None:
        if number > self._last_served:
            raise ProtocolError("unknown_call", id=number)
        if served := self._served.get(number):
            served.drop()

    def _tell(self, method: str, body: Body) -> None:
        try:
            self._event(method, body)
        except Exception as error:  # a border: the body is the other side's; the reason of the end records it
            raise ProtocolError("bad_event", method=method[:MAX_NAME], why=failure_of(error).text) from error

    def _finish(self, reason: EndReason) -> None:
        if self._reason is not None:
            return
        self._reason = reason
        if self._alarm is not None:
            self._alarm.cancel()
        calls, self._calls = self._calls, {}
        for call in calls.values():
            if not call.answer.done():
                call.answer.set_result(PeerGoneError(reason))
        for served in self._served.values():
            served.drop()


def _failure(error: BaseException) -> Failure:
    """An exception as text, which fits into any frame; lone surrogates, which cannot travel, are spelt out."""
    kind, text, traceback = type.__getattribute__(type(error), "__name__")[:MAX_NAME], "", ""
    with suppress(BaseException):  # a border: its text is made by a stranger's code, which may raise SystemExit
        failure = failure_of(error)
        text, traceback = failure.text, failure.traceback
    text = text or f"{kind} (its text cannot be read)"
    return Failure(*(part.encode(errors="backslashreplace").decode() for part in (kind, text, traceback)))


def _name_too_long(method: str) -> ValueError:
    return ValueError(f"the name of a method has {len(method)} characters; allowed are {MAX_METHOD}")


def _remote(failure: Failure) -> RemoteFailureError:
    return RemoteFailureError(failure.kind, failure.text, failure.traceback)
