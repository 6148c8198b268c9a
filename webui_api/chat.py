"""Talking with the bot over the web: a message in and its outcome, and a stream of what the bot says."""

from __future__ import annotations

import asyncio
import itertools
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, Final, Self

from fastapi import APIRouter, Depends, HTTPException, WebSocket, WebSocketDisconnect, status
from pydantic import BaseModel, ConfigDict, Field, RootModel, model_validator

from host.bot import GroupInfo, Outcome, SessionMessage, Status, Stop, UserInfo
from host.bot.inbound import LONGEST_NAME, LONGEST_TEXT
from host.bot.segments import text_segment
from host.hooks.texts import Locale
from webui_api.gate import Refusal
from webui_api.language import caller_locale
from webui_api.plugin_views import Text
from webui_api.texts import WEB_TEXTS
from webui_api.web_gateway import Event, Listener, TooManyListenersError, WebGateway

if TYPE_CHECKING:
    from host.app import Host

CLOSE_SECONDS: Final = 1.0
"""How long a client that was too slow has to take the word that it is cut off."""

_Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]


class ChatMessage(BaseModel):
    """What somebody says to the bot on the platform `web`: plain text, or segments."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field("", max_length=LONGEST_TEXT, description="Plain text.")
    segments: list[dict[str, Any]] = Field(
        [], description="The content segment by segment instead, as in a session message: pictures, mentions, quotes."
    )
    user_id: _Name = Field("web", description="Who says it.")
    user_name: _Name = Field("Web", description="By which name.")
    group_id: _Name | None = Field(None, description="In which group; null in a private chat.")
    group_name: str = Field("", max_length=LONGEST_NAME, description="The group's name; its id where empty.")
    is_at: bool = Field(False, description="Whether it addresses the bot with @.")

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if bool(self.text) == bool(self.segments):
            raise ValueError("give either text or segments")
        return self

    def message(self, message_id: str) -> dict[str, Any]:
        """The session message dict; its segments are not checked yet."""
        group = GroupInfo(self.group_id, self.group_name or self.group_id) if self.group_id else None
        message = SessionMessage(
            message_id=message_id,
            timestamp=time.time(),
            platform=WebGateway.platform,
            user_info=UserInfo(self.user_id, self.user_name),
            group_info=group,
            raw_message=self.segments or [text_segment(self.text)],
            is_at=self.is_at,
        )
        return message.to_dict()


class StopView(BaseModel):
    """Who ended a message's way, and where."""

    hook: str
    plugin_id: str
    handler: str

    @classmethod
    def of(cls, stop: Stop | None) -> StopView | None:
        """The view of `stop`, where there is one."""
        return None if stop is None else cls(hook=stop.hook, plugin_id=stop.plugin_id, handler=stop.handler)


class OutcomeView(BaseModel):
    """What became of a message."""

    success: bool = True
    status: Status = Field(
        description="replied; command: it called one, which ended its way; stopped: by a plugin; not_sent: the answer "
        "was kept from being sent; no_reply: the bot had nothing to say; joined: an earlier message's turn went on "
        "with it; dropped: the bot was busy."
    )
    message_id: str
    session_id: str = Field(description="Its chat.")
    reply_text: Text = Field(description="What the bot said, or would have.")
    command: str = Field(description="The full name of the command that it called, or empty.")
    stopped: StopView | None
    reason: Text = Field(description="Why there is no answer, or it was not sent; by Accept-Language; else empty.")
    summary: Text = Field(description="All of it in one line, with the handlers that failed; by Accept-Language.")

    @classmethod
    def of(cls, outcome: Outcome, locale: Locale) -> OutcomeView:
        """The view of `outcome` for a reader of `locale`."""
        return cls(
            status=outcome.status,
            message_id=outcome.message_id,
            session_id=outcome.session_id,
            reply_text=outcome.reply_text,
            command=outcome.command,
            stopped=StopView.of(outcome.stopped),
            reason=outcome.reason.text(locale) if outcome.reason else "",
            summary=outcome.line(locale),
        )


class ChatEvent(RootModel[Event]):
    """One text frame of the stream."""


def chat_routes(host: Host) -> APIRouter:
    """The routes under ``/chat``; they are the bot's way to the platform ``web``."""
    router = APIRouter(prefix="/chat", tags=["chat"])
    gateway = WebGateway()
    host.gateways.add(gateway)
    _add_messages_route(router, host)
    _add_events_routes(router, gateway)
    return router


def _add_messages_route(router: APIRouter, host: Host) -> None:
    numbers = itertools.count(1)

    @router.post(
        "/messages", summary="Say something to the bot", responses={413: {"description": "The body is too large."}}
    )
    async def say(said: ChatMessage, locale: Annotated[Locale, Depends(caller_locale)]) -> OutcomeView:
        """Take a message through all that is done with one. The answer comes when its turn is over.

        What the bot says meanwhile, also to others, comes by the stream `/chat/events`. A message that is stored and
        not answered when the host ends is answered at its next start. A body may have 8 MiB.
        """
        outcome = await host.bot.receive(said.message(f"web_{int(time.time() * 1000)}_{next(numbers)}"))
        if outcome.status is Status.INVALID and outcome.reason is not None:
            raise HTTPException(status.HTTP_422_UNPROCESSABLE_CONTENT, detail=outcome.reason.text(locale))
        return OutcomeView.of(outcome, locale)


def _add_events_routes(router: APIRouter, gateway: WebGateway) -> None:
    @router.get(
        "/events",
        summary="What the bot says, as a WebSocket",
        status_code=status.HTTP_426_UPGRADE_REQUIRED,
        response_model=Refusal,
        responses={200: {"model": ChatEvent, "description": "No answer of HTTP: a text frame of the WebSocket."}},
    )
    async def explain_events(locale: Annotated[Locale, Depends(caller_locale)]) -> Refusal:
        """Opened as a WebSocket, this tells everything that the bot says on the platform `web`, in all chats.

        The access token is needed as for every route: in the cookie, or as a bearer token. Nothing is expected of the
        client. One for which too much waits is cut off, and so are more clients than may listen, both with the close
        code 1013; connect again, and read what was missed from the chat.
        """
        return Refusal(detail=WEB_TEXTS.render("wants_websocket", {}, locale))

    @router.websocket("/events")
    async def stream_events(websocket: WebSocket) -> None:
        await websocket.accept()
        try:
            with gateway.listening() as listener:
                await _stream(websocket, listener)
                too_slow = listener.too_slow.is_set()
        except TooManyListenersError:
            await websocket.close(status.WS_1013_TRY_AGAIN_LATER, "too many clients")
            return
        if too_slow:
            # Where it takes nothing at all, not even this gets through: the server cuts the connection.
            with suppress(TimeoutError, WebSocketDisconnect):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await websocket.close(status.WS_1013_TRY_AGAIN_LATER, "too slow")


async def _stream(websocket: WebSocket, listener: Listener) -> None:
    """Send events until the client is gone, or too slow."""
    endings = [
        asyncio.create_task(_send(websocket, listener)),
        asyncio.create_task(_until_gone(websocket)),
        asyncio.create_task(listener.too_slow.wait()),
    ]
    try:
        await asyncio.wait(endings, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in endings:
            each.cancel()
        await asyncio.gather(*endings, return_exceptions=True)


async def _send(websocket: WebSocket, listener: Listener) -> None:
    with suppress(WebSocketDisconnect):
        while True:
            await websocket.send_text(await listener.next())


async def _until_gone(websocket: WebSocket) -> None:
    while (await websocket.receive())["type"] != "websocket.disconnect":
        """What a client says is of no interest here."""
