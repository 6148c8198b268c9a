"""The messages of a reply as its extensions see and return them: segments, and whether they quote."""

import json
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from host.bot.reading import Reading, is_text
from host.bot.segments import Segment, read_segments

_KEYS = {"segments", "quote_previous"}


@dataclass(frozen=True, slots=True)
class SaidMessage:
    """One message of a reply, before it is sent.

    Args:
        segments: the content.
        quotes: whether it quotes the message that is answered.
    """

    segments: list[Segment]
    quotes: bool

    def to_dict(self) -> dict[str, Any]:
        """``{"segments", "quote_previous"}``."""
        return {"segments": self.segments, "quote_previous": self.quotes}


def read_said(value: object) -> list[SaidMessage]:
    """The messages that an extension returned. The rules are stricter than those for messages that come in.

    Args:
        value: a list of ``{"segments": [...], "quote_previous": bool}``, not empty.

    Raises:
        InvalidMessageError: it is none; it tells all that is wrong.
    """
    reading = Reading()
    messages: list[SaidMessage] = []
    if not isinstance(value, list) or not value:
        reading.note("want_said_messages", "messages", value)
        value = []
    for index, each in enumerate(value):
        path = f"messages[{index}]"
        if not isinstance(each, Mapping) or each.keys() != _KEYS or not isinstance(each["quote_previous"], bool):
            reading.note("want_said_message", path, each)
            continue
        segments = each["segments"]
        if not isinstance(segments, list) or not segments or not _is_json(segments):
            reading.note("want_content", f"{path}.segments", segments)
            continue
        for at, segment in enumerate(segments):
            if not _has_content(segment):
                reading.note("want_content", f"{path}.segments[{at}]", segment)
        messages.append(SaidMessage(read_segments(segments, reading, f"{path}.segments"), each["quote_previous"]))
    reading.finish()
    return messages


def _has_content(segment: object) -> bool:
    """Whether a segment is of a type that may be sent, and says something."""
    if not isinstance(segment, Mapping):
        return False
    data = segment.get("data")
    match segment.get("type"):
        case "text":
            return is_text(data) and bool(data)
        case "image" | "emoji":
            named = is_text(segment.get("hash")) and bool(segment["hash"])
            return is_text(data) and (named or _has_bytes(segment))
        case "voice":
            return is_text(data) and _has_bytes(segment)
        case "at":
            return isinstance(data, Mapping) and bool(data.get("target_user_id"))
        case "reply":
            return isinstance(data, Mapping) and bool(data.get("target_message_id"))
        case "dict" | "file":
            return isinstance(data, Mapping) and bool(data)
        case "forward":
            nodes = data if isinstance(data, list) else []
            return bool(nodes) and all(isinstance(node, Mapping) and node.get("content") for node in nodes)
    return False


def _has_bytes(segment: Mapping[str, Any]) -> bool:
    encoded = segment.get("binary_data_base64")
    try:
        return isinstance(encoded, str) and bool(b64decode(encoded, validate=True))
    except ValueError:
        return False


def _is_json(value: object) -> bool:
    """Whether a value is JSON as the standard has it, which knows no NaN and no bytes."""
    try:
        json.dumps(value, allow_nan=False)
    except (ValueError, TypeError):
        return False
    return True
