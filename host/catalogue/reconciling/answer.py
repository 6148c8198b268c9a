"""``output_items``, and ``response`` with ``tool_calls``: the answer of a model in its two forms."""

from collections.abc import Mapping, Sequence
from typing import Any

from host.catalogue.context_items import (
    STAMP,
    AssistantMessageItem,
    FunctionCallItem,
    Item,
    Stamp,
    TextPart,
    answer_of,
    check_model_output,
    item_type_of,
    read_items,
    read_tool_calls,
)
from host.catalogue.reconciling.revision import ItemDict, Revision, revised
from host.catalogue.reconciling.version import check_version
from host.hooks.portable import portable

_CALL_KEYS = frozenset({"id", "function", "extra_content"})


def reconcile_answer(before: Mapping[str, Any], after: Mapping[str, Any], stamp: Stamp = STAMP) -> dict[str, Any]:
    """Take a change of ``response`` or ``tool_calls`` over into ``output_items``, or the other way; the items win.

    Args:
        before: the payload before a handler.
        after: the payload after it.
        stamp: makes ids and times of new items.

    Returns:
        The keys to change on top.

    Raises:
        ContextError: what came back is no answer of a model.
        InvalidValueError: what was made of it may not be in a payload.
    """
    check_version(before, after, "output_items")
    if after["output_items"] != before["output_items"]:
        response, calls = _shown(before, after["output_items"])
        return {"response": response, "tool_calls": portable(calls, "tool_calls")}
    spoke = after["response"] != before["response"]
    called = after["tool_calls"] != before["tool_calls"]
    return _taken_over(before, after, stamp, spoke=spoke, called=called) if spoke or called else {}


def reconcile_reply(before: Mapping[str, Any], after: Mapping[str, Any], stamp: Stamp = STAMP) -> dict[str, Any]:
    """The same for a hook whose payload has no ``tool_calls``."""
    check_version(before, after, "output_items")
    if after["output_items"] != before["output_items"]:
        return {"response": _shown(before, after["output_items"])[0]}
    if after["response"] != before["response"]:
        return _taken_over(before, after, stamp, spoke=True, called=False)
    return {}


def _shown(before: Mapping[str, Any], output_items: object) -> tuple[str, list[dict[str, Any]]]:
    """Text and calls of the items that came back; calls that nobody changed as they stood."""
    items = read_items(output_items, "output_items")
    check_model_output(items)
    response, calls = answer_of(items)
    known = {call.get("id"): call for call in before.get("tool_calls", ())}
    unchanged = [item["tool_call"] for item in before["output_items"] if item_type_of(item) is FunctionCallItem]
    assert isinstance(output_items, list)
    made = [item["tool_call"] for item in output_items if item_type_of(item) is FunctionCallItem]
    shown = []
    for call, item in zip(calls, made, strict=True):
        old = known.get(call["id"], {})
        kept = {key: old[key] for key in old if key not in _CALL_KEYS}
        shown.append(old if old and item in unchanged else {**call, **kept})
    return response, shown


def _taken_over(
    before: Mapping[str, Any], after: Mapping[str, Any], stamp: Stamp, *, spoke: bool, called: bool
) -> dict[str, Any]:
    old: Sequence[ItemDict] = before["output_items"]
    turn = next((turn for item in old if (turn := item["meta"]["logical_turn_id"])), None) or stamp.new_id()
    spoken: list[Item] | None = None
    calls: list[Item] | None = None
    if spoke:
        parts = (TextPart(after["response"]),) if after["response"] else ()
        spoken = [AssistantMessageItem(meta=stamp.meta(turn), parts=parts)] if parts else []
    if called:
        found = read_tool_calls(after["tool_calls"])
        calls = [FunctionCallItem(meta=stamp.meta(turn), tool_call=call) for call in found]
    items = revised(old, Revision(spoken=spoken, calls=calls))
    check_model_output(read_items(items, "output_items"))
    return {"output_items": portable(items, "output_items")}
