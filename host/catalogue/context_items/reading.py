"""Reading items out of what came from outside."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from host.catalogue.context_items.errors import InvalidValueInContextError, not_allowed
from host.catalogue.context_items.items import (
    IMAGE_FORMATS,
    ITEM_TYPES,
    AssistantMessageItem,
    FunctionCallItem,
    FunctionCallOutputItem,
    ImagePart,
    Item,
    ItemMeta,
    Part,
    ProviderActivityItem,
    ProviderOpaqueItem,
    ReasoningItem,
    RefusalPart,
    SystemMessageItem,
    TextPart,
    ToolCall,
    UserMessageItem,
)
from host.catalogue.context_items.relations import check_model_output
from host.catalogue.context_items.stamp import Stamp

_NON_EMPTY = "text that is not empty"


def read_items(value: object, path: str = "items") -> list[Item]:
    """The items of a list of item dicts. Keys that nobody knows are ignored.

    Args:
        value: what stands under ``items`` or ``output_items`` of a payload.
        path: where it stands, for errors.

    Raises:
        InvalidValueInContextError: something is no item; relations between items are not looked at.
    """
    if not isinstance(value, list | tuple):
        raise not_allowed(path, value, "a list of items")
    return [_item(each, f"{path}[{index}]", None) for index, each in enumerate(value)]


def read_output(value: object, stamp: Stamp, logical_turn_id: str, path: str = "output_items") -> list[Item]:
    """The items of a provider's answer. Whatever ``meta`` they have is ignored; the host gives them a new one.

    Args:
        value: what stands under ``output_items`` of the answer.
        stamp: makes the meta.
        logical_turn_id: the turn of the request.
        path: where it stands, for errors.

    Raises:
        InvalidValueInContextError: something is no item.
        BrokenRelationError: something may not be in the answer of a model, or has the id of another.
    """
    if not isinstance(value, list | tuple):
        raise not_allowed(path, value, "a list of items")
    items = [_item(each, f"{path}[{index}]", stamp.meta(logical_turn_id)) for index, each in enumerate(value)]
    check_model_output(items, path)
    return items


def item_type_of(value: Mapping[str, Any]) -> type[Item] | None:
    """The type that an item dict says it has, or None where there is no such type."""
    word = value.get("item_type")
    return _TYPES.get(word.strip().lower()) if isinstance(word, str) else None


class Fields:
    """A dict from outside, with where it stands; each method takes one key out or says what is wrong with it."""

    def __init__(self, value: object, path: str) -> None:
        if not isinstance(value, Mapping):
            raise not_allowed(path, value, "a dict")
        self.value = value
        self.path = path

    def take(self, key: str, allowed: str) -> object:
        """The value of a required key."""
        if key not in self.value:
            raise InvalidValueInContextError("missing", f"{self.path}.{key}", allowed=allowed)
        return self.value[key]

    def text(self, key: str) -> str:
        """Text, which may be empty."""
        value = self.take(key, "text")
        if not isinstance(value, str):
            raise not_allowed(f"{self.path}.{key}", value, "text")
        return value

    def non_empty(self, key: str) -> str:
        """Text that is not empty."""
        value = self.take(key, _NON_EMPTY)
        if not isinstance(value, str) or not value:
            raise not_allowed(f"{self.path}.{key}", value, _NON_EMPTY)
        return value

    def texts(self, key: str, *, allow_empty: bool) -> tuple[str, ...]:
        """A list of texts."""
        allowed = "a list of texts" if allow_empty else "a list of texts that are not empty"
        value = self.take(key, allowed)
        if not isinstance(value, list | tuple):
            raise not_allowed(f"{self.path}.{key}", value, allowed)
        for index, text in enumerate(value):
            if not isinstance(text, str) or not (text or allow_empty):
                raise not_allowed(f"{self.path}.{key}[{index}]", text, "text" if allow_empty else _NON_EMPTY)
        return tuple(value)

    def inner(self, key: str) -> "Fields":
        """A dict."""
        return Fields(self.take(key, "a dict"), f"{self.path}.{key}")


def _item(value: object, path: str, meta: ItemMeta | None) -> Item:
    fields = Fields(value, path)
    kind = item_type_of(fields.value)
    if kind is None:
        names = ", ".join(each.__name__ for each in ITEM_TYPES)
        raise not_allowed(f"{path}.item_type", fields.take("item_type", names), names)
    return _READERS[kind](fields, meta or _meta(fields.inner("meta")))


def _meta(fields: Fields) -> ItemMeta:
    turn = fields.take("logical_turn_id", f"{_NON_EMPTY}, or null")
    return ItemMeta(
        fields.non_empty("item_id"),
        None if turn is None else fields.non_empty("logical_turn_id"),
        _timestamp(fields),
    )


def _timestamp(fields: Fields) -> str:
    text = fields.non_empty("timestamp")
    try:
        datetime.fromisoformat(text)
    except ValueError:
        raise not_allowed(f"{fields.path}.timestamp", text, "a time in ISO 8601") from None
    return text


def _parts(fields: Fields) -> tuple[Part, ...]:
    allowed = "a list of parts that is not empty"
    value = fields.take("parts", allowed)
    path = f"{fields.path}.parts"
    if not isinstance(value, list | tuple) or not value:
        raise not_allowed(path, value, allowed)
    return tuple(_part(Fields(each, f"{path}[{index}]")) for index, each in enumerate(value))


def _part(fields: Fields) -> Part:
    match fields.text("type").strip().lower():
        case "text":
            return TextPart(fields.non_empty("text"))
        case "image":
            return read_image(fields)
        case "refusal":
            return RefusalPart(fields.non_empty("refusal"))
    raise not_allowed(f"{fields.path}.type", fields.value["type"], "text, image or refusal")


def read_image(fields: Fields) -> ImagePart:
    """A picture given by ``image_format`` and ``image_base64``."""
    return ImagePart(
        image_format(fields.non_empty("image_format"), f"{fields.path}.image_format"), fields.non_empty("image_base64")
    )


def image_format(word: str, path: str) -> str:
    """A picture's format, as it was given.

    Raises:
        InvalidValueInContextError: it is none that a model takes.
    """
    if word.strip().lower() not in IMAGE_FORMATS:
        raise not_allowed(path, word, ", ".join(sorted(IMAGE_FORMATS)))
    return word


def _assistant(fields: Fields, meta: ItemMeta) -> Item:
    phase = None if fields.value.get("phase") is None else fields.text("phase")
    return AssistantMessageItem(meta=meta, parts=_parts(fields), phase=phase)


def _reasoning(fields: Fields, meta: ItemMeta) -> Item:
    item = ReasoningItem(
        meta=meta,
        representation=fields.text("representation"),
        summary_parts=fields.texts("summary_parts", allow_empty=False),
        text_parts=fields.texts("text_parts", allow_empty=False),
    )
    match item:
        case ReasoningItem(representation="raw_text", text_parts=()):
            raise not_allowed(f"{fields.path}.text_parts", [], "at least one text where representation is raw_text")
        case ReasoningItem(representation="summary", summary_parts=()):
            raise not_allowed(f"{fields.path}.summary_parts", [], "at least one text where representation is summary")
        case ReasoningItem(representation="raw_text" | "summary" | "opaque"):
            return item
    raise not_allowed(f"{fields.path}.representation", item.representation, "raw_text, summary or opaque")


def _call(fields: Fields, meta: ItemMeta) -> Item:
    call = fields.inner("tool_call")
    extra = call.take("extra_content", "a dict or null")
    return FunctionCallItem(
        meta=meta,
        tool_call=ToolCall(
            call.non_empty("call_id"),
            call.non_empty("func_name"),
            dict(call.inner("args").value),
            None if extra is None else dict(call.inner("extra_content").value),
        ),
    )


def _output(fields: Fields, meta: ItemMeta) -> Item:
    success = fields.take("success", "true or false")
    if not isinstance(success, bool):
        raise not_allowed(f"{fields.path}.success", success, "true or false")
    return FunctionCallOutputItem(
        meta=meta,
        call_id=fields.non_empty("call_id"),
        output=fields.text("output"),
        tool_name=fields.text("tool_name"),
        success=success,
    )


def _activity(fields: Fields, meta: ItemMeta) -> Item:
    count = fields.take("source_count", "an integer from 0")
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise not_allowed(f"{fields.path}.source_count", count, "an integer from 0")
    return ProviderActivityItem(
        meta=meta,
        provider_type=fields.non_empty("provider_type"),
        call_id=fields.text("call_id"),
        status=fields.text("status"),
        display_summary=fields.text("display_summary"),
        action_type=fields.text("action_type"),
        details=fields.texts("details", allow_empty=True),
        source_count=count,
    )


def _opaque(fields: Fields, meta: ItemMeta) -> Item:
    return ProviderOpaqueItem(
        meta=meta, provider_type=fields.non_empty("provider_type"), display_summary=fields.text("display_summary")
    )


_READERS: dict[type[Item], Callable[[Fields, ItemMeta], Item]] = {
    SystemMessageItem: lambda fields, meta: SystemMessageItem(meta=meta, parts=_parts(fields)),
    UserMessageItem: lambda fields, meta: UserMessageItem(meta=meta, parts=_parts(fields)),
    AssistantMessageItem: _assistant,
    ReasoningItem: _reasoning,
    FunctionCallItem: _call,
    FunctionCallOutputItem: _output,
    ProviderActivityItem: _activity,
    ProviderOpaqueItem: _opaque,
}
_TYPES = {kind.__name__.lower(): kind for kind in ITEM_TYPES}
