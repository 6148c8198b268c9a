"""What happened, counted: messages and calls of tools by the hour, and when the program ran."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from host.storage.activity_rows import MessageCount, OnlineTime, ToolRecord
from host.storage.database import Database
from host.storage.usage import WholeHours
from host.storage.writer import Step

_HOUR = 3600.0
_CALLED = insert(ToolRecord)


@dataclass(frozen=True, slots=True)
class HourCount:
    """How often something happened in an hour.

    Args:
        hour: when it began, in seconds since 1970.
        name: of what.
        count: how often.
    """

    hour: float
    name: str
    count: int


class Activity:
    """What happened, counted. Times are seconds since 1970.

    Args:
        database: keeps it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def tool_called(self, record: ToolRecord) -> None:
        """Note a call of a tool.

        Raises:
            DatabaseFailedError: the database refused.
        """
        await self._database.write(Step(_CALLED, record.stored()))

    async def started(self, now: float) -> int:
        """Note that the program runs; gives the number by which `runs_still` knows it."""
        row = OnlineTime(timestamp=now, duration_minutes=0, start_timestamp=now, end_timestamp=now)

        async def work(session: AsyncSession) -> int:
            session.add(row)
            await session.flush()
            return row.id

        return await self._database.run(work)

    async def runs_still(self, number: int, started: float, now: float) -> None:
        """Note that the program that started then runs until now, without a break."""
        minutes = int((now - started) // 60)
        statement = update(OnlineTime).where(OnlineTime.id == number)
        values = {"timestamp": now, "end_timestamp": now, "duration_minutes": minutes}
        await self._database.run(lambda session: session.execute(statement.values(values)))

    async def messages(self, since: float, until: float) -> list[HourCount]:
        """The messages of each hour by their chats, in order of time."""
        query: Any = select(MessageCount.hour, MessageCount.session_id, MessageCount.count)
        query = query.where(MessageCount.hour >= since - _HOUR, MessageCount.hour < until)
        return await self._counts(query.order_by(MessageCount.hour))

    async def tools(self, since: float, until: float) -> list[HourCount]:
        """The calls of each hour by their tools, in order of time."""
        hour = (WholeHours(ToolRecord.timestamp / _HOUR) * _HOUR).label("hour")
        query: Any = select(hour, ToolRecord.tool_name, func.count()).group_by("hour", ToolRecord.tool_name)
        query = query.where(ToolRecord.timestamp >= since, ToolRecord.timestamp < until).order_by("hour")
        return await self._counts(query)

    async def online(self, since: float, until: float) -> list[tuple[float, float]]:
        """From when to when the program ran, within a time."""
        query = select(OnlineTime).where(OnlineTime.end_timestamp > since, OnlineTime.start_timestamp < until)
        rows = await self._database.all(query.order_by(OnlineTime.start_timestamp))
        return [(max(row.start_timestamp, since), min(row.end_timestamp, until)) for row in rows]

    async def _counts(self, query: Any) -> list[HourCount]:
        rows: Sequence[Any] = await self._database.table(query)
        return [HourCount(*row) for row in rows]
