"""The whole turn with the built-in offline model: planned and worded without an account."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from host.bot import Status
from host.models import Models, ModelSettings
from tests.bot.chat import Chat, message_dict, private_dict
from tests.bot.components import components_of

KETTLE = """
    from maibot_sdk import MaiBotPlugin, Tool

    class Kettle(MaiBotPlugin):
        async def on_load(self): ...

        @Tool("kettle", description="Tells how hot the kettle is.", visibility="visible")
        async def kettle(self, **kwargs):
            return "It has 85 degrees."

    create_plugin = Kettle
"""


def in_group(text: str = "", /, **changes: Any) -> dict[str, Any]:
    """What Lin says in a group, without the platform's word that it is for the bot."""
    return message_dict(text, **{"is_mentioned": False, **changes})


def text_of(text: str) -> dict[str, Any]:
    return {"type": "text", "data": text}


def at(user_id: str) -> dict[str, Any]:
    return {"type": "at", "data": {"target_user_id": user_id, "target_user_nickname": "Somebody"}}


def reply_to(user_id: str) -> dict[str, Any]:
    """A quote of what that user said."""
    data = {"target_message_id": "7", "target_message_content": "milk", "target_message_sender_id": user_id}
    return {"type": "reply", "data": data}


@pytest.fixture
async def models() -> AsyncIterator[Models]:
    opened = Models(ModelSettings())
    yield opened
    await opened.aclose()


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (in_group("Mai, where is the tea?"), Status.REPLIED),
        (in_group("Where is the tea?"), Status.NO_REPLY),
        (in_group("We had tea."), Status.NO_REPLY),
        (in_group("We had email in Sumai."), Status.NO_REPLY),
        (in_group("where is the tea?", is_at=True), Status.REPLIED),
        (in_group("there is tea", is_mentioned=True), Status.REPLIED),
        (in_group(raw_message=[at("10001"), text_of(" there is tea")]), Status.REPLIED),
        (in_group(raw_message=[at("556"), text_of(" there is tea")]), Status.NO_REPLY),
        (in_group(raw_message=[reply_to("10001"), text_of("tea!")]), Status.REPLIED),
        (in_group(raw_message=[reply_to("556"), text_of("tea?")]), Status.NO_REPLY),
        (private_dict("We had tea."), Status.REPLIED),
    ],
)
async def test_it_answers_what_is_said_to_it(models: Models, data: dict[str, Any], status: Status) -> None:
    chat = Chat(models=models)
    outcome = await chat.bot.receive(data)
    assert (outcome.status, outcome.failures) == (status, ())
    assert "tea" in outcome.reply_text or status is Status.NO_REPLY
    assert "user" not in outcome.reply_text


@pytest.mark.parametrize("name", ["Lin", "Lin (bikes)", "Lin: the second", "小林"])
async def test_what_it_repeats_are_the_words_and_not_who_said_them(models: Models, name: str) -> None:
    chat = Chat(models=models)
    data = private_dict("We had tea.")
    data["message_info"]["user_info"]["user_nickname"] = name
    outcome = await chat.bot.receive(data)
    assert '"We had tea"' in outcome.reply_text


async def test_it_quotes_in_a_group_what_it_answers_and_not_in_private() -> None:
    chat = Chat()
    await chat.bot.receive(message_dict("Is there tea?"))
    await chat.bot.receive(private_dict("Is there tea?"))
    assert [delivery.reply_message_id for delivery in chat.gateway.deliveries] == ["771", None]


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        (message_dict("hello"), "Hello, Lin!"),
        (in_group("大家早上好！"), "你好，Lin！"),
        (private_dict("Are you there?"), "Yes, Lin, I am here."),
        (private_dict("谢谢你"), "不客气，Lin。"),
        (private_dict("Good night"), "Sleep well, Lin."),
    ],
)
async def test_it_is_civil(data: dict[str, Any], answer: str) -> None:
    assert (await Chat().bot.receive(data)).reply_text == answer


@pytest.mark.parametrize("segment", [{"type": "image", "data": "a cat"}, {"type": "file", "data": {"name": "a.pdf"}}])
async def test_what_it_cannot_read_it_does_not_pretend_to_read(segment: dict[str, Any]) -> None:
    said = (await Chat().bot.receive(private_dict(raw_message=[segment]))).reply_text
    assert "a cat" not in said
    assert re.search("only read text|cannot|nothing but text", said)


async def test_words_beside_quotes_and_pictures_are_what_it_takes_up() -> None:
    segments = [reply_to("556"), {"type": "image", "data": "a [red] cat"}, text_of("so it is")]
    assert '"so it is"' in (await Chat().bot.receive(private_dict(raw_message=segments))).reply_text


async def test_it_is_silent_to_notices_and_to_itself() -> None:
    own = private_dict("hello")
    own["message_info"]["user_info"]["user_id"] = "10001"
    for data in (private_dict("hello", is_notify=True), own):
        assert (await Chat().bot.receive(data)).status is Status.NO_REPLY


async def test_what_is_not_finished_is_answered_when_nothing_more_comes() -> None:
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    outcome = await Chat(pause=pause).bot.receive(private_dict("So I was thinking..."))
    assert (outcome.status, pauses) == (Status.REPLIED, [1.0])


async def test_what_a_tool_of_a_plugin_tells_is_in_the_reply_request(models: Models, tmp_path: Path) -> None:
    async with components_of(tmp_path, kettle=KETTLE) as components:
        chat = Chat(models=models, components=components)
        asked = chat.watching("maisaka.replyer.before_request")
        outcome = await chat.bot.receive(message_dict("Mai, how hot is the kettle?"))
    assert outcome.status is Status.REPLIED
    assert "It has 85 degrees." in asked[0]["reference_info"]
    assert "It has 85 degrees." in outcome.reply_text
