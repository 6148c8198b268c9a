"""What the measured dispatches carry, and the copier that the nested ones are held against. Plain standard library."""

from typing import Any

TEN_SCALARS: dict[str, Any] = {
    "text": "Does anybody know when the meeting begins?",
    "session_id": "8c1f3f0e5b7d4a52",
    "user_id": "10001",
    "group_id": "20002",
    "platform": "qq",
    "timestamp": 1764500000.25,
    "priority": 3,
    "attempt": 1,
    "is_mentioned": True,
    "is_command": False,
}

SESSION_MESSAGE: dict[str, Any] = {
    "message": {
        "message_id": "7301882640912345",
        "timestamp": "1764500000.25",
        "platform": "qq",
        "message_info": {
            "user_info": {"user_id": "10001", "user_nickname": "Lin", "user_cardname": "Lin (backend)"},
            "group_info": {"group_id": "20002", "group_name": "Weekend hiking and everything around it"},
            "additional_config": {
                "platform_io_account_id": "30003",
                "platform_io_scope": "group",
                "platform_io_target_group_id": "20002",
                "platform_io_target_user_id": "",
            },
        },
        "raw_message": [
            {
                "type": "reply",
                "data": {
                    "target_message_id": "7301882640912001",
                    "target_message_content": "The train at 7:40 is full, I looked it up. There is another one at "
                    "8:10, and the bus from the north gate leaves every half hour until noon.",
                    "target_message_sender_id": "10007",
                    "target_message_sender_nickname": "Wei",
                    "target_message_sender_cardname": None,
                },
            },
            {
                "type": "at",
                "data": {"target_user_id": "30003", "target_user_nickname": "Mai", "target_user_cardname": None},
            },
            {
                "type": "text",
                "data": "Can you find out whether the 8:10 one has seats for six, and what it costs with the group "
                "ticket? If not we take the bus, but then somebody has to bring the big rucksack to the gate.",
            },
            {
                "type": "image",
                "data": "[picture: a hand-drawn map with two routes, the longer one marked in red]",
                "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            },
            {"type": "text", "data": "The red one is the way we went last year, it takes about three hours."},
        ],
        "is_mentioned": True,
        "is_at": True,
        "is_emoji": False,
        "is_picture": False,
        "is_command": False,
        "is_notify": False,
        "session_id": "8c1f3f0e5b7d4a52",
        "reply_to": "7301882640912001",
        "processed_plain_text": "[reply to Wei: The train at 7:40 is full] @Mai Can you find out whether the 8:10 one "
        "has seats for six, and what it costs with the group ticket? If not we take the bus, but then somebody has to "
        "bring the big rucksack to the gate. [picture: a hand-drawn map with two routes, the longer one marked in "
        "red] The red one is the way we went last year, it takes about three hours.",
    }
}
"""About 2 KB as JSON, shaped like the payload of ``chat.receive.before_process``."""


def plain_copy(value: dict[str, Any]) -> dict[str, Any]:
    """A deep copy of dicts and lists, everything else shared.

    Of seven ways to write it in plain Python the fastest on 3.11 to 3.13: copy flat, then put in anew what nests.
    """
    copy = value.copy()
    for key, item in value.items():
        kind = type(item)
        if kind is dict:
            copy[key] = plain_copy(item)
        elif kind is list:
            copy[key] = _plain_list(item)
    return copy


def _plain_list(value: list[Any]) -> list[Any]:
    copy = value.copy()
    for index, item in enumerate(value):
        kind = type(item)
        if kind is dict:
            copy[index] = plain_copy(item)
        elif kind is list:
            copy[index] = _plain_list(item)
    return copy
