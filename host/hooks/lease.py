"""Whether the handlers of one registration may be called just now."""

import asyncio


class Lease:
    """Shared by all handlers of one registration. Open from the start.

    While a plugin is reloaded, its new handlers stand in the table already, and calls of them wait for it to come up.
    Once it is gone, dispatches that still hold its handlers pass them over.

    Attributes:
        shut: whether a call may not go ahead at once.
        ended: whether no call will go ahead any more.
    """

    __slots__ = ("_changed", "ended", "shut")

    def __init__(self) -> None:
        self.shut = False
        self.ended = False
        self._changed = asyncio.Event()

    def suspend(self) -> None:
        """Let calls wait from now on."""
        self.shut = True

    def open(self) -> None:
        """Let calls go ahead, those that wait too."""
        if not self.ended:
            self.shut = False
            self._changed.set()
            self._changed = asyncio.Event()

    def end(self) -> None:
        """Let no call go ahead any more; those that wait are given up."""
        self.shut = self.ended = True
        self._changed.set()

    async def opens(self, seconds: float) -> bool:
        """Whether a call may go ahead, at the latest after `seconds`."""
        if self.shut and not self.ended:
            changed = self._changed
            try:
                async with asyncio.timeout(seconds):
                    await changed.wait()
            except TimeoutError:
                return False
        return not self.shut
