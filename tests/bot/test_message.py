"""A session message: the dict that plugins see, and the type that it is made of."""

import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.bot import GroupInfo, InvalidMessageError, SessionMessage, UserInfo, session_id
from tests.bot.chat import NOW, message_dict

IDS = st.text(string.ascii_letters + string.digits + "-_群", min_size=1, max_size=8)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner)
)
SEGMENTS = st.one_of(
    st.builds(lambda text: {"type": "text", "data": text}, TEXTS),
    st.builds(lambda kind, text: {"type": kind, "data": text}, st.sampled_from(["image", "emoji", "voice"]), TEXTS),
    st.builds(
        lambda kind, data: {"type": kind, "data": data}, st.sampled_from(["file", "dict"]), st.dictionaries(TEXTS, JSON)
    ),
    st.builds(
        lambda user, name: {
            "type": "at",
            "data": {"target_user_id": user, "target_user_nickname": name, "target_user_cardname": None},
        },
        IDS,
        st.none() | TEXTS,
    ),
)
MESSAGES = st.builds(
    SessionMessage,
    message_id=IDS,
    timestamp=st.floats(allow_nan=False, allow_infinity=False),
    platform=IDS,
    user_info=st.builds(UserInfo, IDS, IDS, st.none() | TEXTS),
    group_info=st.none() | st.builds(GroupInfo, IDS, IDS),
    additional_config=st.dictionaries(TEXTS, JSON, max_size=3),
    raw_message=st.lists(SEGMENTS, max_size=4),
    is_mentioned=st.booleans(),
    is_at=st.booleans(),
    is_emoji=st.booleans(),
    is_picture=st.booleans(),
    is_command=st.booleans(),
    is_notify=st.booleans(),
    session_id=IDS,
    reply_to=st.none() | IDS,
    processed_plain_text=st.none() | TEXTS,
    account_id=st.none() | IDS,
    scope=st.none() | IDS,
)


@given(MESSAGES)
def test_a_message_made_of_its_own_dict_is_the_same(message: SessionMessage) -> None:
    assert SessionMessage.from_dict(message.to_dict()) == message


def test_the_dict_of_a_message_is_the_one_it_was_made_of() -> None:
    data = message_dict(reply_to="770", processed_plain_text="hello")
    assert SessionMessage.from_dict(data).to_dict() == data


def test_reply_to_and_plain_text_are_keys_only_when_set() -> None:
    data = SessionMessage.from_dict(message_dict(reply_to="", processed_plain_text=None)).to_dict()
    assert not {"reply_to", "processed_plain_text"} & set(data)


def test_keys_at_the_top_that_nobody_knows_are_dropped() -> None:
    assert "filtered" not in SessionMessage.from_dict(message_dict(filtered=True)).to_dict()


@pytest.mark.parametrize(
    ("given_", "seconds"),
    [
        ("1790000000.0", 1790000000.0),
        (12, 12.0),
        (1.5, 1.5),
        ("soon", NOW),
        (None, NOW),
        (True, NOW),
        ("nan", NOW),
        ("inf", NOW),
    ],
)
def test_a_timestamp_that_is_no_number_of_seconds_is_now(given_: object, seconds: float) -> None:
    message = SessionMessage.from_dict(message_dict(timestamp=given_), clock=lambda: NOW)
    assert message.timestamp == seconds
    assert message.to_dict()["timestamp"] == str(seconds)


def test_a_flag_that_is_no_bool_is_false() -> None:
    message = SessionMessage.from_dict(message_dict(is_notify="yes", is_at=True))
    assert (message.is_notify, message.is_at) == (False, True)


def test_a_blank_group_name_becomes_the_group_id() -> None:
    data = message_dict()
    data["message_info"]["group_info"]["group_name"] = ""
    assert SessionMessage.from_dict(data).group_info == GroupInfo("123456", "123456")


def _without(*path: str) -> dict[str, Any]:
    data = message_dict()
    owner = data
    for key in path[:-1]:
        owner = owner[key]
    del owner[path[-1]]
    return data


def _with(value: object, *path: str) -> dict[str, Any]:
    data = message_dict()
    owner = data
    for key in path[:-1]:
        owner = owner[key]
    owner[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("data", "path", "code"),
    [
        (_without("message_id"), "message_id", "missing"),
        (_without("platform"), "platform", "missing"),
        (_without("raw_message"), "raw_message", "missing"),
        (_without("message_info"), "message_info", "missing"),
        (_without("message_info", "user_info"), "message_info.user_info", "missing"),
        (_without("message_info", "user_info", "user_id"), "message_info.user_info.user_id", "missing"),
        (_without("message_info", "group_info", "group_id"), "message_info.group_info.group_id", "missing"),
        (_with(" ", "message_id"), "message_id", "want_text"),
        (_with(7, "platform"), "platform", "want_text"),
        (_with("hello", "raw_message"), "raw_message", "want_segments"),
        (_with([], "message_info"), "message_info", "want_dict"),
        (_with("", "message_info", "user_info", "user_nickname"), "message_info.user_info.user_nickname", "want_text"),
        (_with("q\ud800", "message_info", "user_info", "user_id"), "message_info.user_info.user_id", "want_text"),
        (
            _with(3, "message_info", "user_info", "user_cardname"),
            "message_info.user_info.user_cardname",
            "want_text_or_none",
        ),
        (_with("Tea room", "message_info", "group_info"), "message_info.group_info", "want_dict_or_none"),
        (
            _with(None, "message_info", "group_info", "group_name"),
            "message_info.group_info.group_name",
            "want_any_text",
        ),
        (_with("x", "message_info", "additional_config"), "message_info.additional_config", "want_dict"),
        (_with(["x"], "processed_plain_text"), "processed_plain_text", "want_text_or_none"),
        (_with({}, "reply_to"), "reply_to", "want_text_or_none"),
        (_with(1.5, "account_id"), "account_id", "want_text_or_none"),
        (_with([], "scope"), "scope", "want_text_or_none"),
    ],
)
def test_what_is_wrong_is_told_with_its_path(data: dict[str, Any], path: str, code: str) -> None:
    with pytest.raises(InvalidMessageError) as caught:
        SessionMessage.from_dict(data)
    assert [(problem.path, problem.code) for problem in caught.value.problems] == [(path, code)]


def test_all_problems_are_told_at_once_in_both_languages() -> None:
    with pytest.raises(InvalidMessageError) as caught:
        SessionMessage.from_dict({**message_dict(), "message_id": 5, "raw_message": "hello"})
    english, chinese = str(caught.value), caught.value.text("zh")
    for text in (english, chinese):
        assert "message_id" in text
        assert "raw_message" in text
        assert "'hello'" in text
        assert "[{'type': 'text', 'data': '...'}]" in text
    assert "2 problem(s)" in english
    assert "2 个问题" in chinese


def test_the_session_is_named_by_platform_account_scope_and_group() -> None:
    message = SessionMessage.from_dict(message_dict(session_id="made up", scope="main")).identified()
    assert message.session_id == session_id("qq", account_id="10001", scope="main", group_id="123456")


def test_the_account_of_a_message_that_names_none_is_looked_for_where_older_gateways_write_it() -> None:
    data = _without("account_id")
    data["message_info"]["additional_config"] = {"platform_io_account_id": 10002, "connection_id": " main "}
    message = SessionMessage.from_dict(data)
    assert (message.account_id, message.scope) == ("10002", "main")


def test_an_account_that_is_given_as_none_is_final() -> None:
    data = message_dict(account_id=None, self_id="10002")
    data["message_info"]["additional_config"] = {"platform_io_account_id": "10003", "platform_io_scope": "main"}
    message = SessionMessage.from_dict(data)
    assert (message.account_id, message.scope) == (None, None)


def test_account_and_scope_that_are_given_are_stripped() -> None:
    message = SessionMessage.from_dict(message_dict(account_id=" 10001 ", scope="  "))
    assert (message.account_id, message.scope) == ("10001", None)
