"""The two ends of a wire, over a real pair of sockets."""

import asyncio
import socket
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from host.runtime.runners.channel import EndReason
from host.runtime.runners.peer import Peer, Request
from host.runtime.runners.socket_channel import open_socket_channel
from host.runtime.runners.wire import Body, FrameReader, Message, frame_of

LIMIT = 16 * 1024 * 1024
Serve = Callable[[Request], Awaitable[Body]]


async def echo(request: Request) -> Body:
    """Gives back what it got."""
    return request.body


async def forever(request: Request) -> Body:
    """Never answers."""
    await asyncio.Event().wait()
    raise AssertionError("unreachable")


class End:
    """A peer, and what it was told.

    Attributes:
        events: methods and bodies of what the other side notified of.
        reasons: why the channel ended, as often as that was told.
    """

    def __init__(self, serve: Serve) -> None:
        self.events: list[tuple[str, bytes]] = []
        self.reasons: list[EndReason] = []
        self.gone = asyncio.Event()
        self.told = asyncio.Event()
        self.peer = Peer(serve, event=self._event, ended=self._ended)

    async def open(self, sock: socket.socket, **options: Any) -> "End":
        """Open the peer's channel over `sock`."""
        self.channel = await open_socket_channel(sock, self.peer, **{"limit": LIMIT, **options})
        return self

    def _event(self, method: str, body: Body) -> None:
        if method == "unreadable":
            raise ValueError("no such event")
        self.events.append((method, bytes(body)))
        self.told.set()

    def _ended(self, reason: EndReason) -> None:
        self.reasons.append(reason)
        self.gone.set()


@asynccontextmanager
async def joined(first: Serve = echo, second: Serve = echo, **options: Any) -> AsyncIterator[tuple[End, End]]:
    """Two ends that are joined; nothing is left of either afterwards, and nothing went unnoticed meanwhile."""
    before = asyncio.all_tasks()
    with complaints() as heard:
        one, other = socket.socketpair()
        ends = await End(first).open(one, **options), await End(second).open(other, **options)
        try:
            yield ends
        finally:
            for end in ends:
                await end.peer.aclose()
            assert [end.peer.pending for end in ends] == [0, 0]
            assert [len(end.reasons) for end in ends] == [1, 1]
            assert asyncio.all_tasks() == before
    assert heard == []


class complaints:  # noqa: N801 - reads as a function
    """What the loop's exception handler is given within the block."""

    def __enter__(self) -> list[dict[str, Any]]:
        heard: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: heard.append(context))
        return heard

    def __exit__(self, *_: object) -> None:
        asyncio.get_running_loop().set_exception_handler(None)


class RawEnd:
    """The other end in the hands of somebody who need not keep to the rules.

    Args:
        sock: the end.
    """

    def __init__(self, sock: socket.socket) -> None:
        sock.setblocking(False)
        self.sock = sock
        self._loop = asyncio.get_running_loop()
        self._reader = FrameReader(LIMIT)
        self._received: deque[Message] = deque()

    async def send(self, message: Message) -> None:
        """Send one message."""
        await self.write(frame_of([message]))

    async def write(self, data: bytes) -> None:
        """Send bytes."""
        await self._loop.sock_sendall(self.sock, data)

    async def receive(self) -> Message:
        """The next message."""
        while not self._received:
            count = await self._loop.sock_recv_into(self.sock, self._reader.space())
            assert count, "the channel was closed"
            for messages in self._reader.filled(count):
                self._received.extend(messages)
        return self._received.popleft()


@asynccontextmanager
async def raw(serve: Serve = echo, **options: Any) -> AsyncIterator[tuple[End, RawEnd]]:
    """An end, and its other end by hand."""
    with complaints() as heard:
        one, other = socket.socketpair()
        with other:
            end = await End(serve).open(one, **options)
            try:
                yield end, RawEnd(other)
            finally:
                await end.peer.aclose()
                assert end.peer.pending == 0
                assert len(end.reasons) == 1
    assert heard == []
