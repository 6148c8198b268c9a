"""Bringing a database to the latest version of its tables."""

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Column, Connection, Double, Integer, MetaData, Table, Text, func, insert, inspect, select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from host.storage.errors import ForeignDatabaseError, NewerDatabaseError
from host.storage.models import Row
from host.storage.place import Place
from host.storage.versions import Version

SCHEMA_VERSIONS = Table(
    "schema_versions",
    MetaData(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("applied_at", Double, nullable=False),
)
"""The versions that were made, and when, in seconds since 1970."""

_LOCK = 0x6D616962
"""The advisory lock by which two programs keep from changing a PostgreSQL database at once."""


async def migrate(engine: AsyncEngine, place: Place, versions: Sequence[Version]) -> None:
    """Make every version that is missing, in one transaction. An older SQLite file is copied first.

    Args:
        engine: the connection to write by.
        place: where the database is.
        versions: all that the program knows, in order.

    Raises:
        NewerDatabaseError: the database has a later one.
        ForeignDatabaseError: it has no version, but tables of these names.
    """
    async with engine.connect() as connection:
        found = await connection.run_sync(_version)
    if found == versions[-1].number:
        return
    if 0 < found < versions[-1].number and place.file is not None:
        await _copy(engine, backup_file(place.file, found))
    async with engine.begin() as connection:
        await connection.run_sync(_upgrade, place, versions)


def backup_file(file: Path, version: int) -> Path:
    """Where the copy of a SQLite file lies that was made before it was brought from `version` to a later one."""
    return file.with_name(f"{file.name}.version-{version}.backup")


def _version(connection: Connection) -> int:
    """The version of the tables; 0 where there are none."""
    if not inspect(connection).has_table(SCHEMA_VERSIONS.name):
        return 0
    return connection.scalar(select(func.max(SCHEMA_VERSIONS.c.number))) or 0


async def _copy(engine: AsyncEngine, backup: Path) -> None:
    """Make a copy, whole or not at all, in the place of an older one."""
    unfinished = backup.with_name(f"{backup.name}.unfinished")
    with suppress(FileNotFoundError):
        unfinished.unlink()
    # Copying belongs to no transaction.
    async with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        await connection.execute(text("VACUUM INTO :file"), {"file": str(unfinished)})
    unfinished.replace(backup)


def _upgrade(connection: Connection, place: Place, versions: Sequence[Version]) -> None:
    if place.kind == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
    found = _version(connection)  # Again: another program may have been faster.
    known = versions[-1].number
    if found > known:
        raise NewerDatabaseError(place.shown, found, known)
    if not found:
        _refuse_foreign(connection, place)
        SCHEMA_VERSIONS.create(connection)
    for version in versions[found:]:
        version.upgrade(connection)
        row = {"number": version.number, "name": version.name, "applied_at": time.time()}
        connection.execute(insert(SCHEMA_VERSIONS), row)


def _refuse_foreign(connection: Connection, place: Place) -> None:
    ours = {*Row.metadata.tables, SCHEMA_VERSIONS.name}
    if there := ours.intersection(inspect(connection).get_table_names()):
        raise ForeignDatabaseError(place.shown, tuple(sorted(there)))
