"""Whether the handlers of one registration may be called just now, as far as their plugin is concerned."""

import asyncio
from enum import Enum
from typing import TYPE_CHECKING

from host.hooks.failure import Failure, unavailable

if TYPE_CHECKING:
    from host.hooks.gate import Gate


class _State(Enum):
    OPEN = "open"
    SUSPENDED = "suspended"
    DOWN = "down"
    ENDED = "ended"


class Lease:
    """Shared by all handlers of one registration. Open from the start.

    While a plugin is reloaded, its new handlers stand in the table already, and calls of them wait for it to come up.
    While its process is down and pauses before it is started again, they fail at once. Once the plugin is gone,
    dispatches that still hold its handlers pass them over.

    Attributes:
        shut: whether a call may not go ahead at once.
    """

    __slots__ = ("_changed", "_gates", "_reason", "_state", "shut")

    def __init__(self) -> None:
        self.shut = False
        self._state = _State.OPEN
        self._reason = ""
        self._changed = asyncio.Event()
        self._gates: list[Gate] = []

    @property
    def ended(self) -> bool:
        """Whether no call will go ahead any more."""
        return self._state is _State.ENDED

    def attach(self, gate: "Gate") -> None:
        """Have a handler's gate follow this lease from now on."""
        self._gates.append(gate)

    def suspend(self) -> None:
        """Let calls wait from now on."""
        self._move(_State.SUSPENDED)

    def down(self, reason: str) -> None:
        """Let calls fail at once from now on, those too that wait.

        Args:
            reason: why, as it stands in their failure.
        """
        self._move(_State.DOWN, reason)

    def open(self) -> None:
        """Let calls go ahead, those that wait too."""
        self._move(_State.OPEN)

    def end(self) -> None:
        """Let no call go ahead any more; those that wait are given up."""
        self._move(_State.ENDED)

    async def wait(self, seconds: float) -> Failure | None:
        """Wait while it is suspended, at most so long; None once a call may go ahead, else why it may not."""
        try:
            async with asyncio.timeout(seconds):
                while self._state is _State.SUSPENDED:
                    await self._changed.wait()
        except TimeoutError:
            return unavailable()
        return unavailable(self._reason) if self.shut else None

    def _move(self, state: _State, reason: str = "") -> None:
        if self._state is _State.ENDED:
            return
        self._state, self._reason = state, reason
        self.shut = state is not _State.OPEN
        for gate in self._gates:
            gate.refresh()
        self._changed.set()
        self._changed = asyncio.Event()
