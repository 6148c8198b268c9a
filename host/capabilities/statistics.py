"""``statistics.local.*``: what the bot did, from counts that are stored."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from host.capabilities.arguments import Arguments
from host.capabilities.capability import Capability, CapabilitySpec
from host.capabilities.errors import RefusalError
from host.capabilities.series import BUCKETS, Bucket, Point, Series, series, split
from host.capabilities.texts import CAPABILITY_TEXTS
from host.hooks.texts import Locale
from host.runtime import Plugin
from host.storage import Storage, UsageKey, UsageSum
from maibot_sdk.hooks import Text

MOST_DAYS, MOST_ITEMS = 365, 50
_DAY = 86_400.0
_GROUPS: Mapping[str, UsageKey] = {
    "model": "model_name",
    "module": "task_name",
    "provider": "model_api_provider_name",
    "type": "request_type",
}
_METRICS = {
    **dict.fromkeys(("request", "requests", "count"), "request_count"),
    "cost": "cost",
    **dict.fromkeys(("latency", "time"), "latency"),
}


class ModelSum(TypedDict):
    """What a model was used for; times are seconds, costs in the currency of the owner's prices."""

    model_name: str
    request_count: int
    total_cost: float
    total_tokens: int
    avg_response_time: float


class Models(TypedDict):
    """Models, the most asked first."""

    success: bool
    models: list[ModelSum]


class OneSeries(TypedDict):
    """Numbers over time."""

    success: bool
    series: Series


class Slice(TypedDict):
    """A part of a whole."""

    name: str
    value: int


class Pie(TypedDict):
    """A whole in parts, the largest first; what is beyond them is one part more."""

    title: str
    data: list[Slice]


class Distribution(TypedDict):
    """Tokens, then requests."""

    pies: list[Pie]
    total: int
    source_count: int


class OneDistribution(TypedDict):
    """How tokens and requests are distributed."""

    success: bool
    distribution: Distribution


Positive = Annotated[int, Field(ge=1)]


class _OfDays(Arguments):
    days: Positive = 7


class _Models(_OfDays):
    limit: Positive = 10


class _Trend(_OfDays):
    bucket: str = "day"


class _ModelTrend(_Trend):
    top_models: Positive = 10
    metric: str = "token"
    module_name: str = ""


class _TokenTrend(_Trend):
    group_by: str = ""
    top_items: Positive = 10


class _Distribution(_OfDays):
    group_by: str = "model"
    top_items: Positive = 10


class _MessageTrend(_Trend):
    top_chats: Positive = 10


class _ToolTrend(_Trend):
    top_tools: Positive = 10


MODELS = CapabilitySpec(
    "statistics.local.models", _Models, Models, Text("What each model was used for.", "各模型的使用情况。")
)
MODEL_TREND = CapabilitySpec(
    "statistics.local.model_trend",
    _ModelTrend,
    OneSeries,
    Text("Tokens, requests, cost or latency of models over time.", "各模型的 token、请求、费用或延迟随时间的变化。"),
)
TOKEN_TREND = CapabilitySpec(
    "statistics.local.token_trend",
    _TokenTrend,
    OneSeries,
    Text("Tokens over time, by model, module, provider or type.", "token 随时间的变化，可按模型、模块、提供方或类型。"),
)
DISTRIBUTION = CapabilitySpec(
    "statistics.local.token_distribution",
    _Distribution,
    OneDistribution,
    Text("How tokens and requests are distributed.", "token 与请求的分布。"),
)
MESSAGE_TREND = CapabilitySpec(
    "statistics.local.message_trend",
    _MessageTrend,
    OneSeries,
    Text("Messages of chats over time.", "各会话消息数随时间的变化。"),
)
TOOL_TREND = CapabilitySpec(
    "statistics.local.tool_trend",
    _ToolTrend,
    OneSeries,
    Text("Calls of tools over time.", "工具调用次数随时间的变化。"),
)
ONLINE_TREND = CapabilitySpec(
    "statistics.local.online_time_trend",
    _Trend,
    OneSeries,
    Text("Hours in which the bot ran, over time.", "机器人在线时长随时间的变化。"),
)
STATISTICS = (MODELS, MODEL_TREND, TOKEN_TREND, DISTRIBUTION, MESSAGE_TREND, TOOL_TREND, ONLINE_TREND)


class StatisticsFamily:
    """What the bot did.

    Args:
        storage: has the counts.
        clock: what time it is, in seconds since 1970.
        locale: of labels.
    """

    def __init__(self, storage: Storage, clock: Callable[[], float] = time.time, locale: Locale = "en") -> None:
        self._storage = storage
        self._clock = clock
        self._locale = locale

    def offers(self) -> Iterable[Capability]:
        """``statistics.local.*``."""
        return (
            MODELS.by(self._models),
            MODEL_TREND.by(self._model_trend),
            TOKEN_TREND.by(self._token_trend),
            DISTRIBUTION.by(self._distribution),
            MESSAGE_TREND.by(self._message_trend),
            TOOL_TREND.by(self._tool_trend),
            ONLINE_TREND.by(self._online_trend),
        )

    async def _models(self, plugin: Plugin, asked: _Models) -> Models:
        sums = await self._storage.usage.sums(*self._time(asked), by=("model_name",))
        sums.sort(key=lambda each: (-each.request_count, each.key[0] or ""))
        models: list[ModelSum] = [
            {
                "model_name": each.key[0] or "",
                "request_count": each.request_count,
                "total_cost": each.cost,
                "total_tokens": each.total_tokens,
                "avg_response_time": each.time_cost / each.request_count,
            }
            for each in sums[: min(asked.limit, MOST_ITEMS)]
        ]
        return {"success": True, "models": models}

    async def _model_trend(self, plugin: Plugin, asked: _ModelTrend) -> OneSeries:
        bucket = _bucket(asked)
        sums = await self._storage.usage.sums(*self._time(asked), by=("model_name", "task_name"), per=bucket)
        kept = [each for each in sums if asked.module_name in ("", each.key[1])]
        merged: dict[tuple[float, str], UsageSum] = {}
        for each in kept:
            name = each.key[0] or ""
            known = merged.get((each.since, name))
            merged[each.since, name] = known.plus(each) if known else replace(each, key=(name,))
        metric = _METRICS.get(asked.metric.strip().lower(), "total_tokens")
        points = [Point(since, name, _measured(each, metric)) for (since, name), each in merged.items()]
        return {"success": True, "series": series(points, bucket, min(asked.top_models, MOST_ITEMS), len(kept))}

    async def _token_trend(self, plugin: Plugin, asked: _TokenTrend) -> OneSeries:
        bucket = _bucket(asked)
        if asked.group_by.strip():
            sums = await self._storage.usage.sums(*self._time(asked), by=(_group(asked.group_by),), per=bucket)
            points = [Point(each.since, each.key[0] or "", each.total_tokens) for each in sums]
            return {"success": True, "series": series(points, bucket, min(asked.top_items, MOST_ITEMS), len(sums))}
        sums = await self._storage.usage.sums(*self._time(asked), per=bucket)
        kinds = ("total_tokens", "prompt_tokens", "completion_tokens", "request_count")
        points = [Point(each.since, kind, getattr(each, kind)) for each in sums for kind in kinds]
        found = series(points, bucket, len(kinds), len(sums), total_of=kinds[0])
        return {"success": True, "series": self._labelled(found)}

    async def _distribution(self, plugin: Plugin, asked: _Distribution) -> OneDistribution:
        sums = await self._storage.usage.sums(*self._time(asked), by=(_group(asked.group_by or "model"),))
        top = min(asked.top_items, MOST_ITEMS)
        tokens = {each.key[0] or "": each.total_tokens for each in sums}
        requests = {each.key[0] or "": each.request_count for each in sums}
        pies: list[Pie] = [
            {"title": self._say("tokens"), "data": self._slices(tokens, top)},
            {"title": self._say("requests"), "data": self._slices(requests, top)},
        ]
        distribution: Distribution = {"pies": pies, "total": sum(tokens.values()), "source_count": len(sums)}
        return {"success": True, "distribution": distribution}

    async def _message_trend(self, plugin: Plugin, asked: _MessageTrend) -> OneSeries:
        bucket, top = _bucket(asked), min(asked.top_chats, MOST_ITEMS)
        counts = await self._storage.activity.messages(*self._time(asked))
        sums: dict[str, int] = defaultdict(int)
        for each in counts:
            sums[each.name] += each.count
        names = await self._chat_names(sorted(sums, key=lambda chat: (-sums[chat], chat))[:top])
        points = [Point(each.hour, names[each.name], each.count) for each in counts if each.name in names]
        return {"success": True, "series": series(points, bucket, top, len(counts))}

    async def _tool_trend(self, plugin: Plugin, asked: _ToolTrend) -> OneSeries:
        bucket = _bucket(asked)
        counts = await self._storage.activity.tools(*self._time(asked))
        points = [Point(each.hour, each.name, each.count) for each in counts]
        return {"success": True, "series": series(points, bucket, min(asked.top_tools, MOST_ITEMS), len(counts))}

    async def _online_trend(self, plugin: Plugin, asked: _Trend) -> OneSeries:
        bucket = _bucket(asked)
        times = await self._storage.activity.online(*self._time(asked))
        points = [
            Point(moment, "online_hours", seconds / 3600)
            for start, end in times
            for moment, seconds in split(start, end, bucket)
        ]
        return {"success": True, "series": self._labelled(series(points, bucket, 1, len(times)))}

    def _time(self, asked: _OfDays) -> tuple[float, float]:
        now = self._clock()
        return now - min(asked.days, MOST_DAYS) * _DAY, now

    async def _chat_names(self, session_ids: Iterable[str]) -> dict[str, str]:
        """What chats are called; of two of one name each with its id."""
        names: dict[str, str] = {}
        for session_id in session_ids:
            chat = await self._storage.sessions.get(session_id)
            name = (chat.group_name or chat.user_nickname if chat else None) or session_id
            names[session_id] = f"{name} ({session_id})" if name in names.values() else name
        return names

    def _slices(self, values: Mapping[str, int], top: int) -> list[Slice]:
        ranked = sorted(values.items(), key=lambda each: (-each[1], each[0]))
        slices: list[Slice] = [{"name": name, "value": value} for name, value in ranked[:top]]
        if rest := sum(value for _, value in ranked[top:]):
            slices.append({"name": self._say("the_rest"), "value": rest})
        return slices

    def _labelled(self, found: Series) -> Series:
        return {**found, "labels_by_key": {key: self._say(key) for key in found["labels_by_key"]}}

    def _say(self, code: str) -> str:
        return CAPABILITY_TEXTS.render(f"statistics_{code}", {}, self._locale)


def _measured(found: UsageSum, metric: str) -> float:
    return found.time_cost / found.request_count if metric == "latency" else float(getattr(found, metric))


def _bucket(asked: _Trend) -> Bucket:
    found = BUCKETS.get(asked.bucket.strip().lower())
    if found is None:
        raise RefusalError("one_of", name="bucket", found=asked.bucket, allowed=", ".join(BUCKETS))
    return found


def _group(name: str) -> UsageKey:
    found = _GROUPS.get(name.strip().lower())
    if found is None:
        raise RefusalError("one_of", name="group_by", found=name, allowed=", ".join(_GROUPS))
    return found
