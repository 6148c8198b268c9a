"""Building blocks of payload types: a description in two languages, and types that forgive what the bot forgives.

A type checker sees the plain type of a key, and so does the JSON schema. At run time a value counts as right in every
form that the bot understands when it reads the key back, and validation turns it into the plain form. For integers that
is what pydantic does anyway: whole floats, numeric text and booleans are integers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, GetCoreSchemaHandler, GetJsonSchemaHandler, StrictBool, StrictStr
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

JsonObject: TypeAlias = dict[str, Any]
"""A dict with any keys."""


@dataclass(frozen=True)
class Text:
    """What a key means, in English and Chinese; goes into the JSON schema as `description` and `x-description-zh`.

    A key that will go away is marked beside it: `Annotated[str, Text(...), Field(deprecated=True)]`.
    """

    en: str
    zh: str

    def __get_pydantic_json_schema__(self, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(core_schema), "description": self.en, "x-description-zh": self.zh}


@dataclass(frozen=True)
class Forgiving:
    """Takes a value of the plain type as it is, which costs nearly nothing, and any other form through `convert`.

    Args:
        convert: makes the plain type of other forms, or gives back what it cannot make anything of.
        plain: the plain type, strict.
        error: pydantic's name for the error of what is neither.
    """

    convert: Callable[[object], object]
    plain: Any
    error: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        exact = handler.generate_schema(self.plain)
        other = core_schema.no_info_before_validator_function(self.convert, handler(source))
        return core_schema.union_schema([exact, other], mode="left_to_right", custom_error_type=self.error)

    def __get_pydantic_json_schema__(self, schema: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(schema["choices"][0])


_YES = frozenset({"1", "true", "yes", "on", "retry"})
_NO = frozenset({"", "0", "false", "no", "off"})
_SEPARATORS = str.maketrans(dict.fromkeys("，、;；\r\n", ","))


def _flag(value: object) -> object:
    match value:
        case str():
            return value.strip().lower() not in _NO
        case None | int() | float():
            return bool(value)
    return value


def _request(value: object) -> object:
    return value.strip().lower() in _YES if isinstance(value, str) else _flag(value)


def _text(value: object) -> object:
    return "" if value is None else _number_as_text(value)


def _text_or_none(value: object) -> object:
    return None if value == "" else _number_as_text(value)


def _number_as_text(value: object) -> object:
    return str(value) if isinstance(value, int | float) else value


def _texts(value: object) -> object:
    return [_number_as_text(member) for member in value] if isinstance(value, list | tuple) else value


def _words(value: object) -> object:
    if isinstance(value, str):
        return [word for part in value.translate(_SEPARATORS).split(",") if (word := part.strip())]
    return _texts(value)


def _rows(value: object) -> object:
    return [] if value is None else value


def _dicts(value: object) -> object:
    return [member for member in value if isinstance(member, dict)] if isinstance(value, list) else value


def _limit(value: object) -> object:
    match value:
        case None | "":
            return 0
        case float() if isfinite(value):
            return int(value)
    return value


Flag: TypeAlias = Annotated[bool, Forgiving(_flag, StrictBool, "bool_type")]
"""A boolean. Numbers and None count by their truth; of text, 0, false, no, off and nothing mean no, all else yes."""

RealFlag: TypeAlias = StrictBool
"""A boolean and nothing else: the bot ignores any other form of it."""

Request: TypeAlias = Annotated[bool, Forgiving(_request, StrictBool, "bool_type")]
"""A boolean that asks for something. Like `Flag`, but of text only 1, true, yes, on and retry mean yes."""

LooseText: TypeAlias = Annotated[str, Forgiving(_text, StrictStr, "string_type")]
"""Text. A number is its digits, None is empty."""

OptionalText: TypeAlias = Annotated[str | None, Forgiving(_number_as_text, StrictStr | None, "string_type")]
"""Text or None. A number is its digits."""

Reference: TypeAlias = Annotated[str | None, BeforeValidator(_text_or_none)]
"""The id of something, or None for nothing; an empty text means None too. A number is its digits."""

Texts: TypeAlias = Annotated[list[str], BeforeValidator(_texts)]
"""A list of texts. Numbers in it are their digits."""

Words: TypeAlias = Annotated[list[str], BeforeValidator(_words)]
"""A list of words, or one text that holds them, split at commas, semicolons and line ends of either script."""

Limit: TypeAlias = Annotated[int, BeforeValidator(_limit)]
"""How many at most. Nothing (None, an empty text) is 0, which leaves it to the bot; fractions are cut off."""

NONE_IS_EMPTY = BeforeValidator(_rows)
"""For a list: None is an empty one."""

ONLY_DICTS = BeforeValidator(_dicts)
"""For a list of dicts: members that are no dicts drop out."""
