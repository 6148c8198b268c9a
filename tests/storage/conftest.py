"""Databases: each test that asks for one runs over both kinds."""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from host.storage import Storage
from tests.storage.server import PostgresServer, programs, running_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server."""
    found = programs()
    if found is None:
        why = "PostgreSQL's initdb is not installed (Debian: postgresql): nothing is tested with it"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    with running_server(found) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty database is."""
    if request.param == "sqlite":
        return str(tmp_path / "data" / "maibot.db")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
async def storage(where: str) -> AsyncIterator[Storage]:
    """An empty storage."""
    async with Storage.open(where) as storage:
        yield storage
