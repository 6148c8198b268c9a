"""How the server starts and ends inside the program's event loop."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import anyio
import httpx
import pytest

from host.hooks import Hooks
from webui_api import CannotListenError, serve

from .serving import app_over, serving


async def test_the_real_address_is_told_once_requests_are_answered() -> None:
    async with serving(app_over(Hooks())) as client:
        assert client.base_url.host == "127.0.0.1"
        assert client.base_url.port
        assert (await client.get("/health")).status_code == 200


@asynccontextmanager
async def kept_alive(address: str) -> AsyncIterator[asyncio.StreamReader]:
    """A connection that one request was answered on, and that waits for the next."""
    url = httpx.URL(address)
    reader, writer = await asyncio.open_connection(url.host, url.port)
    writer.write(f"GET /health HTTP/1.1\r\nHost: {url.host}\r\n\r\n".encode())
    await reader.readuntil(b"}")
    try:
        yield reader
    finally:
        writer.close()
        await writer.wait_closed()


def no_delay(peer: int) -> bool:
    """Whether this process' end of the connection from local port `peer` sends small packets at once."""
    for entry in Path("/proc/self/fd").iterdir():
        if entry.exists() and entry.is_socket():
            with socket.socket(fileno=os.dup(int(entry.name))) as candidate, suppress(OSError):
                if candidate.family == socket.AF_INET and candidate.getpeername()[1] == peer:
                    return bool(candidate.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
    raise AssertionError(f"no connection from port {peer}")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_small_answers_do_not_wait_for_acknowledgements() -> None:
    async with serving(app_over(Hooks())) as client:
        url = client.base_url
        reader, writer = await asyncio.open_connection(url.host, url.port)
        writer.write(f"GET /health HTTP/1.1\r\nHost: {url.host}\r\n\r\n".encode())
        await reader.readuntil(b"}")
        assert no_delay(writer.get_extra_info("sockname")[1])
        writer.close()
        await writer.wait_closed()


async def test_cancelling_closes_the_connections_and_frees_the_port() -> None:
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    server = asyncio.create_task(serve(app_over(Hooks()), host="127.0.0.1", port=0, started=address.set_result))
    async with kept_alive(await address) as connection:
        server.cancel()
        with pytest.raises(asyncio.CancelledError):
            await server
        assert connection.at_eof()
    with socket.create_server(("127.0.0.1", httpx.URL(await address).port or 0)):
        pass


async def test_the_server_ends_as_well_in_an_anyio_scope_that_is_cancelled() -> None:
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    run = partial(serve, app_over(Hooks()), host="127.0.0.1", port=0, started=address.set_result)
    async with AsyncExitStack() as stack:
        async with anyio.create_task_group() as group:
            group.start_soon(run)
            connection = await stack.enter_async_context(kept_alive(await address))
            group.cancel_scope.cancel()
        assert connection.at_eof()


async def test_a_request_that_is_under_way_when_the_server_is_cancelled_is_answered() -> None:
    app = app_over(Hooks())
    arrived, go_on = asyncio.Event(), asyncio.Event()

    @app.get("/slow")
    async def slow() -> str:
        arrived.set()
        await go_on.wait()
        return "done"

    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    server = asyncio.create_task(serve(app, host="127.0.0.1", port=0, started=address.set_result))
    async with httpx.AsyncClient(base_url=await address, trust_env=False) as client:
        request = asyncio.create_task(client.get("/slow"))
        await arrived.wait()
        server.cancel()
        await asyncio.wait([server], timeout=0.05)
        assert not server.done()
        go_on.set()
        assert (await request).json() == "done"
    with pytest.raises(asyncio.CancelledError):
        await server


async def test_a_port_in_use_is_an_error_that_names_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListenError, match=rf"port {port}\b") as caught:
            await serve(app_over(Hooks()), host="127.0.0.1", port=port, started=print)
    assert (caught.value.host, caught.value.port) == ("127.0.0.1", port)
    assert str(port) in caught.value.text("zh")


@pytest.mark.parametrize("port", [-1, 65_536])
async def test_a_port_that_does_not_exist_is_the_same_error(port: int) -> None:
    with pytest.raises(CannotListenError):
        await serve(app_over(Hooks()), host="127.0.0.1", port=port, started=print)


async def test_signals_and_logging_stay_as_the_program_set_them_up(caplog: pytest.LogCaptureFixture) -> None:
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    caplog.set_level(logging.INFO)
    async with serving(app_over(Hooks())) as client:
        assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == handlers
        await client.get("/health")
    assert not logging.getLogger("uvicorn").handlers
    names = {record.name for record in caplog.records}
    assert "uvicorn.error" in names
    assert "uvicorn.access" not in names
