"""No query of a turn walks through the history: SQLite finds every row by an index, and sorts none."""

import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from host.storage import Handling, Storage
from tests.storage.rows import message, usage

Call = Callable[[Storage], Awaitable[Any]]

CALLS: dict[str, Call] = {
    "add": lambda s: s.messages.add(message()),
    "arrive": lambda s: s.messages.arrive({"message_id": "771"}),
    "admit": lambda s: s.messages.admit(1, message()),
    "leave": lambda s: s.messages.leave(1),
    "revise": lambda s: s.messages.revise(1, message()),
    "settle": lambda s: s.messages.settle(1, Handling.ANSWERED),
    "take up": lambda s: s.messages.take_up(),
    "open": lambda s: s.messages.open(),
    "recent": lambda s: s.messages.recent("tea", 30),
    "recent before a time": lambda s: s.messages.recent("tea", 30, before=5.0),
    "recent before a message": lambda s: s.messages.recent("tea", 30, before=message()),
    "recent of others": lambda s: s.messages.recent("tea", 30, own=False, commands=False),
    "between in a chat": lambda s: s.messages.between(1, 2, session_id="tea"),
    "between": lambda s: s.messages.between(1, 2, limit=5),
    "count": lambda s: s.messages.count("tea", after=1.0, until=2.0),
    "by user": lambda s: s.messages.by_user("555", 30, platform="qq", before=5.0),
    "by id": lambda s: s.messages.get("771"),
    "by id in a chat": lambda s: s.messages.get("771", session_id="tea"),
    "content": lambda s: s.messages.content("771", session_id="tea"),
    "session": lambda s: s.sessions.get("tea"),
    "session of a group": lambda s: s.sessions.of_group("123456", platform="qq"),
    "session of a user": lambda s: s.sessions.of_user("555"),
    "meet": lambda s: s.persons.meet("ab", "qq", "555", "Lin", now=1.0),
    "person": lambda s: s.persons.get("ab"),
    "person of a user": lambda s: s.persons.of_user("qq", "555"),
    "person by name": lambda s: s.persons.by_name("Lin"),
    "add usage": lambda s: s.usage.add(usage()),
    "expressions used": lambda s: s.expressions.use([1], now=1.0),
}


@pytest.fixture
def sent() -> Iterator[list[tuple[str, Any]]]:
    """The statements that were sent to the database during the test, with parameters."""
    statements: list[tuple[str, Any]] = []

    def sending(*call: Any) -> None:
        _, _, statement, parameters, _, many = call
        statements.append((statement, parameters[0] if many else parameters))

    event.listen(Engine, "before_cursor_execute", sending)
    yield statements
    event.remove(Engine, "before_cursor_execute", sending)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
async def test_every_row_is_found_by_an_index(call: Call, tmp_path: Path, sent: list[tuple[str, Any]]) -> None:
    file = tmp_path / "maibot.db"
    async with Storage.open(file) as storage:
        sent.clear()
        await call(storage)
        statements = [each for each in sent if not each[0].startswith(("BEGIN", "PRAGMA"))]
    assert statements
    with closing(sqlite3.connect(file)) as connection:
        for statement, parameters in statements:
            plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)]
            slow = [step for step in plan if is_slow(step)]
            assert not slow, f"{statement}: {slow}"


def is_slow(step: str) -> bool:
    """Whether the step of a plan takes longer the more rows there are; the open messages are few by themselves."""
    return "TEMP B-TREE" in step or (step.startswith("SCAN") and "messages_open" not in step)


async def test_the_open_messages_are_found_among_themselves(tmp_path: Path, sent: list[tuple[str, Any]]) -> None:
    file = tmp_path / "maibot.db"
    async with Storage.open(file) as storage:
        sent.clear()
        await storage.messages.open()
    with closing(sqlite3.connect(file)) as connection:
        [plan] = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sent[0][0]}", sent[0][1])]
    assert "messages_open" in plan
