"""How a message reads as plain text: what commands, filters and models go by."""

from collections.abc import Mapping, Sequence
from typing import Any

from host.bot.segments import Segment
from host.bot.texts import BOT_TEXTS
from host.hooks.texts import Locale


def plain_text(segments: Sequence[Segment], locale: Locale = "en") -> str:
    """The segments as text, in order, markers in place of what is no text.

    Text stands as it is, piece after piece. A marker (``[image: a cat]``, ``@Lin``, ``[reply to Lin: tea?]``) is set
    off with a space where none is.

    Args:
        segments: as `read_segments` gives them.
        locale: the language of the markers.
    """
    result = ""
    after_marker = False
    for segment in segments:
        is_text = segment["type"] == "text"
        piece = segment["data"] if is_text else _marker(segment, locale)
        if piece and result and not (result[-1].isspace() or piece[0].isspace()) and (after_marker or not is_text):
            result += " "
        result += piece
        after_marker = not is_text if piece else after_marker
    return result


def _marker(segment: Segment, locale: Locale) -> str:
    kind, data = segment["type"], segment["data"]
    if kind == "at":
        return f"@{_name(data, 'target_user_', 'target_user_id')}"
    if kind == "reply":
        return _reply(data, locale)
    if kind == "forward":
        return _forward(data, locale)
    if kind == "file":
        return _labelled("file", _label(data, "name", "file_name"), locale)
    if kind == "dict":
        return _labelled("other", _label(data, "type"), locale)
    return _labelled(kind, data, locale)


def _labelled(kind: str, content: str, locale: Locale) -> str:
    code = f"marker_{kind}_of" if content else f"marker_{kind}"
    return BOT_TEXTS.render(code, {"content": content}, locale)


def _reply(data: Mapping[str, Any], locale: Locale) -> str:
    if not data["target_message_content"]:
        return BOT_TEXTS.render("marker_reply", {"target": data["target_message_id"]}, locale)
    name = _name(data, "target_message_sender_", "target_message_id")
    return BOT_TEXTS.render("marker_reply_of", {"name": name, "content": data["target_message_content"]}, locale)


def _forward(nodes: Sequence[Mapping[str, Any]], locale: Locale) -> str:
    content = "\n".join(_said(node, locale) for node in nodes)
    return BOT_TEXTS.render("marker_forward", {"content": content}, locale)


def _said(node: Mapping[str, Any], locale: Locale) -> str:
    fields = {"name": _name(node, "user_", "message_id"), "text": plain_text(node["content"], locale)}
    return BOT_TEXTS.render("says", fields, locale)


def _name(data: Mapping[str, Any], prefix: str, fallback: str) -> str:
    """The name that a group shows: the card of the group, else the nickname, else an id."""
    return str(data[f"{prefix}cardname"] or data[f"{prefix}nickname"] or data.get(f"{prefix}id") or data[fallback])


def _label(data: Mapping[str, Any], *keys: str) -> str:
    """The first of `keys` that holds text. What is in these dicts is the platform's own."""
    return next((value for key in keys if isinstance(value := data.get(key), str)), "")
