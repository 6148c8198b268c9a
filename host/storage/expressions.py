"""The ways of speaking that the bot learned."""

from collections.abc import Sequence

from sqlalchemy import bindparam, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from host.storage.database import Database
from host.storage.models import Expression
from host.storage.writer import Step

_USE = (
    update(Expression)
    .where(Expression.id == bindparam("number"))
    .values(count=Expression.count + 1, last_active_time=bindparam("moment"))
)
_REVIEW = (
    update(Expression)
    .where(Expression.id == bindparam("number"))
    .values(checked=True, modified_by=bindparam("reviewer"))
)
_FORGET = delete(Expression).where(Expression.id == bindparam("number"))


class Expressions:
    """The ways of speaking that the bot learned, chat by chat.

    Args:
        database: keeps them.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def learn(
        self, session_id: str | None, situation: str, style: str, *, content: str | None = None, now: float
    ) -> Expression:
        """Note an expression; one that the chat has already counts once more.

        Args:
            session_id: the chat where it was met, or None for all.
            situation: when it is used.
            style: how it is said.
            content: the sentence that it was learned from.
            now: when, in seconds since 1970.

        Raises:
            DatabaseFailedError: the database refused.
        """

        async def work(session: AsyncSession) -> Expression:
            same = select(Expression).where(
                Expression.session_id.is_not_distinct_from(session_id),
                Expression.situation == situation,
                Expression.style == style,
            )
            known = (await session.scalars(same.order_by(Expression.id).limit(1))).first()
            if known is None:
                known = Expression(
                    session_id=session_id, situation=situation, style=style, create_time=now, last_active_time=now
                )
                session.add(known)
            else:
                known.count += 1
                known.last_active_time = now
            if content is not None and content not in known.content_list:
                known.content_list = [*known.content_list, content]
            await session.flush()
            return known

        return await self._database.run(work)

    async def of(
        self, session_ids: Sequence[str], *, limit: int, shared: bool = True, checked_only: bool = False
    ) -> list[Expression]:
        """The expressions of some chats, those met most often first.

        Args:
            session_ids: the chats.
            limit: how many at most.
            shared: with those that are for all chats.
            checked_only: only what somebody looked over.
        """
        where = Expression.session_id.in_(session_ids)
        query = select(Expression).where(or_(where, Expression.session_id.is_(None)) if shared else where)
        if checked_only:
            query = query.where(Expression.checked)
        query = query.order_by(Expression.count.desc(), Expression.last_active_time.desc(), Expression.id)
        return list(await self._database.all(query.limit(limit)))

    async def get(self, numbers: Sequence[int]) -> list[Expression]:
        """Those of these ids that there are."""
        return list(
            await self._database.all(select(Expression).where(Expression.id.in_(numbers)).order_by(Expression.id))
        )

    async def use(self, numbers: Sequence[int], *, now: float) -> None:
        """Note that expressions were used: each counts once more.

        Args:
            numbers: their ids.
            now: when, in seconds since 1970.
        """
        await self._database.write(*(Step(_USE, {"number": number, "moment": now}) for number in numbers))

    async def review(self, number: int, reviewer: str) -> None:
        """Note that one was looked over.

        Args:
            number: its id.
            reviewer: ``"AI"`` or ``"USER"``.
        """
        await self._database.write(Step(_REVIEW, {"number": number, "reviewer": reviewer}))

    async def forget(self, numbers: Sequence[int]) -> None:
        """Remove expressions.

        Args:
            numbers: their ids.
        """
        await self._database.write(*(Step(_FORGET, {"number": number}) for number in numbers))
