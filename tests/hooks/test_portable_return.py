"""A return that came from another process is read just as one at hand: the same changes, the same failures."""

import enum
from datetime import date
from typing import Any, NotRequired

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st
from typing_extensions import TypedDict

from host.hooks.outcome import Outcome, read
from host.hooks.payload import Payload
from tests.hooks.elsewhere import remote, sent
from tests.hooks.greeting import fire, hooks_with, on


class _Declared(TypedDict):
    text: str
    tags: NotRequired[list[str]]
    extra: NotRequired[dict[str, Any]]
    count: NotRequired[int]
    ratio: NotRequired[float]
    loud: NotRequired[bool]


class _Color(enum.Enum):
    RED = "red"


class _Word(str):
    __slots__ = ()


class _Hostile:
    """Raises whenever it is looked at."""

    def __repr__(self) -> str:
        raise ValueError("no repr")

    __str__ = __repr__

    def __bool__(self) -> bool:
        raise ValueError("no truth")


class _HostileDict(dict[str, Any]):
    def get(self, key: str, default: Any = None) -> Any:
        raise ValueError(f"no {key}")


def _nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


def _cycle() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


def _tower(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


def _one_of(values: list[Any]) -> st.SearchStrategy[Any]:
    """Chosen by their numbers, since some of them cannot be printed."""
    return st.integers(0, len(values) - 1).map(lambda number: values[number])


PAYLOAD = Payload("greeting.before_send", _Declared)
_plain = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**64 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(codec="utf-8"), max_size=5),
    st.binary(max_size=5),
)
_ODD = [
    2**64,
    "lone \ud800",
    object(),
    _Hostile(),
    _nested(99),
    _nested(100),
    _tower(10_000),
    _nested(10_000),
    _cycle(),
    {1: "a", "1": "b"},
    {("t",): 1},
    {3, 1},
    (1, (2,)),
    _Color.RED,
    _Word("word"),
    date(2026, 1, 2),
    bytearray(b"x"),
    {_Word("k"): _Word("v")},
]
_odd = _one_of(_ODD)
_ACTIONS = ["continue", "abort", " ABORT ", "stop", "", None, 7, _Hostile(), _Word("abort"), _nested(10_000)]
_MESSAGES = ["it broke", "", None, 5, "\ud800", _Hostile(), "long " * 2_000]
_values = st.recursive(
    _plain | _odd,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", 1, None]), inner, max_size=3)
    ),
    max_leaves=6,
)
_names = st.sampled_from(
    [
        *("text", "tags", "extra", "count", "ratio", "loud"),
        *("undeclared", "other", "hook_name", "trace_id", "self", "\ud800", "中文"),
        *(1, None, ("t",), _Word("text"), _Word("hook_name")),
    ]
)
_modified = st.dictionaries(_names, _values, max_size=5)
_dicts = st.fixed_dictionaries(
    {},
    optional={
        "action": _one_of(_ACTIONS),
        "success": st.sampled_from([True, False, None, 0]),
        "error_message": _one_of(_MESSAGES),
        "modified_kwargs": st.none() | _modified | _values,
        "custom_result": _values,
        "unknown": _values,
    },
)


def _read(returned: object) -> Outcome:
    return Outcome() if returned is None else read(returned, PAYLOAD, {})


@profile(max_examples=300, deadline=None)
@given(_dicts | _values | st.just(_HostileDict()))
def test_it_is_read_as_the_return_itself(returned: object) -> None:
    assert _read(sent(returned)) == _read(returned)


@profile(max_examples=300, deadline=None)
@given(_modified)
def test_of_several_wrong_changes_the_first_is_told_wherever_it_was_found(modified: dict[Any, Any]) -> None:
    returned = {"action": "abort", "modified_kwargs": modified, "custom_result": object()}
    assert _read(sent(returned)) == _read(returned)


@pytest.mark.parametrize(
    ("returned", "text"),
    [
        ({"action": _Hostile()}, "returned action: found _Hostile <repr raised ValueError>, allowed is"),
        ({"modified_kwargs": _nested(10_000)}, "returned modified_kwargs: found list <repr raised RecursionError>"),
        ({"success": False, "error_message": _Hostile()}, "returned what cannot be read: ValueError: no truth"),
        (_HostileDict(), "returned what cannot be read: ValueError: no action"),
        ({"modified_kwargs": {"\ud800": 1}}, "returned modified_kwargs: found text with the lone surrogate U+D800"),
    ],
)
async def test_what_cannot_even_be_looked_at_is_the_handlers_failure_and_nobody_elses(
    returned: object, text: str
) -> None:
    hooks = hooks_with()

    async def handler(**kwargs: Any) -> Any:
        return returned

    hooks.register("a.plugin", [on(handler)])
    hooks.register("b.plugin", [on(remote(handler), "elsewhere")])
    result = await fire(hooks)
    assert [error.kind for error in result.errors] == ["invalid_return"] * 2
    assert [error.text for error in result.errors] == [result.errors[0].text] * 2
    assert result.errors[0].text.startswith(text)


async def test_plain_values_that_are_handed_back_as_they_were_are_no_changes_of_a_handler_elsewhere_either() -> None:
    hooks = hooks_with(allow_kwargs_mutation=False)

    async def hands_back(**kwargs: Any) -> Any:
        return {"modified_kwargs": kwargs}

    hooks.register("b.plugin", [on(remote(hands_back), "elsewhere")])
    assert (await fire(hooks, count=2**40)).errors == ()


async def test_what_was_edited_in_place_and_handed_back_is_a_change_of_a_handler_elsewhere_too() -> None:
    hooks = hooks_with()

    async def edits(**kwargs: Any) -> Any:
        kwargs["tags"].append("mine")
        return {"modified_kwargs": kwargs}

    hooks.register("b.plugin", [on(remote(edits), "elsewhere")])
    assert (await fire(hooks, tags=["given"])).kwargs == {"text": "hi", "tags": ["given", "mine"]}
