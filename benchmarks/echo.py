"""The other end of a socket pair, in a process of its own, which sends back what it gets.

Bare, it is the shortest there is: an `asyncio.Protocol` that writes what it reads. By the wire, it is a `Peer` that
answers each call with its body. The bare one is plain standard library: it runs in the environments of others too.
"""

import asyncio
import socket
import sys
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from host.runtime.runners.peer import Peer

_ROOT = Path(__file__).parents[1]
_LIMIT = 64 << 20

Kind = Literal["bare", "wire"]


class BareEcho(asyncio.Protocol):
    """Calls to the bare end: bytes there, as many bytes back.

    Args:
        size: bytes of each call.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._got = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._loop = asyncio.get_running_loop()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The transport begins."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Bytes came back."""
        self._got += len(data)
        while self._got >= self._size:
            self._got -= self._size
            self._waiting.popleft().set_result(None)

    async def call(self, frame: bytes) -> None:
        """Send a frame, and wait until as many bytes have come back."""
        answer: asyncio.Future[None] = self._loop.create_future()
        self._waiting.append(answer)
        self._transport.write(frame)
        await answer


@asynccontextmanager
async def bare_echo(size: int) -> AsyncIterator[BareEcho]:
    """The bare end, to be called with frames of `size` bytes."""
    async with _other_end("bare") as ours:
        transport, protocol = await asyncio.get_running_loop().create_connection(lambda: BareEcho(size), sock=ours)
        try:
            yield protocol
        finally:
            transport.close()


@asynccontextmanager
async def wire_echo() -> AsyncIterator["Peer"]:
    """A peer whose other end answers each call with its body."""
    from host.runtime.runners.socket_channel import open_socket_channel

    async with _other_end("wire") as ours:
        peer = _echoing_peer()
        await open_socket_channel(ours, peer, limit=_LIMIT)
        try:
            yield peer
        finally:
            await peer.aclose()


@asynccontextmanager
async def _other_end(kind: Kind) -> AsyncIterator[socket.socket]:
    """A process with the other end of a socket, which ends with this one."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "benchmarks.echo", kind, str(theirs.fileno()), pass_fds=(theirs.fileno(),), cwd=_ROOT
        )
    try:
        yield ours
    finally:
        ours.close()
        await process.wait()


class _SendsBack(asyncio.Protocol):
    def __init__(self) -> None:
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._transport.write(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.over.set_result(None)


async def _echo_bare(theirs: socket.socket) -> None:
    _, protocol = await asyncio.get_running_loop().create_connection(_SendsBack, sock=theirs)
    await protocol.over


def _echoing_peer(over: "asyncio.Future[None] | None" = None) -> "Peer":
    from host.runtime.runners.channel import EndReason
    from host.runtime.runners.peer import Peer, Request
    from host.runtime.runners.wire import Body

    async def serve(request: Request) -> Body:
        return request.body

    def ended(_: EndReason) -> None:
        if over is not None:
            over.set_result(None)

    return Peer(serve, event=lambda *_: None, ended=ended)


async def _echo_by_wire(theirs: socket.socket) -> None:
    from host.runtime.runners.socket_channel import open_socket_channel

    over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    await open_socket_channel(theirs, _echoing_peer(over), limit=_LIMIT)
    await over


if __name__ == "__main__":
    _echo = {"bare": _echo_bare, "wire": _echo_by_wire}[sys.argv[1]]
    asyncio.run(_echo(socket.socket(fileno=int(sys.argv[2]))))
