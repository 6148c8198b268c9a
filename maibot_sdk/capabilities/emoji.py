"""`ctx.emoji`: the stickers that the bot has collected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class EmojiCapability:
    """Picks, registers and deletes stickers. A sticker is a dict with `base64`, `description`, `emotions` and so on."""

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def get_random(self, count: int = 5) -> Any:
        """Different stickers, drawn at random, at most `count`."""
        return await self._ctx.call_capability("emoji.get_random", count=count)

    async def get_by_description(self, description: str, limit: int = 5) -> Any:
        """One sticker that fits a description, or None. `limit` is sent, though hosts return one."""
        return await self._ctx.call_capability("emoji.get_by_description", description=description, limit=limit)

    async def get_count(self) -> Any:
        """How many stickers there are."""
        return await self._ctx.call_capability("emoji.get_count")

    async def get_info(self) -> Any:
        """How many there are and may be: `current_count`, `max_count` and `available_emojis`."""
        return await self._ctx.call_capability("emoji.get_info")

    async def get_emotions(self) -> Any:
        """Every emotion that some sticker is tagged with, sorted."""
        return await self._ctx.call_capability("emoji.get_emotions")

    async def get_all(self) -> Any:
        """All stickers."""
        return await self._ctx.call_capability("emoji.get_all")

    async def register_emoji(self, emoji_base64: str) -> Any:
        """Add a picture in base64 to the stickers; the answer holds `hash`, `description` and `emotions`."""
        return await self._ctx.call_capability("emoji.register", emoji_base64=emoji_base64)

    async def delete_emoji(self, emoji_hash: str, keep_desc: bool | None = None) -> Any:
        """Delete a sticker.

        Args:
            emoji_hash: its hash.
            keep_desc: whether its description stays remembered; the host decides when not given.
        """
        kept = {} if keep_desc is None else {"keep_desc": keep_desc}
        return await self._ctx.call_capability("emoji.delete", emoji_hash=emoji_hash, **kept)
