"""What the command hooks do: a command runs with what they leave, and they decide whether the turn goes on."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from host.bot import Status, Stop, session_id
from host.bot.commands import CommandPolicy
from host.runtime.components import Components
from tests.bot.chat import Chat, message_dict
from tests.bot.components import components_of

BEFORE = "chat.command.before_execute"
AFTER = "chat.command.after_execute"
TEA_ROOM = session_id("qq", account_id="10001", group_id="123456")

TEA = """
    from maibot_sdk import Command, MaiBotPlugin

    class Tea(MaiBotPlugin):
        async def on_load(self): ...

        @Command("brew", pattern=r"^/brew (?P<kind>\\w+)")
        async def brew(self, text, matched_groups, **kwargs):
            return True, f"{matched_groups['kind']} for {kwargs['user_id']} by {kwargs.get('plugin_config')}: {text}", 1

        @Command("sip", pattern="^/sip")
        async def sip(self, **kwargs):
            return "sipped"

        @Command("spill", pattern="^/spill")
        async def spill(self, **kwargs):
            raise LookupError("no cup")

        @Command("break", pattern="^/break", intercept_message_level=1)
        async def smash(self, **kwargs):
            raise LookupError("no pot")

        @Command("stare", pattern="^/stare", timeout_ms=20)
        async def stare(self, **kwargs):
            import asyncio
            await asyncio.Event().wait()

        @Command("close", pattern="^/close", permission="operator")
        async def close(self, **kwargs):
            return True, "closed", 1

    create_plugin = Tea
"""


@pytest.fixture
async def commands(tmp_path: Path) -> AsyncIterator[Components]:
    async with components_of(tmp_path, tea=TEA) as components:
        yield components


async def config_of(plugin_id: str) -> Mapping[str, Any] | None:
    return {"team.tea": {"pot": "large"}, "team.other": {"pot": "small"}}.get(plugin_id)


async def test_a_command_that_ends_the_turn_is_not_answered_and_is_kept_as_one(commands: Components) -> None:
    chat = Chat(components=commands, plugin_config=config_of)
    before, after = chat.watching(BEFORE), chat.watching(AFTER, plugin="test.watcher.after")
    outcome = await chat.bot.receive(message_dict("/brew oolong"))
    assert (outcome.status, outcome.command, outcome.failures) == (Status.COMMAND, "team.tea.brew", ())
    message = before[0].pop("message")
    called = {"command_name": "brew", "plugin_id": "team.tea", "matched_groups": {"kind": "oolong"}}
    assert (before, message["processed_plain_text"]) == ([called], "/brew oolong")
    assert after == [
        {
            **called,
            "message": message,
            "success": True,
            "response": "oolong for 555 by {'pot': 'large'}: /brew oolong",
            "intercept_message_level": 1,
            "continue_process": False,
        }
    ]
    (kept,) = await chat.store.of(TEA_ROOM)
    assert (kept.is_command, kept.additional_config["intercept_message_level"]) == (True, 1)
    assert chat.gateway.deliveries == []


async def test_a_command_that_does_not_end_the_turn_is_answered_too(commands: Components) -> None:
    chat = Chat(components=commands)
    after = chat.watching(AFTER)
    outcome = await chat.bot.receive(message_dict("/sip"))
    assert (outcome.status, outcome.command) == (Status.REPLIED, "team.tea.sip")
    assert (after[0]["response"], after[0]["continue_process"]) == ("sipped", True)
    assert (await chat.store.of(TEA_ROOM))[0].is_command


@pytest.mark.parametrize(
    ("said", "response", "status"),
    [
        ("/spill", "no cup", Status.REPLIED),
        ("/break", "no pot", Status.COMMAND),
        ("/stare", "team.tea/stare: it ran longer than 0.02 s", Status.COMMAND),
    ],
)
async def test_a_command_that_fails_reaches_after_execute(
    commands: Components, said: str, response: str, status: Status
) -> None:
    chat = Chat(components=commands)
    after = chat.watching(AFTER)
    outcome = await chat.bot.receive(message_dict(said))
    assert (after[0]["success"], after[0]["response"], outcome.status) == (False, response, status)


async def test_a_message_that_calls_nothing_meets_no_command_hook(commands: Components) -> None:
    chat = Chat(components=commands)
    before, after = chat.watching(BEFORE), chat.watching(AFTER, plugin="test.watcher.after")
    assert (await chat.bot.receive(message_dict("brew oolong"))).status is Status.REPLIED
    assert (before, after) == ([], [])


async def test_an_abort_keeps_a_command_from_running_and_ends_the_turn(commands: Components) -> None:
    chat = Chat(components=commands)
    chat.returning(BEFORE, {"action": "abort"})
    after = chat.watching(AFTER)
    outcome = await chat.bot.receive(message_dict("/sip"))
    assert (outcome.status, outcome.stopped) == (Status.STOPPED, Stop(BEFORE, "test.plugin", "handler"))
    assert (after, chat.gateway.deliveries) == ([], [])
    assert (await chat.store.of(TEA_ROOM))[0].is_command


async def test_groups_and_configuration_are_those_that_before_execute_left(commands: Components) -> None:
    chat = Chat(components=commands, plugin_config=config_of)
    chat.changing(BEFORE, matched_groups={"kind": "mint"}, plugin_id="team.other", command_name="pour")
    after = chat.watching(AFTER)
    await chat.bot.receive(message_dict("/brew oolong"))
    assert after[0]["response"] == "mint for 555 by {'pot': 'small'}: /brew oolong"
    assert (after[0]["command_name"], after[0]["plugin_id"]) == ("pour", "team.other")
    assert after[0]["matched_groups"] == {"kind": "mint"}


async def test_a_plugin_without_configuration_passes_none(commands: Components) -> None:
    chat = Chat(components=commands)
    after = chat.watching(AFTER)
    await chat.bot.receive(message_dict("/brew oolong"))
    assert after[0]["response"] == "oolong for 555 by None: /brew oolong"


async def test_the_command_gets_the_message_that_before_execute_left(commands: Components) -> None:
    chat = Chat(components=commands)
    chat.changing_message(BEFORE, processed_plain_text="/brew less")
    after = chat.watching(AFTER)
    await chat.bot.receive(message_dict("/brew oolong"))
    assert after[0]["response"] == "oolong for 555 by None: /brew less"


@pytest.mark.parametrize("hook", [BEFORE, AFTER])
async def test_the_message_that_a_command_hook_left_is_answered_and_kept(commands: Components, hook: str) -> None:
    chat = Chat(components=commands)
    chat.changing_message(hook, processed_plain_text="thanks")
    outcome = await chat.bot.receive(message_dict("/sip"))
    assert (outcome.text, outcome.reply_text) == ("thanks", "You are welcome, Lin.")
    assert (await chat.store.of(TEA_ROOM))[0].text == "thanks"


@pytest.mark.parametrize(("said", "goes_on"), [("/sip", False), ("/brew oolong", True)])
async def test_after_execute_decides_whether_the_turn_goes_on(commands: Components, said: str, goes_on: bool) -> None:
    chat = Chat(components=commands)
    chat.changing(AFTER, continue_process=goes_on)
    outcome = await chat.bot.receive(message_dict(said))
    assert outcome.status is (Status.REPLIED if goes_on else Status.COMMAND)
    (kept, *_) = await chat.store.of(TEA_ROOM)
    assert ("intercept_message_level" in kept.additional_config) is not goes_on


async def test_the_level_that_after_execute_gives_is_kept(commands: Components) -> None:
    chat = Chat(components=commands)
    chat.changing(AFTER, intercept_message_level=2)
    await chat.bot.receive(message_dict("/brew oolong"))
    assert (await chat.store.of(TEA_ROOM))[0].additional_config["intercept_message_level"] == 2


async def test_what_after_execute_makes_of_success_and_response_is_logged(
    commands: Components, logged: list[str]
) -> None:
    chat = Chat(components=commands)
    chat.changing(AFTER, success=False, response="out of leaves", command_name="pour")
    await chat.bot.receive(message_dict("/sip"))
    assert "INFO The command sip failed: out of leaves" in logged


@pytest.mark.parametrize("silent", [True, False])
async def test_who_may_not_call_a_command_is_told_so_unless_the_owner_wants_silence(
    commands: Components, silent: bool
) -> None:
    chat = Chat(components=commands, commands=CommandPolicy(silent=silent))
    before = chat.watching(BEFORE)
    outcome = await chat.bot.receive(message_dict("/close"))
    assert (outcome.status, outcome.command, before) == (Status.COMMAND, "team.tea.close", [])
    assert len(chat.gateway.deliveries) == (0 if silent else 1)
    assert (await chat.store.of(TEA_ROOM))[0].additional_config["intercept_message_level"] == 1


async def test_who_may_call_a_command_does(commands: Components) -> None:
    chat = Chat(components=commands, commands=CommandPolicy(operators=("qq:555",)))
    after = chat.watching(AFTER)
    await chat.bot.receive(message_dict("/close"))
    assert after[0]["response"] == "closed"


async def test_a_command_that_is_switched_off_is_an_ordinary_message(commands: Components) -> None:
    chat = Chat(components=commands, commands=CommandPolicy(disabled=("team.tea.brew",)))
    assert (await chat.bot.receive(message_dict("/brew oolong"))).status is Status.REPLIED
