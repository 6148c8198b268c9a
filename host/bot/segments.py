"""The segments of a message: text, pictures, files, mentions, quotes, forwards; checked and brought to one form."""

from collections.abc import Callable, Mapping
from typing import Any

from host.bot.reading import Reading

Segment = dict[str, Any]
"""``{"type": ..., "data": ...}`` and what else its type has. Keys that nobody knows are kept: plugins leave some."""

MAX_FORWARDS = 16
"""How deep forwards may lie in one another."""


def text_segment(text: str) -> Segment:
    """A piece of text."""
    return {"type": "text", "data": text}


def reply_segment(message_id: str) -> Segment:
    """A quote of another message, of which only the id is known."""
    return {"type": "reply", "data": _reply_data({"target_message_id": message_id})}


def read_segments(value: object, reading: Reading, path: str = "raw_message", depth: int = 0) -> list[Segment]:
    """The segments of a message, each in the one form that the rest of the bot relies on.

    A segment of a type that nobody knows becomes ``{"type": "dict", "data": <the whole segment>}``, a ``reply`` whose
    data is a plain id gets the full form, ids that are numbers become text.

    Args:
        value: what stands in ``raw_message``, or in the ``content`` of a forwarded message.
        reading: notes what is wrong.
        path: where `value` stands.
        depth: in how many forwards it lies.
    """
    if not isinstance(value, (list, tuple)):
        reading.note("want_segments", path, value)
        return []
    segments = []
    for index, item in enumerate(value):
        where = f"{path}[{index}]"
        if not isinstance(item, Mapping):
            reading.note("want_dict", where, item)
            continue
        kind = reading.text(item, "type", f"{where}.type")
        if kind == "forward":
            segments.append({**item, "data": _forward(item.get("data"), reading, f"{where}.data", depth)})
        elif kind in _READERS:
            segments.append({**item, "data": _READERS[kind](item.get("data"), reading, f"{where}.data")})
        elif kind:
            segments.append({"type": "dict", "data": dict(item)})
    return segments


def _text(data: object, reading: Reading, path: str) -> str:
    return reading.any_text(data, path)


def _description(data: object, reading: Reading, path: str) -> str:
    """What a picture or a recording shows: not known (None, missing) until somebody described it."""
    return reading.text_or_none({"data": data}, "data", path) or ""


def _dict(data: object, reading: Reading, path: str) -> dict[str, Any]:
    if isinstance(data, Mapping):
        return dict(data)
    reading.note("want_dict", path, data)
    return {}


def _at(data: object, reading: Reading, path: str) -> dict[str, Any]:
    found = _dict(data, reading, path)
    if isinstance(data, Mapping):
        found["target_user_id"] = _id(found, "target_user_id", reading, path)
        for key in ("target_user_nickname", "target_user_cardname"):
            found[key] = reading.text_or_none(found, key, f"{path}.{key}")
    return found


def _reply(data: object, reading: Reading, path: str) -> dict[str, Any]:
    if isinstance(data, (str, int)) and not isinstance(data, bool) and str(data).strip():
        return _reply_data({"target_message_id": str(data)})
    if not isinstance(data, Mapping):
        reading.note("want_reply_target", path, data)
        return {}
    found = _reply_data(data)
    found["target_message_id"] = _id(found, "target_message_id", reading, path)
    for key in _REPLY_TEXTS:
        reading.text_or_none(found, key, f"{path}.{key}")
    return found


_REPLY_TEXTS = (
    "target_message_content",
    "target_message_sender_id",
    "target_message_sender_nickname",
    "target_message_sender_cardname",
)


def _reply_data(data: Mapping[str, Any]) -> dict[str, Any]:
    return {"target_message_id": None, **dict.fromkeys(_REPLY_TEXTS), **data}


def _forward(data: object, reading: Reading, path: str, depth: int) -> list[dict[str, Any]]:
    if not isinstance(data, (list, tuple)):
        reading.note("want_list", path, data)
        return []
    if depth >= MAX_FORWARDS:
        reading.note("too_deep", path, data, limit=MAX_FORWARDS)
        return []
    nodes = []
    for index, node in enumerate(data):
        where = f"{path}[{index}]"
        if not isinstance(node, Mapping):
            reading.note("want_dict", where, node)
            continue
        nodes.append(
            {
                **node,
                "user_id": _id(node, "user_id", reading, where) if node.get("user_id") is not None else None,
                "user_nickname": reading.text(node, "user_nickname", f"{where}.user_nickname"),
                "user_cardname": reading.text_or_none(node, "user_cardname", f"{where}.user_cardname"),
                "message_id": _id(node, "message_id", reading, where),
                "content": read_segments(node.get("content"), reading, f"{where}.content", depth + 1),
            }
        )
    return nodes


def _id(owner: Mapping[str, Any], key: str, reading: Reading, path: str) -> str:
    value = owner.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return reading.text(owner, key, f"{path}.{key}")


_READERS: dict[str, Callable[[object, Reading, str], Any]] = {
    "text": _text,
    "image": _description,
    "emoji": _description,
    "voice": _description,
    "file": _dict,
    "at": _at,
    "reply": _reply,
    "dict": _dict,
}
