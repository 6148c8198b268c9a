"""`ctx.statistics`: what the bot has been doing, in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from maibot_sdk._results import dict_or_empty, list_or_empty

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class LocalStatisticsCapability:
    """`ctx.statistics.local`: counts that this host keeps itself.

    Each method looks back `days` days. A trend has a value for each `bucket` (`hour` or `day`): `timestamps`, and
    `values_by_key` beside them, with a name for each key in `labels_by_key`. For any answer that does not fit, the
    result is empty.
    """

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def models(self, *, days: int = 7, limit: int = 10) -> list[dict[str, Any]]:
        """The models that were used most, at most `limit`: requests, tokens, cost and time of each."""
        answer = await self._ctx.call_capability("statistics.local.models", days=days, limit=limit)
        return list_or_empty(answer.get("models") if isinstance(answer, dict) else answer)

    async def model_trend(
        self, *, days: int = 7, bucket: str = "day", top_models: int = 10, metric: str = "token", module_name: str = ""
    ) -> dict[str, Any]:
        """How much each of the `top_models` was used.

        Args:
            days: how far to look back.
            bucket: `hour` or `day`.
            top_models: how many models at most.
            metric: what to count: `token`, `request`, `cost` or `latency`.
            module_name: only the requests of one module of the bot.
        """
        return dict_or_empty(
            await self._ctx.call_capability(
                "statistics.local.model_trend",
                days=days,
                bucket=bucket,
                top_models=top_models,
                metric=metric,
                module_name=module_name,
            )
        )

    async def token_trend(
        self, *, days: int = 7, bucket: str = "day", group_by: str = "", top_items: int = 10
    ) -> dict[str, Any]:
        """The tokens that were used, in all or by `group_by`: `model`, `module`, `provider` or `type`."""
        return dict_or_empty(
            await self._ctx.call_capability(
                "statistics.local.token_trend", days=days, bucket=bucket, group_by=group_by, top_items=top_items
            )
        )

    async def token_distribution(
        self, *, days: int = 7, group_by: str = "model", top_items: int = 10
    ) -> dict[str, Any]:
        """The shares of tokens and requests by `group_by`, as `pies`; what is below the `top_items` is one share."""
        return dict_or_empty(
            await self._ctx.call_capability(
                "statistics.local.token_distribution", days=days, group_by=group_by, top_items=top_items
            )
        )

    async def message_trend(self, *, days: int = 7, bucket: str = "day", top_chats: int = 10) -> dict[str, Any]:
        """The messages in each of the busiest chats."""
        return dict_or_empty(
            await self._ctx.call_capability(
                "statistics.local.message_trend", days=days, bucket=bucket, top_chats=top_chats
            )
        )

    async def tool_trend(self, *, days: int = 7, bucket: str = "day", top_tools: int = 10) -> dict[str, Any]:
        """The calls of each of the most used tools."""
        return dict_or_empty(
            await self._ctx.call_capability(
                "statistics.local.tool_trend", days=days, bucket=bucket, top_tools=top_tools
            )
        )

    async def online_time_trend(self, *, days: int = 7, bucket: str = "day") -> dict[str, Any]:
        """How long the bot was running."""
        return dict_or_empty(
            await self._ctx.call_capability("statistics.local.online_time_trend", days=days, bucket=bucket)
        )


class StatisticsCapability:
    """Reads what was counted; all there is stands under `local`."""

    def __init__(self, ctx: PluginContext) -> None:
        self.local = LocalStatisticsCapability(ctx)
