"""The web application: its routes, behind the gate and the same-origin rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, Literal

from fastapi import APIRouter, Depends, FastAPI
from pydantic import BaseModel

from webui_api.chat import chat_routes
from webui_api.gate import Refusal, gate
from webui_api.hooks import hook_routes
from webui_api.plugin_capabilities import capability_routes
from webui_api.plugins import plugin_routes
from webui_api.processes import process_routes
from webui_api.same_origin import SameOriginMiddleware
from webui_api.token import AccessToken

if TYPE_CHECKING:
    from host.app import Host

LARGEST_BODY: Final = 8 << 20
"""Bytes that the body of a request may have."""
PREFIXES: Final = ("", "/api/webui")
"""Where the routes are mounted: plainly, and where existing front ends look for them."""

_FORBIDDEN: Final[dict[int | str, dict[str, Any]]] = {
    403: {"model": Refusal, "description": "The Host or Origin header belongs to another site."}
}
_UNAUTHORIZED: Final[dict[int | str, dict[str, Any]]] = {
    401: {"model": Refusal, "description": "The access token is missing or wrong."}
}


class Health(BaseModel):
    """A sign of life."""

    status: Literal["healthy"] = "healthy"
    service: str = "maibot-host"


def create_app(host: Host, token: AccessToken, *, allowed_hosts: Iterable[str] = ()) -> FastAPI:
    """The web application over a running host.

    Args:
        host: what the routes show; read anew at each request.
        token: what opens every route but ``/health``.
        allowed_hosts: host names that the server goes by besides the loopback ones, without port.
    """
    # The documentation pages of FastAPI load scripts from elsewhere, which must not run where the session cookie is.
    app = FastAPI(
        title="maibot-host",
        description="The web interface of a maibot-host. Every route is also found under `/api/webui`.",
        version="1",
        docs_url=None,
        redoc_url=None,
        responses=_FORBIDDEN,
        max_body_size=LARGEST_BODY,
    )
    app.add_middleware(SameOriginMiddleware, allowed_hosts=tuple(allowed_hosts))
    open_routes = _health_route()
    guarded_routes = APIRouter(dependencies=[Depends(gate(token))], responses=_UNAUTHORIZED)
    guarded_routes.include_router(hook_routes(host))
    guarded_routes.include_router(plugin_routes(host))
    guarded_routes.include_router(capability_routes(host))
    guarded_routes.include_router(process_routes(host))
    guarded_routes.include_router(chat_routes(host))
    for prefix in PREFIXES:
        app.include_router(open_routes, prefix=prefix)
        app.include_router(guarded_routes, prefix=prefix)
    return app


def _health_route() -> APIRouter:
    router = APIRouter(tags=["health"])

    @router.get("/health", summary="Whether the server answers")
    async def health() -> Health:
        """Answers as long as the server runs; needs no token and tells nothing about the bot."""
        return Health()

    return router
