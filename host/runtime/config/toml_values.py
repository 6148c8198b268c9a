"""What TOML can hold: values of configuration models as values of TOML, and comparing those."""

import math
from collections.abc import Mapping
from datetime import date, datetime, time
from enum import Enum
from typing import Any

from pydantic import SecretBytes, SecretStr
from pydantic_core import to_jsonable_python

KeyPath = tuple[str | int, ...]
"""Where a value stands: keys of tables and, from 0, positions in lists."""


class NotTomlError(Exception):
    """TOML has no way to write a value.

    Args:
        path: where it stands in what was to be written.
        found: its type.
    """

    def __init__(self, path: KeyPath, found: str) -> None:
        self.path = path
        self.found = found
        super().__init__(f"{path}: {found}")


def toml_value(value: Any, path: KeyPath = ()) -> Any:
    """`value` as TOML can hold it: enums as their values, sets as sorted lists, paths and the like as text.

    Members of tables that are None are left out: TOML says nothing by leaving a key out.

    Args:
        value: anything that a configuration model may hold.
        path: where it stands, for the error.

    Raises:
        NotTomlError: there is no way.
    """
    match value:
        case Enum():
            return toml_value(value.value, path)
        case bool() | float() | date() | datetime() | time():
            return value
        case int() if -(2**63) <= value < 2**63:
            return value
        case str() if _is_unicode(value):
            return value
        case Mapping():
            members = {_key(key, path): member for key, member in value.items() if member is not None}
            return {key: toml_value(member, (*path, key)) for key, member in members.items()}
        case list() | tuple():
            return [toml_value(member, (*path, position)) for position, member in enumerate(value)]
        case set() | frozenset():
            return sorted((toml_value(member, path) for member in value), key=_sort_key)
        case SecretStr() | SecretBytes():
            return toml_value(value.get_secret_value(), path)
        case None | int() | str():
            raise NotTomlError(path, type(value).__name__)
    try:
        return toml_value(to_jsonable_python(value), path)
    except ValueError as error:
        raise NotTomlError(path, type(value).__name__) from error


def _is_unicode(text: str) -> bool:
    """Whether `text` has no lone surrogates, which no file can hold."""
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def _key(key: object, path: KeyPath) -> str:
    text = toml_value(key, path)
    if isinstance(text, list | dict):
        raise NotTomlError(path, f"dict[{type(key).__name__}]")
    return text if isinstance(text, str) else str(text)


def _sort_key(member: object) -> tuple[str, Any]:
    return type(member).__name__, member if isinstance(member, int | float | str) else repr(member)


def toml_part(table: Mapping[str, Any]) -> dict[str, Any]:
    """What TOML can hold of `table`; keys whose values it cannot hold are left out."""
    part = {}
    for key, value in table.items():
        try:
            part[key] = toml_part(value) if isinstance(value, dict) else toml_value(value)
        except NotTomlError:
            continue
    return part


def same(one: Any, other: Any) -> bool:
    """Whether two TOML values are of the same type and equal; NaN equals NaN."""
    match one, other:
        case dict(), Mapping():
            return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
        case list(), list():
            return len(one) == len(other) and all(map(same, one, other))
        case float(), float():
            return one == other or (math.isnan(one) and math.isnan(other))
    return type(one) is type(other) and bool(one == other)
