"""A whole host with a plugin that asks for whatever a test says, over a real storage and the real bot."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host import Host, Settings
from host.bot import SessionMessage
from host.runtime.code import Isolation
from host.storage import DATABASE_FILE, Storage
from tests.bot.chat import MemoryGateway, message_dict
from tests.capabilities.house import ASKER
from tests.runtime.plugin_folders import manifest, write_plugin

PLUGIN = "team.asker"


@dataclass
class AwaitedGateway(MemoryGateway):
    """Remembers what it delivers, and sets `delivered` with the first message."""

    delivered: asyncio.Event = field(default_factory=asyncio.Event)

    async def deliver(self, message: SessionMessage, *, typing: bool, reply_message_id: str | None) -> str | None:
        """Deliver a message."""
        given = await MemoryGateway.deliver(self, message, typing=typing, reply_message_id=reply_message_id)
        self.delivered.set()
        return given


@dataclass(slots=True)
class Home:
    """The host, the way out of its bot, and short ways to ask.

    Args:
        host: the host.
        gateway: remembers what the bot says.
    """

    host: Host
    gateway: AwaitedGateway

    def stored(self) -> AbstractAsyncContextManager[Storage]:
        """What the bot remembers, opened once more."""
        return Storage.open(self.host.settings.data_dir / DATABASE_FILE)

    async def ask(self, source: str, plugin_id: str = PLUGIN) -> Any:
        """What the plugin gets that evaluates `source`; RuntimeError where that raises in it."""
        tools = self.host.plugins.components.of_type("TOOL")
        [tool] = [each for each in tools if (each.plugin_id, each.name) == (plugin_id, "ask")]
        invoked = await tool.invoke({"source": source})
        assert invoked.success, invoked.result
        answer = invoked.result
        if "raised" in answer:
            raise RuntimeError(answer["raised"])
        return answer["returned"]

    async def refused(self, source: str) -> str:
        """Why the host does not do what is asked."""
        answer = await self.ask(source)
        assert answer["success"] is False, answer
        error: str = answer["error"]
        assert " / " in error
        return error

    async def hear(self, text: str = "hello", /, **changes: Any) -> str:
        """Have the bot receive a message; gives the name of the chat."""
        return (await self.host.bot.receive(message_dict(text, **changes))).session_id


@asynccontextmanager
async def home(
    folder: Path, *granted: str, isolation: Isolation = "inline", more: str = "", **settings: Any
) -> AsyncIterator[Home]:
    """A running host whose plugin ``team.asker`` lists some capabilities.

    Args:
        folder: for its plugins and data.
        granted: what the plugin lists.
        isolation: where the plugin runs.
        more: further methods of the plugin's class.
        settings: of the host.
    """
    code = ASKER.replace("def more(self): ...", more.strip() or "def more(self): ...")
    about = manifest(PLUGIN, capabilities=list(granted))
    write_plugin(folder / "plugins", PLUGIN, code, {"_manifest.json": json.dumps(about)})
    gateway = AwaitedGateway()
    chosen = {
        "data_dir": folder / "data",
        "plugin_dirs": (folder / "plugins",),
        "bundled_plugins": False,
        "plugins": {"isolation": isolation},
        **settings,
    }
    async with Host(Settings.model_validate(chosen), gateways=(gateway,)) as host:
        assert (problem := host.plugins[PLUGIN].problem) is None, problem
        yield Home(host, gateway)
