"""The owner's order of a hook's handlers, and what it leaves to the family's rule."""

from collections.abc import Iterable, Sequence
from typing import Any

from host.hooks.family import Family
from host.hooks.handler import Handler
from host.hooks.settings import Placement


class Ordering:
    """Where the handlers of one hook stand.

    Args:
        family: whose rule decides.
        placements: what the owner wants before everything else of the same mode, in this order; mostly nothing.
    """

    __slots__ = ("_family", "_places", "placements")

    def __init__(self, family: Family, placements: Sequence[Placement] = ()) -> None:
        self._family = family
        self.placements = tuple(placements)
        self._places = {(each.plugin, each.handler): place for place, each in enumerate(placements)}

    def key(self, handler: Handler) -> tuple[Any, ...]:
        """What the handlers of the hook are sorted by."""
        return self._family.sort_key(handler, self._place(handler))

    def places(self, handler: Handler) -> bool:
        """Whether the owner's order names this handler or its plugin."""
        return self._place(handler) < len(self.placements)

    def unmatched(self, handlers: Iterable[Handler]) -> list[Placement]:
        """The placements that none of `handlers` fits."""
        present = {(each.plugin_id, name) for each in handlers for name in (each.name, None)}
        return [each for each in self.placements if (each.plugin, each.handler) not in present]

    def _place(self, handler: Handler) -> int:
        """The handler's own place before its plugin's; behind all placed ones without either."""
        whole_plugin = self._places.get((handler.plugin_id, None), len(self.placements))
        return self._places.get((handler.plugin_id, handler.name), whole_plugin)
