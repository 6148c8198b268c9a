"""Items made into role messages."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Literal, TypeAlias

import msgspec

from host.catalogue.context_items.from_messages import text_of
from host.catalogue.context_items.items import (
    MODEL_ITEMS,
    AssistantMessageItem,
    FunctionCallItem,
    FunctionCallOutputItem,
    ImagePart,
    Item,
    Part,
    ReasoningItem,
    SystemMessageItem,
    ToolCall,
    UserMessageItem,
    without_hidden,
)

Form: TypeAlias = Literal["plugin", "chat"]
"""For whom the messages are. ``plugin``: payloads of hooks, with ``reasoning_content`` and arguments as dicts.
``chat``: the wire of chat completions, without thoughts, arguments as JSON text, pictures as data URLs."""

Message: TypeAlias = dict[str, Any]


def messages_of_items(items: Sequence[Item], form: Form = "plugin") -> list[Message]:
    """The role messages that stand for items.

    Adjacent items of a model become one assistant message; where they hold neither text nor calls, none. Lost are ids,
    turns, times, phases, names and success of tools, and that a refusal was one.

    Args:
        items: a context, or a model's answer.
        form: for whom.
    """
    return [message for run in runs_of(items) if (message := message_of_run(run, form)) is not None]


def runs_of(items: Sequence[Item]) -> Iterator[list[Item]]:
    """The items in runs that make one message each: adjacent items of a model together, all others alone."""
    for of_model, run in groupby(items, key=lambda item: isinstance(item, MODEL_ITEMS)):
        if of_model:
            yield [*run]
        else:
            yield from ([item] for item in run)


def message_of_run(run: Sequence[Item], form: Form = "plugin") -> Message | None:
    """The message that one of `runs_of` makes, or None where it makes none."""
    match run[0]:
        case FunctionCallOutputItem() as answer:
            return {"role": "tool", "tool_call_id": answer.call_id, "content": answer.output}
        case SystemMessageItem() as item:
            return {"role": "system", "content": _content(item.parts, form, pictures=form == "plugin")}
        case UserMessageItem() as item:
            return {"role": "user", "content": _content(item.parts, form, pictures=True)}
        case _:
            return _assistant(run, form)


def answer_of(items: Sequence[Item]) -> tuple[str, list[dict[str, Any]]]:
    """A model's answer as text and tool calls, as plugins get them."""
    spoken = [part for item in items if isinstance(item, AssistantMessageItem) for part in item.parts]
    calls = [item.tool_call for item in items if isinstance(item, FunctionCallItem)]
    return text_of(spoken), [call_dict(call) for call in calls]


def call_dict(call: ToolCall, form: Form = "plugin") -> dict[str, Any]:
    """A call as it stands in an assistant message."""
    if form == "chat":
        arguments: Any = msgspec.json.encode(call.args).decode()
        extra = call.extra_content
        entry: dict[str, Any] = {"id": call.call_id, "type": "function"}
    else:
        arguments = dict(call.args)
        extra = None if call.extra_content is None else without_hidden(call.extra_content)
        entry = {"id": call.call_id}
    entry["function"] = {"name": call.func_name, "arguments": arguments}
    return entry if extra is None else {**entry, "extra_content": extra}


def _assistant(run: Sequence[Item], form: Form) -> Message | None:
    spoken = [part for item in run if isinstance(item, AssistantMessageItem) for part in item.parts]
    calls = [item.tool_call for item in run if isinstance(item, FunctionCallItem)]
    if not spoken and not calls:
        return None
    content = _content(spoken, form, pictures=form == "plugin") or None
    message: Message = {"role": "assistant", "content": content}
    thoughts = "\n".join(filter(None, map(_thoughts, run)))
    if thoughts and form == "plugin":
        message["reasoning_content"] = thoughts
    if calls:
        message["tool_calls"] = [call_dict(call, form) for call in calls]
    return message


def _thoughts(item: Item) -> str:
    return "\n".join(item.summary_parts or item.text_parts) if isinstance(item, ReasoningItem) else ""


def _content(parts: Sequence[Part], form: Form, *, pictures: bool) -> Any:
    """Text, or a list of parts where there is a picture that the form has a place for."""
    if not (pictures and any(isinstance(part, ImagePart) for part in parts)):
        return text_of(parts)
    return [_part(part, form) for part in parts]


def _part(part: Part, form: Form) -> dict[str, Any]:
    if not isinstance(part, ImagePart):
        return {"type": "text", "text": text_of([part])}
    if form == "plugin":
        return part.to_dict()
    # `image/jpg` is no media type.
    subtype = part.image_format.strip().lower().replace("jpg", "jpeg")
    return {"type": "image_url", "image_url": {"url": f"data:image/{subtype};base64,{part.image_base64}"}}
