"""Planner and replyer payloads carry one thing in two forms; the kernel keeps them in step after each handler."""

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.catalogue.context_items import check_request_context, items_of_messages, messages_of_items, read_items
from host.catalogue.planner import PLANNER_HOOKS
from host.catalogue.reconciling import reconcile_context
from host.catalogue.replyer import REPLYER_HOOKS
from host.hooks import Declaration, HookResult, Hooks

SPECS = {spec.name: spec for spec in (*PLANNER_HOOKS, *REPLYER_HOOKS)}
REQUESTS = ["maisaka.planner.before_request", "maisaka.replyer.before_model_request"]
ANSWERS = ["maisaka.planner.after_response", "maisaka.replyer.after_response"]
EACH_REQUEST = pytest.mark.parametrize("hook", REQUESTS)
EACH_ANSWER = pytest.mark.parametrize("hook", ANSWERS)
NOW = "2026-09-21T22:13:20"
OTHERS: dict[type, Any] = {str: "", int: 0, bool: False, list: [], dict: {}}
Change = Callable[[dict[str, Any]], Any]


def item(kind: str, item_id: str, turn: str | None = None, **content: Any) -> dict[str, Any]:
    meta = {"item_id": item_id, "logical_turn_id": turn, "timestamp": NOW}
    return {"item_type": kind, "meta": meta, **content}


def text(kind: str, item_id: str, said: str, turn: str | None = None, **content: Any) -> dict[str, Any]:
    return item(kind, item_id, turn, parts=[{"type": "text", "text": said}], **content)


def called(call_id: str, item_id: str, turn: str | None, **args: Any) -> dict[str, Any]:
    call = {"call_id": call_id, "func_name": "weather", "args": args, "extra_content": None}
    return item("FunctionCallItem", item_id, turn, tool_call=call)


def entry(call_id: str, **args: Any) -> dict[str, Any]:
    return {"id": call_id, "function": {"name": "weather", "arguments": args}}


ITEMS = [
    text("SystemMessageItem", "a1", "Be brief."),
    text("UserMessageItem", "a2", "Weather?"),
    item("ReasoningItem", "a3", "t1", representation="summary", summary_parts=["hm"], text_parts=[]),
    text("AssistantMessageItem", "a4", "Let me see.", "t1", phase="commentary"),
    called("c1", "a5", "t1", city="Oslo"),
    item("FunctionCallOutputItem", "a6", "t1", call_id="c1", output="21 C", tool_name="weather", success=False),
    item("ProviderOpaqueItem", "a7", "t2", provider_type="p", display_summary=""),
    text("UserMessageItem", "a8", "And?"),
]
MESSAGES = messages_of_items(read_items(ITEMS))
OUTPUT = [
    item("ReasoningItem", "b1", "t3", representation="raw_text", summary_parts=[], text_parts=["hm"]),
    text("AssistantMessageItem", "b2", "Sunny.", "t3", phase="final"),
    called("c1", "b3", "t3", city="Oslo"),
    item("ProviderOpaqueItem", "b4", "t3", provider_type="p", display_summary=""),
    called("c2", "b5", "t3", city="Rome"),
]
CALLS = [entry("c1", city="Oslo"), entry("c2", city="Rome")]


def payload_of(hook: str) -> dict[str, Any]:
    """A whole payload: both forms, and nothing under the other keys."""
    forms = {"messages": MESSAGES, "items": ITEMS, "output_items": OUTPUT, "response": "Sunny.", "tool_calls": CALLS}
    payload: dict[str, Any] = {}
    for name in SPECS[hook].payload.__required_keys__:
        kinds = {"integer": 0, "string": "", "boolean": False, "array": [], "object": {}}
        payload[name] = forms[name] if name in forms else kinds[_kind(hook, name)]
    return {**payload, "item_schema_version": 1}


@cache
def _kind(hook: str, name: str) -> str:
    hooks = Hooks()
    hooks.register_spec(SPECS[hook])
    schema = next(row for row in hooks.describe()).parameters_schema
    return str(schema["properties"][name]["type"])


async def fired(hook: str, *changes: Change) -> tuple[HookResult, list[dict[str, Any]]]:
    """Fire a hook with a handler for each change, which edits its payload in place and returns what that gives.

    Returns:
        The result, and the payloads as each handler got them; the last one is what a further handler gets.
    """
    hooks = Hooks()
    hooks.register_spec(SPECS[hook])
    seen: list[dict[str, Any]] = []

    def applying(change: Change) -> Callable[..., Any]:
        async def handler(**kwargs: Any) -> dict[str, Any]:
            seen.append(deepcopy(kwargs))
            change(kwargs)
            return {"modified_kwargs": kwargs}

        return handler

    for number, change in enumerate([*changes, setting()]):
        hooks.register(f"plugin.{number}", [Declaration(hook=hook, handler=applying(change), name="handler")])
    return await hooks.invoke(hook, payload_of(hook)), seen


def setting(**keys: Any) -> Change:
    return lambda kwargs: kwargs.update(deepcopy(keys))


@pytest.mark.parametrize("hook", [*REQUESTS, *ANSWERS])
async def test_a_handler_that_returns_everything_unchanged_changes_nothing(hook: str) -> None:
    result, _ = await fired(hook, lambda kwargs: None)
    assert result.errors == ()
    assert result.kwargs == payload_of(hook)


@EACH_REQUEST
async def test_a_message_put_in_appears_as_an_item_and_the_others_stay_as_they_are(hook: str) -> None:
    new = {"role": "system", "content": "Rhyme.", "own": 1}
    result, seen = await fired(hook, lambda kwargs: kwargs["messages"].insert(1, new))
    assert result.errors == ()
    items = seen[1]["items"]
    assert [*items[:1], *items[2:]] == ITEMS
    assert items[1]["parts"] == [{"type": "text", "text": "Rhyme."}]
    assert seen[1]["messages"] == [MESSAGES[0], new, *MESSAGES[1:]]
    assert (result.kwargs["items"], result.kwargs["messages"]) == (items, seen[1]["messages"])


@EACH_REQUEST
async def test_an_edited_message_keeps_the_identity_of_its_item(hook: str) -> None:
    _, seen = await fired(hook, lambda kwargs: kwargs["messages"][1].update(content="Climate?"))
    assert seen[1]["items"] == [ITEMS[0], text("UserMessageItem", "a2", "Climate?"), *ITEMS[2:]]


@EACH_REQUEST
async def test_of_an_edited_assistant_message_only_what_was_edited_is_new(hook: str) -> None:
    def edit(kwargs: dict[str, Any]) -> None:
        kwargs["messages"][2]["content"] = "One moment."
        kwargs["messages"][2]["tool_calls"][0]["function"]["arguments"] = '{"city": "Rome"}'

    _, seen = await fired(hook, edit)
    assert seen[1]["items"] == [
        *ITEMS[:3],
        text("AssistantMessageItem", "a4", "One moment.", "t1", phase="commentary"),
        called("c1", "a5", "t1", city="Rome"),
        *ITEMS[5:],
    ]


@EACH_REQUEST
async def test_an_edited_answer_of_a_tool_keeps_what_messages_do_not_tell(hook: str) -> None:
    _, seen = await fired(hook, lambda kwargs: kwargs["messages"][3].update(content="22 C"))
    assert seen[1]["items"][5] == {**ITEMS[5], "output": "22 C"}


@EACH_REQUEST
async def test_messages_taken_out_are_gone_from_the_items(hook: str) -> None:
    def clear_and_refill(kwargs: dict[str, Any]) -> None:
        kept = [kwargs["messages"][0], kwargs["messages"][-1]]
        kwargs["messages"].clear()
        kwargs["messages"].extend(kept)

    _, seen = await fired(hook, clear_and_refill)
    assert [each["meta"]["item_id"] for each in seen[1]["items"]] == ["a1", "a7", "a8"]


@EACH_REQUEST
async def test_calls_and_answers_put_in_as_messages_share_a_fresh_turn(hook: str) -> None:
    made = {"role": "assistant", "content": None, "tool_calls": [entry("c7")]}
    given = {"role": "tool", "tool_call_id": "c7", "content": "done"}
    _, seen = await fired(hook, lambda kwargs: kwargs["messages"].extend([made, given]))
    call, output = seen[1]["items"][-2:]
    assert call["meta"]["logical_turn_id"] == output["meta"]["logical_turn_id"] not in ("t1", "t2", None)
    check_request_context(read_items(seen[1]["items"]))


@EACH_REQUEST
async def test_a_changed_item_appears_as_a_message_and_foreign_keys_of_messages_stay(hook: str) -> None:
    def tag(kwargs: dict[str, Any]) -> None:
        kwargs["messages"][0]["own"] = kwargs["messages"][1]["own"] = "tag"

    def edit(kwargs: dict[str, Any]) -> None:
        kwargs["items"][1]["parts"][0]["text"] = "Climate?"
        kwargs["items"].append(text("UserMessageItem", "new", "Now?"))

    result, seen = await fired(hook, tag, edit)
    assert result.errors == ()
    assert seen[1]["items"] == ITEMS
    assert seen[2]["messages"] == [
        {**MESSAGES[0], "own": "tag"},
        {"role": "user", "content": "Climate?", "own": "tag"},
        *MESSAGES[2:],
        {"role": "user", "content": "Now?"},
    ]


@EACH_REQUEST
async def test_where_both_forms_are_changed_the_items_win(hook: str) -> None:
    items = [text("UserMessageItem", "n", "by items")]
    _, seen = await fired(hook, setting(items=items, messages=[{"role": "user", "content": "by messages"}]))
    assert seen[1]["items"] == items
    assert seen[1]["messages"] == [{"role": "user", "content": "by items"}]


@EACH_REQUEST
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (setting(messages=[{"role": "narrator", "content": "x"}]), "messages[0].role"),
        (setting(messages=[{"role": "user", "content": ""}]), "messages[0] has no content"),
        (lambda kwargs: kwargs["messages"].pop(2), "answers the call 'c1'"),
        (lambda kwargs: kwargs["messages"].pop(3), "makes the call 'c1', which nothing answers"),
        (lambda kwargs: kwargs["messages"].append(kwargs["messages"][2]), "call_id"),
        (lambda kwargs: kwargs["items"].append(ITEMS[0]), "item_id 'a1'"),
        (lambda kwargs: kwargs["items"].pop(5), "which nothing answers"),
        (lambda kwargs: kwargs["items"][1].pop("meta"), "items[1].meta is missing"),
        (lambda kwargs: kwargs["items"][1].update(parts=[]), "items[1].parts"),
        (setting(items=[{"item_type": "Poll"}], messages=[{"role": "user", "content": "fine"}]), "items[0].item_type"),
        (setting(item_schema_version=2), "item_schema_version"),
        (setting(items=ITEMS[:2], item_schema_version=2), "item_schema_version"),
    ],
)
async def test_a_damaged_context_is_the_failure_of_its_handler_and_nothing_of_it_is_applied(
    hook: str, change: Change, told: str
) -> None:
    def damage(kwargs: dict[str, Any]) -> None:
        change(kwargs)
        kwargs["session_id"] = "changed"

    result, seen = await fired(hook, damage)
    assert [(error.plugin_id, error.kind) for error in result.errors] == [("plugin.0", "invalid_return")]
    assert told in result.errors[0].text
    assert seen[1] == {**payload_of(hook), "hook_name": hook}
    assert result.kwargs == payload_of(hook)


@EACH_REQUEST
async def test_later_handlers_go_on_with_either_form(hook: str) -> None:
    def first(kwargs: dict[str, Any]) -> None:
        kwargs["messages"].append({"role": "user", "content": "one"})

    def second(kwargs: dict[str, Any]) -> None:
        kwargs["items"][-1]["parts"][0]["text"] += " two"

    def third(kwargs: dict[str, Any]) -> None:
        kwargs["messages"][-1]["content"] += " three"

    result, _ = await fired(hook, first, second, third)
    assert result.errors == ()
    assert result.kwargs["messages"][-1]["content"] == "one two three"
    assert result.kwargs["items"][-1]["parts"] == [{"type": "text", "text": "one two three"}]


@st.composite
def edits(draw: st.DrawFn) -> list[dict[str, Any]]:
    """The messages with some taken out (calls with their answers), some put in, some edited, some moved."""
    calls = draw(st.booleans())
    kept = [
        deepcopy(message)
        for position, message in enumerate(MESSAGES)
        if (calls if position in (2, 3) else draw(st.booleans()))
    ]
    for message in kept:
        if draw(st.integers(0, 3)) == 0:
            message["content"] = draw(st.sampled_from(["new", "other"]))
    for _ in range(draw(st.integers(0, 2))):
        role = draw(st.sampled_from(["system", "user", "assistant"]))
        kept.insert(draw(st.integers(0, len(kept))), {"role": role, "content": draw(st.sampled_from(["x", "y"]))})
    return kept


@given(edits())
def test_however_messages_are_edited_the_items_say_the_same(messages: list[dict[str, Any]]) -> None:
    before = {"messages": MESSAGES, "items": ITEMS, "item_schema_version": 1}
    after: dict[str, Any] = {**before, "messages": messages}
    after |= reconcile_context(before, after)
    found = read_items(after["items"])
    check_request_context(found)
    plain = items_of_messages(messages)
    assert messages_of_items(found) == messages_of_items(plain)
    more = [*after["items"], text("UserMessageItem", "more", "More.")]
    back = reconcile_context(after, {**after, "items": more})["messages"]
    assert messages_of_items(items_of_messages(back)) == messages_of_items(read_items(more))


@EACH_ANSWER
async def test_a_changed_response_takes_the_place_of_what_was_said(hook: str) -> None:
    _, seen = await fired(hook, setting(response="Rainy."))
    assert seen[1]["output_items"] == [
        OUTPUT[0],
        text("AssistantMessageItem", "b2", "Rainy.", "t3", phase="final"),
        *OUTPUT[2:],
    ]


@EACH_ANSWER
async def test_an_emptied_response_takes_what_was_said_away_and_a_new_one_stands_before_the_calls(hook: str) -> None:
    result, seen = await fired(hook, setting(response=""), setting(response="Back."))
    assert seen[1]["output_items"] == [OUTPUT[0], *OUTPUT[2:]]
    again = result.kwargs["output_items"]
    assert [each["item_type"] for each in again] == [each["item_type"] for each in OUTPUT]
    assert again[1]["parts"] == [{"type": "text", "text": "Back."}]
    assert again[1]["meta"]["logical_turn_id"] == "t3"


@EACH_ANSWER
async def test_changed_output_items_are_the_response_and_win_over_it(hook: str) -> None:
    items = [text("AssistantMessageItem", "n", "By items.")]
    _, seen = await fired(hook, setting(output_items=items, response="By text."))
    assert (seen[1]["output_items"], seen[1]["response"]) == (items, "By items.")


@EACH_ANSWER
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda kwargs: kwargs["output_items"].append(text("UserMessageItem", "n", "x")), "UserMessageItem"),
        (lambda kwargs: kwargs["output_items"].append(OUTPUT[0]), "item_id"),
        (lambda kwargs: kwargs["output_items"][2]["meta"].update(logical_turn_id=None), "logical_turn_id"),
        (setting(item_schema_version=2), "item_schema_version"),
    ],
)
async def test_a_damaged_answer_is_the_failure_of_its_handler(hook: str, change: Change, told: str) -> None:
    result, seen = await fired(hook, change)
    assert told in result.errors[0].text
    assert seen[1] == {**payload_of(hook), "hook_name": hook}


async def test_changed_tool_calls_appear_among_the_output_items() -> None:
    calls = [entry("c2", city="Bern"), {"id": "c9", "function": {"name": "weather", "arguments": '{"city": "Kyiv"}'}}]
    _, seen = await fired(ANSWERS[0], setting(tool_calls=calls))
    new = seen[1]["output_items"][-1]
    assert seen[1]["output_items"] == [
        *OUTPUT[:2],
        called("c2", "b5", "t3", city="Bern"),
        OUTPUT[3],
        called("c9", new["meta"]["item_id"], "t3", city="Kyiv") | {"meta": new["meta"]},
    ]
    assert seen[1]["tool_calls"] == calls


async def test_a_tool_call_without_a_name_is_the_failure_of_its_handler() -> None:
    result, _ = await fired(ANSWERS[0], setting(tool_calls=[{"id": "c9", "function": {}}]))
    assert "tool_calls[0].function.name" in result.errors[0].text


async def test_calls_changed_as_items_appear_as_tool_calls_and_the_others_keep_their_foreign_keys() -> None:
    def tag(kwargs: dict[str, Any]) -> None:
        for call in kwargs["tool_calls"]:
            call["type"] = "function"

    def edit(kwargs: dict[str, Any]) -> None:
        kwargs["output_items"][2]["tool_call"]["args"] = {"city": "Bern"}

    _, seen = await fired(ANSWERS[0], tag, edit)
    assert seen[2]["tool_calls"] == [
        {**entry("c1", city="Bern"), "type": "function"},
        {**entry("c2", city="Rome"), "type": "function"},
    ]
    assert seen[2]["response"] == "Sunny."
