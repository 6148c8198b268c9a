"""Segments: checked, and brought to one form."""

from typing import Any

import pytest

from host.bot.reading import Reading
from host.bot.segments import MAX_FORWARDS, read_segments


def read(*segments: Any) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """What the segments become, and the problems as (path, code)."""
    reading = Reading()
    result = read_segments(list(segments), reading)
    return result, [(problem.path, problem.code) for problem in reading.problems]


def forward(*content: Any, **node: Any) -> dict[str, Any]:
    """A forward of one message."""
    return {
        "type": "forward",
        "data": [{"user_id": "1", "user_nickname": "Bo", "message_id": "m", "content": content, **node}],
    }


@pytest.mark.parametrize("kind", ["image", "emoji", "voice"])
def test_a_picture_keeps_hash_and_bytes_and_gets_an_empty_description(kind: str) -> None:
    segment = {"type": kind, "hash": "ab", "binary_data_base64": "AA=="}
    assert read(segment) == ([{**segment, "data": ""}], [])


def test_a_reply_may_be_the_plain_id_of_a_message() -> None:
    (segment,), problems = read({"type": "reply", "data": "771"})
    assert segment["data"] == {
        "target_message_id": "771",
        "target_message_content": None,
        "target_message_sender_id": None,
        "target_message_sender_nickname": None,
        "target_message_sender_cardname": None,
    }
    assert problems == []


def test_ids_that_are_numbers_become_text() -> None:
    (at, reply, node), problems = read(
        {"type": "at", "data": {"target_user_id": 555}},
        {"type": "reply", "data": 771},
        forward(user_id=1, message_id=2),
    )
    assert at["data"]["target_user_id"] == "555"
    assert reply["data"]["target_message_id"] == "771"
    assert (node["data"][0]["user_id"], node["data"][0]["message_id"]) == ("1", "2")
    assert problems == []


def test_an_unknown_type_becomes_a_dict_with_the_whole_segment() -> None:
    poke = {"type": "poke", "data": {"strength": 3}, "extra": 1}
    assert read(poke) == ([{"type": "dict", "data": poke}], [])


def test_keys_that_plugins_left_in_a_segment_are_kept() -> None:
    segment = {"type": "text", "data": "hi", "seen_by": ["x"]}
    assert read(segment) == ([segment], [])


def test_the_segments_that_were_read_are_not_changed() -> None:
    given = [{"type": "at", "data": {"target_user_id": 5}}, forward({"type": "reply", "data": "7"})]
    read(*given)
    assert given == [{"type": "at", "data": {"target_user_id": 5}}, forward({"type": "reply", "data": "7"})]


@pytest.mark.parametrize(
    ("segment", "path", "code"),
    [
        ("hello", "raw_message[0]", "want_dict"),
        ({"data": "x"}, "raw_message[0].type", "missing"),
        ({"type": "", "data": "x"}, "raw_message[0].type", "want_text"),
        ({"type": "text"}, "raw_message[0].data", "want_any_text"),
        ({"type": "text", "data": 5}, "raw_message[0].data", "want_any_text"),
        ({"type": "image", "data": {}}, "raw_message[0].data", "want_text_or_none"),
        ({"type": "file", "data": "a.txt"}, "raw_message[0].data", "want_dict"),
        ({"type": "at", "data": "555"}, "raw_message[0].data", "want_dict"),
        ({"type": "at", "data": {}}, "raw_message[0].data.target_user_id", "missing"),
        ({"type": "reply", "data": ""}, "raw_message[0].data", "want_reply_target"),
        ({"type": "reply", "data": True}, "raw_message[0].data", "want_reply_target"),
        (
            {"type": "reply", "data": {"target_message_id": "1", "target_message_content": 5}},
            "raw_message[0].data.target_message_content",
            "want_text_or_none",
        ),
        ({"type": "forward", "data": {}}, "raw_message[0].data", "want_list"),
        ({"type": "forward", "data": ["x"]}, "raw_message[0].data[0]", "want_dict"),
        (forward(user_nickname=""), "raw_message[0].data[0].user_nickname", "want_text"),
        (forward(content="hi"), "raw_message[0].data[0].content", "want_segments"),
        (forward({"type": "text"}), "raw_message[0].data[0].content[0].data", "want_any_text"),
    ],
)
def test_what_is_wrong_in_a_segment_is_told_with_its_path(segment: Any, path: str, code: str) -> None:
    assert read(segment)[1] == [(path, code)]


def test_forwards_may_lie_in_forwards_to_a_limit_and_no_deeper() -> None:
    segment: dict[str, Any] = {"type": "text", "data": "deep"}
    for _ in range(MAX_FORWARDS):
        segment = forward(segment)
    assert read(segment)[1] == []
    segment = forward(segment)
    assert [code for _, code in read(segment)[1]] == ["too_deep"]
    for _ in range(5000):
        segment = forward(segment)
    assert [code for _, code in read(segment)[1]] == ["too_deep"]
