"""The database as the rooms of the storage use it: many read, one writes."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Self, TypeVar

from sqlalchemy import Row as ResultRow
from sqlalchemy import Select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from host.storage.errors import DatabaseFailedError
from host.storage.models import Row
from host.storage.place import Place
from host.storage.writer import Step, Writer, reason

T = TypeVar("T")


class Database:
    """An open database. Reads run side by side and see all that was committed before they began.

    Args:
        place: where it is.
        readers: the connections to read by.
        writer: writes.
    """

    def __init__(self, place: Place, readers: AsyncEngine, writer: Writer) -> None:
        self.place = place
        self._readers = readers
        self._writer = writer

    @classmethod
    @asynccontextmanager
    async def open(cls, place: Place, writing: AsyncEngine) -> AsyncIterator[Self]:
        """An open database at `place`; at the end what waits is written.

        Args:
            place: where it is.
            writing: the connection to write by.
        """
        readers = place.reading_engine()
        writer = Writer(writing)
        try:
            yield cls(place, readers, writer)
        finally:
            await writer.aclose()
            await readers.dispose()

    def insert(self, model: type[Row]) -> sqlite.Insert | postgresql.Insert:
        """An insert that can say ``on_conflict_do_update``."""
        return sqlite.insert(model) if self.place.kind == "sqlite" else postgresql.insert(model)

    async def all(self, statement: Select[T]) -> Sequence[T]:
        """The first column of what is found: with ``select(Model)`` its rows.

        Raises:
            DatabaseFailedError: the database refused.
        """
        async with self._reading() as session:
            return (await session.scalars(statement)).all()

    async def first(self, statement: Select[T]) -> T | None:
        """The first column of the first row, or None.

        Raises:
            DatabaseFailedError: the database refused.
        """
        async with self._reading() as session:
            return (await session.scalars(statement)).first()

    async def table(self, statement: Select[Any]) -> Sequence[ResultRow[Any]]:
        """What is found, with all columns.

        Raises:
            DatabaseFailedError: the database refused.
        """
        async with self._reading() as session:
            rows: Sequence[ResultRow[Any]] = (await session.execute(statement)).all()
            return rows

    async def write(self, *steps: Step) -> None:
        """Write all steps or none, in one commit with what others write at the same time.

        Raises:
            DatabaseFailedError: the database refused.
            StorageClosedError: it is too late.
        """
        await self._writer.write(*steps)

    async def run(self, work: Callable[[AsyncSession], Awaitable[T]]) -> T:
        """Run `work` in a transaction of its own, beside which nothing else is written, and commit it.

        Raises:
            DatabaseFailedError: the database refused.
            StorageClosedError: it is too late.
        """
        return await self._writer.run(work)

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncSession]:
        with refusals():
            async with AsyncSession(self._readers, expire_on_commit=False) as session:
                yield session


@contextmanager
def refusals() -> Iterator[None]:
    """Tells what the database refuses as `DatabaseFailedError`."""
    try:
        yield
    except (DBAPIError, OSError) as error:
        raise DatabaseFailedError(reason(error)) from error
