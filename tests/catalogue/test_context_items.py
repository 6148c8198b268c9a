"""Items and role messages: what is read, what is refused, and what the way from one form to the other keeps."""

import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.catalogue.context_items import (
    AssistantMessageItem,
    BrokenRelationError,
    ContextError,
    FunctionCallItem,
    FunctionCallOutputItem,
    ImagePart,
    InvalidValueInContextError,
    Item,
    ItemMeta,
    ProviderActivityItem,
    ProviderOpaqueItem,
    ReasoningItem,
    RefusalPart,
    Stamp,
    SystemMessageItem,
    TextPart,
    ToolCall,
    UserMessageItem,
    check_model_output,
    check_request_context,
    items_of_messages,
    messages_of_items,
    read_items,
    read_output,
    whole_turns,
    with_replay,
)

FACTS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "context_items.json").read_text(encoding="utf-8")
)
NOW = "2026-09-21T22:13:20"


def stamp() -> Stamp:
    ids = count(1)
    return Stamp(lambda: f"id{next(ids)}", lambda: datetime.fromisoformat(NOW))


def meta(item_id: str = "a", turn: str | None = None) -> ItemMeta:
    return ItemMeta(item_id, turn, NOW)


def call(call_id: str = "c1", turn: str | None = "t1", item_id: str = "call") -> FunctionCallItem:
    return FunctionCallItem(meta=meta(item_id, turn), tool_call=ToolCall(call_id, "weather", {"city": "Oslo"}))


def output(call_id: str = "c1", turn: str | None = "t1", item_id: str = "out") -> FunctionCallOutputItem:
    return FunctionCallOutputItem(meta=meta(item_id, turn), call_id=call_id, output="21 C")


def user(text: str = "hi", item_id: str = "u") -> UserMessageItem:
    return UserMessageItem(meta=meta(item_id), parts=(TextPart(text),))


WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=4,
)
JSON_DICTS = st.dictionaries(WORDS, JSON_VALUES, max_size=3)
BASE64 = st.binary(min_size=1, max_size=6).map(lambda data: b64encode(data).decode())
TEXTS = st.builds(TextPart, WORDS)
IMAGES = st.builds(ImagePart, st.sampled_from(["png", "JPG", "webp"]), BASE64)
ANY_PARTS = st.lists(TEXTS | IMAGES | st.builds(RefusalPart, WORDS), min_size=1, max_size=3).map(tuple)
METAS = st.builds(ItemMeta, WORDS, st.none() | WORDS, st.just(NOW))
TOOL_CALLS = st.builds(ToolCall, WORDS, WORDS, JSON_DICTS, st.none() | JSON_DICTS)
ITEMS: st.SearchStrategy[Item] = st.one_of(
    st.builds(SystemMessageItem, meta=METAS, parts=ANY_PARTS),
    st.builds(UserMessageItem, meta=METAS, parts=ANY_PARTS),
    st.builds(AssistantMessageItem, meta=METAS, parts=ANY_PARTS, phase=st.none() | WORDS),
    st.builds(
        ReasoningItem,
        meta=METAS,
        representation=st.just("summary"),
        summary_parts=st.lists(WORDS, min_size=1, max_size=2).map(tuple),
        text_parts=st.lists(WORDS, max_size=2).map(tuple),
    ),
    st.builds(FunctionCallItem, meta=METAS, tool_call=TOOL_CALLS),
    st.builds(FunctionCallOutputItem, meta=METAS, call_id=WORDS, output=st.text(), tool_name=st.text(max_size=3)),
    st.builds(
        ProviderActivityItem,
        meta=METAS,
        provider_type=WORDS,
        call_id=st.text(max_size=2),
        status=st.text(max_size=2),
        display_summary=st.text(max_size=2),
        action_type=st.text(max_size=2),
        details=st.lists(st.text(max_size=2), max_size=2).map(tuple),
        source_count=st.integers(0, 9),
    ),
    st.builds(ProviderOpaqueItem, meta=METAS, provider_type=WORDS, display_summary=st.text(max_size=2)),
)


@st.composite
def conversations(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Role messages as a bot has them: each call is answered, no two assistant messages are adjacent."""
    messages: list[dict[str, Any]] = []
    numbers = count(1)
    for kind in draw(st.lists(st.sampled_from(["system", "user", "picture", "assistant", "tools"]), max_size=6)):
        if kind == "picture":
            image = {"type": "image", "image_format": "png", "image_base64": draw(BASE64)}
            messages.append({"role": "user", "content": [{"type": "text", "text": draw(WORDS)}, image]})
        elif kind in ("system", "user"):
            messages.append({"role": kind, "content": draw(WORDS)})
        elif messages and messages[-1]["role"] == "assistant":
            continue
        elif kind == "assistant":
            messages.append({"role": "assistant", "content": draw(WORDS)})
        else:
            ids = [f"c{next(numbers)}" for _ in range(draw(st.integers(1, 2)))]
            calls = [{"id": each, "function": {"name": "f", "arguments": draw(JSON_DICTS)}} for each in ids]
            messages.append({"role": "assistant", "content": draw(st.none() | WORDS), "tool_calls": calls})
            if draw(st.booleans()):
                messages[-1]["reasoning_content"] = draw(WORDS)
            messages += [{"role": "tool", "tool_call_id": each, "content": draw(st.text())} for each in ids]
    return messages


@given(st.lists(ITEMS, max_size=4))
def test_written_items_read_as_themselves(items: list[Item]) -> None:
    assert read_items([item.to_dict() for item in items]) == items


@given(conversations())
def test_messages_come_back_from_items_as_they_were(messages: list[dict[str, Any]]) -> None:
    items = items_of_messages(messages)
    check_request_context(items)
    assert messages_of_items(items) == messages


@given(conversations())
def test_messages_on_the_wire_of_chat_completions_read_as_the_same_context(messages: list[dict[str, Any]]) -> None:
    items = items_of_messages(messages, stamp())
    thoughtless = [item for item in items if not isinstance(item, ReasoningItem)]
    again = items_of_messages(messages_of_items(items, "chat"), stamp())
    assert list(map(content_of, again)) == list(map(content_of, thoughtless))


def content_of(item: Item) -> dict[str, Any]:
    return {key: value for key, value in item.to_dict().items() if key != "meta"}


def test_the_known_example_reads_and_writes_as_it_is() -> None:
    items = read_items(FACTS["example"])
    check_request_context(items)
    assert [item.to_dict() for item in items] == FACTS["example"]
    assert messages_of_items(items) == [
        {"role": "system", "content": "Be brief."},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c1", "function": {"name": "weather", "arguments": {"city": "Oslo"}}}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "21 C"},
    ]


SAMPLES: dict[str, dict[str, Any]] = {
    "SystemMessageItem": {"parts": [{"type": "text", "text": "x"}]},
    "UserMessageItem": {"parts": [{"type": "text", "text": "x"}]},
    "AssistantMessageItem": {"parts": [{"type": "text", "text": "x"}]},
    "ReasoningItem": {"representation": "raw_text", "summary_parts": [], "text_parts": ["x"]},
    "FunctionCallItem": {"tool_call": {"call_id": "c", "func_name": "f", "args": {}, "extra_content": None}},
    "FunctionCallOutputItem": {"call_id": "c", "output": "", "tool_name": "", "success": True},
    "ProviderActivityItem": {
        "provider_type": "search",
        "call_id": "",
        "status": "",
        "display_summary": "",
        "action_type": "",
        "details": [],
        "source_count": 0,
    },
    "ProviderOpaqueItem": {"provider_type": "search", "display_summary": ""},
}


def sample(item_type: str, **changes: Any) -> dict[str, Any]:
    return {"item_type": item_type, "meta": meta().to_dict(), **SAMPLES[item_type], **changes}


def test_the_samples_are_the_types_that_there_are() -> None:
    assert SAMPLES.keys() == FACTS["types"].keys()


@pytest.mark.parametrize("item_type", SAMPLES)
def test_every_key_of_an_item_is_required_and_others_are_ignored(item_type: str) -> None:
    whole = sample(item_type)
    assert read_items([{**whole, "own": 1}])[0].to_dict() == whole
    for key in whole:
        with pytest.raises(InvalidValueInContextError) as caught:
            read_items([{name: value for name, value in whole.items() if name != key}])
        assert caught.value.path == f"items[0].{key}"


def test_words_for_types_are_taken_in_any_case() -> None:
    written = {**sample("UserMessageItem"), "item_type": " usermessageITEM ", "parts": [{"type": " TEXT", "text": "x"}]}
    assert read_items([written]) == [UserMessageItem(meta=meta(), parts=(TextPart("x"),))]


@pytest.mark.parametrize(
    ("item", "path"),
    [
        (sample("UserMessageItem", parts=[]), "parts"),
        (sample("UserMessageItem", parts=[{"type": "text", "text": ""}]), "parts[0].text"),
        (sample("UserMessageItem", parts=[{"type": "video"}]), "parts[0].type"),
        (
            sample("UserMessageItem", parts=[{"type": "image", "image_format": "bmp", "image_base64": "x"}]),
            "parts[0].image_format",
        ),
        (sample("ReasoningItem", text_parts=[]), "text_parts"),
        (sample("ReasoningItem", text_parts=[""]), "text_parts[0]"),
        (sample("ReasoningItem", representation="summary"), "summary_parts"),
        (sample("ReasoningItem", representation="other"), "representation"),
        (sample("FunctionCallOutputItem", success=1), "success"),
        (sample("FunctionCallOutputItem", output=None), "output"),
        (sample("ProviderActivityItem", source_count=True), "source_count"),
        (sample("ProviderActivityItem", source_count=-1), "source_count"),
        (sample("UserMessageItem", meta={**meta().to_dict(), "item_id": ""}), "meta.item_id"),
        (sample("UserMessageItem", meta={**meta().to_dict(), "logical_turn_id": ""}), "meta.logical_turn_id"),
        (sample("UserMessageItem", meta={**meta().to_dict(), "timestamp": "noon"}), "meta.timestamp"),
        ({**sample("UserMessageItem"), "item_type": "PollItem"}, "item_type"),
    ],
)
def test_what_is_no_item_is_refused_with_its_path(item: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidValueInContextError) as caught:
        read_items([item])
    assert caught.value.path == f"items[0].{path}"
    assert path in caught.value.text("zh")


@pytest.mark.parametrize(
    ("items", "code"),
    [
        ([user(), user()], "item_id_twice"),
        ([call(), call(item_id="b"), output()], "call_id_twice"),
        ([call(), output(), output(item_id="b")], "output_twice"),
        ([call(turn=None), output(turn=None)], "no_turn"),
        ([output(), call()], "output_without_call"),
        ([call(), output(turn="t2")], "output_of_other_turn"),
        ([call(), user()], "call_without_output"),
    ],
)
def test_items_that_make_no_context_are_refused_and_their_turn_leaves_the_history(
    items: Sequence[Item], code: str
) -> None:
    with pytest.raises(BrokenRelationError) as caught:
        check_request_context(items)
    assert caught.value.code == code
    assert caught.value.text("zh") != caught.value.text()
    kept = whole_turns([*items, user(item_id="kept")])
    check_request_context(kept)
    assert kept[-1].meta.item_id == "kept"


def test_a_history_may_keep_calls_that_are_still_running() -> None:
    assert whole_turns([call()], pending={"c1"}) == [call()]


def test_the_answer_of_a_model_may_leave_calls_open_and_holds_only_what_a_model_makes() -> None:
    check_model_output([call()])
    with pytest.raises(BrokenRelationError) as caught:
        check_model_output([call(), output()])
    assert (caught.value.code, caught.value.index) == ("not_of_a_model", 1)


def test_the_items_of_a_provider_get_their_meta_from_the_host() -> None:
    spoken = {key: value for key, value in sample("AssistantMessageItem").items() if key != "meta"}
    made = read_output([spoken, sample("FunctionCallItem")], stamp(), "turn")
    assert [item.meta for item in made] == [ItemMeta("id1", "turn", NOW), ItemMeta("id2", "turn", NOW)]


def converted(*messages: dict[str, Any]) -> list[Item]:
    return items_of_messages(messages, stamp())


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("hi", [TextPart("hi")]),
        ({"text": "hi"}, [TextPart("hi")]),
        (["a", {"type": "TEXT", "text": "b"}, ""], [TextPart("a"), TextPart("b")]),
        ([["PNG", "AAAA"]], [ImagePart("PNG", "AAAA")]),
        ([{"type": "image", "image_format": "gif", "image_base64": "A"}], [ImagePart("gif", "A")]),
        ([{"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,A="}}], [ImagePart("jpeg", "A=")]),
        ([{"type": "input_image", "image_url": "data:image/webp;base64,A="}], [ImagePart("webp", "A=")]),
    ],
)
def test_content_is_read_in_every_form_in_use(content: object, parts: list[Any]) -> None:
    (item,) = converted({"role": " User", "content": content})
    assert item == UserMessageItem(meta=ItemMeta("id1", None, NOW), parts=tuple(parts))


@pytest.mark.parametrize(
    ("messages", "path"),
    [
        ([{"role": "narrator", "content": "x"}], "messages[0].role"),
        ([{"content": "x"}], "messages[0].role"),
        ([{"role": "user", "content": ""}], "messages[0]"),
        ([{"role": "system"}], "messages[0]"),
        ([{"role": "user", "content": [""]}], "messages[0]"),
        ([{"role": "assistant", "content": None}], "messages[0]"),
        ([{"role": "user", "content": [{"type": "video"}]}], "messages[0].content[0].type"),
        ([{"role": "user", "content": [["bmp", "A"]]}], "messages[0].content[0][0]"),
        ([{"role": "user", "content": 7}], "messages[0].content"),
        (
            [{"role": "user", "content": [{"type": "image_url", "image_url": "https://a.b/c.png"}]}],
            "messages[0].content[0].image_url",
        ),
        ([{"role": "tool", "tool_call_id": "c9", "content": "x"}], "messages[0]"),
        ([{"role": "tool", "content": "x"}], "messages[0].tool_call_id"),
        ([{"role": "assistant", "tool_calls": [{"function": {"name": "f"}}]}], "messages[0].tool_calls[0].id"),
        ([{"role": "assistant", "tool_calls": [{"id": "c"}]}], "messages[0].tool_calls[0].name"),
    ],
)
def test_what_is_no_role_message_is_refused_with_its_path(messages: list[dict[str, Any]], path: str) -> None:
    with pytest.raises(InvalidValueInContextError) as caught:
        items_of_messages(messages)
    assert caught.value.path == path


def test_a_picture_as_the_answer_of_a_tool_is_refused() -> None:
    with pytest.raises(ContextError) as caught:
        converted(
            {"role": "assistant", "tool_calls": [{"id": "c", "name": "f"}]},
            {"role": "tool", "tool_call_id": "c", "content": [["png", "A"]]},
        )
    assert caught.value.code == "picture_in_tool"


def test_what_an_assistant_thinks_says_and_calls_shares_a_turn_that_the_answer_has_too() -> None:
    items = converted(
        {
            "role": "assistant",
            "content": "let me see",
            "reasoning_content": "hm",
            "tool_calls": [{"call_id": "c1", "func_name": "f", "args": {"a": 1}, "extra_content": {"x": 1}}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": ["a", {"text": "b"}]},
    )
    turn = items[0].meta.logical_turn_id
    assert turn
    assert [item.meta.logical_turn_id for item in items] == [turn] * 4
    assert [type(item).__name__ for item in items] == [
        "ReasoningItem",
        "AssistantMessageItem",
        "FunctionCallItem",
        "FunctionCallOutputItem",
    ]
    assert items[2] == FunctionCallItem(meta=items[2].meta, tool_call=ToolCall("c1", "f", {"a": 1}, {"x": 1}))
    assert items[3] == FunctionCallOutputItem(meta=items[3].meta, call_id="c1", output="ab")


@pytest.mark.parametrize(
    ("arguments", "args"),
    [
        ({"a": 1}, {"a": 1}),
        (None, {}),
        ("", {}),
        ('{"a": 1}', {"a": 1}),
        ("[1]", {"value": [1]}),
        ("7", {"value": 7}),
        ("{oops", {"raw_arguments": "{oops"}),
        ('{"a": 1' + "0" * 30 + "}", {"raw_arguments": '{"a": 1' + "0" * 30 + "}"}),
        ('"\\ud800"', {"raw_arguments": '"\\ud800"'}),
        ("[" * 200 + "]" * 200, {"raw_arguments": "[" * 200 + "]" * 200}),
    ],
)
def test_arguments_are_read_in_every_form_and_what_cannot_travel_stays_text(arguments: object, args: object) -> None:
    (item,) = converted(
        {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": arguments}}]}
    )
    assert isinstance(item, FunctionCallItem)
    assert item.tool_call.args == args


def test_a_text_alone_is_what_a_user_says() -> None:
    assert items_of_messages("hi", stamp()) == [
        UserMessageItem(meta=ItemMeta("id1", None, NOW), parts=(TextPart("hi"),))
    ]


def test_adjacent_items_of_a_model_become_one_message_and_silent_ones_none() -> None:
    said = AssistantMessageItem(meta=meta("s"), parts=(TextPart("A"), RefusalPart("B")), phase="final")
    thought = ReasoningItem(meta=meta("r"), representation="summary", summary_parts=("x", "y"), text_parts=("z",))
    opaque = ProviderOpaqueItem(meta=meta("o"), provider_type="p", display_summary="d")
    assert messages_of_items([opaque, thought, user(), thought, said, opaque, said, call(), output()]) == [
        {"role": "user", "content": "hi"},
        {
            "role": "assistant",
            "content": "ABAB",
            "reasoning_content": "x\ny",
            "tool_calls": [{"id": "c1", "function": {"name": "weather", "arguments": {"city": "Oslo"}}}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "21 C"},
    ]


def test_the_wire_of_chat_completions_has_json_text_data_urls_and_no_thoughts() -> None:
    picture = UserMessageItem(meta=meta("p"), parts=(TextPart("see"), ImagePart("JPG", "A=")))
    thought = ReasoningItem(meta=meta("r"), representation="raw_text", text_parts=("z",))
    assert messages_of_items([picture, thought, call()], "chat") == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "see"},
                {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,A="}},
            ],
        },
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city":"Oslo"}'}}
            ],
        },
    ]


def test_what_providers_want_back_never_leaves_and_returns_to_items_that_nobody_changed() -> None:
    secret = {"google": {"thought_signature": "S", "shown": 1}}
    signed = FunctionCallItem(meta=meta("x", "t1"), tool_call=ToolCall("c1", "f", {}, secret), replay={"id": "R"})
    other = replace(signed, meta=meta("y", "t1"), tool_call=ToolCall("c2", "f", {}, secret))
    for shown in (str(signed.to_dict()), str(messages_of_items([signed]))):
        assert "'S'" not in shown
        assert "'R'" not in shown
        assert "shown" in shown
    came_back = [signed.to_dict(), other.to_dict()]
    came_back[1]["tool_call"]["args"] = {"new": 1}
    kept, changed = with_replay(read_items(came_back), [signed, other])
    assert kept is signed
    assert (changed.replay, changed.to_dict()["tool_call"]["extra_content"]) == (None, {"google": {"shown": 1}})
