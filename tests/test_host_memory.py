"""A host with all its rooms: what plugins ask is answered, what is said is kept, and what was left open is taken up."""

import time
from pathlib import Path
from typing import Any

import pytest

from host import Host, Settings
from host.bot.stored_messages import StoredMessages
from host.runtime import Isolation
from host.settings import PluginSettings
from host.storage import DATABASE_FILE, Handling, Storage
from tests.bot.chat import MemoryGateway, message_dict, parsed
from tests.cli.running import finished, write_plugin

ASKER = """
from maibot_sdk import Command, MaiBotPlugin

class Asker(MaiBotPlugin):
    async def on_load(self): ...

    @Command("who", pattern=r"^/who")
    async def who(self, stream_id, **kwargs):
        nickname = await self.ctx.config.get("bot.nickname")
        recent = await self.ctx.message.get_recent(stream_id)
        chats = await self.ctx.chat.get_all_streams()
        answer = await self.ctx.llm.generate("hello")
        apis = await self.ctx.api.list()
        told = f"{nickname}: {len(recent)} said, {len(chats)} chats, model {answer['success']}, {len(apis)} apis"
        await self.ctx.send.text(told, stream_id)
        return True, told, 1

create_plugin = Asker
"""
ASKS = ["config.get", "message.get_recent", "chat.get_all_streams", "llm.generate", "api.list", "send.text"]


def settings_in(root: Path, **plugins: Any) -> Settings:
    """The settings of a host whose folders are in `root`."""
    (root / "plugins").mkdir(exist_ok=True)
    return Settings(
        data_dir=root / "data",
        plugin_dirs=(root / "plugins",),
        bundled_plugins=False,
        plugins=PluginSettings(**plugins),
    )


def said(text: str, message_id: str) -> dict[str, Any]:
    """What Lin says just now."""
    return message_dict(text, message_id=message_id, timestamp=str(time.time()))


@pytest.mark.parametrize("isolation", ["inline", "process"])
async def test_a_command_asks_the_host_for_everything_there_is(tmp_path: Path, isolation: Isolation) -> None:
    settings = settings_in(tmp_path, isolation=isolation)
    write_plugin(tmp_path / "plugins", "a.asker", ASKER, capabilities=ASKS)
    gateway = MemoryGateway()
    async with Host(settings, gateways=(gateway,)) as host:
        await host.bot.receive(said("good morning", "1"))
        await host.bot.receive(said("/who", "2"))
    assert gateway.texts()[-1] == f"{settings.bot.nickname}: 3 said, 1 chats, model True, 0 apis"


async def test_what_was_said_is_there_after_a_restart_and_a_chat_goes_on(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    for text in ("one", "two"):
        async with Host(settings, gateways=(MemoryGateway(),)) as host:
            await host.bot.receive(said(text, text))
    async with Storage.open(settings.data_dir / DATABASE_FILE) as storage:
        kept = await storage.messages.recent(parsed().session_id, 10)
    assert [row.processed_plain_text for row in kept][::2] == ["one", "two"]
    assert {row.handling for row in kept} == {Handling.ANSWERED, Handling.KEPT}


async def test_a_message_that_was_left_open_is_answered_at_the_next_start_and_then_no_more(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    settings.data_dir.mkdir()
    async with Storage.open(settings.data_dir / DATABASE_FILE) as storage:
        await StoredMessages(storage.messages, settings.bot.account_id).receive(parsed("are you there?"))
    delivered = []
    for _ in range(2):
        gateway = MemoryGateway()
        async with Host(settings, gateways=(gateway,)) as host:
            await host.take_up()
        delivered.append(len(gateway.deliveries))
    assert delivered == [1, 0]


async def test_a_replay_leaves_no_trace_in_the_database(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    async with Host(settings, gateways=(MemoryGateway(),), remembers=False) as host:
        await host.bot.receive(message_dict("hello"))
    assert not (settings.data_dir / DATABASE_FILE).exists()


async def test_a_file_that_is_no_database_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / DATABASE_FILE).write_bytes(b"this is no database, and somebody may want it" * 100)
    ended = await finished("run", "--no-web", cwd=tmp_path)
    assert ended.code != 0
    assert DATABASE_FILE in ended.err
    assert "Traceback" not in ended.err
    assert (data / DATABASE_FILE).read_bytes().startswith(b"this is no database")
