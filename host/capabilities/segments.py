"""The segments of what plugins send: brought to the form of session messages."""

import binascii
from base64 import b64decode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from host.capabilities.errors import RefusalError
from host.capabilities.texts import CAPABILITY_TEXTS
from host.hooks.texts import Locale

Segment = dict[str, Any]
BYTES = "binary_data_base64"
"""The key of a picture's, sticker's or recording's bytes."""
MEDIA = frozenset({"image", "emoji", "voice"})


def text(words: str) -> Segment:
    """A piece of text."""
    return {"type": "text", "data": words}


def media(kind: str, base64: str, description: str = "") -> Segment:
    """A picture, a sticker or a recording.

    Args:
        kind: one of `MEDIA`.
        base64: its bytes; the head of a ``data:`` address, or ``base64://``, may stand before them.
        description: what it shows, where that is known.

    Raises:
        RefusalError: it is no base64.
    """
    encoded = _bare(base64)
    try:
        content = b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise RefusalError("not_base64", kind=kind, found=f"{base64!r:.40}") from None
    return {"type": kind, "data": description, "hash": sha256(content).hexdigest(), BYTES: encoded}


def of_parts(parts: Sequence[object]) -> list[Segment]:
    """The segments of a message, as plugins write them for ``send.hybrid``. What is no dict is dropped.

    Raises:
        RefusalError: a picture, sticker or recording is no base64.
    """
    return [_of_part(part) for part in parts if isinstance(part, Mapping)]


def custom(kind: str, content: Any) -> Segment:
    """The one segment of a message that is sent with ``send.custom``.

    Raises:
        RefusalError: the content does not fit the kind.
    """
    match kind.strip().lower(), content:
        case "text", _:
            return text(str(content))
        case ("image" | "emoji" | "voice") as sort, str():
            return media(sort, content)
        case "at", str() | int():
            return {"type": "at", "data": {"target_user_id": str(content)}}
        case "reply", str() | int():
            return {"type": "reply", "data": {"target_message_id": str(content)}}
        case ("at" | "reply" | "file" | "dict") as sort, dict():
            return {"type": sort, "data": content}
        case "forward", list():
            return {"type": "forward", "data": nodes(content)}
        case ("image" | "emoji" | "voice" | "at" | "reply" | "file" | "dict" | "forward") as sort, _:
            raise RefusalError("custom_content", kind=sort, found=type(content).__name__)
        case sort, _:
            return {"type": "dict", "data": {"type": sort, "data": content}}


def nodes(messages: Sequence[Mapping[str, Any]], locale: Locale = "en") -> list[dict[str, Any]]:
    """The nodes of a forward, as plugins write them for ``send.forward``. One that says nothing is dropped.

    Args:
        messages: what is forwarded.
        locale: of the name that stands for somebody who has none.

    Raises:
        RefusalError: a picture, sticker or recording is no base64.
    """
    nobody = CAPABILITY_TEXTS.render("somebody", {}, locale)
    found = []
    for index, message in enumerate(messages):
        said = message.get("segments") or message.get("content") or []
        content = [text(said)] if isinstance(said, str) else of_parts(said) if isinstance(said, list) else []
        if content:
            found.append(
                {
                    "user_id": str(message.get("user_id") or "") or None,
                    "user_nickname": str(message.get("nickname") or message.get("user_nickname") or nobody),
                    "user_cardname": str(message.get("user_cardname") or "") or None,
                    "message_id": str(message.get("message_id") or f"plugin_forward_{index}"),
                    "content": content,
                }
            )
    return found


def without_bytes(segments: Sequence[Segment]) -> list[Segment]:
    """The segments with the description and hash of pictures, stickers and recordings, and without their bytes."""
    return [_without_bytes(segment) for segment in segments]


def _of_part(part: Mapping[str, Any]) -> Segment:
    kind = str(part.get("type") or "text").strip().lower()
    data, content = part.get("data"), part.get("content")
    if kind == "text":
        return text(str(content if data is None else data))
    if kind in MEDIA:
        if bytes_ := part.get(BYTES):
            return {**media(kind, str(bytes_), str(data or "")), **_further(part)}
        if not part.get("hash"):
            return {**media(kind, str(content or data or "")), **_further(part)}
        return {**part, "type": kind, "data": str(data or "")}
    if kind == "forward":
        return {"type": kind, "data": nodes(data if isinstance(data, list) else content or [])}
    return {**part, "type": kind, "data": content if data is None else data}


def _further(part: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in part.items() if key not in ("type", "data", "content", "hash", BYTES)}


def _without_bytes(segment: Segment) -> Segment:
    bare = {key: value for key, value in segment.items() if key != BYTES}
    if bare.get("type") == "forward" and isinstance(bare.get("data"), list):
        bare["data"] = [
            {**node, "content": without_bytes(node["content"])} if isinstance(node.get("content"), list) else node
            for node in bare["data"]
        ]
    return bare


def _bare(base64: str) -> str:
    """Base64 alone, without white space and what may stand before it."""
    if base64.startswith("data:"):
        base64 = base64.partition(",")[2]
    return "".join(base64.removeprefix("base64://").split())
