"""What a plugin made the host do, each thing with its undo. Closing the scope undoes them in reverse.

The idea is that of effects: whoever changes something for a plugin says in the same breath how to take it back, and
then unloading and reloading need no special cases.
"""

import inspect
from collections.abc import Awaitable, Callable

from loguru import logger

Undo = Callable[[], Awaitable[None] | None]


class Scope:
    """The effects of one plugin, from the moment it is loaded to the moment it is gone.

    Args:
        owner: the plugin's id, for the log.
    """

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._effects: list[tuple[str, Undo]] = []

    def effect(self, what: str, undo: Undo) -> None:
        """Remember how to take something back.

        Args:
            what: what was done, for the log: ``"hook handlers"``.
            undo: takes it back; called once, sync or async.
        """
        self._effects.append((what, undo))

    def forget(self, what: str) -> None:
        """Let go of effects that were taken back otherwise.

        Args:
            what: as it was given to `effect`.
        """
        self._effects = [effect for effect in self._effects if effect[0] != what]

    async def aclose(self) -> None:
        """Undo everything, the latest first. An undo that fails is logged, and the others are done all the same."""
        while self._effects:
            what, undo = self._effects.pop()
            try:
                undone = undo()
                if inspect.isawaitable(undone):
                    await undone
            except Exception as error:  # A border: what is left of the plugin has to go, whatever one part of it does.
                logger.opt(exception=error).error("plugin {}: {} could not be undone", self._owner, what)
