"""Where new items get their ids and times from."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from host.catalogue.context_items.items import ItemMeta


def _random_id() -> str:
    return uuid4().hex


@dataclass(frozen=True, slots=True)
class Stamp:
    """Makes what an item needs that comes from nowhere else.

    Args:
        new_id: gives an id that nothing else has.
        now: what time it is.
    """

    new_id: Callable[[], str] = _random_id
    now: Callable[[], datetime] = datetime.now

    def meta(self, logical_turn_id: str | None) -> ItemMeta:
        """A fresh meta within the given turn."""
        return ItemMeta(self.new_id(), logical_turn_id, self.now().isoformat(timespec="seconds"))


STAMP = Stamp()
"""Random ids, the time of the clock."""
