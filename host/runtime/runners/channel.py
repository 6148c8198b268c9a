"""The seam between host and runner: frames there and back, and the reason of the end. Nothing here knows of processes.

A message broker can stand in for the socket, and a runner on another machine for the process.
"""

import asyncio
import socket
from dataclasses import dataclass
from typing import Literal, Protocol, cast

from host.hooks.texts import Locale
from host.runtime.runners.wire import Body, FrameBuffer, FrameTooLargeError, WireError
from host.runtime.texts import RUNTIME_TEXTS

DEFAULT_LIMIT = 64 << 20
"""Bytes that a frame may have where nothing else is said."""

_HIGH_WATER = 1 << 20
_SOCKET_BUFFER = 4 << 20


@dataclass(frozen=True, slots=True)
class EndReason:
    """Why a channel ended.

    Args:
        kind: ``closed`` by this side, ``ended`` by the other, ``violation`` where what the other side sent made no
            sense, ``broken`` where the connection failed.
        detail: what was sent, or how it failed.
    """

    kind: Literal["closed", "ended", "violation", "broken"]
    detail: str = ""

    def text(self, locale: Locale = "en") -> str:
        """A clause without a full stop, in the given language."""
        return RUNTIME_TEXTS.render(f"channel_{self.kind}", {"detail": self.detail}, locale)


class Receiver(Protocol):
    """Gets what comes through a channel."""

    def frame(self, frame: Body) -> None:
        """A frame has come, without its length.

        Raises:
            WireError: it makes no sense; the channel is cut off.
        """

    def ended(self, reason: EndReason) -> None:
        """The channel has ended; called once."""


class Channel(Protocol):
    """Frames to one other side, in order."""

    limit: int
    """Bytes that one frame may have."""

    def send(self, start: bytes, body: Body) -> None:
        """Send one frame, together with others that are sent in the same turn of the event loop.

        Args:
            start: its length and header.
            body: the rest of it.

        Raises:
            FrameTooLargeError: it is larger than allowed; nothing was sent.
        """

    async def drain(self) -> None:
        """Wait while more waits to be sent than should."""

    @property
    def full(self) -> bool:
        """Whether `drain` would wait."""

    def close(self) -> None:
        """End it; what was sent is still delivered."""

    def abort(self, reason: EndReason) -> None:
        """End it now."""


async def open_socket_channel(
    connected: socket.socket, receiver: Receiver, *, limit: int = DEFAULT_LIMIT, throttles: bool = False
) -> "SocketChannel":
    """A channel over one end of a connected pair of sockets, which belongs to the channel from now on.

    Args:
        connected: the socket, a stream.
        receiver: gets what comes.
        limit: bytes that one frame may have, in either direction.
        throttles: read nothing while the other side does not take what is sent to it. Only one side may do so, or
            both might wait for each other.
    """
    for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        connected.setsockopt(socket.SOL_SOCKET, option, _SOCKET_BUFFER)
    connected.setblocking(False)
    loop = asyncio.get_running_loop()
    _, channel = await loop.create_connection(lambda: SocketChannel(receiver, limit, throttles), sock=connected)
    return channel


class SocketChannel(asyncio.BufferedProtocol):
    """Frames over a socket. Made by `open_socket_channel`.

    The first frame of a turn of the event loop is sent at once, since often it is the only one; those that follow in
    the same turn go out together at its end.
    """

    def __init__(self, receiver: Receiver, limit: int, throttles: bool) -> None:
        self.limit = limit
        self.full = False
        self._receiver = receiver
        self._throttles = throttles
        self._loop = asyncio.get_running_loop()
        self._incoming = FrameBuffer(limit)
        self._reason: EndReason | None = None
        self._waiting: list[Body] = []
        self._in_turn = False
        self._drained: list[asyncio.Future[None]] = []

    def send(self, start: bytes, body: Body) -> None:
        """Send one frame."""
        size = len(start) + len(body)
        if size > self.limit:
            raise FrameTooLargeError(size, self.limit)
        if self._reason is not None:
            return
        if self._in_turn:
            self._waiting.append(start)
            self._waiting.append(body)
            return
        self._in_turn = True
        self._loop.call_soon(self._end_turn)
        self._write((start, body), size)

    async def drain(self) -> None:
        """Wait while more waits to be sent than should."""
        while self.full and self._reason is None:
            drained = self._loop.create_future()
            self._drained.append(drained)
            await drained

    def close(self) -> None:
        """End it; what was sent is still delivered."""
        if self._reason is None:
            self._end_turn()
            self._reason = EndReason("closed")
            self._transport.close()

    def abort(self, reason: EndReason) -> None:
        """End it now."""
        if self._reason is None:
            self._reason = reason
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=_HIGH_WATER)

    def get_buffer(self, sizehint: int) -> memoryview:
        """Called by asyncio."""
        return self._incoming.space()

    def buffer_updated(self, nbytes: int) -> None:
        """Called by asyncio."""
        try:
            for frame in self._incoming.filled(nbytes):
                self._receiver.frame(frame)
        except WireError as error:
            self.abort(EndReason("violation", str(error)))

    def eof_received(self) -> None:
        """Called by asyncio."""

    def connection_lost(self, error: Exception | None) -> None:
        """Called by asyncio."""
        if self._reason is None:
            self._reason = EndReason("ended") if error is None else EndReason("broken", str(error))
        self._release()
        self._receiver.ended(self._reason)

    def pause_writing(self) -> None:
        """Called by asyncio."""
        self.full = True
        if self._throttles:
            self._transport.pause_reading()

    def resume_writing(self) -> None:
        """Called by asyncio."""
        self.full = False
        self._release()
        if self._throttles and not self._transport.is_closing():
            self._transport.resume_reading()

    def _release(self) -> None:
        for drained in self._drained:
            if not drained.done():
                drained.set_result(None)
        self._drained.clear()

    def _end_turn(self) -> None:
        self._in_turn = False
        if self._waiting and self._reason is None:
            waiting, self._waiting = self._waiting, []
            self._write(waiting, sum(map(len, waiting)))

    def _write(self, parts: "tuple[Body, ...] | list[Body]", size: int) -> None:
        if size <= _JOINED:
            self._transport.write(b"".join(parts))
            return
        for part in parts:
            self._transport.write(part)


_JOINED = 256 * 1024
"""Up to here a copy costs less than a second call to the system."""
