"""Where messages are kept once they were received or sent."""

from collections import deque
from typing import Protocol

from host.bot.message import SessionMessage


class MessageStore(Protocol):
    """The memory of the bot."""

    async def add(self, message: SessionMessage) -> None:
        """Keep a message."""
        ...


class RecentMessages:
    """The latest messages of all chats, in memory, gone with the process.

    Args:
        limit: how many are kept; the oldest makes room.
    """

    def __init__(self, limit: int = 500) -> None:
        self._messages: deque[SessionMessage] = deque(maxlen=limit)

    async def add(self, message: SessionMessage) -> None:
        """Keep a message."""
        self._messages.append(message)

    def of(self, session_id: str) -> list[SessionMessage]:
        """The kept messages of one chat, the oldest first."""
        return [message for message in self._messages if message.session_id == session_id]
