"""The whole turn with the built-in offline model: planned and worded without an account."""

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


async def at_once(seconds: float) -> None:
    """No pause."""


@pytest.fixture
async def models() -> AsyncIterator[Models]:
    opened = Models(ModelSettings())
    yield opened
    await opened.aclose()


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (message_dict("Mai, where is the tea?"), Status.REPLIED),
        (message_dict("Where is the tea?"), Status.REPLIED),
        (message_dict("We had tea."), Status.NO_REPLY),
        (private_dict("We had tea."), Status.REPLIED),
    ],
)
async def test_it_answers_what_is_said_to_it_or_asked(models: Models, data: dict[str, Any], status: Status) -> None:
    chat = Chat(models=models, pause=at_once)
    outcome = await chat.bot.receive(data)
    assert (outcome.status, outcome.failures) == (status, ())
    assert "tea" in outcome.reply_text or status is Status.NO_REPLY
    assert "user" not in outcome.reply_text


@pytest.mark.parametrize("name", ["Lin", "Lin (bikes)", "Lin: the second", "小林"])
async def test_what_it_repeats_are_the_words_and_not_who_said_them(models: Models, name: str) -> None:
    chat = Chat(models=models, pause=at_once)
    data = private_dict("We had tea.")
    data["message_info"]["user_info"]["user_nickname"] = name
    outcome = await chat.bot.receive(data)
    assert '"We had tea"' in outcome.reply_text


async def test_what_a_tool_of_a_plugin_tells_is_in_the_reply_request(models: Models, tmp_path: Path) -> None:
    async with components_of(tmp_path, kettle=KETTLE) as components:
        chat = Chat(models=models, pause=at_once, components=components)
        asked = chat.watching("maisaka.replyer.before_request")
        outcome = await chat.bot.receive(message_dict("Mai, how hot is the kettle?"))
    assert outcome.status is Status.REPLIED
    assert "It has 85 degrees." in asked[0]["reference_info"]
