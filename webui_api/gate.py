"""Who may come in: a dependency that lets a request pass only with the access token."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Final

from fastapi import Depends, HTTPException, status
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel

from host.hooks.texts import Locale
from webui_api.language import caller_locale
from webui_api.texts import WEB_TEXTS
from webui_api.token import AccessToken

SESSION_COOKIE: Final = "maibot_session"
"""The cookie that front ends of this interface keep the token in."""

_cookie = APIKeyCookie(name=SESSION_COOKIE, scheme_name="cookie", description="The access token.", auto_error=False)
_bearer = HTTPBearer(scheme_name="bearer", description="The access token.", auto_error=False)


class Refusal(BaseModel):
    """Why a request was refused."""

    detail: str


def gate(token: AccessToken) -> Callable[..., Awaitable[None]]:
    """A dependency for routes that need `token`, as a cookie or as a bearer token; one right one is enough.

    It answers 401 otherwise, from the same machine too: other users and any web page can reach a loopback port.
    """

    async def require_token(
        cookie: Annotated[str | None, Depends(_cookie)],
        bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
        locale: Annotated[Locale, Depends(caller_locale)],
    ) -> None:
        presented = (cookie or "", bearer.credentials if bearer else "")
        if not any(token.matches(text) for text in presented):
            raise HTTPException(
                status.HTTP_401_UNAUTHORIZED,
                detail=WEB_TEXTS.render("unauthorized", {"cookie": SESSION_COOKIE}, locale),
                headers={"WWW-Authenticate": "Bearer"},
            )

    return require_token
