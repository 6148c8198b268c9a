"""A host of plugins that can ask it for things, and a plugin that asks for whatever a test says."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host.bot import BotProfile, Gateways, OutgoingMessages, PluginOutbox, RecentMessages, Sender, SessionMessage
from host.capabilities import (
    ApiFamily,
    ApiTable,
    Capabilities,
    ChatFamily,
    ComponentFamily,
    ConfigFamily,
    LLMFamily,
    MessageFamily,
    PluginMoves,
    Readable,
    SendFamily,
    published,
)
from host.hooks import Hooks
from host.runtime import Plugins
from host.runtime.components import Component
from tests.capabilities.stand_ins import (
    ChatsInMemory,
    MessagesInMemory,
    NoModelError,
    ParrotModels,
    StoredChat,
    StoredMessage,
    ToldGateways,
    asked,
)
from tests.runtime.plugin_folders import manifest, write_plugin

NOW = 1_790_000_000.0
GROUP = StoredChat("g1", group_id="123456", group_name="Tea room", account_id="10001")
PRIVATE = StoredChat("p1", user_id="555", user_nickname="Lin")
ELSEWHERE = StoredChat("t1", platform="telegram", user_id="555")

ASKER = """
    import asyncio
    from maibot_sdk import API, Command, HookHandler, MaiBotPlugin, Tool

    class Asker(MaiBotPlugin):
        async def on_load(self): ...

        @Tool("ask", description="asks the host")
        async def ask(self, source, **kwargs):
            try:
                return {"returned": await eval(source, {"ctx": self.ctx, "plugin": self, "asyncio": asyncio})}
            except RuntimeError as error:
                return {"raised": str(error)}

        def more(self): ...

    create_plugin = Asker
"""
"""A plugin that asks the host for what a test writes as an expression."""

Answered = Any


@dataclass
class RecordingGateway:
    """A gateway that keeps what it delivers.

    Args:
        platform: the one that it serves.
        working: whether it takes messages.
    """

    platform: str = "qq"
    working: bool = True
    delivered: list[tuple[SessionMessage, bool, str | None]] = field(default_factory=list)

    async def deliver(self, message: SessionMessage, *, typing: bool, reply_message_id: str | None) -> str | None:
        """Keep it."""
        if not self.working:
            raise ConnectionError("the platform is away")
        self.delivered.append((message, typing, reply_message_id))
        return f"platform-{len(self.delivered)}"


class House:
    """A host of plugins with all capabilities: real plugins, a real send chain; storage and models are stand-ins.

    Args:
        hooks: the kernel.
        folder: where its plugins lie.
        make: makes the plugins of a folder, whose calls are answered by the given capabilities.
    """

    def __init__(self, hooks: Hooks, folder: Path, make: Callable[[Path, Capabilities], Plugins]) -> None:
        self.hooks = hooks
        self.folder = folder
        self.now = NOW
        self.gateways = ToldGateways()
        self.capabilities = Capabilities(self.gateways, clock=lambda: NOW)
        self.plugins = make(folder, self.capabilities)
        self.gateway = RecordingGateway()
        self.store = RecentMessages()
        self.chats = ChatsInMemory(GROUP, PRIVATE, ELSEWHERE)
        self.models = ParrotModels()
        self.bot_config: dict[str, Any] = {"bot": {"nickname": "Mai", "qq_account": "10001"}}
        messages = MessagesInMemory(
            StoredMessage("1", NOW - 7200, "g1", "old"),
            StoredMessage("2", NOW - 180, "g1", "hi"),
            StoredMessage("3", NOW - 60, "g1", "hello", user_id="10001", own=True),
            StoredMessage("4", NOW - 30, "g1", "/help", command=True),
            StoredMessage("5", NOW - 20, "p1", "secret"),
        )
        sender = Sender(hooks, Gateways(self.gateway), store=self.store, clock=lambda: NOW)
        outgoing = OutgoingMessages(BotProfile(), lambda: NOW)
        self.moves = PluginMoves(self.plugins)
        self.sending = SendFamily(PluginOutbox(sender, outgoing, self.chats.get, self.store))
        self._messages = messages

    def offer_all(self) -> None:
        """Offer all families, over stand-ins for storage and models."""
        apis = ApiTable(self.plugins)
        self.capabilities.add(
            self.sending,
            ConfigFamily(lambda: published(self.bot_config), self.plugins),
            LLMFamily(self.models, asked, NoModelError),
            MessageFamily(self._messages, StoredMessage.as_dict, Readable(lambda: "10001", lambda: NOW), lambda: NOW),
            ChatFamily(self.chats, self.chats.open),
            ApiFamily(apis),
            ComponentFamily(self.plugins, apis),
            self.moves,
        )

    def write(self, plugin_id: str, *granted: str, more: str = "", source: str = ASKER, **keys: Any) -> None:
        """Write a plugin that lists capabilities in its manifest.

        Args:
            plugin_id: its id.
            granted: what it lists.
            more: further methods of the class.
            source: its code.
            keys: further keys of the manifest.
        """
        code = source.replace("def more(self): ...", more.strip() or "def more(self): ...")
        content = manifest(plugin_id, capabilities=list(granted), **keys)
        write_plugin(self.folder, plugin_id, code, {"_manifest.json": json.dumps(content)})

    async def load(self, plugin_id: str, *granted: str, **how: Any) -> None:
        """Write a plugin and load it; arguments as in `write`."""
        self.write(plugin_id, *granted, **how)
        loaded = await self.plugins.load(plugin_id)
        assert loaded.problem is None, loaded.problem

    def tool(self, plugin_id: str) -> Component:
        """The tool of a plugin that asks the host."""
        (tool,) = [
            each
            for each in self.plugins.components.of_type("TOOL", switched_off=True)
            if (each.plugin_id, each.name) == (plugin_id, "ask")
        ]
        return tool

    async def ask(self, source: str, plugin_id: str = "team.asker") -> Answered:
        """What the plugin gets that evaluates `source`; RuntimeError where that raises in it."""
        invoked = await self.tool(plugin_id).invoke({"source": source})
        assert invoked.success, invoked.result
        answer: Mapping[str, Any] = invoked.result
        if "raised" in answer:
            raise RuntimeError(answer["raised"])
        return answer["returned"]


MakeHouse = Callable[..., Awaitable[House]]
"""The fixture ``house``: a house with a plugin ``team.asker`` that lists some capabilities."""


def all_of(specs: Sequence[Any]) -> list[str]:
    """The names of some capabilities."""
    return [each.name for each in specs]
