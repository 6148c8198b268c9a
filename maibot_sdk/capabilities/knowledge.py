"""`ctx.knowledge`: what the bot has learned and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class KnowledgeCapability:
    """Searches the memory of the bot."""

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def search(self, query: str, limit: int = 5) -> Any:
        """What the bot remembers about something, as one text.

        Args:
            query: what to look for.
            limit: how many pieces of memory at most.
        """
        return await self._ctx.call_capability("knowledge.search", query=query, limit=limit)
