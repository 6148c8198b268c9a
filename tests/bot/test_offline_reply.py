"""What the bot answers without a model."""

from typing import Any

import pytest

from host.bot import BotProfile, OfflineReplier, Reply, SessionMessage
from tests.bot.chat import CHINESE, message_dict, private_dict

MAI = BotProfile(nickname="Mai", aliases=("小麦",))
AT_BOT = {"type": "at", "data": {"target_user_id": "10001", "target_user_nickname": "Mai"}}
IMAGE = {"type": "image", "data": "a cat"}


async def reply(data: dict[str, Any], profile: BotProfile = MAI) -> Reply | None:
    return await OfflineReplier(profile).reply(SessionMessage.from_dict(data).processed())


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("hello", "Hello, Lin! I am Mai."),
        ("Good morning all", "Hello, Lin! I am Mai."),
        ("你好", "你好，Lin！我是Mai。"),
        ("大家早上好！", "你好，Lin！我是Mai。"),
        ("Thanks a lot", "You are welcome, Lin."),
        ("谢谢你", "不客气，Lin。"),
        ("Good night", "See you, Lin!"),
        ("再见", "再见，Lin！"),
        ("I had tea.\nTwo cups.", 'Got it, Lin: "I had tea".'),
        ("It costs 3.50 today", 'Got it, Lin: "It costs 3.50 today".'),
        ("今天喝了茶。两杯。", "收到，Lin：“今天喝了茶”。"),
        ("hide the tea", 'Got it, Lin: "hide the tea".'),
    ],
)
async def test_it_answers_in_the_language_of_the_message(said: str, answer: str) -> None:
    found = await reply(message_dict(said))
    assert found == Reply(answer)


@pytest.mark.parametrize(
    ("said", "gist"),
    [
        ("How are you?", "How are you?"),
        ("Hello! Is there tea?", "Is there tea?"),
        ("where is the tea", "where is the tea"),
        ("你会泡茶吗", "你会泡茶吗"),
        ("我们什么时候走", "我们什么时候走"),
    ],
)
async def test_it_is_honest_about_questions(said: str, gist: str) -> None:
    found = await reply(message_dict(said))
    assert found is not None
    assert gist in found.text
    assert "offline" in found.text or "离线" in found.text


async def test_a_long_text_is_cut() -> None:
    found = await reply(message_dict("tea " * 500))
    assert found is not None
    assert len(found.text) < 100


@pytest.mark.parametrize(
    "data",
    [
        message_dict("Mai, there is tea"),
        message_dict("mai there is tea"),
        message_dict("小麦，there is tea"),
        message_dict("there is tea", is_at=True),
        message_dict("there is tea", is_mentioned=True),
        message_dict(raw_message=[AT_BOT, {"type": "text", "data": " there is tea"}]),
    ],
)
async def test_it_quotes_a_message_that_names_it_and_leaves_its_own_name_out(data: dict[str, Any]) -> None:
    assert await reply(data) == Reply('Got it, Lin: "there is tea".', quote=True)


@pytest.mark.parametrize("said", ["I sent an email", "there is maize", "we went to Sumai"])
async def test_its_name_inside_a_longer_word_does_not_name_it(said: str) -> None:
    assert await reply(message_dict(said)) == Reply(f'Got it, Lin: "{said}".', quote=False)


async def test_a_name_in_chinese_is_found_without_spaces_around() -> None:
    found = await reply(message_dict("早安麦麦"), CHINESE)
    assert found == Reply("你好，Lin！我是麦麦。", quote=True)


async def test_it_calls_people_by_their_name_in_the_group() -> None:
    data = message_dict("hello")
    data["message_info"]["user_info"]["user_cardname"] = "Tea Lin"
    assert await reply(data) == Reply("Hello, Tea Lin! I am Mai.")


async def test_quotes_and_markers_are_not_the_gist() -> None:
    quote = {"type": "reply", "data": {"target_message_id": "1", "target_message_content": "tea?"}}
    assert await reply(message_dict(raw_message=[quote, IMAGE, {"type": "text", "data": "yes"}])) == Reply(
        'Got it, Lin: "yes".'
    )


async def test_markers_within_a_forward_are_not_the_gist() -> None:
    node = {
        "user_id": "1",
        "user_nickname": "Bo",
        "message_id": "m",
        "content": [IMAGE, {"type": "text", "data": "tea?"}],
    }
    forward = {"type": "forward", "data": [node]}
    assert await reply(message_dict(raw_message=[forward, {"type": "text", "data": "look"}])) == Reply(
        'Got it, Lin: "look".'
    )


async def test_a_picture_is_answered_when_it_is_meant_for_the_bot() -> None:
    assert await reply(message_dict(raw_message=[IMAGE])) is None
    for data in (private_dict(raw_message=[IMAGE]), message_dict(raw_message=[AT_BOT, IMAGE])):
        found = await reply(data)
        assert found is not None
        assert "only read text" in found.text


async def test_it_is_silent_to_notices_and_to_itself() -> None:
    assert await reply(private_dict("hello", is_notify=True)) is None
    own = private_dict("hello")
    own["message_info"]["user_info"]["user_id"] = "10001"
    assert await reply(own) is None


async def test_the_same_message_always_gets_the_same_answer() -> None:
    replier = OfflineReplier(MAI)
    message = SessionMessage.from_dict(message_dict("Is there tea?")).processed()
    assert len({await replier.reply(message) for _ in range(20)}) == 1
