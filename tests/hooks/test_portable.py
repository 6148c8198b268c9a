"""The table of what may be in a payload: each row, as argument and as return, the same for every handler."""

import enum
import uuid
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from math import isnan
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from host.hooks import PayloadError
from host.hooks.portable import InvalidValueError, copy_portable, portable
from tests.hooks.greeting import HOOK, add, fire, hooks_with


class _Color(enum.Enum):
    RED = "red"


class _Level(enum.IntEnum):
    HIGH = 3


class _Tone(enum.StrEnum):
    WARM = "warm"


class _Word(str):
    __slots__ = ()


class _Model(BaseModel):
    a: tuple[int, ...]


@dataclass
class _Point:
    x: int
    tags: set[str]


@dataclass
class _Holder:
    v: Any


class _HolderModel(BaseModel):
    v: Any


ROWS: list[tuple[Any, Any]] = [
    (None, None),
    (True, True),
    ("text", "text"),
    ("中文🙂", "中文🙂"),
    (2**64 - 1, 2**64 - 1),
    (-(2**63), -(2**63)),
    (1.5, 1.5),
    (float("inf"), float("inf")),
    ({"a": {"b": [1]}}, {"a": {"b": [1]}}),
    ([1, [2, {"c": 3}]], [1, [2, {"c": 3}]]),
    ((1, (2,)), [1, [2]]),
    ({3, 1, 2}, [1, 2, 3]),
    (frozenset({"b", "a"}), ["a", "b"]),
    (b"raw", b"raw"),
    (bytearray(b"raw"), b"raw"),
    (_Color.RED, "red"),
    (_Level.HIGH, 3),
    (_Word("w"), "w"),
    (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "2026-01-02T03:04:05+00:00"),
    (date(2026, 1, 2), "2026-01-02"),
    (time(3, 4), "03:04:00"),
    (PurePosixPath("/a/b"), "/a/b"),
    (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (Decimal("1.50"), "1.50"),
    (_Model(a=(1, 2)), {"a": [1, 2]}),
    (_Point(1, {"t"}), {"x": 1, "tags": ["t"]}),
    (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
    (MappingProxyType({"a": (1,)}), {"a": [1]}),
    (
        {1: "int", None: "none", 1.5: "float", _Color.RED: "enum"},
        {"1": "int", "None": "none", "1.5": "float", "red": "enum"},
    ),
]


def _cycle() -> Any:
    value: list[Any] = [1]
    value.append({"again": value})
    return value


CYCLE = _cycle()


def _deep(levels: int) -> Any:
    value: Any = "end"
    for _ in range(levels):
        value = [value]
    return value


WRAPS: list[Callable[[Any], Any]] = [
    lambda inner: [inner],
    lambda inner: {"v": inner},
    lambda inner: {1: inner},
    lambda inner: (inner,),
    lambda inner: OrderedDict(v=inner),
    lambda inner: MappingProxyType({"v": inner}),
    _Holder,
    lambda inner: _HolderModel(v=inner),
]
"""Each way to put one value into another."""


def _levels(value: Any) -> int:
    levels = 0
    while not isinstance(value, str):
        (value,) = value.values() if isinstance(value, dict) else value
        levels += 1
    return levels


REFUSED: list[tuple[Any, str, str]] = [
    (2**64, "extra.v", "65 bits"),
    (-(2**63) - 1, "extra.v", "64 bits"),
    ("bad \ud800", "extra.v", "surrogate U\\+D800 at 4"),
    (["good", "bad \ud800"], r"extra.v\[1\]", "surrogate U\\+D800 at 4"),
    ({"k\ud800": 1}, "extra.v", "surrogate"),
    ({1: "a", "1": "b"}, "extra.v", "same text"),
    ({"1": "a", 1: "b"}, "extra.v", "same text"),
    ({(1, 2): "a"}, "extra.v", "key of type tuple"),
    (CYCLE, r"extra.v\[1\].again", "cycle"),
    (_deep(100), "extra.v" + r"\[0\]" * 99, "100 levels"),
    (object(), "extra.v", "type object"),
    ({"a": [1, {"b": object}]}, r"extra.v.a\[1\].b", "type type"),
    (lambda: 1, "extra.v", "type function"),
]


@pytest.mark.parametrize(("value", "becomes"), ROWS)
async def test_a_handler_gets_a_value_as_the_table_says(value: Any, becomes: Any) -> None:
    seen: list[Any] = []

    async def reads(**kwargs: Any) -> None:
        seen.append(kwargs["extra"]["v"])

    hooks = hooks_with()
    add(hooks, reads)
    await fire(hooks, extra={"v": value})
    assert seen == [becomes]
    assert type(seen[0]) is type(becomes)


@pytest.mark.parametrize(("value", "becomes"), ROWS)
async def test_a_return_is_taken_over_as_the_table_says(value: Any, becomes: Any) -> None:
    async def returns(**kwargs: Any) -> Any:
        return {"modified_kwargs": {"extra": {"v": value}}, "custom_result": value}

    hooks = hooks_with()
    add(hooks, returns)
    result = await fire(hooks)
    assert result.kwargs["extra"] == {"v": becomes}
    assert [each.value for each in result.custom_results] == [becomes]


def test_nan_stays_itself() -> None:
    assert isnan(portable({"v": float("nan")}, "x")["v"])


@pytest.mark.parametrize(("value", "path", "found"), REFUSED)
async def test_what_may_not_travel_is_the_callers_error_with_hook_and_key_path(
    value: Any, path: str, found: str
) -> None:
    with pytest.raises(PayloadError, match=f"{HOOK}.*{path}: found .*{found}"):
        await fire(hooks_with(), extra={"v": value})


@pytest.mark.parametrize(("value", "path", "found"), REFUSED)
async def test_what_may_not_travel_is_the_failure_of_the_handler_that_returned_it(
    value: Any, path: str, found: str
) -> None:
    async def returns(**kwargs: Any) -> Any:
        return {"modified_kwargs": {"extra": {"v": value}, "count": 9}}

    hooks = hooks_with()
    add(hooks, returns)
    result = await fire(hooks, count=1)
    assert result.kwargs == {"text": "hi", "count": 1}
    assert [error.kind for error in result.errors] == ["invalid_return"]


@pytest.mark.parametrize("text", ["\udfff", 2**70])
async def test_top_level_scalars_are_checked_too(text: Any) -> None:
    with pytest.raises(PayloadError, match="mood"):
        await fire(hooks_with(), mood=text)


async def test_twenty_megabytes_of_bytes_pass() -> None:
    sizes: list[int] = []

    async def reads(**kwargs: Any) -> None:
        sizes.append(len(kwargs["blob"]))

    hooks = hooks_with()
    add(hooks, reads)
    await fire(hooks, blob=b"x" * 20_000_000)
    assert sizes == [20_000_000]


@pytest.mark.parametrize("wrap", WRAPS)
def test_a_hundred_levels_are_allowed_and_no_more_whatever_they_are_made_of(wrap: Callable[[Any], Any]) -> None:
    value: Any = wrap("end")
    for _ in range(99):
        value = wrap(value)
    assert _levels(portable(value, "x")) == 100
    with pytest.raises(InvalidValueError, match="more than 100 levels"):
        portable(wrap(value), "x")


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(PLAIN)
def test_plain_values_come_out_equal_and_share_nothing_that_can_be_changed(value: Any) -> None:
    for copied in (portable(value, "x"), copy_portable(portable(value, "x"))):
        assert copied == value
        assert not (_containers(copied) & _containers(value))


def _containers(value: Any) -> set[int]:
    if isinstance(value, dict):
        return {id(value)}.union(*(_containers(each) for each in value.values()))
    if isinstance(value, list):
        return {id(value)}.union(*(_containers(each) for each in value))
    return set()


@given(st.dictionaries(st.integers() | st.text(max_size=2) | st.booleans() | st.none(), PLAIN, max_size=4))
def test_keys_of_any_scalar_kind_become_text_or_collide(value: dict[Any, Any]) -> None:
    texts = [key if isinstance(key, str) else str(key) for key in value]
    if len(set(texts)) == len(texts):
        assert portable(value, "x") == dict(zip(texts, value.values(), strict=True))
    else:
        with pytest.raises(Exception, match="same text"):
            portable(value, "x")


TEXT = st.text("ab中🙂\ud800", max_size=3)
"""Text that often has a lone surrogate in it."""
ITEMS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**65), 2**65)
    | st.floats()
    | TEXT
    | st.binary(max_size=4)
    | st.sampled_from([value for value, _ in ROWS] + [value for value, _, found in REFUSED if "levels" not in found])
    | st.sampled_from([_Tone.WARM, bytearray(b"raw"), memoryview(b"raw"), {_Word("w"): 1}, {_Tone.WARM: 1}, True, 1.0])
)
VALUES = st.recursive(
    ITEMS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT | TEXT.map(_Word), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_a_dict_or_a_list_becomes_what_its_items_become_one_by_one(value: Any) -> None:
    assert _outcome(portable, value) == _outcome(_item_by_item, value)


def _item_by_item(value: Any, path: str) -> Any:
    """The same copy with every dict and list taken apart here, so that only what holds nothing is left to convert."""
    if type(value) is list and value is not CYCLE:
        return [_item_by_item(item, f"{path}[{index}]") for index, item in enumerate(value)]
    if type(value) is dict and all(isinstance(key, str) for key in value):
        keys = [portable(key, path) for key in value]
        return {key: _item_by_item(item, f"{path}.{key}") for key, item in zip(keys, value.values(), strict=True)}
    return portable(value, path)


def _outcome(copier: Callable[[Any, str], Any], value: Any) -> Any:
    try:
        return _spelled(copier(value, "x"))
    except InvalidValueError as error:
        return error.issue


def _spelled(value: Any) -> Any:
    """The value with its exact types, so that True is not 1, a subclass not its base, and nan equals itself."""
    if type(value) is dict:
        return "dict", [(_spelled(key), _spelled(item)) for key, item in value.items()]
    if type(value) is list:
        return "list", [_spelled(item) for item in value]
    return type(value), repr(value)
