"""Which dicts are messages."""

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from maibot_sdk.hooks import SessionMessage

MESSAGE: TypeAdapter[Any] = TypeAdapter(SessionMessage)


def message(**changes: Any) -> dict[str, Any]:
    """A message of a group, with every kind of segment."""
    return {
        "message_id": "m-1",
        "timestamp": "1752000000.25",
        "platform": "qq",
        "message_info": {
            "user_info": {"user_id": "10001", "user_nickname": "小麦", "user_cardname": None},
            "group_info": {"group_id": "20002", "group_name": "测试群"},
            "additional_config": {"platform_io_account_id": "30003"},
        },
        "raw_message": [
            {"type": "text", "data": "你好"},
            {"type": "image", "data": "[图片]", "hash": "ab" * 32, "binary_data_base64": "aGk="},
            {"type": "emoji", "data": "", "hash": ""},
            {"type": "voice", "data": "", "hash": "cd" * 32},
            {"type": "file", "data": {"name": "a.txt", "size": 3}},
            {"type": "at", "data": {"target_user_id": "1", "target_user_nickname": None}},
            {"type": "reply", "data": {"target_message_id": "m-0"}},
            {"type": "reply", "data": "m-0"},
            {"type": "forward", "data": [{"user_id": None, "user_nickname": "n", "message_id": "1", "content": []}]},
            {"type": "dict", "data": {"any": "thing"}},
        ],
        "is_mentioned": False,
        "is_at": False,
        "is_emoji": False,
        "is_picture": False,
        "is_command": False,
        "is_notify": False,
        "session_id": "s-1",
        **changes,
    }


def within(path: str, value: Any) -> dict[str, Any]:
    """The message with one value, found by its path, replaced; `...` takes the key out."""
    changed = message()
    *parents, last = path.split(".")
    place: Any = changed
    for parent in parents:
        place = place[int(parent) if parent.isdigit() else parent]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return changed


def test_a_message_of_a_group_is_one() -> None:
    MESSAGE.validate_python(message())


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("message_info.group_info", None),
        ("message_info.group_info", ...),
        ("message_info.additional_config", ...),
        ("message_info.additional_config", None),
        ("message_info.user_info.user_cardname", "card"),
        ("raw_message", []),
        ("timestamp", 1752000000),
        ("timestamp", 1752000000.5),
        ("timestamp", "yesterday"),
        ("timestamp", None),
        ("timestamp", ...),
        ("is_mentioned", 1),
        ("is_at", ...),
        ("session_id", ...),
        ("reply_to", "m-0"),
        ("reply_to", None),
        ("processed_plain_text", "你好"),
        ("processed_plain_text", None),
        ("filtered", True),
        ("message_info.user_info.level", 3),
        ("raw_message.0.extra", {"a": 1}),
        ("raw_message.0.type", "sticker"),
        ("raw_message.0.data", ...),
    ],
)
def test_what_the_bot_can_do_without_or_read_is_forgiven(path: str, value: Any) -> None:
    MESSAGE.validate_python(within(path, value))


@pytest.mark.parametrize("wrong", [None, "text", [], 5, {}])
def test_what_is_no_dict_or_an_empty_one_is_refused(wrong: Any) -> None:
    with pytest.raises(ValidationError):
        MESSAGE.validate_python(wrong)


REQUIRED_TEXTS = [
    "message_id",
    "platform",
    "message_info.user_info.user_id",
    "message_info.user_info.user_nickname",
    "message_info.group_info.group_id",
    "message_info.group_info.group_name",
    "raw_message.0.type",
]


@pytest.mark.parametrize("path", REQUIRED_TEXTS)
@pytest.mark.parametrize("value", [..., None, "", 5, b"x", ["x"]])
def test_a_required_text_must_be_there_and_not_empty(path: str, value: Any) -> None:
    with pytest.raises(ValidationError) as caught:
        MESSAGE.validate_python(within(path, value))
    assert {".".join(str(part) for part in problem["loc"]) for problem in caught.value.errors()} == {path}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("message_info", ...),
        ("message_info", None),
        ("message_info.user_info", ...),
        ("message_info.user_info", None),
        ("message_info.group_info", {}),
        ("message_info.group_info", "20002"),
        ("message_info.additional_config", "x"),
        ("raw_message", ...),
        ("raw_message", None),
        ("raw_message", "text"),
        ("raw_message", ["text"]),
        ("raw_message", {"type": "text"}),
        ("timestamp", []),
        ("is_at", []),
        ("reply_to", {"id": "m"}),
    ],
)
def test_a_broken_message_is_refused(path: str, value: Any) -> None:
    with pytest.raises(ValidationError):
        MESSAGE.validate_python(within(path, value))


@pytest.mark.parametrize("edit", [lambda m: m["raw_message"].append({"type": "text", "data": "x"})])
def test_a_message_edited_in_place_is_still_one(edit: Callable[[dict[str, Any]], None]) -> None:
    edited = message()
    edit(edited)
    MESSAGE.validate_python(edited)
