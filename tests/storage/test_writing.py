"""Writing: together, whole or not at all, and finished before anybody is told so."""

import asyncio
from collections.abc import Iterator
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy import Engine, event, func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from host.storage import DatabaseFailedError, Handling, Message, Person, Storage, StorageClosedError
from tests.storage.rows import message
from tests.storage.server import PostgresServer


@pytest.fixture
def commits() -> Iterator[list[object]]:
    """One entry for each commit during the test."""
    seen: list[object] = []

    def committed(connection: object) -> None:
        seen.append(connection)

    event.listen(Engine, "commit", committed)
    yield seen
    event.remove(Engine, "commit", committed)


async def test_what_is_written_at_the_same_time_is_committed_together(storage: Storage, commits: list[object]) -> None:
    before = len(commits)
    await asyncio.gather(*(storage.messages.add(message(message_id=str(n))) for n in range(100)))
    assert len(commits) - before <= 2
    assert len(await storage.messages.recent("tea", 200)) == 100


async def test_a_message_that_cannot_be_stored_takes_no_other_with_it(storage: Storage) -> None:
    rows = [message(message_id=str(n)) for n in range(5)]
    rows[2].user_id = None  # type: ignore[assignment]
    results = await asyncio.gather(*map(storage.messages.add, rows), return_exceptions=True)
    assert [type(result) for result in results] == [int, int, DatabaseFailedError, int, int]
    assert [each.message_id for each in await storage.messages.recent("tea", 9)] == ["0", "1", "3", "4"]


async def test_a_message_that_cannot_be_stored_does_not_make_its_chat_known(storage: Storage) -> None:
    with pytest.raises(DatabaseFailedError):
        await storage.messages.add(message(user_id=None))
    assert await storage.sessions.get("tea") is None


async def test_the_error_tells_nothing_of_what_people_wrote(storage: Storage) -> None:
    with pytest.raises(DatabaseFailedError) as caught:
        await storage.messages.add(message("a secret", user_id=None))
    assert "secret" not in caught.value.text("en") + caught.value.text("zh")


async def test_a_caller_that_is_cancelled_finds_its_message_written(storage: Storage) -> None:
    adding = asyncio.create_task(storage.messages.add(message()))
    await asyncio.sleep(0)  # It runs up to where it waits for the commit.
    adding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await adding
    assert await storage.messages.get("771") is not None


async def test_leaving_the_storage_writes_what_waits_and_later_writes_are_refused(where: str) -> None:
    async with Storage.open(where) as storage:
        adding = asyncio.create_task(storage.messages.add(message()))
        await asyncio.sleep(0)
    await adding
    with pytest.raises(StorageClosedError):
        await storage.messages.add(message())
    async with Storage.open(where) as storage:
        assert len(await storage.messages.recent("tea", 5)) == 1


async def test_nobody_waits_for_a_storage_whose_loop_is_ending(where: str) -> None:
    async with Storage.open(where) as storage:
        adding = asyncio.create_task(storage.messages.add(message()))
        await asyncio.sleep(0)
        for task in asyncio.all_tasks():
            if task not in {asyncio.current_task(), adding} and "storage" in task.get_name():
                task.cancel()
        with pytest.raises(StorageClosedError):
            await adding
        with pytest.raises(StorageClosedError):
            await storage.messages.add(message())


async def test_work_that_raises_leaves_nothing_behind(storage: Storage) -> None:
    async def work(session: AsyncSession) -> None:
        session.add(message())
        await session.flush()
        raise LookupError("changed its mind")

    with pytest.raises(LookupError):
        await storage.database.run(work)
    assert await storage.messages.get("771") is None


async def test_work_is_alone_with_what_it_read(storage: Storage) -> None:
    await storage.persons.meet("ab", "qq", "555", "Lin", now=1.0)

    async def work(session: AsyncSession) -> None:
        person = (await session.scalars(select(Person))).one()
        await asyncio.sleep(0)
        person.know_counts += 1

    await asyncio.gather(*(storage.database.run(work) for _ in range(20)))
    person = await storage.persons.get("ab")
    assert person is not None
    assert person.know_counts == 21


async def test_what_reads_cannot_change_anything(storage: Storage) -> None:
    row: dict[str, Any] = message().stored(without=frozenset())
    with pytest.raises(DatabaseFailedError):
        await storage.database.all(insert(Message).values(**row).returning(Message.id))  # type: ignore[arg-type]
    assert await storage.database.first(select(func.count()).select_from(Message)) == 0


async def test_reads_and_writes_of_many_chats_at_once(storage: Storage) -> None:
    async def chat(name: str) -> None:
        for n in range(20):
            number = await storage.messages.add(message(str(n), session_id=name, timestamp=float(n)))
            [latest] = await storage.messages.recent(name, 1)
            assert latest.id == number
            await storage.messages.settle(number, Handling.ANSWERED)

    await asyncio.gather(*(chat(f"chat {n}") for n in range(10)))
    assert await storage.messages.open() == []


async def test_a_server_that_dropped_its_connections_is_connected_to_again(postgres: PostgresServer) -> None:
    where = postgres.new_database()
    async with Storage.open(where) as storage:
        await storage.messages.add(message())
        other: Any = await asyncpg.connect(where)
        await other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        await other.close()
        await storage.messages.add(message())
        assert len(await storage.messages.recent("tea", 5)) == 2
