"""The command ``/clear``: models are told nothing from before it."""

from pathlib import Path
from typing import Any

from host.bot import CommandPolicy, Status
from tests.bot.chat import Chat, message_dict
from tests.bot.components import components_of

OPERATED = CommandPolicy(operators=("qq:555",))
GREEDY = """
    from maibot_sdk import Command, MaiBotPlugin

    class Greedy(MaiBotPlugin):
        async def on_load(self): ...

        @Command("any", pattern=".")
        async def any(self, **kwargs):
            return True, "taken", 1

    create_plugin = Greedy
"""


async def told_after_clearing(policy: CommandPolicy) -> tuple[list[Any], str]:
    """The statuses of some tea, a ``/clear`` and some milk; and what the planner was told last."""
    chat = Chat(commands=policy)
    seen = chat.watching("maisaka.planner.before_request")
    said = [("1", "Is there tea?"), ("2", "/clear"), ("3", "Is there milk?")]
    outcomes = [await chat.bot.receive(message_dict(text, message_id=number)) for number, text in said]
    return [outcome.status for outcome in outcomes], str(seen[-1]["messages"])


async def test_models_are_told_nothing_from_before_it() -> None:
    statuses, told = await told_after_clearing(OPERATED)
    assert statuses == [Status.REPLIED, Status.COMMAND, Status.REPLIED]
    assert "tea" not in told.replace("Tea room", "")
    assert "Is there milk?" in told


async def test_somebody_who_is_no_operator_clears_nothing() -> None:
    statuses, told = await told_after_clearing(CommandPolicy())
    assert statuses == [Status.REPLIED, Status.COMMAND, Status.REPLIED]
    assert "Is there tea?" in told


async def test_where_it_is_switched_off_it_is_an_ordinary_message() -> None:
    statuses, told = await told_after_clearing(CommandPolicy(operators=("qq:555",), disabled=("core.clear",)))
    assert statuses == [Status.REPLIED] * 3
    assert "Is there tea?" in told
    assert "/clear" in told


async def test_it_comes_before_the_commands_of_plugins(tmp_path: Path) -> None:
    async with components_of(tmp_path, greedy=GREEDY) as components:
        chat = Chat(components=components, commands=OPERATED)
        called = [(await chat.bot.receive(message_dict(text))).command for text in ("/clear", "/clear it")]
    assert called == ["core.clear", "team.greedy.any"]
    assert chat.gateway.texts() == ["All right, I start afresh from here."]
