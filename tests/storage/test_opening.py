"""Opening: what is made, what is brought up to date, what is refused."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, inspect, text
from sqlalchemy.ext.asyncio import create_async_engine

from host.storage import (
    BadPlaceError,
    DatabaseUnavailableError,
    ForeignDatabaseError,
    NewerDatabaseError,
    Storage,
    StorageError,
)
from host.storage.errors import DatabaseFailedError, StorageClosedError
from host.storage.migrating import backup_file
from host.storage.models import Row
from host.storage.place import Place
from host.storage.versions import VERSIONS, Version
from tests.storage.rows import message


def add_a_table(connection: Connection) -> None:
    connection.execute(text("CREATE TABLE teapots (id INTEGER)"))


def fail_half_way(connection: Connection) -> None:
    add_a_table(connection)
    connection.execute(text("INSERT INTO nothing VALUES (1)"))


NEXT = VERSIONS[-1].number + 1
LATER = (*VERSIONS, Version(NEXT, "teapots", add_a_table))


async def schema(where: str) -> dict[str, Any]:
    """What tables there are, with their columns, indexes and constraints."""
    engine = create_async_engine(Place.of(where).url)
    async with engine.connect() as connection:
        found = await connection.run_sync(described)
    await engine.dispose()
    return found


def described(connection: Connection) -> dict[str, Any]:
    inspector = inspect(connection)
    return {
        table: {
            "columns": {
                each["name"]: (str(each["type"]), each["nullable"], each.get("default"))
                for each in inspector.get_columns(table)
            },
            "key": inspector.get_pk_constraint(table)["constrained_columns"],
            "unique": {tuple(each["column_names"]) for each in inspector.get_unique_constraints(table)},
            "indexes": {
                each["name"]: (each["column_names"], {k: str(v) for k, v in each.get("dialect_options", {}).items()})
                for each in inspector.get_indexes(table)
            },
        }
        for table in inspector.get_table_names()
    }


async def test_the_versions_together_make_what_the_models_say(where: str, request: pytest.FixtureRequest) -> None:
    async with Storage.open(where):
        pass
    made = await schema(where)
    del made["schema_versions"]
    other = where + ".models" if "://" not in where else request.getfixturevalue("postgres").new_database()
    engine = create_async_engine(Place.of(other).url)
    async with engine.begin() as connection:
        await connection.run_sync(Row.metadata.create_all)
    await engine.dispose()
    assert made == await schema(other)


async def test_a_path_and_a_url_name_the_same_file(tmp_path: Path) -> None:
    file = tmp_path / "not" / "yet" / "there" / "maibot.db"
    async with Storage.open(file) as storage:
        await storage.messages.add(message())
    async with Storage.open(f"sqlite:///{file}") as storage:
        assert await storage.messages.get("771") is not None


async def test_the_file_is_in_wal_mode(tmp_path: Path) -> None:
    async with Storage.open(tmp_path / "maibot.db"):
        with closing(sqlite3.connect(tmp_path / "maibot.db")) as other:
            assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)


async def test_an_older_database_is_brought_up_to_date_once(where: str) -> None:
    async with Storage.open(where) as storage:
        await storage.messages.add(message())
    for _ in range(2):
        async with Storage.open(where, versions=LATER) as storage:
            assert await storage.messages.get("771") is not None
    assert "teapots" in await schema(where)


def copies(folder: Path) -> list[Path]:
    return list(folder.glob("*backup*"))


async def test_a_file_is_copied_before_it_is_changed(tmp_path: Path) -> None:
    file = tmp_path / "maibot.db"
    async with Storage.open(file) as storage:
        await storage.messages.add(message())
    assert copies(tmp_path) == []
    async with Storage.open(file, versions=LATER) as storage:
        await storage.messages.add(message())
    copy = backup_file(file, VERSIONS[-1].number)
    assert copies(tmp_path) == [copy]
    async with Storage.open(copy) as storage:  # This program can go on with it.
        assert len(await storage.messages.recent("tea", 5)) == 1


async def test_an_upgrade_that_fails_changes_nothing(where: str) -> None:
    async with Storage.open(where) as storage:
        await storage.messages.add(message())
    before = await schema(where)
    with pytest.raises(DatabaseUnavailableError):
        async with Storage.open(where, versions=(*VERSIONS, Version(NEXT, "half", fail_half_way))):
            pass
    assert await schema(where) == before
    async with Storage.open(where) as storage:
        assert await storage.messages.get("771") is not None


async def test_a_newer_database_is_refused_and_left_alone(where: str) -> None:
    async with Storage.open(where, versions=LATER):
        pass
    with pytest.raises(NewerDatabaseError) as caught:
        async with Storage.open(where):
            pass
    assert (caught.value.found, caught.value.known) == (NEXT, NEXT - 1)
    if "://" not in where:
        assert not backup_file(Path(where), NEXT).exists()


async def test_tables_of_another_program_are_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE messages (mine TEXT)"))
    engine.dispose()
    with pytest.raises(ForeignDatabaseError) as caught:
        async with Storage.open(file):
            pass
    assert caught.value.tables == ("messages",)
    assert list(await schema(str(file))) == ["messages"]


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "maibot.db"
    file.write_bytes(b"a letter to Lin, and by no means a database" * 50)
    with pytest.raises(DatabaseUnavailableError) as caught:
        async with Storage.open(file):
            pass
    assert caught.value.place == str(file)
    assert "not a database" in caught.value.why


async def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    with pytest.raises(DatabaseUnavailableError):
        async with Storage.open(tmp_path / "data" / "maibot.db"):
            pass


async def test_a_server_that_is_not_there_is_told_without_the_password(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnavailableError) as caught:
        async with Storage.open(f"postgresql://maibot:hunter2@/chats?host={tmp_path}"):
            pass
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    ["mysql://lin:hunter2@host/chats", "sqlite://", "sqlite:///:memory:", "postgresql://lin:hunter2@host:x/chats"],
)
async def test_a_url_of_no_usable_database_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(BadPlaceError) as caught:
        async with Storage.open(url):
            pass
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "error",
    [
        BadPlaceError("x"),
        DatabaseUnavailableError("x", "y"),
        NewerDatabaseError("x", 2, 1),
        ForeignDatabaseError("x", ("y",)),
        DatabaseFailedError("x"),
        StorageClosedError(),
    ],
)
def test_every_error_speaks_both_languages(error: StorageError) -> None:
    assert str(error) == error.text("en")
    assert error.text("zh") != error.text("en")
    assert error.text("zh-CN") == error.text("zh")
