"""Where messages wait that are meant for the turn that is running."""

from collections import defaultdict, deque
from collections.abc import Mapping
from typing import Any, Protocol


class SteeringInbox(Protocol):
    """What ``provide_steering_inbox`` gives; the names are those of Bub's own."""

    async def enqueue_message(self, message: Any, state: dict[str, Any]) -> None:
        """Keep a message for the session of `state`."""

    async def drain_messages(self, state: dict[str, Any]) -> list[Any]:
        """Give all that wait for it, the oldest first, and forget them."""

    def message_count(self, state: dict[str, Any]) -> int:
        """How many wait for it."""


class InMemorySteeringInbox:
    """Keeps them in memory: by the state's ``_runtime_thread_id``, else its ``session_id``, else ``default``."""

    def __init__(self) -> None:
        self._waiting: defaultdict[str, deque[Any]] = defaultdict(deque)

    async def enqueue_message(self, message: Any, state: dict[str, Any]) -> None:
        """Keep a message for the session of `state`."""
        self._waiting[_key(state)].append(message)

    async def drain_messages(self, state: dict[str, Any]) -> list[Any]:
        """Give all that wait for it, the oldest first, and forget them."""
        return list(self._waiting.pop(_key(state), ()))

    def message_count(self, state: dict[str, Any]) -> int:
        """How many wait for it."""
        return len(self._waiting.get(_key(state), ()))


def _key(state: Mapping[str, Any]) -> str:
    return str(state.get("_runtime_thread_id") or state.get("session_id") or "default")
