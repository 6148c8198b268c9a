"""Messages as context items, the form in which plugins that provide models are asked and may answer."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from host.models.answer import FinishReason, ModelAnswer, Usage
from host.models.errors import ProviderError
from host.models.request import Message, Part, TextPart, ToolCall

ITEM_SCHEMA_VERSION = 1
_STATUS: dict[object, FinishReason] = {"completed": "stop", "incomplete": "length"}


def context_items(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The items of a conversation. What one assistant's message says and calls, and what came of it, is one turn."""
    turns: dict[str, str] = {}
    items: list[dict[str, Any]] = []
    for message in messages:
        items.extend(_items(message, turns))
    return items


def _items(message: Message, turns: dict[str, str]) -> Iterator[dict[str, Any]]:
    match message.role:
        case "system":
            yield _item("SystemMessageItem", None, parts=_parts(message.parts))
        case "user":
            yield _item("UserMessageItem", None, parts=_parts(message.parts))
        case "tool":
            turn, call_id = turns.get(message.tool_call_id), message.tool_call_id
            yield _item(
                "FunctionCallOutputItem", turn, call_id=call_id, output=message.text, tool_name="", success=True
            )
        case "assistant":
            turn = uuid4().hex
            turns.update((call.id, turn) for call in message.tool_calls)
            if message.reasoning:
                told = {"representation": "raw_text", "summary_parts": [], "text_parts": [message.reasoning]}
                yield _item("ReasoningItem", turn, **told)
            if message.parts:
                yield _item("AssistantMessageItem", turn, parts=_parts(message.parts))
            for call in message.tool_calls:
                yield _item("FunctionCallItem", turn, tool_call=_written_call(call))


def _item(item_type: str, turn: str | None, **content: Any) -> dict[str, Any]:
    meta = {"item_id": uuid4().hex, "logical_turn_id": turn, "timestamp": datetime.now().isoformat()}
    return {"item_type": item_type, "meta": meta, **content}


def _parts(parts: Sequence[Part]) -> list[dict[str, Any]]:
    return [
        {"type": "text", "text": part.text}
        if isinstance(part, TextPart)
        else {"type": "image", "image_format": part.format, "image_base64": part.base64}
        for part in parts
    ]


def _written_call(call: ToolCall) -> dict[str, Any]:
    args = {"raw_arguments": call.raw_arguments} if call.malformed else dict(call.arguments)
    extra = None if call.extra_content is None else dict(call.extra_content)
    return {"call_id": call.id, "func_name": call.name, "args": args, "extra_content": extra}


def read_output_items(items: object, version: object, status: object, usage: Usage) -> ModelAnswer:
    """The answer that a model gave as items. Their `meta` is not read; what only concerns the provider is left out.

    Raises:
        ProviderError: the version is another, an item is malformed, or two calls have one id.
    """
    if version != ITEM_SCHEMA_VERSION:
        raise ProviderError("unreadable", f"item_schema_version is {version!r:.40}; allowed is {ITEM_SCHEMA_VERSION}")
    if not isinstance(items, list):
        raise ProviderError("unreadable", f"output_items is {type(items).__name__}; allowed is a list")
    texts: list[str] = []
    thoughts: list[str] = []
    calls: dict[str, ToolCall] = {}
    for index, item in enumerate(items):
        path = f"output_items[{index}]"
        match item:
            case {"item_type": "AssistantMessageItem", "parts": [_, *_] as parts}:
                texts.extend(_read_part(part, path) for part in parts)
            case {"item_type": "ReasoningItem"}:
                thoughts.extend(_read_thoughts(item, path))
            case {"item_type": "FunctionCallItem", "tool_call": dict(call)}:
                read = _read_call(call, path)
                if read.id in calls:
                    raise ProviderError("unreadable", f"{path} has the call id of another call")
                calls[read.id] = read
            case {"item_type": "ProviderActivityItem" | "ProviderOpaqueItem"}:
                continue
            case _:
                raise ProviderError("unreadable", f"{path} is no item that a model answers with")
    reason = "tool_calls" if calls else _STATUS.get(status, "other")
    return ModelAnswer("".join(texts), "\n".join(thoughts), tuple(calls.values()), reason, usage)


def _read_part(part: object, path: str) -> str:
    match part:
        case {"type": str(kind), "text": str(text)} if kind.strip().lower() == "text" and text:
            return text
        case {"type": str(kind), "refusal": str(text)} if kind.strip().lower() == "refusal" and text:
            return text
    raise ProviderError("unreadable", f"{path} has a part that is neither text nor a refusal")


def _read_thoughts(item: dict[str, Any], path: str) -> list[str]:
    summary, text = item.get("summary_parts"), item.get("text_parts")
    needed = {"raw_text": text, "summary": summary, "opaque": ["-"]}.get(str(item.get("representation")))
    if not (_is_texts(summary) and _is_texts(text) and needed):
        raise ProviderError("unreadable", f"{path} is no reasoning item")
    return list(summary or text or [])


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) and each for each in value)


def _read_call(call: dict[str, Any], path: str) -> ToolCall:
    match call:
        case {"call_id": str(call_id), "func_name": str(name), "args": dict(args)} if call_id and name:
            extra = call.get("extra_content")
            return ToolCall(call_id, name, args, extra_content=extra if isinstance(extra, dict) else None)
    raise ProviderError("unreadable", f"{path} is no call: it needs call_id, func_name and args")
