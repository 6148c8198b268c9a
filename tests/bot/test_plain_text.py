"""How a message reads as text."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.bot.plain_text import plain_text
from host.bot.reading import Reading
from host.bot.segments import read_segments


def text_of(*segments: dict[str, Any], locale: str = "en") -> str:
    """The plain text of segments as they come in."""
    reading = Reading()
    result = read_segments(segments, reading)
    reading.finish()
    return plain_text(result, locale)


def text(data: str) -> dict[str, Any]:
    return {"type": "text", "data": data}


AT = {"type": "at", "data": {"target_user_id": "555", "target_user_nickname": "Lin", "target_user_cardname": "Tea Lin"}}
REPLY = {
    "type": "reply",
    "data": {"target_message_id": "771", "target_message_content": "tea?", "target_message_sender_nickname": "Bo"},
}
NODE = {"user_id": "1", "user_nickname": "Bo", "message_id": "m1"}


@given(st.lists(st.text()))
def test_text_stands_as_it_is_piece_after_piece(pieces: list[str]) -> None:
    assert plain_text([text(piece) for piece in pieces]) == "".join(pieces)


@pytest.mark.parametrize(
    ("segment", "english", "chinese"),
    [
        ({"type": "image", "data": "a cat"}, "[image: a cat]", "[图片：a cat]"),
        ({"type": "image"}, "[image]", "[图片]"),
        ({"type": "emoji", "data": "joy"}, "[sticker: joy]", "[表情包：joy]"),
        ({"type": "voice", "data": "hi there"}, "[voice: hi there]", "[语音：hi there]"),
        ({"type": "voice", "data": ""}, "[voice]", "[语音]"),
        ({"type": "file", "data": {"name": "a.pdf", "size": 3}}, "[file: a.pdf]", "[文件：a.pdf]"),
        ({"type": "file", "data": {}}, "[file]", "[文件]"),
        ({"type": "poke", "data": {}}, "[other content: poke]", "[其他内容：poke]"),
        ({"type": "dict", "data": {"x": 1}}, "[other content]", "[其他内容]"),
        (AT, "@Tea Lin", "@Tea Lin"),
        ({"type": "at", "data": {"target_user_id": "555", "target_user_nickname": "Lin"}}, "@Lin", "@Lin"),
        ({"type": "at", "data": {"target_user_id": "555"}}, "@555", "@555"),
        (REPLY, "[reply to Bo: tea?]", "[回复 Bo：tea?]"),
        ({"type": "reply", "data": "771"}, "[reply to message 771]", "[回复消息 771]"),
    ],
)
def test_what_is_no_text_is_a_marker_in_either_language(segment: dict[str, Any], english: str, chinese: str) -> None:
    assert text_of(segment) == english
    assert text_of(segment, locale="zh") == chinese


def test_a_marker_is_set_off_with_a_space_where_none_is() -> None:
    assert text_of(AT, text("hello"), AT, text(" again "), AT) == "@Tea Lin hello @Tea Lin again @Tea Lin"


def test_empty_text_between_markers_changes_nothing() -> None:
    assert text_of(AT, text(""), text("hello")) == "@Tea Lin hello"


def test_a_forward_is_told_line_by_line_with_what_lies_in_it() -> None:
    inner = {"type": "forward", "data": [{**NODE, "user_cardname": "Bo the 2nd", "content": [text("deep")]}]}
    outer = {"type": "forward", "data": [{**NODE, "content": [text("hi")]}, {**NODE, "content": [inner, text("!")]}]}
    assert text_of(outer) == ("[forwarded messages:\nBo: hi\nBo: [forwarded messages:\nBo the 2nd: deep\n] !\n]")
