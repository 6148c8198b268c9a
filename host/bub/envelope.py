"""Messages of any kind: a mapping, or an object with attributes."""

from collections.abc import Mapping
from typing import Any

Envelope = Any


def field_of(message: Envelope, name: str, default: Any = None) -> Any:
    """A message's field by name, `default` where it has none."""
    return message.get(name, default) if isinstance(message, Mapping) else getattr(message, name, default)


def content_of(message: Envelope) -> str:
    """A message's text, "" where it has none."""
    content = field_of(message, "content", "")
    return "" if content is None else str(content)


def default_session_id(message: Envelope) -> str:
    """Its ``session_id`` where it has one, an empty one too; else ``channel:chat_id``, or ``default`` for either."""
    given = field_of(message, "session_id")
    if given is not None:
        return str(given)
    return f"{field_of(message, 'channel', 'default')}:{field_of(message, 'chat_id', 'default')}"


def reply_to(message: Envelope, session_id: str, text: str) -> dict[str, Any]:
    """The one reply that is sent where nobody renders any: to where the message came from, as far as it says so."""
    reply: dict[str, Any] = {"content": text, "session_id": session_id}
    places = {name: field_of(message, name) for name in ("channel", "chat_id")}
    return {**reply, **{name: place for name, place in places.items() if place is not None}}
