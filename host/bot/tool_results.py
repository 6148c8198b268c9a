"""What the return of a plugin's tool means, and how the planner's model is told of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from host.bot.prompt_texts import PROMPT_TEXTS
from host.hooks.texts import Locale


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call of a tool came to.

    Args:
        output: what the model is told.
        success: whether it worked.
        ends: the turn ends with the calls of this round.
    """

    output: str
    success: bool = True
    ends: bool = False

    @classmethod
    def failed(cls, why: str) -> "ToolResult":
        """A call that did not work."""
        return cls(why, success=False)


def result_of(returned: object, locale: Locale = "en") -> ToolResult:
    """What a handler that returned came to.

    A dict has ``success``, ``content`` (or ``message``), ``error``, ``content_items`` and ``stop_after_execution``; of
    a list that begins with a bool that is the success, and the next is the text. Everything else is the text of a
    success. The model gets the text, else the items of the content, a line each, else the whole as JSON.

    Args:
        returned: made of the types that may be in a payload.
        locale: the language of words that stand in for missing ones.
    """
    match returned:
        case Mapping():
            return _of_dict(returned, locale)
        case [bool(success), *rest]:
            text = rest[0].strip() if rest and isinstance(rest[0], str) else ""
            return ToolResult(text or _json(returned), success)
        case str():
            return ToolResult(returned.strip() or _worked(locale))
        case None:
            return ToolResult(_worked(locale))
    return ToolResult(str(returned))


def _of_dict(returned: Mapping[str, Any], locale: Locale) -> ToolResult:
    ends = returned.get("stop_after_execution", False)
    if not isinstance(ends, bool):
        return ToolResult.failed(PROMPT_TEXTS.render("bad_stop", {}, locale))
    success = returned.get("success", True) is not False
    content = next((text for key in ("content", "message") if isinstance(text := returned.get(key), str)), "")
    items = returned.get("content_items")
    lines = [_line(item) for item in items if isinstance(item, Mapping)] if isinstance(items, Sequence) else []
    told = content.strip() or "\n".join(filter(None, lines)) or _json(returned)
    return ToolResult(told, success, ends and success)


def _line(item: Mapping[str, Any]) -> str:
    """A line for a piece of content: its words, or what it is and what it is called."""
    kind = item.get("content_type") or item.get("type")
    if kind == "text":
        return str(item.get("text") or "")
    name = item.get("name") or item.get("uri") or item.get("description") or ""
    return f"[{kind}] {name}".strip()


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _worked(locale: Locale) -> str:
    return PROMPT_TEXTS.render("tool_worked", {}, locale)
