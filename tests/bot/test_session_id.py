"""The name of a chat."""

from hashlib import md5
from typing import Any

import pytest

from host.bot import NoChatError, session_id
from host.bot.identity import Route, older_route


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({"group_id": "123456"}, "qq_123456"),
        ({"account_id": "10001", "group_id": "123456"}, "qq_account:10001_123456"),
        ({"account_id": "10001", "scope": "main", "user_id": "555"}, "qq_account:10001_scope:main_555_private"),
        ({"scope": "main", "group_id": "123456"}, "qq_scope:main_123456"),
        ({"user_id": "555"}, "qq_555_private"),
        ({"group_id": "123456", "user_id": "555"}, "qq_123456"),
        ({"account_id": "", "scope": "", "group_id": "", "user_id": "555"}, "qq_555_private"),
        ({"group_id": " 群 A "}, "qq_ 群 A "),
    ],
)
def test_a_session_id_is_the_md5_of_the_joined_parts(parts: dict[str, str], text: str) -> None:
    assert session_id("qq", **parts) == md5(text.encode()).hexdigest()


def test_a_known_session_id() -> None:
    assert session_id("qq", group_id="123456") == "180bb5b597902c53e35c9e8b1c2fd6f1"


def test_a_chat_needs_a_group_or_a_user() -> None:
    with pytest.raises(NoChatError) as caught:
        session_id("qq", account_id="10001")
    assert "group id" in str(caught.value)
    assert "群 ID" in caught.value.text("zh")


@pytest.mark.parametrize(
    ("message", "route"),
    [
        ({"self_id": "1"}, Route("1", None)),
        ({"bot_account": "2", "self_id": "1"}, Route("1", None)),
        ({"platform_io_account_id": "3", "self_id": "1"}, Route("3", None)),
        ({"self_id": " ", "message_info": {"bot_account": "2"}}, Route("2", None)),
        ({"message_info": {"account_id": "4", "additional_config": {"account_id": "5"}}}, Route("4", None)),
        ({"message_info": {"additional_config": {"account_id": 5, "route_scope": "a"}}}, Route("5", "a")),
        ({"adapter_scope": "b", "message_info": {"additional_config": {"route_scope": "a"}}}, Route(None, "b")),
        ({"connection_id": "c", "adapter_scope": "b", "self_id": True}, Route(None, "b")),
        ({"scope": "d", "self_id": "\ud800"}, Route(None, None)),
        ({"message_info": "x"}, Route(None, None)),
    ],
)
def test_an_older_route_is_looked_for_from_the_top_down(message: dict[str, Any], route: Route) -> None:
    assert older_route(message) == route
