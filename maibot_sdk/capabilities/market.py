"""`ctx.market`: the market where plugins are published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


MarketSort: TypeAlias = Literal[
    "name",
    "downloads",
    "likes",
    "rating",
    "downloads_growth_7d",
    "likes_growth_7d",
    "downloads_growth_30d",
    "likes_growth_30d",
]
"""What to sort search results by."""


class MarketCapability:
    """Searches the plugin market. Each method raises TypeError when the host answers with anything but a dict."""

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def search(
        self,
        query: str = "",
        *,
        category: str = "",
        page: int = 1,
        limit: int = 20,
        sort_by: MarketSort = "name",
        compatible_only: bool = False,
        include_manifest: bool = False,
        include_stats: bool = False,
        force_refresh: bool = False,
    ) -> dict[str, Any]:
        """A page of plugins.

        Args:
            query: words to look for; all plugins when empty.
            category: only those of a category.
            page: which page, from 1.
            limit: how many on a page.
            sort_by: the order.
            compatible_only: only those that run on this host.
            include_manifest: with the manifest of each.
            include_stats: with the numbers of each.
            force_refresh: ask the market even when the host remembers the answer.
        """
        return await self._ask(
            "market.search",
            query=query,
            category=category,
            page=page,
            limit=limit,
            sort_by=sort_by,
            compatible_only=compatible_only,
            include_manifest=include_manifest,
            include_stats=include_stats,
            force_refresh=force_refresh,
        )

    async def get_detail(self, plugin_id: str, *, force_refresh: bool = False) -> dict[str, Any]:
        """One plugin with its manifest, numbers and releases; `force_refresh` as in `search`."""
        return await self._ask("market.get_detail", plugin_id=plugin_id, force_refresh=force_refresh)

    async def get_readme(
        self,
        plugin_id: str,
        *,
        max_chars: int = 8000,
        prefer_local: bool = True,
        branch: str = "main",
        force_refresh: bool = False,
    ) -> dict[str, Any]:
        """The readme of a plugin, under `content`.

        Args:
            plugin_id: id of the plugin.
            max_chars: where to cut it, in characters.
            prefer_local: take that of the installed plugin where there is one.
            branch: the branch of its repository.
            force_refresh: ask the market even when the host remembers the answer.
        """
        return await self._ask(
            "market.get_readme",
            plugin_id=plugin_id,
            max_chars=max_chars,
            prefer_local=prefer_local,
            branch=branch,
            force_refresh=force_refresh,
        )

    async def _ask(self, capability: str, **arguments: Any) -> dict[str, Any]:
        answer = await self._ctx.call_capability(capability, **arguments)
        if not isinstance(answer, dict):
            found = type(answer).__name__
            raise TypeError(
                f"{capability} answered with {found} instead of a dict / {capability} 的返回值应为字典，收到 {found}"
            )
        return answer
