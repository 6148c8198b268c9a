"""A chat to test the bot in: message dicts, a gateway that remembers, a bot with the real hooks."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from host.bot import Bot, BotProfile, Gateways, RecentMessages, SessionMessage
from host.catalogue import BUILTIN_HOOKS
from host.hooks import Declaration, Hooks

NOW = 1790000000.5
"""What time it is in these chats."""


def message_dict(text: str = "hello", /, **changes: Any) -> dict[str, Any]:
    """The message that Lin says to the bot in a group; `changes` replace keys at the top."""
    return {
        "message_id": "771",
        "timestamp": "1789999999.25",
        "platform": "qq",
        "account_id": "10001",
        "scope": None,
        "message_info": {
            "user_info": {"user_id": "555", "user_nickname": "Lin", "user_cardname": None},
            "group_info": {"group_id": "123456", "group_name": "Tea room"},
            "additional_config": {},
        },
        "raw_message": [{"type": "text", "data": text}],
        "is_mentioned": True,
        "is_at": False,
        "is_emoji": False,
        "is_picture": False,
        "is_command": False,
        "is_notify": False,
        "session_id": "",
        **changes,
    }


def private_dict(text: str = "hello", /, **changes: Any) -> dict[str, Any]:
    """The message that Lin says to the bot alone."""
    data = message_dict(text, **changes)
    data["message_info"]["group_info"] = None
    return data


def parsed(text: str = "hello", /, **changes: Any) -> SessionMessage:
    """`message_dict`, processed."""
    return SessionMessage.from_dict(message_dict(text, **changes)).identified().processed()


@dataclass(slots=True)
class Delivery:
    """What a gateway was given."""

    message: SessionMessage
    typing: bool
    reply_message_id: str | None


@dataclass(slots=True)
class MemoryGateway:
    """Remembers what it delivers and gives each message the id ``platform_<n>``; raises `error` where one is set."""

    platform: str = "qq"
    error: Exception | None = None
    deliveries: list[Delivery] = field(default_factory=list)

    async def deliver(self, message: SessionMessage, *, typing: bool, reply_message_id: str | None) -> str | None:
        self.deliveries.append(Delivery(message, typing, reply_message_id))
        if self.error:
            raise self.error
        return f"platform_{len(self.deliveries)}"

    def texts(self) -> list[str]:
        """The plain texts of what was delivered."""
        return [delivery.message.text for delivery in self.deliveries]


async def at_once(seconds: float) -> None:
    """No pause."""


class Chat:
    """A bot with the built-in hooks, a gateway and a memory, and short ways to subscribe."""

    def __init__(self, **bot: Any) -> None:
        self.hooks = Hooks()
        for spec in BUILTIN_HOOKS:
            self.hooks.register_spec(spec)
        self.gateway = MemoryGateway()
        self.gateways = Gateways(self.gateway)
        self.store = RecentMessages()
        self.bot = Bot(
            self.hooks, self.gateways, **{"store": self.store, "clock": lambda: NOW, "pause": at_once, **bot}
        )

    def on(self, hook: str, handler: Callable[..., Any], *, plugin: str = "test.plugin", **declared: Any) -> None:
        """Subscribe one function as a plugin of its own."""
        self.hooks.register(plugin, [Declaration(hook=hook, handler=handler, name="handler", **declared)])

    def returning(self, hook: str, returned: Any, *, plugin: str = "test.plugin") -> None:
        """Subscribe a handler that returns `returned`."""

        async def handler(**kwargs: Any) -> Any:
            return returned

        self.on(hook, handler, plugin=plugin)

    def changing(self, hook: str, *, plugin: str = "test.plugin", **keys: Any) -> None:
        """Subscribe a handler that changes keys of the payload."""
        self.returning(hook, {"modified_kwargs": keys}, plugin=plugin)

    def changing_message(self, hook: str, *, plugin: str = "test.plugin", **keys: Any) -> None:
        """Subscribe a handler that changes keys of the message."""

        async def handler(message: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
            return {"modified_kwargs": {"message": {**message, **keys}}}

        self.on(hook, handler, plugin=plugin)

    def watching(self, hook: str, *, plugin: str = "test.watcher") -> list[dict[str, Any]]:
        """Subscribe a handler that notes the payloads it gets; the plugin id sorts it after the others."""
        seen: list[dict[str, Any]] = []

        async def handler(**kwargs: Any) -> None:
            kwargs.pop("hook_name")
            seen.append(kwargs)

        self.on(hook, handler, plugin=plugin)
        return seen


CHINESE = BotProfile(nickname="麦麦", locale="zh")
