"""Noticing that something more is said in a chat while a turn is under way."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager


class Arrivals:
    """Who listens for the next message of which chat."""

    def __init__(self) -> None:
        self._listening: defaultdict[str, set[asyncio.Event]] = defaultdict(set)

    def note(self, session_id: str) -> None:
        """A message came in."""
        for more in self._listening.get(session_id, ()):
            more.set()

    @contextmanager
    def listening(self, session_id: str) -> Iterator[asyncio.Event]:
        """An event that is set by each message which comes into a chat meanwhile.

        Args:
            session_id: the chat.
        """
        more = asyncio.Event()
        self._listening[session_id].add(more)
        try:
            yield more
        finally:
            self._listening[session_id].discard(more)
            if not self._listening[session_id]:
                del self._listening[session_id]
