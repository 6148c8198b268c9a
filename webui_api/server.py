"""Serves the web application inside the event loop that is running already."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

import anyio
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from webui_api.errors import CannotListenError

_GRACE_SECONDS: Final = 5
_LAST_PORT: Final = 65_535
_LARGEST_FRAME: Final = 64 << 10
"""Bytes of a WebSocket message that a client may send; none is expected."""


async def serve(app: ASGIApp, *, host: str, port: int, started: Callable[[str], None]) -> None:
    """Serves `app` until the task is cancelled; open requests then get 5 seconds to end.

    Signals are left to the program, and the server's log goes through `logging` as the program has set it up.

    Args:
        app: an ASGI application; its lifespan events are not sent, since the host owns what it shows.
        host: name or address to listen on.
        port: port to listen on; 0 takes any free one.
        started: called once, when requests are answered, with the base address (``http://127.0.0.1:8001``).

    Raises:
        CannotListenError: the address does not exist here, or is in use.
    """
    with await _listen(host, port) as listener:
        config = uvicorn.Config(
            app,
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_GRACE_SECONDS,
            ws=_WebSocket,
            ws_max_size=_LARGEST_FRAME,
        )
        server = _Server(config, lambda: started(_address(listener)))
        serving = asyncio.create_task(server.serve(sockets=[listener]), name="webui")
        try:
            await asyncio.shield(serving)
        finally:
            server.should_exit = True
            with anyio.CancelScope(shield=True):
                await serving


class _Server(uvicorn.Server):
    """A uvicorn server that tells when it is ready, and keeps its hands off the signals."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
        return nullcontext()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


class _WebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that ends soon after the application is done with it, whether the client takes what it was sent or
    not: without that, one that takes nothing would keep its connection for ever."""

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self.loop.call_later(_GRACE_SECONDS, self.transport.abort)


async def _listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= _LAST_PORT:
        raise CannotListenError(host, port, f"allowed: 0 to {_LAST_PORT}")
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, _, _, _, address = found[0]
        return _listener(family, address)
    except OSError as error:
        raise CannotListenError(host, port, error.strerror or str(error)) from error


def _listener(family: socket.AddressFamily, address: Any) -> socket.socket:
    # `socket.create_server` leaves the protocol open, and then asyncio does not set TCP_NODELAY on connections: every
    # answer but the first would wait for the acknowledgement of the one before, some 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
