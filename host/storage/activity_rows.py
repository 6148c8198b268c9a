"""The rows of what happened: messages by the hour, calls of tools, time online."""

from typing import Any

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from host.storage.columns import Json, Seconds
from host.storage.models import Row


class MessageCount(Row, kw_only=True, eq=False):
    """How many messages a chat had in an hour, which begins at `hour`."""

    __tablename__ = "message_counts"

    hour: Mapped[Seconds] = mapped_column(primary_key=True)
    session_id: Mapped[str] = mapped_column(primary_key=True)
    count: Mapped[int]


class ToolRecord(Row, kw_only=True, eq=False):
    """A call of a tool by the planner's model.

    Attributes:
        tool_id: the id of the call.
        session_id: the chat that it was made for.
        tool_name: as the model calls it.
        tool_reasoning: why, or None.
        tool_data: the arguments and what came of it, or None.
    """

    __tablename__ = "tool_records"
    __table_args__ = (Index("tool_records_by_time", "timestamp"),)

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    tool_id: Mapped[str]
    timestamp: Mapped[Seconds]
    session_id: Mapped[str]
    tool_name: Mapped[str]
    tool_reasoning: Mapped[str | None] = mapped_column(default=None)
    tool_data: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)


class OnlineTime(Row, kw_only=True, eq=False):
    """A time without a break in which the program ran.

    Attributes:
        timestamp: when this was written down.
    """

    __tablename__ = "online_time"
    __table_args__ = (Index("online_time_by_end", "end_timestamp"),)

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    timestamp: Mapped[Seconds]
    duration_minutes: Mapped[int]
    start_timestamp: Mapped[Seconds]
    end_timestamp: Mapped[Seconds]
