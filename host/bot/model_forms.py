"""Contexts and answers between the form of hooks, which is items, and that of models."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from host.catalogue.context_items import (
    STAMP,
    AssistantMessageItem,
    FunctionCallItem,
    Item,
    ReasoningItem,
    Stamp,
    TextPart,
    ToolCall,
    messages_of_items,
    read_items,
    with_replay,
)
from host.models import Message, ModelAnswer, read_prompt


def prompt_of(items: Sequence[Item]) -> tuple[Message, ...]:
    """A context as a model is asked it.

    Raises:
        PromptError: it holds no message at all.
    """
    return read_prompt(messages_of_items(items))


def items_back(given: Sequence[Item], kwargs: Mapping[str, Any], key: str = "items") -> list[Item]:
    """The items that came back from a hook, with the host's own in the place of those that nobody changed.

    Args:
        given: as they were handed out.
        kwargs: the payload that came back; its spec saw to it that it holds items.
        key: where they stand in it.
    """
    return with_replay(read_items(kwargs[key], key), [*given])


def output_of(answer: ModelAnswer, turn: str, taken: Collection[str] = (), stamp: Stamp = STAMP) -> list[Item]:
    """The answer of a model as items.

    Args:
        answer: the answer.
        turn: the turn that the items belong to.
        taken: ids of earlier calls; a call that has one of them again gets another.
        stamp: makes their ids and times.
    """
    items: list[Item] = []
    if answer.reasoning:
        thoughts = (answer.reasoning,)
        items.append(ReasoningItem(meta=stamp.meta(turn), representation="raw_text", text_parts=thoughts))
    if answer.text:
        items.append(AssistantMessageItem(meta=stamp.meta(turn), parts=(TextPart(answer.text),)))
    for call in answer.tool_calls:
        arguments = {"raw_arguments": call.raw_arguments} if call.malformed else call.arguments
        call_id = call.id if call.id not in taken else f"{call.id}#{stamp.new_id()}"
        made = ToolCall(call_id, call.name, arguments, call.extra_content)
        items.append(FunctionCallItem(meta=stamp.meta(turn), tool_call=made))
    return items


def tokens_of(answer: ModelAnswer) -> dict[str, int]:
    """What an answer took, as payloads tell it."""
    usage = answer.usage
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.total_tokens,
    }
