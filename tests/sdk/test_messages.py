"""`MaiMessages`: what an event allows to change, copies, and the way over the wire."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from maibot_sdk.hooks import SessionMessage
from maibot_sdk.messages import MaiMessages, MessageSegment
from maibot_sdk.types import ModifyFlag

CHANGES = [
    ("modify_prompt", "llm_prompt", ModifyFlag.CAN_MODIFY_PROMPT),
    ("modify_response", "llm_response_content", ModifyFlag.CAN_MODIFY_RESPONSE),
    ("modify_plain_text", "plain_text", ModifyFlag.CAN_MODIFY_MESSAGE),
]

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
WORD = st.text(min_size=1, max_size=8)
SEGMENT = st.fixed_dictionaries({"type": WORD}, optional={"data": JSON, "hash": st.none() | WORD, "extra": JSON})
MESSAGE = st.fixed_dictionaries(
    {
        "message_id": WORD,
        "platform": WORD,
        "message_info": st.fixed_dictionaries(
            {"user_info": st.fixed_dictionaries({"user_id": WORD, "user_nickname": WORD})},
            optional={
                "group_info": st.none() | st.fixed_dictionaries({"group_id": WORD, "group_name": WORD}),
                "additional_config": st.none() | st.dictionaries(WORD, JSON, max_size=3),
            },
        ),
        "raw_message": st.lists(SEGMENT, max_size=4),
    },
    optional={"timestamp": st.none() | st.text(max_size=8), "session_id": WORD, "reply_to": st.none() | WORD},
)


@pytest.mark.parametrize(("method", "attribute", "flag"), CHANGES)
def test_a_change_is_made_where_it_is_allowed(method: str, attribute: str, flag: ModifyFlag) -> None:
    message = MaiMessages()
    for other in ModifyFlag:
        message.set_modify_flag(other, other is flag)
    assert getattr(message, method)("new") is True
    assert getattr(message, attribute) == "new"


@pytest.mark.parametrize(("method", "attribute", "flag"), CHANGES)
@pytest.mark.parametrize("way", ["forbidden", "not listed"])
def test_a_change_that_is_not_allowed_leaves_the_message(
    method: str, attribute: str, flag: ModifyFlag, way: str
) -> None:
    message = MaiMessages()
    if way == "forbidden":
        message.set_modify_flag(flag, False)
    else:
        del message.modify_flags[flag.value]
    before = message.model_dump()
    assert message.can_modify(flag) is False
    assert getattr(message, method)("new") is False
    assert message.model_dump() == before


def test_everything_may_be_changed_unless_the_event_says_otherwise() -> None:
    assert MaiMessages().modify_flags == {flag.value: True for flag in ModifyFlag}


def test_a_flag_may_be_given_as_text_and_need_not_be_a_known_one() -> None:
    message = MaiMessages(modify_flags={})
    message.set_modify_flag(ModifyFlag.CAN_MODIFY_PROMPT, True)
    message.set_modify_flag("can_modify_tools", True)
    assert message.can_modify("can_modify_prompt") is True
    assert message.to_rpc_dict()["modify_flags"] == {"can_modify_prompt": True, "can_modify_tools": True}


def test_a_copy_shares_nothing() -> None:
    message = MaiMessages(message_segments=[MessageSegment(data={"text": ["a"]})], additional_data={"k": []})
    copy = message.deepcopy()
    copy.message_segments[0].data["text"].append("b")
    copy.additional_data["k"].append(1)
    copy.set_modify_flag(ModifyFlag.CAN_MODIFY_PROMPT, False)
    assert message == MaiMessages(message_segments=[MessageSegment(data={"text": ["a"]})], additional_data={"k": []})


@given(MESSAGE, st.lists(st.fixed_dictionaries({"type": WORD, "data": st.dictionaries(WORD, JSON)}), max_size=3))
def test_a_session_message_survives_the_way_over_the_wire(session_message: Any, segments: Any) -> None:
    TypeAdapter(SessionMessage).validate_python(session_message)
    message = MaiMessages(
        message_segments=segments, message_base_info=session_message["message_info"], raw_message=session_message
    )
    carried = MaiMessages.from_rpc_dict(message.to_rpc_dict())
    assert carried == message
    assert carried.raw_message == session_message


def test_segments_travel_as_dicts_and_unknown_keys_stay_behind() -> None:
    sent = MaiMessages(message_segments=[MessageSegment(type="image")], plain_text="t").to_rpc_dict()
    assert sent["message_segments"] == [{"type": "image", "data": {}}]
    assert MaiMessages.from_rpc_dict({**sent, "unknown": 1}).to_rpc_dict() == sent


def test_a_value_that_is_no_json_cannot_be_sent_and_one_of_a_wrong_type_not_received() -> None:
    with pytest.raises(PydanticSerializationError):
        MaiMessages(raw_message=object()).to_rpc_dict()
    with pytest.raises(ValidationError):
        MaiMessages.from_rpc_dict({"plain_text": []})
