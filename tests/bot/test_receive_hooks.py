"""What the receive hooks do to a message: every change that comes back counts, and an abort ends its way."""

from typing import Any

import pytest

from host.bot import Status, Stop, session_id
from host.hooks import StoppedBy
from maibot_sdk.types import ErrorPolicy, HookMode
from tests.bot.chat import CHINESE, NOW, Chat, message_dict, private_dict

BEFORE = "chat.receive.before_process"
AFTER = "chat.receive.after_process"
RECEIVE = [BEFORE, AFTER]
TEA_ROOM = session_id("qq", account_id="10001", group_id="123456")


def text(data: str) -> list[dict[str, Any]]:
    return [{"type": "text", "data": data}]


async def test_a_message_is_answered_where_it_came_from() -> None:
    chat = Chat()
    outcome = await chat.bot.receive(message_dict("hello"))
    assert (outcome.status, outcome.session_id, outcome.sender) == (Status.REPLIED, TEA_ROOM, "Lin")
    assert (outcome.text, outcome.reply_text) == ("hello", "Hello, Lin!")
    assert (outcome.failures, outcome.ignored) == ((), ())
    assert chat.gateway.texts() == ["Hello, Lin!"]


async def test_before_process_gets_the_message_with_its_session_and_without_plain_text() -> None:
    chat = Chat()
    seen = chat.watching(BEFORE)
    await chat.bot.receive(message_dict("hello", session_id="made up", unknown=1))
    assert seen == [{"message": message_dict("hello", session_id=TEA_ROOM)}]


async def test_after_process_gets_the_message_with_its_plain_text() -> None:
    chat = Chat(profile=CHINESE)
    seen = chat.watching(AFTER)
    await chat.bot.receive(message_dict(raw_message=[{"type": "image", "data": "茶"}]))
    assert seen[0]["message"]["processed_plain_text"] == "[图片：茶]"


async def test_segments_that_before_process_changed_are_processed_and_answered() -> None:
    chat = Chat()
    chat.changing_message(BEFORE, raw_message=text("thanks"))
    seen = chat.watching(AFTER)
    outcome = await chat.bot.receive(message_dict("hello"))
    assert seen[0]["message"]["processed_plain_text"] == "thanks"
    assert (outcome.text, chat.gateway.texts()) == ("thanks", ["You are welcome, Lin."])


async def test_plain_text_that_after_process_changed_is_answered_whatever_the_segments_say() -> None:
    chat = Chat()
    chat.changing_message(AFTER, processed_plain_text="thanks")
    outcome = await chat.bot.receive(message_dict("hello"))
    assert (outcome.text, chat.gateway.texts()) == ("thanks", ["You are welcome, Lin."])


async def test_plain_text_that_after_process_left_out_is_made_again() -> None:
    chat = Chat()
    chat.changing(AFTER, message=message_dict("thanks"))
    assert (await chat.bot.receive(message_dict("hello"))).text == "thanks"


@pytest.mark.parametrize("hook", RECEIVE)
async def test_a_sender_that_a_hook_changed_is_the_one_who_is_answered(hook: str) -> None:
    chat = Chat()
    info = {**message_dict()["message_info"], "user_info": {"user_id": "6", "user_nickname": "Bo"}}
    chat.changing_message(hook, message_info=info)
    outcome = await chat.bot.receive(message_dict("hello"))
    assert (outcome.sender, chat.gateway.texts()) == ("Bo", ["Hello, Bo!"])


@pytest.mark.parametrize("hook", RECEIVE)
async def test_a_message_that_a_hook_moved_to_another_chat_is_answered_there(hook: str) -> None:
    chat = Chat()
    info = {**message_dict()["message_info"], "group_info": {"group_id": "9", "group_name": "Kitchen"}}
    chat.changing_message(hook, message_info=info)
    outcome = await chat.bot.receive(message_dict("hello"))
    assert outcome.session_id == session_id("qq", account_id="10001", group_id="9")
    assert chat.gateway.deliveries[0].message.session_id == outcome.session_id


@pytest.mark.parametrize("hook", RECEIVE)
async def test_a_flag_that_a_hook_set_counts(hook: str) -> None:
    chat = Chat()
    chat.changing_message(hook, is_notify=True)
    assert (await chat.bot.receive(message_dict("hello"))).status is Status.NO_REPLY


async def test_a_session_id_that_a_hook_made_up_does_not_count() -> None:
    chat = Chat()
    chat.changing_message(BEFORE, session_id="made up")
    seen = chat.watching(AFTER)
    assert (await chat.bot.receive(message_dict())).session_id == TEA_ROOM
    assert seen[0]["message"]["session_id"] == TEA_ROOM


async def test_what_was_received_and_said_is_kept() -> None:
    chat = Chat()
    await chat.bot.receive(message_dict("hello"))
    assert [message.text for message in (await chat.store.of(TEA_ROOM))] == ["hello", "Hello, Lin!"]


@pytest.mark.parametrize("hook", RECEIVE)
async def test_an_abort_ends_the_way_of_a_message(hook: str) -> None:
    chat = Chat()
    chat.returning(hook, {"action": "abort"})
    later = [chat.watching(name) for name in (AFTER, "send_service.after_build_message") if name != hook]
    outcome = await chat.bot.receive(message_dict("hello"))
    assert (outcome.status, outcome.stopped) == (Status.STOPPED, Stop(hook, "test.plugin", "handler"))
    assert (outcome.text, outcome.reply_text) == ("hello", "")
    assert not any(later)
    assert (await chat.store.of(TEA_ROOM)) == []
    assert chat.gateway.deliveries == []


@pytest.mark.parametrize("hook", RECEIVE)
async def test_a_failing_guard_stops_the_message(hook: str) -> None:
    async def handler(**kwargs: Any) -> None:
        raise OSError("no list")

    chat = Chat()
    chat.on(hook, handler, error_policy=ErrorPolicy.ABORT)
    outcome = await chat.bot.receive(message_dict())
    assert (outcome.status, outcome.stopped) == (Status.STOPPED, Stop(hook, *StoppedBy("test.plugin", "handler")))
    assert [(each.hook, each.error.kind) for each in outcome.failures] == [(hook, "exception")]


@pytest.mark.parametrize("hook", RECEIVE)
async def test_a_handler_that_fails_is_recorded_and_the_message_goes_on(hook: str) -> None:
    async def handler(**kwargs: Any) -> None:
        raise OSError("no list")

    chat = Chat()
    chat.on(hook, handler)
    outcome = await chat.bot.receive(message_dict())
    assert outcome.status is Status.REPLIED
    assert [(each.hook, each.error.plugin_id) for each in outcome.failures] == [(hook, "test.plugin")]


@pytest.mark.parametrize("hook", RECEIVE)
async def test_a_returned_message_of_the_right_type_that_is_unusable_is_ignored_and_recorded(
    hook: str, logged: list[str]
) -> None:
    chat = Chat()
    chat.changing_message(hook, message_id="  ", raw_message=[{"type": "text", "data": 5}])
    outcome = await chat.bot.receive(message_dict("hello"))
    assert (outcome.status, outcome.text, outcome.message_id) == (Status.REPLIED, "hello", "771")
    (ignored,) = outcome.ignored
    assert ignored.hook == hook
    assert [problem.path for problem in ignored.problems] == ["message_id", "raw_message[0].data"]
    assert any(line.startswith("WARNING") and hook in line and "raw_message[0].data" in line for line in logged)


@pytest.mark.parametrize("hook", RECEIVE)
async def test_an_observer_changes_nothing(hook: str) -> None:
    async def handler(message: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        message["raw_message"].clear()
        return {"action": "abort", "modified_kwargs": {"message": {**message, "is_notify": True}}}

    chat = Chat()
    chat.on(hook, handler, mode=HookMode.OBSERVE)
    outcome = await chat.bot.receive(message_dict("hello"))
    await chat.hooks.drain()
    assert (outcome.status, outcome.text) == (Status.REPLIED, "hello")


async def test_the_dict_that_came_in_is_not_changed() -> None:
    async def handler(message: dict[str, Any], **kwargs: Any) -> None:
        message["raw_message"][0]["data"] = "spoilt"
        message["message_info"]["additional_config"]["x"] = 1

    chat = Chat()
    chat.on(BEFORE, handler)
    data = message_dict("hello", unknown=1)
    await chat.bot.receive(data)
    assert data == message_dict("hello", unknown=1)
    assert chat.gateway.texts() == ["Hello, Lin!"]


async def test_a_message_that_is_none_is_an_outcome_and_no_hook_fires() -> None:
    chat = Chat()
    seen = chat.watching(BEFORE)
    outcome = await chat.bot.receive({"raw_message": "hello"})
    assert outcome.status is Status.INVALID
    assert outcome.reason is not None
    assert "raw_message" in outcome.reason.text("zh")
    assert seen == []


async def test_a_message_that_no_payload_may_hold_is_an_outcome() -> None:
    chat = Chat()
    data = private_dict()
    data["message_info"]["additional_config"]["socket"] = object()
    outcome = await chat.bot.receive(data)
    assert outcome.status is Status.INVALID
    assert outcome.reason is not None
    assert "additional_config.socket" in outcome.reason.text()


async def test_a_message_without_a_time_came_now() -> None:
    chat = Chat()
    await chat.bot.receive(message_dict(timestamp=None))
    assert (await chat.store.of(TEA_ROOM))[0].timestamp == NOW


async def test_there_may_be_nothing_to_say() -> None:
    chat = Chat()
    outcome = await chat.bot.receive(message_dict("We had tea.", is_mentioned=False))
    assert (outcome.status, outcome.reply_text, chat.gateway.deliveries) == (Status.NO_REPLY, "", [])
