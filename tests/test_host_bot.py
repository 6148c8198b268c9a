"""The host gives its bot a storage and models, and closes them with itself."""

import sqlite3
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from host import Host, Settings
from host.bot import Status
from host.bot.commands import marked_as_command
from host.bot.stored_messages import StoredMessages
from host.catalogue import BUILTIN_HOOKS
from host.hooks import Declaration
from host.models import ModelSettings
from host.storage import DATABASE_FILE, ForeignDatabaseError, Handling, Storage
from tests.bot.chat import MemoryGateway, message_dict, parsed
from tests.bot.talk import REPLY
from tests.models.asking import KEY, provider, settings
from tests.models.endpoint import endpoint, says
from tests.runtime.plugin_folders import write_plugin

TEA = """
    from maibot_sdk import Command, MaiBotPlugin, ON_MODEL_CONFIG_RELOAD

    class Tea(MaiBotPlugin):
        config_reload_subscriptions = [ON_MODEL_CONFIG_RELOAD]

        async def on_load(self): ...

        async def on_config_update(self, scope, config_data, version):
            self.ctx.logger.warning("told: %s %s", scope, config_data["providers"][0])

        @Command("pot", pattern="^/pot")
        async def pot(self, plugin_config, **kwargs):
            return True, f"pot {plugin_config['pot']['size']}", 1

    create_plugin = Tea
"""


def of(folder: Path, models: ModelSettings | None = None, **changes: Any) -> Settings:
    return Settings(data_dir=folder / "data", bundled_plugins=False, models=models or ModelSettings(), **changes)


async def handling_of(folder: Path) -> list[tuple[str, Handling]]:
    """What is stored, after the host was closed."""
    async with Storage.open(folder / "data" / DATABASE_FILE) as storage:
        found = await storage.messages.between(0, time.time() + 60)
    return [(row.processed_plain_text or "", row.handling) for row in found]


async def left_open(folder: Path, *messages: Any) -> None:
    """Leave messages as a program does that is killed before it answered them."""
    (folder / "data").mkdir()
    async with Storage.open(folder / "data" / DATABASE_FILE) as storage:
        stored = StoredMessages(storage.messages, "maibot")
        for message in messages:
            await stored.admit(await stored.receive(message), message)


async def test_what_is_heard_and_said_outlives_the_host(tmp_path: Path) -> None:
    async with Host(of(tmp_path), gateways=(MemoryGateway(),)) as host:
        await host.bot.receive(message_dict("hello"))
        await host.bot.receive(message_dict("quiet", message_id="772", is_notify=True))
    assert await handling_of(tmp_path) == [
        ("hello", Handling.ANSWERED),
        ("quiet", Handling.IGNORED),
        ("Hello, Lin!", Handling.KEPT),
    ]


async def test_without_a_provider_too_every_hook_of_planner_and_replyer_is_fired(tmp_path: Path) -> None:
    chains = [spec.name for spec in BUILTIN_HOOKS if spec.name.startswith(("maisaka.planner.", "maisaka.reply"))]
    fired: list[str] = []

    async def note(hook_name: str, **kwargs: Any) -> None:
        fired.append(hook_name)

    async with Host(of(tmp_path), gateways=(MemoryGateway(),)) as host:
        host.hooks.register("test.notes", [Declaration(hook=hook, handler=note, name=hook) for hook in chains])
        await host.bot.receive(message_dict("hello"))
    assert len(chains) == 6
    assert sorted(fired) == sorted(chains)


async def test_a_message_that_was_not_answered_is_taken_up_once(tmp_path: Path) -> None:
    await left_open(tmp_path, parsed("hello"))
    gateway = MemoryGateway()
    for expected in ([Status.REPLIED], []):
        async with Host(of(tmp_path), gateways=(gateway,)) as host:
            assert [outcome.status for outcome in await host.take_up()] == expected
            assert await host.take_up() == []
    assert gateway.texts() == ["Hello, Lin!"]
    assert (await handling_of(tmp_path))[0] == ("hello", Handling.ANSWERED)


async def test_a_command_of_a_message_that_is_taken_up_does_not_run_again(tmp_path: Path) -> None:
    ended, went_on = marked_as_command(parsed("/pot"), 1), marked_as_command(parsed("/pot hello"), 0)
    await left_open(tmp_path, ended, replace(went_on, message_id="772"))
    write_plugin(tmp_path / "plugins", "team.tea", TEA)
    async with Host(of(tmp_path, plugin_dirs=(tmp_path / "plugins",)), gateways=(MemoryGateway(),)) as host:
        outcomes = await host.take_up()
    assert [(outcome.status, outcome.command) for outcome in outcomes] == [(Status.COMMAND, ""), (Status.REPLIED, "")]


async def test_a_command_gets_the_configuration_of_its_plugin_file(tmp_path: Path, logged: list[str]) -> None:
    write_plugin(tmp_path / "plugins", "team.tea", TEA, {"config.toml": "[pot]\nsize = 3\n"})
    async with Host(of(tmp_path, plugin_dirs=(tmp_path / "plugins",))) as host:
        assert (await host.bot.receive(message_dict("/pot"))).status is Status.COMMAND
    assert "INFO The command pot succeeded: pot 3" in logged


async def test_a_database_that_cannot_be_used_keeps_the_host_from_starting(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    other = sqlite3.connect(tmp_path / "data" / DATABASE_FILE)
    other.execute("CREATE TABLE model_usage (other INTEGER)")
    other.close()
    with pytest.raises(ForeignDatabaseError):
        async with Host(of(tmp_path)):
            pass


async def test_with_a_provider_in_the_settings_models_plan_and_word_the_replies(tmp_path: Path) -> None:
    async with endpoint(REPLY, says("Plenty.")) as running:
        configured = settings(provider("main", running.url), price_in=1_000_000.0)
        async with Host(of(tmp_path, configured), gateways=(MemoryGateway(),)) as host:
            assert (await host.bot.receive(message_dict("tea?"))).reply_text == "Plenty."
    async with Storage.open(tmp_path / "data" / DATABASE_FILE) as storage:
        sums = await storage.usage.sums(0, time.time() + 60, by=("task_name",))
    assert {each.key: (each.prompt_tokens, each.cost > 100) for each in sums} == {
        ("planner",): (120, True),
        ("replyer",): (120, True),
    }


async def test_changed_models_are_asked_from_the_next_message_on_and_plugins_are_told_without_keys(
    tmp_path: Path, logged: list[str]
) -> None:
    write_plugin(tmp_path / "plugins", "team.tea", TEA)
    gateway = MemoryGateway()
    async with endpoint(REPLY, says("Plenty.")) as running:
        before = of(tmp_path, plugin_dirs=(tmp_path / "plugins",))
        async with Host(before, gateways=(gateway,)) as host:
            await host.bot.receive(message_dict("thanks"))
            changed = before.model_copy(update={"models": settings(provider("main", running.url))})
            assert await host.take_over(changed) == []
            await host.bot.receive(message_dict("tea?"))
            told = [line for line in logged if "told: model" in line]
    assert gateway.texts() == ["You are welcome, Lin.", "Plenty."]
    assert len(told) == 1
    assert KEY not in told[0]
