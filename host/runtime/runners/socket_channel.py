"""A channel over a connected stream socket."""

import asyncio
import socket
from collections import deque
from collections.abc import Iterator
from math import inf

from host.runtime.runners.channel import (
    CLOSED_HERE,
    CLOSED_THERE,
    EndKind,
    EndReason,
    FrameTooLargeError,
    Receiver,
)
from host.runtime.runners.shared_memory import SMALLEST_BLOCK, SharedMemory
from host.runtime.runners.wire import (
    LARGE,
    Body,
    Cancelled,
    FrameReader,
    Message,
    ProtocolError,
    WithBody,
    beginning_of,
    frame_of,
)

LEAST_LIMIT = 256 * 1024
"""Bytes of the smallest limit of a body: what a failure with its text and traceback may need."""
FULL = 1024 * 1024
"""Bytes that wait to be written from which on `drain` waits."""
SLICE = 256 * 1024
"""Bytes that are handed over to the transport at once; it copies what the socket does not take."""
SMALL = 64 * 1024
"""Bytes that are copied rather than handed over by themselves."""
GATHERED = 8
"""Messages that go out in one frame, at most: with more, the two ends would work by turns, and not at the same time."""
TAKEN = 256
"""Messages that are passed on in one turn of the event loop, about; whoever sends more at once does not hold it up."""
SOCKET_BUFFER = 512 * 1024
"""Bytes that the system is asked to hold in each direction."""


class SocketChannel(asyncio.BufferedProtocol):
    """A channel over a connected stream socket; made by `open_socket_channel`.

    Messages that are sent in one turn of the event loop go out in few frames. Only the first since something was heard
    does not wait for the others: while there is one call at a time, there are none.
    """

    def __init__(
        self, receiver: Receiver, limit: int, stop_reading_above: int | None, memory: SharedMemory | None
    ) -> None:
        self.limit = limit
        self._receiver = receiver
        self._memory = memory
        self._reader = FrameReader(limit, memory.reader.take if memory is not None else None)
        self._stop_reading_above = inf if stop_reading_above is None else stop_reading_above
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport
        self._batch: list[Message] = []
        self._batched = 0
        self._queue: deque[Body] = deque()
        self._queued = 0
        self._blocked = False
        self._heard = True
        self._turn_ends = False
        self._reading = True
        self._rest: Iterator[list[Message]] | None = None
        self._waiting: deque[tuple[asyncio.Future[None], int]] = deque()
        self._reason: EndReason | None = None

    @property
    def full(self) -> bool:
        """Whether `drain` would wait."""
        return self._queued >= FULL or bool(self._waiting)

    def send(self, message: Message) -> None:
        """See `Channel.send`."""
        size = len(message.body)
        if size >= LARGE and not isinstance(message, Cancelled):
            self._send_large(message, size)
            return
        if self._reason is not None:
            return
        if self._heard and not self._turn_ends and not self._queue and not self._blocked:
            self._heard = False
            self._transport.write(frame_of([message]))
            return
        self._heard = False
        self._batch.append(message)
        self._batched += size
        if not self._turn_ends:
            self._gather()
        elif len(self._batch) >= GATHERED or self._batched >= LARGE:
            self._write()

    def _send_large(self, message: WithBody, size: int) -> None:
        if size > self.limit:
            raise FrameTooLargeError(size, self.limit)
        if self._reason is not None:
            return
        if self._batch:
            self._pack()
        body, message.body = message.body, b""
        place = None
        if size >= SMALLEST_BLOCK and self._memory is not None:
            place = self._memory.writer.put(body)
        beginning = beginning_of(message, size, place)
        self._queue.append(beginning)
        self._queued += len(beginning)
        if place is None:
            self._queue.append(body)
            self._queued += size
        self._heard = False
        self._write()

    async def drain(self, size: int = 0) -> None:
        """See `Channel.drain`."""
        if self.full and self._reason is None:
            room: asyncio.Future[None] = self._loop.create_future()
            self._waiting.append((room, size))
            await room

    def close(self) -> None:
        """See `Channel.close`."""
        if self._reason is None:
            self._reason = CLOSED_HERE
            self._transport.pause_reading()
            self._write()

    def abort(self) -> None:
        """See `Channel.abort`."""
        self._cut_off(CLOSED_HERE)

    def _cut_off(self, reason: EndReason) -> None:
        if self._reason is None:
            self._reason = reason
        self._transport.abort()

    def _gather(self) -> None:
        """Write once what is sent from now on in this turn of the loop and by what was started in it."""
        self._turn_ends = True
        self._loop.call_soon(self._end_turn)

    def _end_turn(self) -> None:
        self._turn_ends = False
        if self._batch:
            self._write()

    def _pack(self) -> None:
        """Make a frame of the small messages that wait for company."""
        frame = frame_of(self._batch)
        self._batch.clear()
        self._batched = 0
        self._queue.append(frame)
        self._queued += len(frame)

    def _write(self) -> None:
        """Hand over what there is, as far as the socket takes it."""
        if self._batch:
            self._pack()
        queue = self._queue
        while self._queued and not self._blocked:
            if self._queued <= SLICE:
                self._queued = 0
                piece: Body = b"".join(queue) if len(queue) > 1 else queue[0]
                queue.clear()
            else:
                piece = self._slice()
                self._queued -= len(piece)
            self._transport.write(piece)
            if self._transport.is_closing():
                return
        if not self._queued and self._reason is not None:
            # Not at once: a transport that is closed from within its own `resume_writing` ends twice.
            self._loop.call_soon(self._transport.close)
        elif self._queued > self._stop_reading_above and self._reading:
            self._reading = False
            self._transport.pause_reading()

    def _slice(self) -> Body:
        """The first bytes of the queue, without a copy where they are many."""
        queue = self._queue
        small, size = [], 0
        while size + len(queue[0]) <= SMALL:
            size += len(queue[0])
            small.append(queue.popleft())
        # What comes before a large part is small, and goes out together with its beginning.
        count = SMALL - size if small else SLICE
        part = queue[0]
        if count < len(part):
            view = memoryview(part)
            part, queue[0] = view[:count], view[count:]
        else:
            queue.popleft()
        return b"".join((*small, part)) if small else part

    def _give_room(self) -> None:
        """Let those who wait go on, as many as there is room for. Who was let go need not send, so look again."""
        promised = self._queued
        while self._waiting and (promised < FULL or self._reason is not None):
            room, size = self._waiting.popleft()
            if not room.done():
                room.set_result(None)
                promised += size
        if self._waiting and promised > self._queued:
            self._loop.call_soon(self._give_room)

    # What the transport calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The transport begins."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        # What the socket does not take is kept here, where it is not copied.
        transport.set_write_buffer_limits(high=0)
        self._receiver.opened(self)

    def get_buffer(self, sizehint: int) -> memoryview:
        """Where the next bytes belong."""
        return self._reader.space()

    def buffer_updated(self, nbytes: int) -> None:
        """So many bytes came."""
        self._heard = True
        try:
            self._take(iter(self._reader.filled(nbytes)))
        except ProtocolError as error:
            self._cut_off(EndReason(EndKind.PROTOCOL_ERROR, error.code, error.fields))

    def _take(self, frames: Iterator[list[Message]]) -> bool:
        """Pass on what came, as far as one turn of the loop goes; returns whether more may be read."""
        taken = 0
        for messages in frames:
            if len(messages) > 1 and not self._turn_ends:
                self._gather()
            self._receiver.received(messages)
            if self._reason is not None:
                return False
            taken += len(messages)
            if taken >= TAKEN:
                self._rest = frames
                self._transport.pause_reading()
                self._loop.call_soon(self._take_rest)
                return False
        return True

    def _take_rest(self) -> None:
        rest, self._rest = self._rest, None
        if rest is None or self._reason is not None:
            return
        try:
            if self._take(rest) and self._reading:
                self._transport.resume_reading()
        except ProtocolError as error:
            self._cut_off(EndReason(EndKind.PROTOCOL_ERROR, error.code, error.fields))

    def pause_writing(self) -> None:
        """The socket takes no more for now."""
        self._blocked = True

    def resume_writing(self) -> None:
        """The socket took all that it was given."""
        self._blocked = False
        self._write()
        if self._waiting:
            self._give_room()
        if not self._reading and self._queued <= self._stop_reading_above / 2:
            self._reading = True
            if self._rest is None:
                self._transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """The transport ended."""
        if self._reason is None:
            self._reason = _end_by(exc)
        self._queue.clear()
        self._queued = 0
        if self._memory is not None:
            self._memory.close()
        self._give_room()
        self._receiver.ended(self._reason)


def _end_by(error: Exception | None) -> EndReason:
    # A process that dies before it read everything resets the connection.
    if error is None or isinstance(error, ConnectionResetError | BrokenPipeError):
        return CLOSED_THERE
    return EndReason(EndKind.CONNECTION_ERROR, "connection_failed", {"error": str(error) or type(error).__name__})


async def open_socket_channel(
    sock: socket.socket,
    receiver: Receiver,
    *,
    limit: int,
    stop_reading_above: int | None = None,
    memory: SharedMemory | None = None,
) -> SocketChannel:
    """A channel over one end of a connected pair of stream sockets, which it owns from now on.

    Args:
        sock: the end.
        receiver: gets the channel, the frames and the end.
        limit: bytes that one body may have; the same at both ends, and not less than `LEAST_LIMIT`.
        stop_reading_above: once more bytes wait to be written, nothing is read before the half of them is gone: the
            end that may not trust the other one gives this. Not both: each would wait for the other to read.
        memory: what both ends share, for large bodies; it belongs to the channel from now on.

    Raises:
        ValueError: `limit` is too small.
    """
    if limit < LEAST_LIMIT:
        raise ValueError(f"a frame limit of {limit} bytes is too small: failures may need {LEAST_LIMIT}")
    sock.setblocking(False)
    for buffer in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        sock.setsockopt(socket.SOL_SOCKET, buffer, SOCKET_BUFFER)
    _, channel = await asyncio.get_running_loop().create_connection(
        lambda: SocketChannel(receiver, limit, stop_reading_above, memory), sock=sock
    )
    return channel
