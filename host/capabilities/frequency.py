"""``frequency.*``: how talkative the bot is in a chat."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Annotated, Protocol

from pydantic import Field
from typing_extensions import TypedDict

from host.capabilities.arguments import Arguments, Id
from host.capabilities.capability import Capability, CapabilitySpec
from host.capabilities.chat import Chat
from host.capabilities.component import Done
from host.runtime import Plugin
from maibot_sdk.hooks import Text


class Frequency(Protocol):
    """How talkative the bot is, chat by chat. The bot has such a part."""

    def adjust(self, session_id: str) -> float:
        """The adjustment of a chat, 1 unless it was set."""

    def set_adjust(self, session_id: str, value: float) -> None:
        """Adjust a chat."""

    def value(self, session_id: str) -> float:
        """The talk value of a chat."""


class Value(TypedDict):
    """A factor, 0 or more."""

    success: bool
    value: float


class _OfChat(Arguments):
    chat_id: Id


class _SetAdjust(_OfChat):
    value: Annotated[float, Field(allow_inf_nan=False)]


CURRENT = CapabilitySpec(
    "frequency.get_current_talk_value",
    _OfChat,
    Value,
    Text(
        "Which part of a group's messages the bot thinks about: the owner's value times the adjustment.",
        "机器人会考虑群里多大比例的消息：配置值乘以调整系数。",
    ),
)
GET = CapabilitySpec("frequency.get_adjust", _OfChat, Value, Text("The adjustment of a chat.", "某会话的调整系数。"))
SET = CapabilitySpec(
    "frequency.set_adjust",
    _SetAdjust,
    Done,
    Text("Adjusts a group's talk value until the host ends.", "调整某群的发言频率，直到宿主结束。"),
)
FREQUENCY = (CURRENT, GET, SET)


class FrequencyFamily:
    """How talkative the bot is.

    Args:
        frequency: counts.
        find_chat: the chat of a session id, or None; in private chats the bot thinks about everything.
    """

    def __init__(self, frequency: Frequency, find_chat: Callable[[str], Awaitable[Chat | None]]) -> None:
        self._frequency = frequency
        self._find_chat = find_chat

    def offers(self) -> Iterable[Capability]:
        """``frequency.*``."""
        return CURRENT.by(self._current), GET.by(self._get), SET.by(self._set)

    async def _current(self, plugin: Plugin, asked: _OfChat) -> Value:
        private = await self._is_private(asked.chat_id)
        return {"success": True, "value": 1.0 if private else self._frequency.value(asked.chat_id)}

    async def _get(self, plugin: Plugin, asked: _OfChat) -> Value:
        return {"success": True, "value": self._frequency.adjust(asked.chat_id)}

    async def _set(self, plugin: Plugin, asked: _SetAdjust) -> Done:
        if not await self._is_private(asked.chat_id):
            self._frequency.set_adjust(asked.chat_id, asked.value)
        return {"success": True}

    async def _is_private(self, chat_id: str) -> bool:
        chat = await self._find_chat(chat_id)
        return chat is not None and not chat.group_id
