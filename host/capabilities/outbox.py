"""What the bot does for `send.*`: brings a message into a chat."""

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A message that a plugin wants to be sent.

    Args:
        plugin_id: whose it is.
        stream_id: the chat, by its session id.
        segments: the content, as segments of a session message; unchecked.
        plain_text: the content as text; "" for what the segments say.
        typing: look as if someone were typing first.
        reply_message_id: the message to quote, or None.
        keep: keep it in the history once it is sent.
        log: write it to the log once it is sent.
        in_context: put it into the context of the planner that is running in the chat, too.
        source_kind: as what it stands there.
    """

    plugin_id: str
    stream_id: str
    segments: list[dict[str, Any]]
    plain_text: str = ""
    typing: bool = False
    reply_message_id: str | None = None
    keep: bool = True
    log: bool = True
    in_context: bool = False
    source_kind: str = "plugin_send"


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of it.

    Args:
        sent: whether a gateway took it.
        message_id: the id that the platform gave it, or None.
        why_not: why it was not sent, in English and Chinese; "" otherwise.
    """

    sent: bool
    message_id: str | None = None
    why_not: str = ""


class Outbox(Protocol):
    """Sends messages through the bot's send chain, with its hooks."""

    async def send(self, outgoing: Outgoing) -> Sent:
        """Send a message.

        Raises:
            Exception: it could not even be tried; the plugin gets the text.
        """
