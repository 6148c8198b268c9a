"""Whom the bot met."""

from collections.abc import Mapping
from hashlib import md5
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from host.storage.database import Database
from host.storage.models import Message, Person
from host.storage.writer import Step


def person_id(platform: str, user_id: str) -> str:
    """The id of the person behind a user of a platform, met or not: 32 hex digits, always the same."""
    return md5(f"{platform}_{user_id}".encode(errors="surrogatepass"), usedforsecurity=False).hexdigest()


class Persons:
    """Whom the bot met.

    Args:
        database: keeps them.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        adding = database.insert(Person)
        stored = Person.__table__.c
        self._meet = adding.on_conflict_do_update(
            index_elements=["person_id"],
            set_={
                "user_nickname": adding.excluded.user_nickname,
                "know_counts": stored.know_counts + 1,
                "last_known_time": adding.excluded.last_known_time,
            },
        )

    def meeting(self, message: Message) -> Step:
        """What writes down that whoever said a message was met; at first the bot calls them by their nickname."""
        known_as = person_id(message.platform, message.user_id)
        return self._meeting(known_as, message.platform, message.user_id, message.user_nickname, message.timestamp)

    async def meet(self, person_id: str, platform: str, user_id: str, nickname: str, *, now: float) -> None:
        """Note that somebody was met: for the first time, or again, perhaps under another nickname.

        Args:
            person_id: 32 hex digits.
            platform: where.
            user_id: the platform's id.
            nickname: the name there.
            now: when, in seconds since 1970.
        """
        await self._database.write(self._meeting(person_id, platform, user_id, nickname, now))

    def _meeting(self, person_id: str, platform: str, user_id: str, nickname: str, now: float) -> Step:
        values = {
            "person_id": person_id,
            "is_known": True,
            "person_name": nickname or None,
            "platform": platform,
            "user_id": user_id,
            "user_nickname": nickname,
            "group_cardname": [],
            "memory_points": [],
            "know_counts": 1,
            "first_known_time": now,
            "last_known_time": now,
        }
        return Step(self._meet, values)

    async def change(self, person_id: str, changes: Mapping[str, Any]) -> bool:
        """Change what is known of somebody.

        Args:
            person_id: who.
            changes: new values by column of `Person`.

        Returns:
            Whether there is such a person.

        Raises:
            DatabaseFailedError: the database refused.
        """

        async def work(session: AsyncSession) -> bool:
            statement = update(Person).where(Person.person_id == person_id).values(**changes).returning(Person.id)
            return await session.scalar(statement) is not None

        return await self._database.run(work)

    async def get(self, person_id: str) -> Person | None:
        """The person of this id, or None."""
        return await self._database.first(select(Person).where(Person.person_id == person_id))

    async def of_user(self, platform: str, user_id: str) -> Person | None:
        """The person behind a user of a platform, or None."""
        query = select(Person).where(Person.user_id == user_id, Person.platform == platform)
        return await self._database.first(query.order_by(Person.id).limit(1))

    async def by_name(self, person_name: str) -> Person | None:
        """The first person whom the bot calls so, or None."""
        query = select(Person).where(Person.person_name == person_name)
        return await self._database.first(query.order_by(Person.id).limit(1))
