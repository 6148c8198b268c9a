"""A web application over a hook table, on a real socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import httpx
from fastapi import FastAPI
from typing_extensions import TypedDict

from host.bot import Gateways
from host.hooks import Declaration, Hooks, HookSpec
from webui_api import AccessToken, create_app, serve

if TYPE_CHECKING:
    from host.app import Host

SECRET = "ab" * 32
HOOKS_PATH = "/plugins/runtime/hooks"


class Note(TypedDict):
    """The payload of the hooks in these tests."""

    text: str


def note_spec(name: str, **rules: object) -> HookSpec:
    """A hook that carries a `Note`."""
    return HookSpec(name=name, payload=Note, **rules)  # type: ignore[arg-type]


def handler(hook: str, name: str, **declared: object) -> Declaration:
    """A handler of `hook` that does nothing."""

    async def do_nothing(**_: object) -> None:
        return None

    return Declaration(hook=hook, handler=do_nothing, name=name, **declared)  # type: ignore[arg-type]


def app_over(hooks: Hooks, **options: tuple[str, ...]) -> FastAPI:
    """The application over a host that has nothing but `hooks`."""
    host = cast("Host", SimpleNamespace(hooks=hooks, gateways=Gateways(), bub=None))
    return create_app(host, AccessToken(SECRET, Path("webui.json")), **options)


def bearer(token: str = SECRET) -> Mapping[str, str]:
    """The header that presents `token`."""
    return {"Authorization": f"Bearer {token}"}


@asynccontextmanager
async def serving(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A client of `app`, which is served on a free port of the loopback address meanwhile."""
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    server = asyncio.create_task(serve(app, host="127.0.0.1", port=0, started=address.set_result))
    either: set[asyncio.Future[Any]] = {server, address}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    if server.done():
        server.result()
    try:
        async with httpx.AsyncClient(base_url=await address, trust_env=False) as client:
            yield client
    finally:
        server.cancel()
        await asyncio.wait([server])
