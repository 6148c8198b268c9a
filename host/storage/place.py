"""Where the database is, and how it is connected to."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

from sqlalchemy import URL, Connection, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from host.storage.errors import BadPlaceError, DatabaseUnavailableError

READERS = 4
"""How many reads may be under way at once."""

BUSY_SECONDS = 5
"""How long SQLite waits for another process that holds the file's lock."""

_SQLITE_DRIVERS = {"sqlite", "sqlite+aiosqlite"}
_POSTGRESQL_DRIVERS = {"postgres", "postgresql", "postgresql+asyncpg"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where the database is.

    Args:
        url: with the driver that is used.
        file: the file of SQLite, or None for PostgreSQL.
    """

    url: URL
    file: Path | None = None

    @classmethod
    def of(cls, where: Path | str) -> Self:
        """The place that a path or, with ``://`` in it, a URL names.

        Raises:
            BadPlaceError: it names none.
        """
        if isinstance(where, Path) or "://" not in where:
            return cls._in_file(Path(where))
        try:
            url = make_url(where)
        except (ArgumentError, ValueError) as error:
            raise BadPlaceError(where.split("://")[0] + "://...") from error
        if url.drivername in _SQLITE_DRIVERS and url.database not in (None, "", ":memory:"):
            return cls._in_file(Path(str(url.database)))
        if url.drivername in _POSTGRESQL_DRIVERS:
            return cls(url.set(drivername="postgresql+asyncpg"))
        raise BadPlaceError(url.render_as_string(hide_password=True))

    @classmethod
    def _in_file(cls, file: Path) -> Self:
        return cls(URL.create("sqlite+aiosqlite", database=str(file)), file)

    @property
    def kind(self) -> Literal["sqlite", "postgresql"]:
        """Which of the two databases it is."""
        return "postgresql" if self.file is None else "sqlite"

    @property
    def shown(self) -> str:
        """The file, or the URL without its password."""
        return str(self.file) if self.file else self.url.render_as_string(hide_password=True)

    def prepare(self) -> None:
        """Make the folder of the file, where it is missing.

        Raises:
            DatabaseUnavailableError: it cannot be made.
        """
        if self.file is None:
            return
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DatabaseUnavailableError(self.shown, error.strerror or str(error)) from error

    def writing_engine(self) -> AsyncEngine:
        """One connection, whose transactions hold the write lock from their beginning."""
        if self.file is None:
            return create_async_engine(self.url, pool_size=1, max_overflow=0, pool_pre_ping=True)
        engine = create_async_engine(self.url, pool_size=1, max_overflow=0, connect_args={"timeout": BUSY_SECONDS})

        @event.listens_for(engine.sync_engine, "connect")
        def connected(connection: Any, record: object) -> None:
            connection.isolation_level = None  # The driver begins no transactions by itself: `begun` does.
            _pragmas(connection, "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON")

        @event.listens_for(engine.sync_engine, "begin")
        def begun(connection: Connection) -> None:
            if connection.get_execution_options().get("isolation_level") == "AUTOCOMMIT":
                return
            # A transaction that starts with a read could not be raised to a write once somebody else wrote.
            connection.exec_driver_sql("BEGIN IMMEDIATE")

        return engine

    def reading_engine(self) -> AsyncEngine:
        """Connections for single statements that change nothing; the database refuses any other."""
        if self.file is None:
            return create_async_engine(
                self.url,
                pool_size=READERS,
                max_overflow=0,
                pool_pre_ping=True,
                isolation_level="AUTOCOMMIT",
                connect_args={"server_settings": {"default_transaction_read_only": "on"}},
            )
        engine = create_async_engine(
            self.url,
            pool_size=READERS,
            max_overflow=0,
            pool_reset_on_return=None,  # There is no transaction to undo.
            isolation_level="AUTOCOMMIT",
            connect_args={"timeout": BUSY_SECONDS},
        )

        @event.listens_for(engine.sync_engine, "connect")
        def connected(connection: Any, record: object) -> None:
            _pragmas(connection, "query_only=ON")

        return engine


def _pragmas(connection: sqlite3.Connection, *pragmas: str) -> None:
    cursor = connection.cursor()
    for pragma in pragmas:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
