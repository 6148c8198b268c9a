"""What the return of a plugin's tool means, and how the planner's model is told of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from host.bot.pictures import format_of
from host.bot.prompt_texts import PROMPT_TEXTS
from host.catalogue.context_items import ImagePart
from host.hooks.texts import Locale

_MEDIA = frozenset({"image", "audio", "resource_link", "resource", "binary"})
_CARRIED = ("data", "base64", "uri", "name", "description", "mime_type")


@dataclass(frozen=True, slots=True)
class Medium:
    """Something beside text that a tool found.

    Args:
        line: what it is and what it is called, with its index.
        picture: itself, where it is a picture of a format that models take.
    """

    line: str
    picture: ImagePart | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call of a tool came to.

    Args:
        output: what the model is told.
        success: whether it worked.
        ends: the turn ends with the calls of this round.
        media: what the model is shown after that.
    """

    output: str
    success: bool = True
    ends: bool = False
    media: tuple[Medium, ...] = ()

    @classmethod
    def failed(cls, why: str) -> "ToolResult":
        """A call that did not work."""
        return cls(why, success=False)


def result_of(returned: object, locale: Locale = "en", call_id: str = "") -> ToolResult:
    """What a handler that returned came to.

    A dict has ``success``, ``content`` (or ``message``), ``error``, ``content_items`` and ``stop_after_execution``; of
    a list that begins with a bool that is the success, and the next is the text. Everything else is the text of a
    success. The model gets the text, else the texts among the items, and a line for each other item; where there is
    none of these, the whole as JSON.

    Args:
        returned: made of the types that may be in a payload.
        locale: the language of words that stand in for missing ones.
        call_id: id of the call, by which media of it are known.
    """
    match returned:
        case Mapping():
            return _of_dict(returned, locale, call_id)
        case [bool(success), *rest]:
            text = rest[0].strip() if rest and isinstance(rest[0], str) else ""
            return ToolResult(text or _json(returned), success)
        case str():
            return ToolResult(returned.strip() or _worked(locale))
        case None:
            return ToolResult(_worked(locale))
    return ToolResult(str(returned))


def _of_dict(returned: Mapping[str, Any], locale: Locale, call_id: str) -> ToolResult:
    ends = returned.get("stop_after_execution", False)
    if not isinstance(ends, bool):
        return ToolResult.failed(PROMPT_TEXTS.render("bad_stop", {}, locale))
    success = returned.get("success", True) is not False
    content = next((text for key in ("content", "message") if isinstance(text := returned.get(key), str)), "")
    found = returned.get("content_items")
    items = [item for item in found if isinstance(item, Mapping)] if isinstance(found, list) else []
    told = content.strip() or "\n".join(
        str(item["text"]) for item in items if _kind(item) == "text" and item.get("text")
    )
    media = tuple(
        _medium(item, f"tool_result:{call_id}:{position}")
        for position, item in enumerate(items, 1)
        if _kind(item) in _MEDIA and any(item.get(key) for key in _CARRIED)
    )
    lines = "\n".join(filter(None, [told, *(each.line for each in media)]))
    return ToolResult(lines or _json(returned), success, ends and success, media)


def _kind(item: Mapping[str, Any]) -> object:
    return item.get("content_type") or item.get("type")


def _medium(item: Mapping[str, Any], index: str) -> Medium:
    name = item.get("name") or item.get("uri") or item.get("description") or item.get("mime_type") or ""
    metadata = item.get("metadata")
    more = [metadata.get(key) for key in ("context_key", "source_url")] if isinstance(metadata, Mapping) else []
    line = " ".join(str(part) for part in (f"[{_kind(item)} {index}]", name, *more) if part)
    shown = _kind(item) == "image" or (_kind(item) == "binary" and str(item.get("mime_type")).startswith("image/"))
    return Medium(line, _picture(item.get("data") or item.get("base64")) if shown else None)


def _picture(data: object) -> ImagePart | None:
    if not isinstance(data, str):
        return None
    encoded = data.partition(",")[2] if data.startswith("data:") else data
    image_format = format_of(encoded)
    return ImagePart(image_format, encoded) if image_format else None


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _worked(locale: Locale) -> str:
    return PROMPT_TEXTS.render("tool_worked", {}, locale)
