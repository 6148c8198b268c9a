"""The pictures of the library of emoji: those in it, and those that are not to come into it again by themselves."""

from collections.abc import Sequence

from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from host.storage.database import Database
from host.storage.models import Emoji, EmojiState
from host.storage.writer import Step

REMEMBERED = 10_000
"""How many pictures that are not in the library are remembered, those that were looked at first forgotten first."""

_USE = (
    update(Emoji)
    .where(Emoji.image_hash == bindparam("hash"))
    .values(query_count=Emoji.query_count + 1, last_used_time=bindparam("moment"))
)


class Emojis:
    """The rows of emoji, by the hashes of their files.

    Args:
        database: keeps them.
        remembered: as `REMEMBERED`.
    """

    def __init__(self, database: Database, remembered: int = REMEMBERED) -> None:
        self._database = database
        self._remembered = remembered

    async def get(self, image_hash: str) -> Emoji | None:
        """What is known of a picture, or None.

        Raises:
            DatabaseFailedError: the database refused.
        """
        return await self._database.first(select(Emoji).where(Emoji.image_hash == image_hash))

    async def registered(self) -> Sequence[Emoji]:
        """All that are in the library, in the order in which they were first looked at."""
        query = select(Emoji).where(Emoji.state == EmojiState.REGISTERED).order_by(Emoji.id)
        return await self._database.all(query)

    async def put(self, emoji: Emoji, *, removed: Sequence[str] = ()) -> Emoji:
        """Store what became of a picture, in the place of what was known of it; how often it was used is kept.

        Args:
            emoji: its row.
            removed: hashes of those that left the library to make room for it.

        Returns:
            The row as it is stored.

        Raises:
            DatabaseFailedError: the database refused; then nothing is changed.
        """

        async def work(session: AsyncSession) -> Emoji:
            for image_hash in removed:
                await _leave(session, image_hash, forget=False)
            known = await _row(session, emoji.image_hash)
            if known is None:
                session.add(emoji)
                kept = emoji
            else:
                for name, value in emoji.stored(without=_OF_THE_FIRST).items():
                    setattr(known, name, value)
                kept = known
            await session.flush()
            await self._trim(session)
            return kept

        return await self._database.run(work)

    async def remove(self, image_hash: str, *, forget: bool = False) -> None:
        """Take one out of the library. The picture stays known.

        Args:
            image_hash: of its file.
            forget: forget its description and emotions, too.

        Raises:
            DatabaseFailedError: the database refused; then nothing is changed.
        """

        async def work(session: AsyncSession) -> None:
            await _leave(session, image_hash, forget=forget)
            await session.flush()
            await self._trim(session)

        await self._database.run(work)

    async def use(self, image_hash: str, *, now: float) -> None:
        """Note that one was sent.

        Args:
            image_hash: of its file.
            now: when, in seconds since 1970.
        """
        await self._database.write(Step(_USE, {"hash": image_hash, "moment": now}))

    async def _trim(self, session: AsyncSession) -> None:
        for state in (EmojiState.REMOVED, EmojiState.REFUSED):
            of_state = select(Emoji.id).where(Emoji.state == state).order_by(Emoji.id.desc())
            last = await session.scalar(of_state.offset(self._remembered).limit(1))
            if last is not None:
                await session.execute(delete(Emoji).where(Emoji.state == state, Emoji.id <= last))


_OF_THE_FIRST = frozenset({"id", "image_hash", "query_count", "record_time", "last_used_time"})
"""What a picture keeps when something else becomes of it."""


async def _row(session: AsyncSession, image_hash: str) -> Emoji | None:
    return (await session.scalars(select(Emoji).where(Emoji.image_hash == image_hash))).first()


async def _leave(session: AsyncSession, image_hash: str, *, forget: bool) -> None:
    emoji = await _row(session, image_hash)
    if emoji is None:
        return
    emoji.state, emoji.file_name = EmojiState.REMOVED, ""
    if forget:
        emoji.description, emoji.emotions = "", []
