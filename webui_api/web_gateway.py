"""The web page as a platform: what the bot says there goes to everybody who listens."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Final, Literal
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field

from host.bot import WEB_PLATFORM, SessionMessage

MOST_LISTENERS: Final = 32
"""How many clients may listen at once."""
MOST_EVENTS: Final = 256
"""How many events may wait for one client."""
LARGEST_QUEUE: Final = 16 << 20
"""How many characters of events may wait for one client; a single one may have more."""


class _Event(BaseModel):
    model_config = ConfigDict(ser_json_bytes="base64", ser_json_inf_nan="null")

    session_id: str = Field(description="The chat.")
    user_id: str | None = Field(description="The partner of a private chat; null in a group.")
    group_id: str | None = Field(description="The group; null in a private chat.")


class TypingEvent(_Event):
    """The bot is typing; a message follows."""

    type: Literal["typing"] = "typing"
    seconds: float = Field(ge=0, description="After how long about it follows.")


class MessageEvent(_Event):
    """The bot said something."""

    type: Literal["message"] = "message"
    message_id: str
    reply_to: str | None = Field(description="The id of the message that it quotes, or null.")
    text: str = Field(description="The content as plain text.")
    message: dict[str, Any] = Field(description="The session message dict: segments, sender, routing data.")


Event = Annotated[TypingEvent | MessageEvent, Field(discriminator="type")]
"""What a client is told."""


class TooManyListenersError(Exception):
    """As many clients listen as may."""


class Listener:
    """A client that listens. What is said waits for it, up to a bound.

    Attributes:
        too_slow: is set when more had to wait than may; nothing is told to it any more.
    """

    def __init__(self) -> None:
        self.too_slow = asyncio.Event()
        self._events: deque[str] = deque()
        self._size = 0
        self._more = asyncio.Event()

    def tell(self, event: str) -> None:
        """Let an event wait, or give the client up."""
        full = len(self._events) >= MOST_EVENTS or self._size + len(event) > LARGEST_QUEUE
        if self.too_slow.is_set() or (full and self._events):
            self._events.clear()
            self.too_slow.set()
            return
        self._events.append(event)
        self._size += len(event)
        self._more.set()

    async def next(self) -> str:
        """The next event, as soon as there is one."""
        while not self._events:
            self._more.clear()
            await self._more.wait()
        event = self._events.popleft()
        self._size -= len(event)
        return event


class WebGateway:
    """Tells all clients that listen what the bot says on the platform ``web``.

    A message counts as sent whether somebody listens or not: it is kept in its chat.
    """

    platform = WEB_PLATFORM

    def __init__(self) -> None:
        self._listeners: set[Listener] = set()

    @contextmanager
    def listening(self) -> Iterator[Listener]:
        """A client that listens meanwhile.

        Raises:
            TooManyListenersError: as many listen as may.
        """
        if len(self._listeners) >= MOST_LISTENERS:
            raise TooManyListenersError
        listener = Listener()
        self._listeners.add(listener)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)

    async def deliver(self, message: SessionMessage, *, typing: bool, reply_message_id: str | None) -> str:
        """Tell the message; without waiting for anybody."""
        message_id = f"web_out_{uuid4().hex}"
        group = message.group_info.group_id if message.group_info else None
        where = {
            "session_id": message.session_id,
            "user_id": None if group else message.additional_config.get("platform_io_target_user_id"),
            "group_id": group,
        }
        if typing:
            self._tell(TypingEvent(seconds=0, **where))
        data = {**message.to_dict(), "message_id": message_id}
        self._tell(
            MessageEvent(message_id=message_id, reply_to=reply_message_id, text=message.text, message=data, **where)
        )
        return message_id

    def show_typing(self, heard: SessionMessage, seconds: float) -> None:
        """Tell that the bot pauses, as if it were typing."""
        group = heard.group_info.group_id if heard.group_info else None
        user = None if group else heard.user_info.user_id
        self._tell(TypingEvent(session_id=heard.session_id, user_id=user, group_id=group, seconds=seconds))

    def _tell(self, event: TypingEvent | MessageEvent) -> None:
        if self._listeners:
            text = event.model_dump_json()
            for listener in self._listeners:
                listener.tell(text)
