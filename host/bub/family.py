"""The order of this family: ``tryfirst``, plain, ``trylast``; the later registered runs first, but for ``trylast``."""

from host.hooks import Implementation
from maibot_sdk.types import HookOrder

_SLOT_RANK = {HookOrder.EARLY: 0, HookOrder.NORMAL: 1, HookOrder.LATE: 2}


def run_order(implementation: Implementation) -> tuple[int, int]:
    """What implementations of one hook are sorted by.

    Bub's page says "later first" of all equal priorities; measured, ``trylast`` runs in the order of registration.
    """
    late = implementation.slot is HookOrder.LATE
    sequence = implementation.sequence
    return _SLOT_RANK[implementation.slot], sequence if late else -sequence


def plugin_order(implementation: Implementation) -> tuple[int, int]:
    """The same between implementations of two hooks, where those of one plugin stand equal."""
    late = implementation.slot is HookOrder.LATE
    number = implementation.number
    return _SLOT_RANK[implementation.slot], number if late else -number
