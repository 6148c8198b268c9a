"""What models were used for, and what that cost."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Any, Literal, Self

from sqlalchemy import BigInteger, ColumnElement, Select, cast, func, insert, literal, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from host.storage.database import Database
from host.storage.models import ModelUsage
from host.storage.writer import Step

UsageKey = Literal[
    "model_name",
    "model_assign_name",
    "model_api_provider_name",
    "task_name",
    "plugin_id",
    "session_id",
    "request_type",
]
"""What usage can be told apart by."""

_HOUR = 3600
_SUMMED = ("prompt_tokens", "completion_tokens", "total_tokens", "cost", "time_cost")
_ADD = insert(ModelUsage)


@dataclass(frozen=True, slots=True)
class UsageSum:
    """What a group of requests sums up to.

    Args:
        since: the begin of its hour or day, in seconds since 1970; of all time asked for where that was not divided.
        key: the values of the columns that it was grouped by, in the order asked for.
        request_count: how many requests.
        prompt_tokens: of them all, likewise those below.
        completion_tokens: what the models wrote.
        total_tokens: as the providers counted.
        cost: in the currency of the owner's prices.
        time_cost: in seconds.
    """

    since: float
    key: tuple[str | None, ...]
    request_count: int
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    cost: float
    time_cost: float

    def plus(self, other: Self) -> Self:
        """The sum of both, of this one's time and key."""
        return replace(
            self, **{name: getattr(self, name) + getattr(other, name) for name in ("request_count", *_SUMMED)}
        )


class Usage:
    """The requests to models.

    Args:
        database: keeps them.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, usage: ModelUsage) -> None:
        """Note a request.

        Raises:
            DatabaseFailedError: the database refused.
        """
        await self._database.write(Step(_ADD, usage.stored()))

    async def sums(
        self,
        since: float,
        until: float,
        *,
        by: Sequence[UsageKey] = (),
        per: Literal["hour", "day"] | None = None,
        zone: tzinfo | None = None,
    ) -> list[UsageSum]:
        """What was used, grouped; in order of time, then of the keys.

        Args:
            since: the first moment that counts, in seconds since 1970.
            until: the first that does not.
            by: the columns to group by.
            per: divide the time into hours or days.
            zone: whose hours and days; the machine's where None.
        """
        rows = await self._database.table(self._statement(since, until, by, per, zone))
        sums = [UsageSum(row[0], tuple(row[1 : 1 + len(by)]), *row[1 + len(by) :]) for row in rows]
        if per == "day":
            sums = _by_day(sums, zone)
        return sorted(sums, key=lambda each: (each.since, [value or "" for value in each.key]))

    def _statement(
        self,
        since: float,
        until: float,
        by: Sequence[UsageKey],
        per: Literal["hour", "day"] | None,
        zone: tzinfo | None,
    ) -> Select[Any]:
        start: ColumnElement[Any] = literal(since)
        if per is not None:
            past = _past_the_hour(since, zone)
            start = WholeHours((ModelUsage.timestamp - past) / _HOUR) * float(_HOUR) + past
        keys = [getattr(ModelUsage, name) for name in by]
        return (
            select(start.label("since"), *keys, func.count(), *map(_total, _SUMMED))
            .where(ModelUsage.timestamp >= since, ModelUsage.timestamp < until)
            .group_by("since", *keys)
        )


class WholeHours(FunctionElement[int]):
    """The whole part of a positive number; SQLite often comes without FLOOR, and PostgreSQL's CAST rounds."""

    type = BigInteger()
    inherit_cache = True


@compiles(WholeHours, "sqlite")
def _whole_in_sqlite(element: WholeHours, compiler: SQLCompiler, **more: Any) -> str:
    return f"CAST({compiler.process(element.clauses, **more)} AS INTEGER)"


@compiles(WholeHours, "postgresql")
def _whole_in_postgresql(element: WholeHours, compiler: SQLCompiler, **more: Any) -> str:
    return f"FLOOR({compiler.process(element.clauses, **more)})"


def _total(name: str) -> ColumnElement[Any]:
    column = ModelUsage.__table__.c[name]
    return func.coalesce(cast(func.sum(column), column.type), 0)


def _past_the_hour(moment: float, zone: tzinfo | None) -> int:
    """By how many seconds the zone's hours begin after UTC's: 0 but for the few zones that are half an hour off."""
    offset = datetime.fromtimestamp(moment, zone).astimezone(zone).utcoffset()
    return int(-offset.total_seconds()) % _HOUR if offset else 0


def _by_day(hours: Iterable[UsageSum], zone: tzinfo | None) -> list[UsageSum]:
    """The sums of hours as sums of the zone's days."""
    days: dict[tuple[float, tuple[str | None, ...]], UsageSum] = {}
    for hour in hours:
        midnight = datetime.fromtimestamp(hour.since, zone).replace(hour=0, minute=0, second=0, microsecond=0)
        start = midnight.timestamp()
        known = days.get((start, hour.key))
        days[start, hour.key] = known.plus(hour) if known else replace(hour, since=start)
    return list(days.values())
