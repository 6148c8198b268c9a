"""Items: a model's context or answer, piece by piece, each with an id, a turn and a time. Version 1 of the form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

ITEM_SCHEMA_VERSION = 1
"""The version of the form that payloads carry as ``item_schema_version``."""

HIDDEN_KEYS = frozenset({"encrypted_content", "thought_signature"})
"""What providers want back with the next request. It never leaves the host, wherever it stands."""

IMAGE_FORMATS = frozenset({"jpg", "jpeg", "png", "webp", "gif"})
"""The formats a picture may have, in any case of letters."""


@dataclass(frozen=True, slots=True)
class ItemMeta:
    """What every item says about itself.

    Args:
        item_id: unique within a list, not empty.
        logical_turn_id: the turn that it belongs to; calls and what they gave have one.
        timestamp: when, in ISO 8601.
    """

    item_id: str
    logical_turn_id: str | None
    timestamp: str

    def to_dict(self) -> dict[str, Any]:
        """As it stands in payloads."""
        return {"item_id": self.item_id, "logical_turn_id": self.logical_turn_id, "timestamp": self.timestamp}


@dataclass(frozen=True, slots=True)
class TextPart:
    """A piece of text, not empty."""

    text: str

    def to_dict(self) -> dict[str, Any]:
        """As it stands in payloads."""
        return {"type": "text", "text": self.text}


@dataclass(frozen=True, slots=True)
class ImagePart:
    """A picture.

    Args:
        image_format: one of `IMAGE_FORMATS`, in any case.
        image_base64: its bytes.
    """

    image_format: str
    image_base64: str

    def to_dict(self) -> dict[str, Any]:
        """As it stands in payloads."""
        return {"type": "image", "image_format": self.image_format, "image_base64": self.image_base64}


@dataclass(frozen=True, slots=True)
class RefusalPart:
    """What a model said instead of an answer, not empty."""

    refusal: str

    def to_dict(self) -> dict[str, Any]:
        """As it stands in payloads."""
        return {"type": "refusal", "refusal": self.refusal}


Part: TypeAlias = TextPart | ImagePart | RefusalPart


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's call of a tool.

    Args:
        call_id: not empty; the answer names it.
        func_name: the tool, not empty.
        args: the arguments.
        extra_content: further data of the provider, or None.
    """

    call_id: str
    func_name: str
    args: Mapping[str, Any]
    extra_content: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """What all items have.

    Args:
        meta: id, turn and time.
        replay: what the provider wants back with this item, and nobody outside the host gets to see.
    """

    meta: ItemMeta
    replay: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """As it stands in payloads, without what never leaves the host."""
        return {"item_type": type(self).__name__, "meta": self.meta.to_dict(), **self._content()}

    def _content(self) -> dict[str, Any]:
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class _PartsItem(_Item):
    parts: tuple[Part, ...]

    def _content(self) -> dict[str, Any]:
        return {"parts": [part.to_dict() for part in self.parts]}


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemMessageItem(_PartsItem):
    """What the model is told to be. `parts` are not empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMessageItem(_PartsItem):
    """What people said. `parts` are not empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantMessageItem(_PartsItem):
    """What the model said. `parts` are not empty; `phase` is the provider's word for the kind of text, or None."""

    phase: str | None = None

    def _content(self) -> dict[str, Any]:
        # Not `super()`: a dataclass with slots is another class than the one that the compiler saw.
        return _PartsItem._content(self) | ({} if self.phase is None else {"phase": self.phase})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasoningItem(_Item):
    """What the model thought.

    Args:
        representation: ``raw_text``, ``summary`` or ``opaque``.
        summary_parts: a summary in pieces; there for ``summary``.
        text_parts: the thoughts in pieces; there for ``raw_text``.
    """

    representation: str
    summary_parts: tuple[str, ...] = ()
    text_parts: tuple[str, ...] = ()

    def _content(self) -> dict[str, Any]:
        return {
            "representation": self.representation,
            "summary_parts": [*self.summary_parts],
            "text_parts": [*self.text_parts],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionCallItem(_Item):
    """A call of a tool by the model; has a turn."""

    tool_call: ToolCall

    def _content(self) -> dict[str, Any]:
        call = self.tool_call
        extra = call.extra_content
        return {
            "tool_call": {
                "call_id": call.call_id,
                "func_name": call.func_name,
                "args": dict(call.args),
                "extra_content": None if extra is None else without_hidden(extra),
            }
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionCallOutputItem(_Item):
    """What a call of a tool gave; has the turn of the call.

    Args:
        call_id: the call.
        output: what it gave, as text.
        tool_name: the tool, or "".
        success: whether it worked.
    """

    call_id: str
    output: str
    tool_name: str = ""
    success: bool = True

    def _content(self) -> dict[str, Any]:
        return {"call_id": self.call_id, "output": self.output, "tool_name": self.tool_name, "success": self.success}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderActivityItem(_Item):
    """Something that the provider did by itself, such as a search.

    Args:
        provider_type: its word for it, not empty.
        call_id: its id for it, or "".
        status: how far it is.
        display_summary: a line for people.
        action_type: what sort of action.
        details: further lines.
        source_count: how many sources it used.
    """

    provider_type: str
    call_id: str
    status: str
    display_summary: str
    action_type: str
    details: tuple[str, ...]
    source_count: int

    def _content(self) -> dict[str, Any]:
        return {
            "provider_type": self.provider_type,
            "call_id": self.call_id,
            "status": self.status,
            "display_summary": self.display_summary,
            "action_type": self.action_type,
            "details": [*self.details],
            "source_count": self.source_count,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderOpaqueItem(_Item):
    """Something of the provider that nobody else understands.

    Args:
        provider_type: its word for it, not empty.
        display_summary: a line for people.
    """

    provider_type: str
    display_summary: str

    def _content(self) -> dict[str, Any]:
        return {"provider_type": self.provider_type, "display_summary": self.display_summary}


ModelItem: TypeAlias = (
    ReasoningItem | AssistantMessageItem | FunctionCallItem | ProviderActivityItem | ProviderOpaqueItem
)
"""What a model's answer consists of."""

Item: TypeAlias = SystemMessageItem | UserMessageItem | FunctionCallOutputItem | ModelItem

MODEL_ITEMS = (ReasoningItem, AssistantMessageItem, FunctionCallItem, ProviderActivityItem, ProviderOpaqueItem)
ITEM_TYPES: tuple[type[Item], ...] = (SystemMessageItem, UserMessageItem, FunctionCallOutputItem, *MODEL_ITEMS)


def without_hidden(value: Any) -> Any:
    """A copy of a portable value without `HIDDEN_KEYS`, at any depth."""
    if isinstance(value, Mapping):
        return {key: without_hidden(inner) for key, inner in value.items() if key not in HIDDEN_KEYS}
    if isinstance(value, list | tuple):
        return [without_hidden(inner) for inner in value]
    return value


def with_replay(returned: list[Item], given: list[Item]) -> list[Item]:
    """Items that came back from outside, with the host's own objects in the place of those that nobody changed.

    An item with the id and the content of one that was given is that one, replay data and hidden keys included; one
    that was changed comes back without, and costs the others nothing.

    Args:
        returned: as read from what came back.
        given: as they were handed out.
    """
    known = {item.meta.item_id: item for item in given}
    kept = []
    for item in returned:
        own = known.get(item.meta.item_id)
        kept.append(own if own is not None and own.to_dict() == item.to_dict() else item)
    return kept
