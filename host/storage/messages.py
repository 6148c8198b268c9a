"""The messages of all chats, and which of them the bot still owes something."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, bindparam, delete, func, insert, null, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from host.storage.activity_rows import MessageCount
from host.storage.database import Database
from host.storage.knowledge import Knowledge
from host.storage.models import IS_OPEN, Arrival, Direction, Handling, Message, Segment
from host.storage.persons import Persons
from host.storage.segments import has_bytes, without_bytes
from host.storage.sessions import Sessions
from host.storage.writer import Step

OPEN = frozenset({Handling.RECEIVED, Handling.TAKEN_UP})
"""The states in which the bot still owes a message something."""

_ARRIVE = insert(Arrival)
_LEAVE = delete(Arrival).where(Arrival.id == bindparam("number"))
_TAKE_UP_ARRIVALS = update(Arrival).where(Arrival.id == bindparam("number")).values(taken_up=True)
_ADD = insert(Message)
_REVISE = update(Message).where(Message.id == bindparam("number"))
_SETTLE = (
    update(Message)
    .where(Message.id == bindparam("number"), IS_OPEN)
    .values(handling=bindparam("outcome"), raw_with_bytes=null())
)
_FIXED = frozenset({"id", "direction", "handling", "received_at"})


@dataclass(frozen=True, slots=True)
class TakenUp:
    """What an earlier run of the program left open.

    Args:
        messages: to be handled now, the oldest first, with their bytes in ``raw_message``.
        given_up: those that were taken up before and are open again; they are closed as `Handling.GIVEN_UP`.
        arrivals: what was still in its receive hooks, the oldest first. Those that were `taken_up` before are not to be
            handled again: `Messages.admit` closes them as `Handling.GIVEN_UP`.
    """

    messages: tuple[Message, ...] = ()
    given_up: tuple[Message, ...] = ()
    arrivals: tuple[Arrival, ...] = ()


class Messages:
    """The messages of all chats.

    Args:
        database: keeps them.
        sessions: the chats, which are noted with their messages.
        persons: whom the bot met, likewise.
        knowledge: what it knows, likewise.
        latest: the number of the latest message, 0 where there is none.
        clock: what time it is, in seconds since 1970.
    """

    def __init__(
        self,
        database: Database,
        sessions: Sessions,
        persons: Persons,
        knowledge: Knowledge,
        latest: int,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._sessions = sessions
        self._persons = persons
        self._knowledge = knowledge
        counting = database.insert(MessageCount)
        self._count_one = counting.on_conflict_do_update(
            index_elements=["hour", "session_id"], set_={"count": MessageCount.__table__.c["count"] + 1}
        )
        self._latest_before = latest
        self._latest = latest
        self._clock = clock
        self._took_up = False

    async def arrive(self, message: Mapping[str, Any]) -> int:
        """Store a message that just came in, before its receive hooks. It is stored when this returns.

        It is part of no chat until it is let in by `admit`, and is forgotten by `leave`.

        Args:
            message: the session message dict.

        Returns:
            Its number, by which all messages are in the order in which they came in.

        Raises:
            DatabaseFailedError: the database refused.
        """
        number = self._next_number()
        await self._database.write(Step(_ARRIVE, {"id": number, "message": dict(message), "taken_up": False}))
        return number

    async def admit(self, number: int, message: Message) -> None:
        """Make a message that came in a part of its chat, at the place and the time of its arrival.

        Args:
            number: as `arrive` returned it.
            message: what the receive hooks made of it; ``handling`` says whether the bot owes it something.
        """
        message.id, message.received_at = number, number / 1_000_000
        add, leave = Step(_ADD, _parameters(message)), Step(_LEAVE, {"number": number})
        await self._database.write(*self._noting(message), add, leave)

    async def leave(self, number: int) -> None:
        """Forget a message that came in and was not let in.

        Args:
            number: as `arrive` returned it.
        """
        await self._database.write(Step(_LEAVE, {"number": number}))

    async def add(self, message: Message) -> int:
        """Store a message, and note its chat. It is stored when this returns, even if the program is killed then.

        Bytes of pictures and recordings are kept apart while the message is open, and dropped otherwise.

        Args:
            message: ``handling`` says whether the bot owes it something; its ``id`` is given here.

        Returns:
            Its number.

        Raises:
            DatabaseFailedError: the database refused.
        """
        message.id = self._next_number()
        step = Step(_ADD, _parameters(message))
        await self._database.write(*self._noting(message), step)
        return message.id

    async def revise(self, number: int, message: Message) -> None:
        """Store what hooks made of an open message: everything but its number, direction, handling and receipt.

        Args:
            number: as `add` returned it.
            message: as it is now.
        """
        message.id = number
        step = Step(_REVISE, {"number": number, **_parameters(message, without=_FIXED)})
        await self._database.write(self._sessions.noting(message), step, self._knowledge.noting(message))

    async def settle(self, number: int, outcome: Handling) -> None:
        """Close an open message; one that is closed stays as it is.

        Args:
            number: as `add` returned it.
            outcome: what became of it.
        """
        await self._database.write(Step(_SETTLE, {"number": number, "outcome": outcome}))

    async def take_up(self) -> TakenUp:
        """What earlier runs of the program left open, marked so that each is taken up once, whatever happens then.

        Messages that came in since the storage was opened are not among it. Later calls find nothing.
        """
        if self._took_up:
            return TakenUp()
        self._took_up = True
        return await self._database.run(self._take_up)

    async def _take_up(self, session: AsyncSession) -> TakenUp:
        left = select(Message).where(IS_OPEN, Message.id <= self._latest_before).order_by(Message.id)
        found = (await session.scalars(left.options(undefer(Message.raw_with_bytes)).with_for_update())).all()
        again = [message for message in found if message.handling is Handling.RECEIVED]
        given_up = [message for message in found if message.handling is Handling.TAKEN_UP]
        session.expunge_all()
        connection = await session.connection()
        for message in given_up:
            message.handling = Handling.GIVEN_UP
        for message in again:
            message.handling = Handling.TAKEN_UP
            message.raw_message = message.raw_with_bytes or message.raw_message
        if given_up:
            await connection.execute(_SETTLE, [{"number": m.id, "outcome": m.handling} for m in given_up])
        if again:
            mark = update(Message).where(Message.id == bindparam("number")).values(handling=Handling.TAKEN_UP)
            await connection.execute(mark, [{"number": message.id} for message in again])
        return TakenUp(tuple(again), tuple(given_up), await self._take_up_arrivals(session))

    async def _take_up_arrivals(self, session: AsyncSession) -> tuple[Arrival, ...]:
        left = select(Arrival).where(Arrival.id <= self._latest_before).order_by(Arrival.id)
        found = (await session.scalars(left.with_for_update())).all()
        session.expunge_all()
        if again := [{"number": arrival.id} for arrival in found if not arrival.taken_up]:
            await (await session.connection()).execute(_TAKE_UP_ARRIVALS, again)
        return tuple(found)

    async def open(self) -> list[Message]:
        """The messages that the bot owes something now, the oldest first."""
        return list(await self._database.all(select(Message).where(IS_OPEN).order_by(Message.id)))

    async def get(self, message_id: str, *, session_id: str | None = None) -> Message | None:
        """The latest message with a platform's id.

        Args:
            message_id: the platform's id.
            session_id: the chat, or None for any.
        """
        query = select(Message).where(Message.message_id == message_id)
        if session_id is not None:
            query = query.where(Message.session_id == session_id)
        return await self._database.first(query.order_by(Message.id.desc()).limit(1))

    async def content(self, message_id: str, *, session_id: str) -> list[Segment] | None:
        """The segments of the latest message with a platform's id, with their bytes while it is open; None for none.

        Args:
            message_id: the platform's id.
            session_id: the chat.
        """
        query = select(Message).where(Message.message_id == message_id, Message.session_id == session_id)
        latest = query.options(undefer(Message.raw_with_bytes)).order_by(Message.id.desc()).limit(1)
        found = await self._database.first(latest)
        return None if found is None else found.raw_with_bytes or found.raw_message

    async def recent(
        self,
        session_id: str,
        limit: int,
        *,
        before: float | Message | None = None,
        own: bool = True,
        commands: bool = True,
    ) -> list[Message]:
        """The latest messages of a chat, the oldest first.

        Args:
            session_id: the chat.
            limit: how many at most.
            before: a moment, in seconds since 1970, or a message that was read; only what was said earlier counts.
            own: with what the bot said.
            commands: with commands.
        """
        query = _which(select(Message).where(Message.session_id == session_id), own, commands)
        if isinstance(before, Message):
            query = query.where(tuple_(Message.timestamp, Message.id) < tuple_(before.timestamp, before.id))
        elif before is not None:
            query = query.where(Message.timestamp < before)
        return await self._ordered(query, limit, earliest=False)

    async def between(
        self,
        start: float,
        end: float,
        *,
        session_id: str | None = None,
        limit: int | None = None,
        earliest: bool = False,
        own: bool = True,
        commands: bool = True,
    ) -> list[Message]:
        """The messages of a time, the oldest first.

        Args:
            start: the first moment, in seconds since 1970.
            end: the last moment; both count.
            session_id: the chat, or None for all.
            limit: how many at most, or None for all.
            earliest: where the limit cuts, keep the earliest and not the latest.
            own: with what the bot said.
            commands: with commands.
        """
        query = _which(select(Message).where(Message.timestamp.between(start, end)), own, commands)
        if session_id is not None:
            query = query.where(Message.session_id == session_id)
        return await self._ordered(query, limit, earliest=earliest)

    async def by_user(
        self, user_id: str, limit: int, *, platform: str | None = None, before: float | None = None
    ) -> list[Message]:
        """The latest messages of a user in all chats, the oldest first.

        Args:
            user_id: the platform's id.
            limit: how many at most.
            platform: the platform, or None for any.
            before: only what was said before this moment, in seconds since 1970.
        """
        query = select(Message).where(Message.user_id == user_id)
        if platform is not None:
            query = query.where(Message.platform == platform)
        if before is not None:
            query = query.where(Message.timestamp < before)
        return await self._ordered(query, limit, earliest=False)

    async def count(self, session_id: str, *, after: float, until: float | None = None) -> int:
        """How many messages a chat has of a time.

        Args:
            session_id: the chat.
            after: counted is what was said later than this moment, in seconds since 1970.
            until: the last moment that counts, or None.
        """
        query = select(func.count()).where(Message.session_id == session_id, Message.timestamp > after)
        if until is not None:
            query = query.where(Message.timestamp <= until)
        return await self._database.first(query) or 0

    def _noting(self, message: Message) -> list[Step]:
        """What writes down the chat of a message, and what was said by whom, unless that is the bot or nobody."""
        hour = {"hour": message.timestamp // 3600 * 3600.0, "session_id": message.session_id, "count": 1}
        steps = [self._sessions.noting(message), Step(self._count_one, hour)]
        if message.is_notify or message.direction is Direction.OUT:
            return steps
        return [*steps, self._knowledge.noting(message), self._persons.meeting(message)]

    async def _ordered(self, query: Select[Message], limit: int | None, *, earliest: bool) -> list[Message]:
        if earliest or limit is None:
            query = query.order_by(Message.timestamp, Message.id)
            return list(await self._database.all(query if limit is None else query.limit(limit)))
        query = query.order_by(Message.timestamp.desc(), Message.id.desc()).limit(limit)
        return list(reversed(await self._database.all(query)))

    def _next_number(self) -> int:
        """Microseconds since 1970, or one more than the latest: rising, and known before the message is written."""
        self._latest = max(self._latest + 1, int(self._clock() * 1_000_000))
        return self._latest


def _which(query: Select[Message], own: bool, commands: bool) -> Select[Message]:
    if not own:
        query = query.where(Message.direction == Direction.IN)
    if not commands:
        query = query.where(Message.is_command.is_(False))
    return query


def _parameters(message: Message, without: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The values of the columns, the bytes apart."""
    values = message.stored(without=without | {"raw_with_bytes"})
    values["raw_with_bytes"] = None
    if has_bytes(message.raw_message):
        values["raw_message"] = without_bytes(message.raw_message)
        if message.handling in OPEN:
            values["raw_with_bytes"] = message.raw_message
    return values
