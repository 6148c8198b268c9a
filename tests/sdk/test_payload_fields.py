"""The lenient types of payload keys: every form that the bot reads back is right, and comes out in the plain form."""

import math
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from maibot_sdk import hooks
from maibot_sdk.hooks import Flag, Limit, LooseText, OptionalText, RealFlag, Reference, Request, Text, Texts, Words


def read(annotation: Any, value: Any) -> Any:
    return TypeAdapter(annotation).validate_python(value)


@pytest.mark.parametrize("value", [True, 1, 2.5, -1, "1", " TRUE ", "yes", "On", "retry", "anything"])
def test_a_flag_is_yes(value: Any) -> None:
    assert read(Flag, value) is True


@pytest.mark.parametrize("value", [False, 0, 0.0, None, "", "  ", "0", "False", "NO", " off "])
def test_a_flag_is_no(value: Any) -> None:
    assert read(Flag, value) is False


@pytest.mark.parametrize("value", [[], ["x"], {}, {"a": 1}])
@pytest.mark.parametrize("kind", [Flag, Request])
def test_what_nests_is_no_flag(kind: Any, value: Any) -> None:
    with pytest.raises(ValidationError):
        read(kind, value)


@pytest.mark.parametrize(
    ("value", "asked"),
    [
        ("retry", True),
        (" Yes ", True),
        ("1", True),
        (True, True),
        (2, True),
        ("please", False),
        ("", False),
        (None, False),
    ],
)
def test_a_request_is_made_by_the_words_that_mean_yes_alone(value: Any, asked: bool) -> None:
    assert read(Request, value) is asked


@pytest.mark.parametrize("value", [1, 0, "true", None, "", []])
def test_a_real_flag_is_a_boolean_and_nothing_else(value: Any) -> None:
    assert read(RealFlag, True) is True
    with pytest.raises(ValidationError):
        read(RealFlag, value)


@pytest.mark.parametrize(("value", "number"), [(3, 3), (True, 1), (3.0, 3), ("3", 3), ("-3", -3)])
def test_an_integer_may_be_a_whole_float_numeric_text_or_a_boolean(value: Any, number: int) -> None:
    assert read(int, value) == number


@pytest.mark.parametrize("value", [3.5, "many", None, []])
def test_another_value_is_no_integer(value: Any) -> None:
    with pytest.raises(ValidationError):
        read(int, value)


@pytest.mark.parametrize(("value", "number"), [(None, 0), ("", 0), (5, 5), ("5", 5), (5.9, 5), (-1, -1), (True, 1)])
def test_a_limit_may_be_left_to_the_bot_and_loses_its_fraction(value: Any, number: int) -> None:
    assert read(Limit, value) == number


@pytest.mark.parametrize("value", ["many", math.nan, math.inf, []])
def test_another_value_is_no_limit(value: Any) -> None:
    with pytest.raises(ValidationError):
        read(Limit, value)


@pytest.mark.parametrize(("value", "text"), [("t", "t"), ("", ""), (None, ""), (5, "5"), (1.5, "1.5"), (True, "True")])
def test_loose_text_may_be_a_number_or_nothing(value: Any, text: str) -> None:
    assert read(LooseText, value) == text


@pytest.mark.parametrize(("value", "text"), [("t", "t"), ("", ""), (None, None), (5, "5")])
def test_optional_text_keeps_nothing_as_none(value: Any, text: str | None) -> None:
    assert read(OptionalText, value) == text


@pytest.mark.parametrize(("value", "text"), [("m", "m"), ("", None), (None, None), (12, "12")])
def test_a_reference_to_nothing_is_none(value: Any, text: str | None) -> None:
    assert read(Reference, value) == text


@pytest.mark.parametrize("value", [[], {}, ["t"]])
@pytest.mark.parametrize("kind", [LooseText, OptionalText, Reference])
def test_what_nests_is_no_text(kind: Any, value: Any) -> None:
    with pytest.raises(ValidationError):
        read(kind, value)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("a,b，c、d;e；f\ng\r\nh", list("abcdefgh")),
        (" two words , b ", ["two words", "b"]),
        ("", []),
        (" ,; ", []),
        (["a,b", 5, True], ["a,b", "5", "True"]),
        ([], []),
    ],
)
def test_words_are_a_list_or_a_text_that_holds_them(value: Any, words: list[str]) -> None:
    assert read(Words, value) == words


@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1)))
def test_words_joined_by_commas_come_apart_again(words: list[str]) -> None:
    assert read(Words, ",".join(words)) == words


@pytest.mark.parametrize("value", [None, 5, {"a": 1}, ["a", None], ["a", ["b"]]])
@pytest.mark.parametrize("kind", [Words, Texts])
def test_what_holds_no_words_is_refused(kind: Any, value: Any) -> None:
    with pytest.raises(ValidationError):
        read(kind, value)


def test_texts_are_a_list_only() -> None:
    assert read(Texts, ["a", 5]) == ["a", "5"]
    with pytest.raises(ValidationError):
        read(Texts, "a,b")


@pytest.mark.parametrize("value", [None, []])
@pytest.mark.parametrize(
    ("payload", "key"),
    [
        (hooks.JargonExtractBeforePersist, "entries"),
        (hooks.ExpressionLearnAfterExtract, "expressions"),
        (hooks.ExpressionLearnAfterExtract, "jargon_entries"),
    ],
)
def test_nothing_to_store_may_be_none(payload: Any, key: str, value: Any) -> None:
    assert read(payload.__annotations__[key], value) == []


def test_members_of_tool_definitions_that_are_no_dicts_drop_out() -> None:
    annotation = hooks.MaisakaPlannerBeforeRequest.__annotations__["tool_definitions"]
    tool = {"type": "function", "function": {"name": "reply"}}
    assert read(annotation, [tool, "text", None]) == [tool]
    with pytest.raises(ValidationError):
        read(annotation, "text")


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        (Flag, {"type": "boolean"}),
        (Request, {"type": "boolean"}),
        (RealFlag, {"type": "boolean"}),
        (Limit, {"type": "integer"}),
        (LooseText, {"type": "string"}),
        (OptionalText, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        (Reference, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        (Texts, {"type": "array", "items": {"type": "string"}}),
        (Words, {"type": "array", "items": {"type": "string"}}),
    ],
)
def test_the_schema_tells_the_plain_type(kind: Any, schema: dict[str, Any]) -> None:
    assert TypeAdapter(kind).json_schema() == schema


def test_a_description_stands_in_the_schema_in_both_languages_and_a_key_can_be_deprecated() -> None:
    class Payload(TypedDict):
        old: Annotated[Flag, Text("English.", "中文。"), Field(deprecated=True)]

    told = TypeAdapter(Payload).json_schema()["properties"]["old"]
    assert told.pop("title")
    assert told == {"type": "boolean", "description": "English.", "x-description-zh": "中文。", "deprecated": True}
