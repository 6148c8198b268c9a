"""Which entries of a changed list were which entries of the list before."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple


class Partner(NamedTuple):
    """Where an entry comes from.

    Args:
        place: its index in the list before.
        same: nothing about it was changed.
    """

    place: int
    same: bool


def partners(before: Sequence[Any], after: Sequence[Any], is_kin: Callable[[Any, Any], bool]) -> list[Partner | None]:
    """For each entry of `after` the one of `before` that it was, or None where it is new.

    Equal entries belong together, wherever they stand. An entry that equals none is the changed form of the one that
    followed its neighbour's, if that one has no other partner and `is_kin` agrees.

    Args:
        before: portable values.
        after: portable values.
        is_kin: ``(before, after) -> whether the second may be the first, changed``.
    """
    found: list[Partner | None] = [None] * len(after)
    start, shared = 0, min(len(before), len(after))
    while start < shared and before[start] == after[start]:
        found[start] = Partner(start, True)
        start += 1
    end = 0
    while end < shared - start and before[-1 - end] == after[-1 - end]:
        found[-1 - end] = Partner(len(before) - 1 - end, True)
        end += 1

    free = [*range(start, len(before) - end)]
    for position in range(start, len(after) - end):
        match = next((index for index in free if before[index] == after[position]), None)
        if match is not None:
            free.remove(match)
            found[position] = Partner(match, True)
    for position in range(start, len(after) - end):
        if found[position] is None:
            neighbour = found[position - 1] if position else Partner(-1, True)
            index = neighbour.place + 1 if neighbour else -1
            if index in free and is_kin(before[index], after[position]):
                free.remove(index)
                found[position] = Partner(index, False)
    return found
