"""What configuration models hold becomes what TOML can hold."""

import tomllib
from datetime import UTC, date, datetime, time
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from pydantic import SecretStr

from host.runtime.config.toml_edit import edited
from host.runtime.config.toml_values import KeyPath, NotTomlError, same, toml_part, toml_value


class Colour(Enum):
    RED = "red"


class Level(IntEnum):
    LOW = 1


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Colour.RED, "red"),
        (Level.LOW, 1),
        ({3, 1, 2}, [1, 2, 3]),
        (frozenset({"b", "a"}), ["a", "b"]),
        ((1, (2, "x")), [1, [2, "x"]]),
        (Path("data/x"), "data/x"),
        (b"abc", "abc"),
        (Decimal("1.50"), "1.50"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (SecretStr("hidden"), "hidden"),
        ({1: {"a": None, "b": 2}, Colour.RED: []}, {"1": {"b": 2}, "red": []}),
        (datetime(2026, 1, 31, 7, 30, tzinfo=UTC), datetime(2026, 1, 31, 7, 30, tzinfo=UTC)),
        (date(2026, 1, 31), date(2026, 1, 31)),
        (time(7, 30), time(7, 30)),
    ],
)
def test_what_models_hold_becomes_what_toml_can_hold(value: object, expected: object) -> None:
    converted = toml_value(value)
    assert same(converted, expected)
    assert tomllib.loads(edited("", {"key": converted}, lambda path: "")) == {"key": expected}


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (None, ()),
        ([1, None], (1,)),
        ({"a": [2**63]}, ("a", 0)),
        ({"a": {"b": "\ud800"}}, ("a", "b")),
        (object(), ()),
        (b"\xff", ()),
        ({(1, 2): 3}, ()),
    ],
)
def test_what_toml_cannot_hold_is_refused_with_its_place_and_left_out_of_a_new_file(value: Any, path: KeyPath) -> None:
    with pytest.raises(NotTomlError) as caught:
        toml_value(value)
    assert caught.value.path == path
    assert toml_part({"x": [value], "y": {"z": value if not isinstance(value, dict) else [value]}, "w": 1}) == {
        "y": {},
        "w": 1,
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (1, 1.0),
        ([1], [True]),
        ({"a": 1}, {"a": 1, "b": 1}),
        ([1], [1, 1]),
        (date(2026, 1, 31), "2026-01-31"),
    ],
)
def test_values_of_other_types_are_not_the_same(one: object, other: object) -> None:
    assert not same(one, other)
    assert not same(other, one)


def test_nan_is_the_same_as_nan() -> None:
    assert same({"a": [float("nan")]}, {"a": [float("nan")]})
