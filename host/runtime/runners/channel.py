"""A channel: messages to and from one other side, and the reason of the end. Who is on the other side it does not know.

What speaks over a channel needs no more than `Channel` and `Receiver`, so that a message broker can stand in for the
socket.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Protocol

from msgspec import Struct

from host.hooks.texts import Locale
from host.runtime.runners.wire import Message
from host.runtime.runners.wire_texts import WIRE_TEXTS


class EndKind(Enum):
    """Who ended a channel."""

    NOT_OPEN = "not_open"
    CLOSED_HERE = "closed_here"
    CLOSED_THERE = "closed_there"
    PROTOCOL_ERROR = "protocol_error"
    CONNECTION_ERROR = "connection_error"


class EndReason(Struct, frozen=True):
    """Why a channel ended.

    Args:
        kind: who ended it.
        code: what happened; a key of the wire's text table.
        fields: the facts that the text names.
    """

    kind: EndKind
    code: str
    fields: Mapping[str, object] = {}

    def text(self, locale: Locale = "en") -> str:
        """What happened, in the given language."""
        return WIRE_TEXTS.render(self.code, self.fields, locale)


NOT_OPEN = EndReason(EndKind.NOT_OPEN, "not_open")
CLOSED_HERE = EndReason(EndKind.CLOSED_HERE, "closed_here")
CLOSED_THERE = EndReason(EndKind.CLOSED_THERE, "closed_there")


class FrameTooLargeError(Exception):
    """A message has a larger body than it may have. Nothing of it was sent, and the channel goes on.

    Args:
        size: bytes of the body.
        limit: bytes that are allowed.
    """

    def __init__(self, size: int, limit: int) -> None:
        self.size = size
        self.limit = limit
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """What was found, what is allowed and what to do, in the given language."""
        return WIRE_TEXTS.render("frame_too_large", {"size": self.size, "limit": self.limit}, locale)


class Channel(Protocol):
    """Sends messages to one other side. What is sent after the end is dropped: the receiver is told of the end."""

    @property
    def limit(self) -> int:
        """Bytes that the body of one message may have."""

    @property
    def full(self) -> bool:
        """Whether `drain` would wait."""

    def send(self, message: Message) -> None:
        """Send a message, which belongs to the channel from now on. Its body may not be changed.

        Raises:
            FrameTooLargeError: its body has more than `limit` bytes; nothing was sent.
        """

    async def drain(self, size: int = 0) -> None:
        """Wait until there is room for a message; those that wait get it in the order in which they came.

        Args:
            size: bytes that will be sent next, about.
        """

    def close(self) -> None:
        """End it once what was sent is delivered."""

    def abort(self) -> None:
        """End it now."""


class Receiver(Protocol):
    """What a channel tells."""

    def opened(self, channel: Channel) -> None:
        """The channel can be used. Comes first, and once."""

    def received(self, messages: list[Message]) -> None:
        """Messages came; they belong to the receiver. Called by the event loop, not from within a task.

        Raises:
            ProtocolError: the other side is to be cut off.
        """

    def ended(self, reason: EndReason) -> None:
        """The channel ended. Comes last, and once."""
