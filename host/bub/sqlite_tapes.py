"""Tapes in a file of SQLite's."""

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from host.bub.tapes import TapeEntry, TapeQuery

_TABLE = """
create table if not exists tape_entries (
    tape text not null, id integer not null, kind text not null, payload text not null, meta text not null,
    date text not null, primary key (tape, id)
) without rowid
"""


class SQLiteTapeStore:
    """Keeps tapes in a file; several stores and processes may use it at the same time.

    Args:
        file: the database; made, with its folder, where it does not exist. ``:memory:`` is gone with the store.

    Raises:
        sqlite3.DatabaseError: the file is no database, or cannot be written.
    """

    def __init__(self, file: Path | str) -> None:
        if isinstance(file, Path):
            file.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(file, check_same_thread=False, isolation_level=None, timeout=30)
        self._connection.execute("pragma journal_mode = wal")
        self._connection.execute(_TABLE)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    @classmethod
    def kept(cls, file: Path) -> Iterator[Self]:
        """The store, closed when the iterator ends: what ``provide_tape_store`` may return."""
        store = cls(file)
        try:
            yield store
        finally:
            store.close()

    def list_tapes(self) -> list[str]:
        """The names of all tapes, sorted."""
        with self._lock:
            return [name for (name,) in self._connection.execute("select distinct tape from tape_entries order by 1")]

    def reset(self, tape: str) -> None:
        """Forget a tape."""
        with self._writing() as connection:
            connection.execute("delete from tape_entries where tape = ?", [tape])

    def fetch_all(self, query: TapeQuery) -> list[TapeEntry]:
        """The wanted entries, the oldest first."""
        columns = "select kind, payload, meta, id, date from tape_entries where tape = ? order by id"
        with self._lock:
            rows = self._connection.execute(columns, [query.tape]).fetchall()
        return query.select(
            [
                TapeEntry(kind, json.loads(payload), json.loads(meta), id_, date)
                for kind, payload, meta, id_, date in rows
            ]
        )

    def append(self, tape: str, entry: TapeEntry) -> None:
        """Write an entry at the end of a tape. Raises TypeError for a payload that is no JSON."""
        written = [entry.kind, json.dumps(entry.payload), json.dumps(entry.meta), entry.date]
        with self._writing() as connection:
            connection.execute(
                "insert into tape_entries (tape, id, kind, payload, meta, date)"
                " select ?, coalesce(max(id), 0) + 1, ?, ?, ?, ? from tape_entries where tape = ?",
                [tape, *written, tape],
            )

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One change, wholly or not at all; other processes wait for it."""
        with self._lock:
            self._connection.execute("begin immediate")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("rollback")
                raise
            self._connection.execute("commit")
