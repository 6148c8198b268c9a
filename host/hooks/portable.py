"""What may be in a payload, and what becomes of it: one table for every handler, in the host's process or in another.

None, bool, float, bytes, text, integers of 64 bits, dicts with text keys and lists stay themselves. Tuples and sets
become lists, bytearrays bytes, enum members their values, dates ISO 8601 text, paths, UUIDs and decimals text, pydantic
models and dataclasses dicts, other scalar keys text. A larger integer, a lone surrogate, two keys that become one, a
cycle, more than 100 levels, and anything else is refused.
"""

import dataclasses
from collections.abc import Callable, Mapping
from datetime import date, time
from decimal import Decimal
from enum import Enum
from functools import partial
from pathlib import PurePath
from typing import Any
from uuid import UUID

import msgspec
from pydantic import BaseModel

from host.hooks.errors import PayloadIssue

MAX_DEPTH = 100
"""How many dicts and lists may lie in one another."""

_MIN_INT, _MAX_INT = -(2**63), 2**64 - 1
_ATOMS = frozenset({type(None), bool, float, bytes})
_TEXTUAL = (PurePath, UUID, Decimal)
_ALLOWED = (
    "None, bool, int within 64 bits, float, text, bytes, dict, list, tuple, set, enum, date and time, path, UUID, "
    "Decimal, pydantic model, dataclass"
)

copy_portable: Callable[[Any], Any] = partial(msgspec.to_builtins, builtin_types=(bytes,))
"""A deep copy of a value that went through `portable` already: the fast way to hand each handler its own."""


class InvalidValueError(Exception):
    """A value may not stand where it stands.

    Args:
        issue: where, what was found, what is allowed.
    """

    def __init__(self, issue: PayloadIssue) -> None:
        self.issue = issue
        super().__init__(str(issue))


class _RefusedError(Exception):
    """Where the fast pass stopped, before anybody knows the path."""

    def __init__(self, found: str, allowed: str = _ALLOWED) -> None:
        self.found = found
        self.allowed = allowed


def portable(value: Any, path: str) -> Any:
    """A deep copy of `value`, made of the types that stay themselves.

    Args:
        value: anything.
        path: where it stands, for the error: a key of the payload.

    Raises:
        InvalidValueError: something in it may not be in a payload.
    """
    try:
        return _dict(value, MAX_DEPTH) if type(value) is dict else _convert(value, MAX_DEPTH)
    except (_RefusedError, UnicodeEncodeError, RecursionError):
        raise InvalidValueError(_find(value, path)) from None


def _convert(value: Any, left: int) -> Any:
    kind = type(value)
    if kind in _ATOMS:
        return value
    if kind is str:
        return value if value.isascii() else _text(value)
    if kind is dict:
        return _dict(value, left)
    if kind is list:
        return _list(value, left)
    if kind is int:
        return _int(value)
    return _convert_other(value, left)


# Nearly all time is spent in these two. They copy at once, and put in anew only what needs it. Text that cannot be
# encoded has a lone surrogate. `left` is how many levels the value may have: counted down, since a zero is seen sooner
# than a limit. None and booleans are so frequent that asking for them first pays.


def _dict(value: dict[Any, Any], left: int) -> dict[str, Any]:
    if not left:
        raise _too_deep()
    copy = value.copy()
    for key, item in value.items():
        if type(key) is not str or not key.isascii():
            return _mapping(value, left)
        kind = type(item)
        if kind is str:
            if not item.isascii():
                item.encode()
        elif kind is dict:
            copy[key] = _dict(item, left - 1)
        elif kind is list:
            copy[key] = _list(item, left - 1)
        elif item is not None and kind is not bool and kind not in _ATOMS:
            copy[key] = _convert(item, left - 1)
    return copy


def _list(value: list[Any], left: int) -> list[Any]:
    if not left:
        raise _too_deep()
    copy = value.copy()
    for index, item in enumerate(value):
        kind = type(item)
        if kind is dict:
            copy[index] = _dict(item, left - 1)
        elif kind is str:
            if not item.isascii():
                item.encode()
        elif kind is list:
            copy[index] = _list(item, left - 1)
        elif item is not None and kind is not bool and kind not in _ATOMS:
            copy[index] = _convert(item, left - 1)
    return copy


def _mapping(value: Mapping[Any, Any], left: int) -> dict[str, Any]:
    if not left:
        raise _too_deep()
    copy = {_key(key): _convert(item, left - 1) for key, item in value.items()}
    if len(copy) != len(value):
        raise _RefusedError("keys that become the same text", "keys that differ as text")
    return copy


def _text(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise _RefusedError(
            f"text with the lone surrogate U+{ord(value[error.start]):04X} at {error.start}",
            "text without lone surrogates",
        ) from None
    return value


def _int(value: int) -> int:
    if _MIN_INT <= value <= _MAX_INT:
        return value
    raise _RefusedError(f"an integer of {value.bit_length()} bits", "integers from -2**63 to 2**64 - 1")


def _key(key: Any) -> str:
    if isinstance(key, Enum):
        return _key(key.value)
    if isinstance(key, str):
        return _text(str.__str__(key))
    if isinstance(key, (date, time)):
        return key.isoformat()
    if key is None or isinstance(key, (int, float, *_TEXTUAL)):
        return _text(str(key))
    raise _RefusedError(f"a key of type {type(key).__name__}", "keys that are text or another scalar")


def _convert_other(value: Any, left: int) -> Any:
    """The rarer rows of the table, subclasses of the plain types among them."""
    if isinstance(value, Enum):
        return _convert(value.value, left)
    if isinstance(value, Mapping):
        return _mapping(value, left)
    if isinstance(value, (list, tuple)):
        return _list([*value], left)
    if isinstance(value, (set, frozenset)):
        items = _list([*value], left)
        try:
            return sorted(items)
        except TypeError:
            return items
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if isinstance(value, str):
        return _text(str.__str__(value))
    if isinstance(value, int):
        return _int(int(value))
    if isinstance(value, float):
        return float(value)
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, _TEXTUAL):
        return _text(str(value))
    if isinstance(value, BaseModel):
        return _dict({name: getattr(value, name) for name in type(value).model_fields}, left)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _dict({field.name: getattr(value, field.name) for field in dataclasses.fields(value)}, left)
    raise _RefusedError(f"a value of type {type(value).__name__}")


def _too_deep() -> _RefusedError:
    return _RefusedError(f"more than {MAX_DEPTH} levels of nesting", f"at most {MAX_DEPTH} levels")


def _find(value: Any, path: str) -> PayloadIssue:
    """Walk again, slowly and without recursion, to where the fast pass stopped."""
    pending: list[tuple[Any, str, tuple[int, ...]]] = [(value, path, ())]
    while pending:
        item, where, outside = pending.pop()
        if id(item) in outside:
            return PayloadIssue(where, "a cycle: the value holds itself", "values without cycles")
        try:
            children = _children(item, where)
            if children is None:
                _convert(item, MAX_DEPTH)
                continue
            if len(outside) >= MAX_DEPTH:
                raise _too_deep()
        except _RefusedError as refused:
            return PayloadIssue(where, refused.found, refused.allowed)
        pending.extend((child, at, (*outside, id(item))) for child, at in reversed(children))
    return PayloadIssue(path, f"a value of type {type(value).__name__} that changed while it was read", _ALLOWED)


def _children(value: Any, path: str) -> list[tuple[Any, str]] | None:
    """The values inside a container with their paths; None for anything that holds none.

    Raises:
        _RefusedError: a key may not be one.
    """
    if isinstance(value, Enum):
        return None
    if isinstance(value, Mapping):
        children = {_key(key): child for key, child in value.items()}
        if len(children) != len(value):
            raise _RefusedError("keys that become the same text", "keys that differ as text")
        return [(child, f"{path}.{key}") for key, child in children.items()]
    if isinstance(value, (list, tuple)):
        return [(child, f"{path}[{index}]") for index, child in enumerate(value)]
    if isinstance(value, (set, frozenset)):
        return [(child, f"{path}{{}}") for child in value]
    if isinstance(value, BaseModel):
        return [(getattr(value, name), f"{path}.{name}") for name in type(value).model_fields]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [(getattr(value, field.name), f"{path}.{field.name}") for field in dataclasses.fields(value)]
    return None
