"""What differs between two payload values, path by path."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from host.hooks.portable import MAX_DEPTH


class _Absent:
    """Stands for a value that is not there."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT: Final = _Absent()


class Difference(NamedTuple):
    """One place where two values differ.

    Args:
        path: keys and positions down to it, as ``message.raw_message[2].data``.
        before: what stood there, or `ABSENT`.
        after: what stands there, or `ABSENT`.
    """

    path: str
    before: Any
    after: Any


def differences(before: Any, after: Any, path: str = "") -> Iterator[Difference]:
    """Where `after` differs from `before`; nothing where they are equal.

    Dicts are compared key by key, lists position by position; everything else, and a change of type, as a whole.

    Args:
        before: a portable value.
        after: a portable value.
        path: where they stand.
    """
    yield from _differences(before, after, path, MAX_DEPTH + 1)


def _differences(before: Any, after: Any, path: str, levels: int) -> Iterator[Difference]:
    if isinstance(before, dict) and isinstance(after, dict) and levels:
        for key in before | after:
            inner = f"{path}.{key}" if path else str(key)
            yield from _differences(before.get(key, ABSENT), after.get(key, ABSENT), inner, levels - 1)
    elif isinstance(before, list) and isinstance(after, list) and levels:
        for index in range(max(len(before), len(after))):
            was, now = (each[index] if index < len(each) else ABSENT for each in (before, after))
            yield from _differences(was, now, f"{path}[{index}]", levels - 1)
    elif type(before) is not type(after) or before != after:
        yield Difference(path, before, after)
