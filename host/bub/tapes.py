"""Tapes: what was said and done in a session, written down once and never changed."""

import threading
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol


def _now() -> str:
    return datetime.now(UTC).isoformat()


@dataclass(frozen=True)
class TapeEntry:
    """One thing that was written down.

    Args:
        kind: ``message``, ``tool_call``, ``tool_result``, ``anchor``, ``event`` or ``error``; others are kept too.
        payload: JSON data.
        meta: JSON data about it; ``run_id`` is that of the hooks' payloads.
        id: its place on the tape, from 1; 0 before it was written.
        date: when, in ISO 8601, UTC.
    """

    kind: str
    payload: dict[str, Any]
    meta: dict[str, Any] = field(default_factory=dict)
    id: int = 0
    date: str = field(default_factory=_now)


@dataclass(frozen=True)
class TapeQuery:
    """Which entries are wanted.

    Args:
        tape: of which tape.
        after_anchor: only those behind the last anchor of this name; "" means the last of any name.
        kinds: only these; all when empty.
        limit: the last so many, or all.
    """

    tape: str
    after_anchor: str | None = None
    kinds: tuple[str, ...] = ()
    limit: int | None = None

    def select(self, entries: Sequence[TapeEntry]) -> list[TapeEntry]:
        """Those of a whole tape that are wanted, the oldest first."""
        start = 0
        if self.after_anchor is not None:
            for place, entry in enumerate(entries, 1):
                if entry.kind == "anchor" and self.after_anchor in ("", entry.payload.get("name")):
                    start = place
        chosen = [each for each in entries[start:] if not self.kinds or each.kind in self.kinds]
        return chosen if self.limit is None else chosen[len(chosen) - min(self.limit, len(chosen)) :]


class TapeStore(Protocol):
    """Keeps tapes. The methods of a plugin's store may be async; those of a plain one are called in a thread."""

    def list_tapes(self) -> list[str]:
        """The names of all tapes, sorted."""

    def reset(self, tape: str) -> None:
        """Forget a tape."""

    def fetch_all(self, query: TapeQuery) -> list[TapeEntry]:
        """The wanted entries, the oldest first; none of a tape that does not exist."""

    def append(self, tape: str, entry: TapeEntry) -> None:
        """Write an entry at the end of a tape, which is made where there is none. Its id is given here."""


class InMemoryTapeStore:
    """Keeps tapes as long as the process lives."""

    def __init__(self) -> None:
        self._tapes: defaultdict[str, list[TapeEntry]] = defaultdict(list)
        self._lock = threading.Lock()

    def list_tapes(self) -> list[str]:
        """The names of all tapes, sorted."""
        with self._lock:
            return sorted(self._tapes)

    def reset(self, tape: str) -> None:
        """Forget a tape."""
        with self._lock:
            self._tapes.pop(tape, None)

    def fetch_all(self, query: TapeQuery) -> list[TapeEntry]:
        """The wanted entries, the oldest first."""
        with self._lock:
            return query.select(self._tapes.get(query.tape, ()))

    def append(self, tape: str, entry: TapeEntry) -> None:
        """Write an entry at the end of a tape."""
        with self._lock:
            entries = self._tapes[tape]
            entries.append(TapeEntry(entry.kind, entry.payload, entry.meta, len(entries) + 1, entry.date))
