"""`ctx.frequency`: how often the bot speaks up in a chat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class FrequencyCapability:
    """Reads and adjusts how talkative the bot is; `chat_id` is a session id."""

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def get_current_talk_value(self, chat_id: str) -> Any:
        """How talkative it is now: the configured value times the adjustment."""
        return await self._ctx.call_capability("frequency.get_current_talk_value", chat_id=chat_id)

    async def set_adjust(self, chat_id: str, value: float) -> Any:
        """Set the adjustment, a factor of 0 or more that lasts until the host ends; whether that worked."""
        return await self._ctx.call_capability("frequency.set_adjust", chat_id=chat_id, value=value)

    async def get_adjust(self, chat_id: str) -> Any:
        """The adjustment, 1.0 unless it was set."""
        return await self._ctx.call_capability("frequency.get_adjust", chat_id=chat_id)
