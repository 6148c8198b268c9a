"""Role messages made into items."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from host.catalogue.context_items.errors import InvalidValueInContextError, not_allowed
from host.catalogue.context_items.items import (
    AssistantMessageItem,
    FunctionCallItem,
    FunctionCallOutputItem,
    ImagePart,
    Item,
    ItemMeta,
    Part,
    ReasoningItem,
    RefusalPart,
    SystemMessageItem,
    TextPart,
    ToolCall,
    UserMessageItem,
)
from host.catalogue.context_items.reading import Fields, image_format, read_image
from host.catalogue.context_items.stamp import STAMP, Stamp
from host.hooks.portable import InvalidValueError, portable

ROLES = ("system", "user", "assistant", "tool")

_DATA_URL = re.compile(r"data:image/([^;,]+);base64,(.+)", re.IGNORECASE | re.DOTALL)


def items_of_messages(messages: object, stamp: Stamp = STAMP, path: str = "messages") -> list[Item]:
    """The items that stand for role messages, each with a fresh id and the present time.

    The calls of an assistant message share a fresh turn with what else it says; an answer of a tool has the turn of the
    earlier message that made the call.

    Args:
        messages: a list of ``{role, content, ...}``; or one text, which is what a user says.
        stamp: makes ids and times.
        path: where they stand, for errors.

    Raises:
        InvalidValueInContextError: something is no role message.
    """
    if isinstance(messages, str):
        messages = [{"role": "user", "content": messages}]
    if not isinstance(messages, list | tuple):
        raise not_allowed(path, messages, "a list of role messages, or text")
    reader = MessageReader(stamp)
    return [item for index, each in enumerate(messages) for item in reader.read(each, f"{path}[{index}]")]


def role_of(message: Mapping[str, Any]) -> str | None:
    """A message's role, one of `ROLES`; None where it has no such role."""
    word = message.get("role")
    role = word.strip().lower() if isinstance(word, str) else None
    return role if role in ROLES else None


class MessageReader:
    """Reads messages one after another, remembering whose calls they make.

    Args:
        stamp: makes ids and times.

    Attributes:
        turns: the turn of each call that was met, by call id.
    """

    def __init__(self, stamp: Stamp) -> None:
        self.turns: dict[str, str] = {}
        self._stamp = stamp

    def read(self, message: object, path: str, turn: str | None = None) -> list[Item]:
        """The items of one message.

        Args:
            message: ``{role, content, ...}``.
            path: where it stands, for errors.
            turn: the turn of an assistant message; a fresh one when not given.

        Raises:
            InvalidValueInContextError: it is no role message, or answers a call that no message before it made.
        """
        fields = Fields(message, path)
        match role_of(fields.value):
            case "system":
                return [SystemMessageItem(meta=self._stamp.meta(None), parts=_needed_parts(fields, "system"))]
            case "user":
                return [UserMessageItem(meta=self._stamp.meta(None), parts=_needed_parts(fields, "user"))]
            case "assistant":
                return self._assistant(fields, turn or self._stamp.new_id())
            case "tool":
                return [self._answer(fields)]
        raise not_allowed(f"{path}.role", fields.take("role", ", ".join(ROLES)), ", ".join(ROLES))

    def turn_of(self, call_id: str, path: str) -> str:
        """The turn in which a call was made.

        Raises:
            InvalidValueInContextError: no message before made it.
        """
        if call_id not in self.turns:
            raise InvalidValueInContextError("call_unknown", path, id=call_id)
        return self.turns[call_id]

    def _assistant(self, fields: Fields, turn: str) -> list[Item]:
        items: list[Item] = []
        if thoughts := _reasoning(fields):
            items.append(ReasoningItem(meta=self._meta(turn), representation="raw_text", text_parts=(thoughts,)))
        if parts := _parts(fields.value.get("content"), f"{fields.path}.content"):
            items.append(AssistantMessageItem(meta=self._meta(turn), parts=parts))
        for call in read_tool_calls(fields.value.get("tool_calls"), f"{fields.path}.tool_calls"):
            items.append(FunctionCallItem(meta=self._meta(turn), tool_call=call))
            self.turns[call.call_id] = turn
        if not items:
            raise InvalidValueInContextError("empty_assistant", fields.path)
        return items

    def _answer(self, fields: Fields) -> Item:
        call_id = fields.non_empty("tool_call_id")
        parts = _parts(fields.value.get("content"), f"{fields.path}.content")
        for part in parts:
            if isinstance(part, ImagePart):
                raise InvalidValueInContextError("picture_in_tool", f"{fields.path}.content")
        turn = self.turn_of(call_id, fields.path)
        return FunctionCallOutputItem(meta=self._meta(turn), call_id=call_id, output=text_of(parts))

    def _meta(self, turn: str) -> ItemMeta:
        return self._stamp.meta(turn)


def text_of(parts: Sequence[Part]) -> str:
    """The text of parts, joined. A refusal counts as text, a picture as nothing."""
    return "".join(map(_text_of_part, parts))


def _text_of_part(part: Part) -> str:
    match part:
        case TextPart(text) | RefusalPart(text):
            return text
        case ImagePart():
            return ""


def read_tool_calls(value: object, path: str = "tool_calls") -> list[ToolCall]:
    """The calls of a list in any of the forms in use; None is an empty list.

    Raises:
        InvalidValueInContextError: something is no call.
    """
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise not_allowed(path, value, "a list of tool calls")
    return [read_tool_call(each, f"{path}[{index}]") for index, each in enumerate(value)]


def read_tool_call(value: object, path: str) -> ToolCall:
    """One call: its id under ``id`` or ``call_id``, name and arguments under ``function`` or beside it.

    Arguments may be a dict, None, or JSON text. Text that is no JSON becomes ``{"raw_arguments": text}``, and JSON that
    is no object ``{"value": it}``.

    Raises:
        InvalidValueInContextError: it has no id or no name.
    """
    entry = Fields(value, path)
    id_key = "id" if entry.value.get("id") is not None else "call_id" if "call_id" in entry.value else "id"
    call_id = entry.non_empty(id_key)
    function = entry.inner("function") if entry.value.get("function") is not None else entry
    name_key = next((key for key in ("name", "func_name") if key in function.value), "name")
    given = next((function.value[key] for key in ("arguments", "args") if key in function.value), None)
    extra = entry.value.get("extra_content")
    return ToolCall(
        call_id,
        function.non_empty(name_key),
        arguments_of(given),
        dict(extra) if isinstance(extra, Mapping) else None,
    )


def arguments_of(given: object) -> dict[str, Any]:
    """The arguments of a call as a dict, from whatever form a model or a plugin gave them in."""
    if given is None or given == "":
        return {}
    if not isinstance(given, str):
        return dict(given) if isinstance(given, Mapping) else {"value": given}
    try:
        parsed = json.loads(given)
        # As deep as it will lie in a payload.
        portable([{"tool_call": {"args": {"value": parsed}}}], "items")
    except (ValueError, RecursionError, InvalidValueError):
        return {"raw_arguments": given}
    return parsed if isinstance(parsed, dict) else {"value": parsed}


def _reasoning(fields: Fields) -> str:
    thoughts = fields.value.get("reasoning_content")
    return "" if thoughts is None else fields.text("reasoning_content")


def _needed_parts(fields: Fields, role: str) -> tuple[Part, ...]:
    parts = _parts(fields.value.get("content"), f"{fields.path}.content")
    if not parts:
        raise InvalidValueInContextError("no_content", fields.path, role=role)
    return parts


def _parts(content: object, path: str) -> tuple[Part, ...]:
    """The parts of a message's content: text, a part, or a list of texts, parts and pairs of format and data."""
    if content is None:
        return ()
    if isinstance(content, list | tuple):
        parts = [_member(each, f"{path}[{index}]") for index, each in enumerate(content)]
    else:
        parts = [_part(content, path)]
    return tuple(part for part in parts if part != TextPart(""))


def _member(value: object, path: str) -> Part:
    if isinstance(value, list | tuple):
        match value:
            case [str() as word, str() as data] if data:
                return ImagePart(image_format(word, f"{path}[0]"), data)
        raise not_allowed(path, value, "a pair of image format and base64 data")
    return _part(value, path)


def _part(value: object, path: str) -> Part:
    if isinstance(value, str):
        return TextPart(value)
    if not isinstance(value, Mapping):
        raise not_allowed(path, value, "text, a part, or a list of them")
    fields = Fields(value, path)
    match fields.text("type").strip().lower() if "type" in value else "text":
        case "text":
            return TextPart(fields.text("text"))
        case "image" | "image_url" | "input_image":
            return _image(fields)
    raise not_allowed(f"{path}.type", value["type"], "text, image, image_url or input_image")


def _image(fields: Fields) -> ImagePart:
    if "image_url" not in fields.value:
        return read_image(fields)
    path = f"{fields.path}.image_url"
    url = fields.value["image_url"]
    if isinstance(url, Mapping):
        url, path = Fields(url, path).text("url"), f"{path}.url"
    found = _DATA_URL.fullmatch(url.strip()) if isinstance(url, str) else None
    if found is None:
        raise not_allowed(path, url, "a data URL, data:image/<format>;base64,<data>")
    return ImagePart(image_format(found[1], path), found[2])
