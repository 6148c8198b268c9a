"""``messages`` and ``items``: the context of a request in its two forms."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from host.catalogue.context_items import (
    STAMP,
    FunctionCallItem,
    FunctionCallOutputItem,
    Item,
    Message,
    MessageReader,
    Stamp,
    SystemMessageItem,
    UserMessageItem,
    check_request_context,
    item_type_of,
    message_of_run,
    read_items,
    role_of,
    runs_of,
)
from host.catalogue.reconciling.partners import partners
from host.catalogue.reconciling.revision import ItemDict, Revision, changed, revised
from host.catalogue.reconciling.version import check_version
from host.hooks.portable import portable

_MESSAGE_KEYS = frozenset({"role", "content", "reasoning_content", "tool_calls", "tool_call_id"})
_ROLES: dict[type[Item], str] = {SystemMessageItem: "system", UserMessageItem: "user", FunctionCallOutputItem: "tool"}


def reconcile_context(before: Mapping[str, Any], after: Mapping[str, Any], stamp: Stamp = STAMP) -> dict[str, Any]:
    """Take a change of ``messages`` over into ``items``, or the other way; where both were changed, the items win.

    What was not changed stays in the other form as it stands there, with ids, times and keys that nobody knows.

    Args:
        before: the payload before a handler.
        after: the payload after it.
        stamp: makes ids and times of new items.

    Returns:
        The keys to change on top.

    Raises:
        ContextError: what came back is no context.
        InvalidValueError: what was made of it may not be in a payload.
    """
    check_version(before, after, "items")
    units = _units(before["messages"], before["items"])
    if after["items"] != before["items"]:
        messages = messages_after(units, after["items"])
        return {"messages": portable(messages, "messages")}
    if after["messages"] != before["messages"]:
        items = items_after(units, after["messages"], stamp)
        check_request_context(read_items(items))
        return {"items": portable(items, "items")}
    return {}


class Unit(NamedTuple):
    """Messages and the items that stand for the same.

    Args:
        messages: one; none for items of a model that neither speak nor call; several where they cannot be told apart.
        items: one, or a model's.
    """

    messages: list[Message]
    items: list[ItemDict]


def messages_after(units: Sequence[Unit], items: object) -> list[Message]:
    """The messages for changed items.

    Args:
        units: both forms before.
        items: the item dicts that came back.

    Raises:
        ContextError: they are no context.
    """
    typed = read_items(items)
    check_request_context(typed)
    assert isinstance(items, list)
    runs, dicts = [*runs_of(typed)], iter(items)
    written = [[next(dicts) for _ in run] for run in runs]
    messages = []
    for run, partner in zip(runs, partners([unit.items for unit in units], written, _share_an_id), strict=True):
        old = units[partner.place].messages if partner else []
        if partner and partner.same:
            messages += old
        elif (message := message_of_run(run)) is not None:
            others = old[0] if len(old) == 1 else {}
            messages.append({**message, **{key: others[key] for key in others if key not in _MESSAGE_KEYS}})
    return messages


def items_after(units: Sequence[Unit], messages: Sequence[Message], stamp: Stamp) -> list[ItemDict]:
    """The items for changed messages. Answers of tools take the turn of their call.

    Args:
        units: both forms before.
        messages: the messages that came back.
        stamp: makes ids and times of new items.

    Raises:
        ContextError: a message is none.
    """
    parts = [part for unit in units for part in _told_apart(unit)]
    old = [part.messages[0] if len(part.messages) == 1 else None for part in parts]
    found = partners(old, messages, _is_kin)
    silent = _silent_after(parts, {partner.place for partner in found if partner})
    reader = MessageReader(stamp)
    items = silent(-1)
    for position, (message, partner) in enumerate(zip(messages, found, strict=True)):
        path = f"messages[{position}]"
        if partner is None:
            items += [item.to_dict() for item in reader.read(message, path)]
            continue
        part = parts[partner.place]
        if partner.same:
            items += [_in_turn(item, reader, path) for item in part.items]
        else:
            items += _edited(part, message, reader, path)
        items += silent(partner.place)
    return items


def _in_turn(item: ItemDict, reader: MessageReader, path: str) -> ItemDict:
    """An item that nobody changed. Its call is remembered, or its turn made that of the call that it answers."""
    kind = item_type_of(item)
    if kind is FunctionCallItem:
        reader.turns[item["tool_call"]["call_id"]] = item["meta"]["logical_turn_id"]
    if kind is FunctionCallOutputItem:
        turn = reader.turn_of(item["call_id"], path)
        if turn != item["meta"]["logical_turn_id"]:
            return {**item, "meta": {**item["meta"], "logical_turn_id": turn}}
    return item


def _edited(part: Unit, message: Message, reader: MessageReader, path: str) -> list[ItemDict]:
    """The items of a message that was changed in its place."""
    before, after = part.messages[0], message
    turn = next((turn for item in part.items if (turn := item["meta"]["logical_turn_id"])), None)
    new = reader.read(after, path, turn)
    match role_of(after):
        case "assistant":
            same = {key: before.get(key) == after.get(key) for key in _MESSAGE_KEYS}
            items = revised(
                part.items,
                Revision(
                    None if same["reasoning_content"] else _of(new, "ReasoningItem"),
                    None if same["content"] else _of(new, "AssistantMessageItem"),
                    None if same["tool_calls"] else _of(new, "FunctionCallItem"),
                ),
            )
            return [_in_turn(item, reader, path) for item in items]
        case "tool":
            # Only the text stands in a message; the name of the tool and its success do not.
            output = new[0].to_dict()["output"]
            return [_in_turn({**part.items[0], "output": output}, reader, path)]
    # Equal content may be split into other parts than it reads as.
    return part.items if before.get("content") == after.get("content") else [changed(part.items[0], new[0])]


def _of(items: Sequence[Item], kind: str) -> list[Item]:
    return [item for item in items if type(item).__name__ == kind]


def _units(messages: Sequence[Message], items: Sequence[ItemDict]) -> list[Unit]:
    """What belongs together before the change; nothing where the two forms do not go together."""
    units: list[Unit] = []
    left = [*messages]
    for role, run in groupby(items, key=_role_of_item):
        if role == "assistant":
            count = next((index for index, each in enumerate(left) if role_of(each) != role), len(left))
            units.append(Unit(left[:count], [*run]))
            left = left[count:]
            continue
        for item in run:
            if role is None or not left or role_of(left[0]) != role:
                return []
            units.append(Unit([left.pop(0)], [item]))
    return [] if left else units


def _role_of_item(item: ItemDict) -> str | None:
    kind = item_type_of(item)
    return None if kind is None else _ROLES.get(kind, "assistant")


def _told_apart(unit: Unit) -> Iterator[Unit]:
    """A unit of several messages as units of one, where each has a turn of its own."""
    turns = [[*run] for _, run in groupby(unit.items, key=lambda item: item["meta"]["logical_turn_id"])]
    if len(unit.messages) < 2 or len(turns) != len(unit.messages):
        yield unit
    else:
        yield from (Unit([message], items) for message, items in zip(unit.messages, turns, strict=True))


def _silent_after(parts: Sequence[Unit], placed: set[int]) -> Callable[[int], list[ItemDict]]:
    """Where items go that no message shows: after the nearest placed part before them, at the beginning for -1."""
    following: dict[int, list[ItemDict]] = {}
    anchor = -1
    for index, part in enumerate(parts):
        if index in placed:
            anchor = index
        elif not part.messages:
            following.setdefault(anchor, []).extend(part.items)
    return lambda index: following.get(index, [])


def _is_kin(before: Message | None, after: Message) -> bool:
    """Whether a message may be another one, changed."""
    if before is None or role_of(before) != role_of(after):
        return False
    return before.get("tool_call_id") == after.get("tool_call_id")


def _share_an_id(before: Sequence[ItemDict], after: Sequence[ItemDict]) -> bool:
    ids = {item["meta"]["item_id"] for item in before}
    return any(item["meta"]["item_id"] in ids for item in after)
