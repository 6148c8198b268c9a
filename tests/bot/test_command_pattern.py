"""A pattern of a command that runs away holds up nobody."""

import asyncio
import re
from pathlib import Path

import pytest

from host.bot import Status
from host.bot.command_pattern import CHANCES, CommandPattern
from tests.bot.chat import Chat, message_dict
from tests.bot.components import components_of

RUNS_AWAY = r"^/(a|aa)+$"
LONG = "/" + "a" * 60 + "b"

PLUGIN = f"""
    from maibot_sdk import Command, MaiBotPlugin

    class Slow(MaiBotPlugin):
        async def on_load(self): ...

        @Command("slow", pattern=r"{RUNS_AWAY}", aliases=["/slow"], intercept_message_level=1)
        async def slow(self, **kwargs): ...

        @Command("then", pattern="^/a+b$", intercept_message_level=1)
        async def then(self, **kwargs): ...

    create_plugin = Slow
"""


def test_a_pattern_gives_its_named_groups() -> None:
    pattern = CommandPattern("tea.pot", r"^/pot (?P<size>\d+)(?P<more> .*)?$")
    assert pattern.search("/pot 3") == {"size": "3", "more": None}
    assert pattern.search("a pot") is None


def test_a_pattern_that_is_none_is_refused() -> None:
    with pytest.raises(re.error):
        CommandPattern("tea.pot", "(")


def test_a_pattern_that_takes_long_is_for_a_thread_and_is_given_up_after_some_chances(logged: list[str]) -> None:
    pattern = CommandPattern("tea.pot", RUNS_AWAY)
    with pytest.raises(TimeoutError):
        pattern.search(LONG)
    assert [pattern.search(LONG, in_thread=True) for _ in range(CHANCES)] == [None] * CHANCES
    assert pattern.search(LONG) is None
    assert pattern.search("/a") is None
    told = [line for line in logged if line.startswith("ERROR The pattern of tea.pot")]
    assert len(told) == CHANCES
    assert ["not tried any more" in line for line in told] == [False] * (CHANCES - 1) + [True]


async def test_while_a_pattern_runs_away_other_messages_are_answered(tmp_path: Path) -> None:
    async with components_of(tmp_path, slow=PLUGIN) as tools:
        chat = Chat(components=tools)
        slow = asyncio.create_task(chat.bot.receive(message_dict(LONG)))
        elsewhere = message_dict("hello")
        elsewhere["message_info"]["group_info"]["group_id"] = "1"
        assert (await chat.bot.receive(elsewhere)).status is Status.REPLIED
        assert not slow.done()
        outcome = await slow
        assert (outcome.status, outcome.command) == (Status.COMMAND, "team.slow.then")
        assert (await chat.bot.receive(message_dict("/slow"))).command == "team.slow.slow"
