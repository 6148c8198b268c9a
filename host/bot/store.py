"""Where messages are kept once they were received or sent."""

from collections.abc import Sequence
from typing import Protocol

from host.bot.message import SessionMessage
from host.storage import Handling

HISTORY = 500
"""How many messages of a chat are looked back on at most, unless fewer are asked for."""


class MessageStore(Protocol):
    """The memory of the bot."""

    async def add(self, message: SessionMessage) -> None:
        """Keep a message to which nothing is owed, such as one that the bot said."""
        ...

    async def receive(self, message: SessionMessage) -> int:
        """Keep a message that just came in, before anything of a plugin runs on it. It is part of no chat yet.

        Returns:
            Its number, for the other calls: either `leave`, or `admit` and then `settle`.
        """
        ...

    async def leave(self, number: int) -> None:
        """Forget a message that came in: its receive hooks stopped it."""
        ...

    async def admit(self, number: int, message: SessionMessage, *, again: bool = False) -> None:
        """Make a message that came in a part of its chat, as its receive hooks left it; the bot is to handle it.

        Args:
            number: as `receive` returned it.
            message: the message.
            again: an earlier run of the program received it.
        """
        ...

    async def revise(self, number: int, message: SessionMessage) -> None:
        """Keep what became of a message on its way."""
        ...

    async def settle(self, number: int, outcome: Handling) -> None:
        """The message is done with."""
        ...

    async def of(self, session_id: str, limit: int = HISTORY) -> Sequence[SessionMessage]:
        """The latest messages of one chat, the oldest first."""
        ...


class RecentMessages:
    """The latest messages of all chats, in memory, gone with the process.

    Args:
        limit: how many are kept; the oldest makes room.
    """

    def __init__(self, limit: int = HISTORY) -> None:
        self._messages: dict[int, SessionMessage] = {}
        self._limit = limit
        self._latest = 0

    async def add(self, message: SessionMessage) -> None:
        """Keep a message."""
        await self.admit(await self.receive(message), message)

    async def receive(self, message: SessionMessage) -> int:
        """A number: what is in memory is lost with the process, at whatever point of its way."""
        self._latest += 1
        return self._latest

    async def leave(self, number: int) -> None:
        """Nothing: it is not kept yet."""

    async def admit(self, number: int, message: SessionMessage, *, again: bool = False) -> None:
        """Keep a message."""
        self._messages[number] = message
        while len(self._messages) > self._limit:
            del self._messages[min(self._messages)]

    async def revise(self, number: int, message: SessionMessage) -> None:
        """Keep a message as it is now, unless it made room already."""
        if number in self._messages:
            self._messages[number] = message

    async def settle(self, number: int, outcome: Handling) -> None:
        """Nothing: what is in memory is owed to nobody."""

    async def of(self, session_id: str, limit: int = HISTORY) -> list[SessionMessage]:
        """The kept messages of one chat, the oldest first."""
        kept = [message for _, message in sorted(self._messages.items()) if message.session_id == session_id]
        return kept[max(len(kept) - limit, 0) :]
