"""Recordings of chats."""

from collections import Counter
from pathlib import Path

from host.bot import RecordedMessage, RecordingError, SessionMessage, read_recording, sample_chat


def test_each_line_is_a_message_with_its_number_and_blank_lines_are_passed_over() -> None:
    assert list(read_recording([b'{"a": 1}\n', b"\n", b"  \r\n", '{"b": "茶"}'.encode()])) == [
        RecordedMessage(1, {"a": 1}),
        RecordedMessage(4, {"b": "茶"}),
    ]


def test_a_byte_order_mark_is_passed_over() -> None:
    assert list(read_recording([b'\xef\xbb\xbf{"a": 1}'])) == [RecordedMessage(1, {"a": 1})]


def test_a_bad_line_is_told_with_its_number_and_does_not_end_the_reading() -> None:
    bad = [b'{"a": ', b"\xff\xfe", b"[1]", b'"text"', b"[" * 100_000, b"1" * 5000]
    read = list(read_recording([*bad, b'{"a": 1}']))
    assert [(each.code, each.line) for each in read if isinstance(each, RecordingError)] == [
        ("line_not_json", 1),
        ("line_not_json", 2),
        ("line_not_object", 3),
        ("line_not_object", 4),
        ("line_not_json", 5),
        ("line_not_json", 6),
    ]
    assert read[-1] == RecordedMessage(7, {"a": 1})


def test_a_bad_line_says_what_is_wrong_in_both_languages() -> None:
    (error,) = read_recording([b"[1]"])
    assert isinstance(error, RecordingError)
    assert str(error) == "line 1 holds a value of type list; allowed is a JSON object, one message."
    assert error.text("zh").startswith("第 1 行为 a value of type list")


def test_a_recording_is_read_from_an_open_file(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_bytes(b'{"a": 1}\r\n{"b": 2}\r\n')
    with path.open("rb") as file:
        assert [each.message for each in read_recording(file) if isinstance(each, RecordedMessage)] == [
            {"a": 1},
            {"b": 2},
        ]


def test_the_sample_chat_is_valid_and_shows_every_kind_of_segment_in_four_chats() -> None:
    with sample_chat().open("rb") as file:
        lines = list(read_recording(file))
    messages = []
    for line in lines:
        assert isinstance(line, RecordedMessage), line
        message = SessionMessage.from_dict(line.message)
        assert message.identified().to_dict() == line.message
        messages.append(message)
    kinds = Counter(segment["type"] for message in messages for segment in message.raw_message)
    assert set(kinds) == {"text", "image", "emoji", "voice", "file", "at", "reply", "forward", "dict"}
    chats = {message.session_id: message.group_info is not None for message in messages}
    assert sorted(chats.values()) == [False, False, True, True]
    assert any(message.is_notify for message in messages)
    assert len({message.message_id for message in messages}) == len(messages) >= 50
