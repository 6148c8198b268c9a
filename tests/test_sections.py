"""What an owner sets about the bot reaches the bot."""

from pathlib import Path
from typing import Any

import pytest

from host import Host, Settings
from host.bot import ConsoleGateway, Status
from host.hooks import Declaration
from tests.cli.running import write_plugin

OFFLINE = {
    "providers": [{"name": "built-in", "kind": "offline"}],
    "models": [{"name": "small", "provider": "built-in"}],
}
LOCKED = """
from maibot_sdk import Command, MaiBotPlugin

class Locked(MaiBotPlugin):
    async def on_load(self): ...

    @Command("locked", pattern="^/locked", permission="operator")
    async def locked(self, **kwargs):
        return True, "opened", True

create_plugin = Locked
"""
READS = """
from maibot_sdk import Command, MaiBotPlugin

class Reads(MaiBotPlugin):
    async def on_load(self): ...

    @Command("read", pattern="^/read")
    async def read(self, **kwargs):
        names = ("bot.nickname", "bot.qq_account", "bot.alias_names", "personality.personality",
                 "personality.reply_style", "plugin.permission")
        self.ctx.logger.warning("read: %s", [await self.ctx.config.get(name) for name in names])

create_plugin = Reads
"""


def settings_of(tmp_path: Path, **sections: Any) -> Settings:
    """Settings of a host without plugins of its own."""
    return Settings.model_validate({"data_dir": tmp_path / "data", "bundled_plugins": False, **sections})


def typed(text: str, user: str = "7") -> dict[str, Any]:
    """A message in a private chat of a platform."""
    message = ConsoleGateway(print).message(text)
    message["platform"] = "test"
    message.pop("session_id", None)
    message["message_info"]["user_info"]["user_id"] = user
    message["message_info"]["additional_config"] = {}
    return message


async def test_personality_bounds_and_splitting_reach_the_models_requests_and_the_reply(tmp_path: Path) -> None:
    settings = settings_of(
        tmp_path,
        models=OFFLINE,
        personality={"personality": "You love tea.", "reply_style": "like a sailor"},
        answering={"context_messages": 1, "reply_retries": 1},
        splitting={"enabled": False},
    )
    seen: dict[str, dict[str, Any]] = {}

    async def watch(hook_name: str, **payload: Any) -> None:
        seen[hook_name] = payload

    hooks = (
        "maisaka.planner.before_request",
        "maisaka.replyer.before_model_request",
        "maisaka.reply.before_post_process",
    )
    async with Host(settings, fallback=ConsoleGateway(print)) as host:
        host.hooks.register("a.watch", [Declaration(hook=hook, handler=watch, name=hook) for hook in hooks])
        await host.bot.receive(typed("good morning"))
        outcome = await host.bot.receive(typed("how are you?"))
    assert outcome.status is Status.REPLIED
    planner, replyer, post = (seen[hook] for hook in hooks)
    assert "You love tea." in planner["messages"][0]["content"]
    assert planner["selected_history_count"] == 1
    assert "You love tea." in replyer["messages"][0]["content"]
    assert "like a sailor" in replyer["messages"][0]["content"]
    assert replyer["max_retries"] == 1
    assert post["enable_splitter"] is False


@pytest.mark.parametrize(
    ("commands", "user", "status", "said"),
    [
        ({}, "7", Status.COMMAND, 1),
        ({"silent_denial": True}, "7", Status.COMMAND, 0),
        ({"disabled": ["a.locked.locked"]}, "7", Status.REPLIED, 1),
    ],
)
async def test_the_owner_says_who_may_call_a_command(
    tmp_path: Path, commands: dict[str, Any], user: str, status: Status, said: int
) -> None:
    plugins = write_plugin(tmp_path / "plugins", "a.locked", LOCKED)
    lines: list[str] = []
    settings = settings_of(tmp_path, plugin_dirs=[plugins], plugins={"isolation": "inline"}, commands=commands)
    async with Host(settings, fallback=ConsoleGateway(lines.append)) as host:
        outcome = await host.bot.receive(typed("/locked", user))
        assert (outcome.status, len([line for line in lines if "…" not in line])) == (status, said)
        operators = {**commands, "operators": ["test:7"], "disabled": []}
        changed = settings_of(tmp_path, plugin_dirs=[plugins], plugins={"isolation": "inline"}, commands=operators)
        assert await host.take_over(changed) == []
        lines.clear()
        outcome = await host.bot.receive(typed("/locked", user))
        assert (outcome.status, outcome.command, lines) == (Status.COMMAND, "a.locked.locked", [])


async def test_plugins_read_who_the_bot_is_by_the_published_names(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    plugins = write_plugin(tmp_path / "plugins", "a.reads", READS, capabilities=["config.get"])
    settings = settings_of(
        tmp_path,
        plugin_dirs=[plugins],
        plugins={"isolation": "inline"},
        bot={"nickname": "Nora", "aliases": ["No"], "account_id": "42"},
        personality={"personality": "calm", "reply_style": "short"},
        commands={"operators": ["test:7"]},
    )
    async with Host(settings, fallback=ConsoleGateway(print)) as host:
        await host.bot.receive(typed("/read"))
    assert "read: ['Nora', '42', ['No'], 'calm', 'short', ['test:7']]" in caplog.messages
