"""`ctx.message`: the messages that the host has stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class MessageCapability:
    """Finds stored messages. A message is shaped as `maibot_sdk.hooks.SessionMessage`, a time is seconds since 1970."""

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def get_by_id(
        self, message_id: str, *, chat_id: str = "", stream_id: str = "", include_binary_data: bool = False
    ) -> Any:
        """A message by its id, or None.

        Args:
            message_id: the id.
            chat_id: the chat it is in; any when empty.
            stream_id: the same under its other name.
            include_binary_data: with pictures and sounds in base64.
        """
        return await self._ctx.call_capability(
            "message.get_by_id",
            message_id=message_id,
            chat_id=chat_id,
            stream_id=stream_id,
            include_binary_data=include_binary_data,
        )

    async def get_by_time(self, start_time: str, end_time: str, **kwargs: Any) -> Any:
        """The messages of a time, both ends included, of all chats.

        Args:
            start_time: from when.
            end_time: until when.
            kwargs: sent along, such as `limit`; `timeout_ms` is the deadline.
        """
        return await self._ctx.call_capability(
            "message.get_by_time", start_time=start_time, end_time=end_time, **kwargs
        )

    async def get_by_time_in_chat(self, chat_id: str, start_time: str, end_time: str, **kwargs: Any) -> Any:
        """The messages of a time in one chat; arguments as in `get_by_time`."""
        return await self._ctx.call_capability(
            "message.get_by_time_in_chat", chat_id=chat_id, start_time=start_time, end_time=end_time, **kwargs
        )

    async def get_recent(self, chat_id: str, limit: int = 10) -> Any:
        """The latest messages of a chat, at most `limit`, the oldest first."""
        return await self._ctx.call_capability("message.get_recent", chat_id=chat_id, limit=limit)

    async def count_new(self, chat_id: str, since: str) -> Any:
        """How many messages came to a chat after a time."""
        return await self._ctx.call_capability("message.count_new", chat_id=chat_id, since=since)

    async def build_readable(self, messages: Any, **kwargs: Any) -> Any:
        """Messages as text, a line each.

        Args:
            messages: the messages; None for those that the keywords `chat_id`, `start_time` and `end_time` tell.
            kwargs: sent along, such as `timestamp_mode`; `timeout_ms` is the deadline.
        """
        return await self._ctx.call_capability("message.build_readable", messages=messages, **kwargs)
