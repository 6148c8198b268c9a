"""A model's items after some of what they say was changed in the other form."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from host.catalogue.context_items import (
    AssistantMessageItem,
    FunctionCallItem,
    Item,
    ReasoningItem,
    item_type_of,
)

ItemDict = dict[str, Any]


class Revision(NamedTuple):
    """What is new; None leaves things as they were.

    Args:
        thoughts: in the place of all `ReasoningItem`.
        spoken: in the place of all `AssistantMessageItem`.
        calls: in the place of all `FunctionCallItem`.
    """

    thoughts: Sequence[Item] | None = None
    spoken: Sequence[Item] | None = None
    calls: Sequence[Item] | None = None


def revised(old: Sequence[ItemDict], revision: Revision) -> list[ItemDict]:
    """Item dicts with a revision applied.

    New items take the places of the old ones of their type; further ones follow these, and where there were none,
    thoughts come first, calls last, and what is said before the first call. A changed item keeps its id, turn and time;
    a call is known by its call id.

    Args:
        old: the items before.
        revision: typed items with a fresh meta.
    """
    items = [*old]
    if revision.thoughts is not None:
        items = _replaced(items, ReasoningItem, [*revision.thoughts], at=0)
    if revision.spoken is not None:
        calls = (index for index, item in enumerate(items) if item_type_of(item) is FunctionCallItem)
        items = _replaced(items, AssistantMessageItem, [*revision.spoken], at=next(calls, len(items)))
    if revision.calls is not None:
        items = _replaced(items, FunctionCallItem, [*revision.calls], at=len(items))
    return items


def changed(old: ItemDict, new: Item) -> ItemDict:
    """An item with the content of `new`, and what else `old` had: meta and the keys that nobody knows."""
    return {**old, **new.to_dict(), "meta": old["meta"]}


def _replaced(items: list[ItemDict], kind: type[Item], new: list[Item], *, at: int) -> list[ItemDict]:
    slots = [index for index, item in enumerate(items) if item_type_of(item) is kind]
    written = _written([items[index] for index in slots], new)
    if not slots:
        return [*items[:at], *written, *items[at:]]
    filled: list[ItemDict] = []
    for index, item in enumerate(items):
        if index not in slots:
            filled.append(item)
        elif index == slots[-1]:
            filled += written
        elif written:
            filled.append(written.pop(0))
    return filled


def _written(old: list[ItemDict], new: list[Item]) -> list[ItemDict]:
    """The new items as dicts, each over the old one that it was."""
    by_call = {item["tool_call"]["call_id"]: item for item in old if item_type_of(item) is FunctionCallItem}
    written = []
    for index, item in enumerate(new):
        if isinstance(item, FunctionCallItem):
            own = by_call.get(item.tool_call.call_id)
        else:
            own = old[index] if index < len(old) else None
        written.append(item.to_dict() if own is None else changed(own, item))
    return written
