"""What `maisaka.*` needs of the bot: notes in its context, speaking up unasked, wording a text. The bot has such a
part."""

from dataclasses import dataclass
from typing import Any, Protocol

from host.capabilities.chat import Chat


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something that the bot is to know as if it had been said in the chat.

    Args:
        segments: the content, as segments of a session message; unchecked.
        source_kind: where it comes from.
        text: the content as text; "" for what the segments say.
        message_id: the id that it has; "" for one that is made up.
        user: who said it, with ``user_id``, ``user_nickname``, ``user_cardname``; None where it is a notice that nobody
            said and nobody can answer.
    """

    segments: list[dict[str, Any]]
    source_kind: str
    text: str = ""
    message_id: str = ""
    user: dict[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Noted:
    """A note in the context.

    Args:
        index: its place among what models are told of the chat, from 0.
        text: as models read it.
    """

    index: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """What the bot is to think about saying of its own accord.

    Args:
        task_id: the name of this wish.
        plugin_id: whose it is.
        about: what it is about.
        reason: why; or "".
        priority: how urgent it is, in the plugin's words; or "".
        metadata: further data, kept with it.
    """

    task_id: str
    plugin_id: str
    about: str
    reason: str
    priority: str
    metadata: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """A text that the bot is to word.

    Args:
        reference: what it says.
        format_instruction: what form it has; or "".
        model: the one model that words it; "" for those of the replyer.
    """

    reference: str
    format_instruction: str = ""
    model: str = ""


class Initiative(Protocol):
    """What the bot does without being spoken to."""

    async def note(self, chat: Chat, note: Note) -> Noted:
        """Put something into the context of a chat.

        Raises:
            RefusalError: the segments are none.
        """

    async def speak_up(self, chat: Chat, intent: Intent) -> None:
        """Have the planner of a chat think about saying something, after the turns that wait. Returns when it did."""

    async def word(self, chat: Chat, wording: Wording) -> str:
        """Have the replyer word a text, with its hooks; nothing is sent.

        Raises:
            RefusalError: no model did.
        """


class Pictures(Protocol):
    """Finds pictures of messages. The storage has such a part."""

    async def content(self, message_id: str, *, session_id: str) -> list[dict[str, Any]] | None:
        """The segments of a message, with the bytes of its pictures as long as they are kept; None for no message."""
