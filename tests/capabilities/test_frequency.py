"""``ctx.frequency``: how talkative the bot is, with its effect on the planner."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from host.capabilities.frequency import FREQUENCY
from tests.bot.chat import private_dict
from tests.bot.talk import calls
from tests.capabilities.home import Home, home
from tests.capabilities.house import all_of
from tests.models.asking import provider, settings
from tests.models.endpoint import Endpoint, endpoint


@pytest.fixture
async def planner() -> AsyncIterator[Endpoint]:
    """Decides to stay silent."""
    async with endpoint(calls("no_reply")) as planner:
        yield planner


def planned_by(planner: Endpoint) -> dict[str, Any]:
    return {"models": settings(provider("p", planner.url))}


async def thought_about(here: Home, planner: Endpoint, texts: list[str]) -> list[str]:
    """About which of some messages of a group the planner is asked."""
    asked = []
    for number, text in enumerate(texts):
        before = len(planner.asked)
        await here.hear(text, message_id=f"{text} {number} {before}", is_mentioned=False)
        asked += [text] * (len(planner.asked) > before)
    return asked


async def test_the_adjustment_says_about_how_many_messages_the_planner_is_asked(
    tmp_path: Path, planner: Endpoint
) -> None:
    async with home(tmp_path, *all_of(FREQUENCY), **planned_by(planner)) as here:
        chat = await here.hear("first", is_mentioned=False)
        assert len(planner.asked) == 1
        assert await here.ask(f"ctx.frequency.get_adjust('{chat}')") == 1.0
        assert await here.ask(f"ctx.frequency.set_adjust('{chat}', 0.5)") is True
        assert await thought_about(here, planner, ["a", "b", "c", "d"]) == ["b", "d"]
        assert await here.ask(f"ctx.frequency.set_adjust('{chat}', -3)") is True
        assert await here.ask(f"ctx.frequency.get_adjust('{chat}')") == 0.0
        assert await thought_about(here, planner, ["a", "b", "麦麦, hello", "c"]) == ["麦麦, hello"]
        before = len(planner.asked)
        await here.hear("look", message_id="775", is_at=True, is_mentioned=False)
        await here.host.bot.receive(private_dict("alone"))
        assert len(planner.asked) == before + 2


async def test_the_owner_s_talk_value_counts_too_and_may_be_changed(tmp_path: Path, planner: Endpoint) -> None:
    chosen = {**planned_by(planner), "answering": {"talk_value": 0.5}}
    async with home(tmp_path, *all_of(FREQUENCY), "config.get", **chosen) as here:
        chat = await here.hear("x", is_mentioned=False)
        assert planner.asked == []
        assert await here.ask(f"ctx.frequency.get_current_talk_value('{chat}')") == 0.5
        assert await here.ask("ctx.config.get('chat.reply_timing.talk_value')") == 0.5
        await here.ask(f"ctx.frequency.set_adjust('{chat}', 0.5)")
        assert await here.ask(f"ctx.frequency.get_current_talk_value('{chat}')") == 0.25
        answering = here.host.settings.answering.model_copy(update={"talk_value": 1.0})
        await here.host.take_over(here.host.settings.model_copy(update={"answering": answering}))
        assert await here.ask(f"ctx.frequency.get_current_talk_value('{chat}')") == 0.5
        assert await thought_about(here, planner, ["a", "b", "c"]) == ["a", "c"]


async def test_private_chats_are_thought_about_whole(tmp_path: Path, planner: Endpoint) -> None:
    async with home(tmp_path, *all_of(FREQUENCY), **planned_by(planner)) as here:
        chat = (await here.host.bot.receive(private_dict("alone"))).session_id
        assert await here.ask(f"ctx.frequency.set_adjust('{chat}', 0)") is True
        assert await here.ask(f"ctx.frequency.get_adjust('{chat}')") == 1.0
        assert await here.ask(f"ctx.frequency.get_current_talk_value('{chat}')") == 1.0


async def test_a_factor_must_be_a_number(tmp_path: Path) -> None:
    async with home(tmp_path, *all_of(FREQUENCY)) as here:
        for value in ("'much'", "float('nan')", "None"):
            call = f"ctx.call_capability('frequency.set_adjust', chat_id='tea', value={value})"
            assert await here.ask(call) is False
        assert await here.ask("ctx.frequency.get_adjust('tea')") == 1.0
        assert "'chat_id' is missing" in await here.refused("ctx.frequency.get_adjust('')")
