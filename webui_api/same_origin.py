"""Keeps other web sites out: they can make a visitor's browser call this server, but not hide where they come from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from webui_api.language import preferred_locale
from webui_api.texts import WEB_TEXTS

LOOPBACK_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")
"""Host names that are always this server's own."""

_READING_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_PAGE_SCHEMES: Final = {"http": "http", "https": "https", "ws": "http", "wss": "https"}


class SameOriginMiddleware:
    """Pure ASGI middleware that answers 403 to what another web site sent.

    A ``Host`` header that is not one of the server's names is refused always: that is how a foreign site looks that
    has rebound its own name to this address. A foreign ``Origin`` is refused with methods that change something and
    with WebSocket handshakes, which browsers do not hold back for other sites. Callers that are no browsers send no
    ``Origin``; the access token is what stands in their way.

    Args:
        app: the application behind it.
        allowed_hosts: names that the server goes by besides the loopback ones, without port; IPv6 in brackets.
    """

    def __init__(self, app: ASGIApp, allowed_hosts: Iterable[str] = ()) -> None:
        self._app = app
        self._names = (*LOOPBACK_NAMES, *(name.lower() for name in allowed_hosts))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes `scope` on, or refuses it."""
        code, fields = self._objection(scope)
        if not code:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            # Closing before accepting makes the server answer the handshake with 403.
            await send({"type": "websocket.close", "code": 1008, "reason": code})
        else:
            locale = preferred_locale(Headers(scope=scope).get("accept-language", ""))
            refusal = JSONResponse({"detail": WEB_TEXTS.render(code, fields, locale)}, status_code=403)
            await refusal(scope, receive, send)

    def _objection(self, scope: Scope) -> tuple[str, dict[str, object]]:
        if scope["type"] not in ("http", "websocket"):
            return "", {}
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        if _without_port(host) not in self._names:
            return "foreign_host", {"found": host, "allowed": ", ".join(self._names)}
        own = f"{_PAGE_SCHEMES[scope.get('scheme', 'http')]}://{host}"
        changes = scope["type"] == "websocket" or scope["method"] not in _READING_METHODS
        for origin in headers.getlist("origin"):
            if changes and origin.lower() != own:
                return "foreign_origin", {"found": origin, "allowed": own}
        return "", {}


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() else host
