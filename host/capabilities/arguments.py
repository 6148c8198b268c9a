"""The arguments of calls as types: forgiving as authors know it from MaiBot, and sure from there on."""

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticUndefined

from host.capabilities.errors import ArgumentProblem

Id = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
"""The id or name of something; a number is read as its digits."""
Words = Annotated[str, Field(min_length=1)]
"""Text that is not empty."""

A = TypeVar("A", bound="Arguments")


class Arguments(BaseModel):
    """The arguments of a capability. None is as if it were not given, numbers may stand as text and text as numbers,
    and what nobody asked for is ignored."""

    model_config = ConfigDict(
        frozen=True, coerce_numbers_to_str=True, validate_by_name=True, validate_by_alias=True, protected_namespaces=()
    )

    @model_validator(mode="before")
    @classmethod
    def _given(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in data.items() if value is not None}


class ArgumentsError(Exception):
    """Arguments are not what is taken.

    Args:
        problems: everything that is wrong with them.
    """

    def __init__(self, problems: tuple[ArgumentProblem, ...]) -> None:
        self.problems = problems
        super().__init__(" ".join(each.text() for each in problems))


def also(*names: str, default: Any = PydanticUndefined) -> Any:
    """A field that is known by further names too.

    Args:
        names: all its names, the right one first.
        default: required when not given.
    """
    return Field(default, validation_alias=AliasChoices(*names))


def read(kind: type[A], given: Mapping[str, Any]) -> A:
    """Read the arguments of a call.

    Raises:
        ArgumentsError: some are missing or wrong.
    """
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        problems = {each.name: each for each in map(_problem_in(kind), error.errors(include_url=False))}
        raise ArgumentsError(tuple(problems.values())) from None


def spelled(hint: Any) -> str:
    """A type as Python spells it, without what an author cannot use."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return spelled(arguments[0])
    if origin in (Union, UnionType):
        return " | ".join(map(spelled, arguments))
    if origin is not None and origin in (list, dict):
        return "list" if arguments == (Any,) else f"list[{spelled(arguments[0])}]" if origin is list else "dict"
    if hint is Any:
        return "any"
    return "None" if hint is NoneType else str(hint.__name__)


def names_of(name: str, field: FieldInfo) -> tuple[str, ...]:
    """The names of an argument, the right one first."""
    alias = field.validation_alias
    return tuple(map(str, alias.choices)) if isinstance(alias, AliasChoices) else (name,)


def _problem_in(kind: type[Arguments]) -> Any:
    fields = {}
    for name, field in kind.model_fields.items():
        allowed = spelled(field.annotation)
        fields.update(dict.fromkeys(names_of(name, field), (name, allowed)))

    def problem(details: ErrorDetails) -> ArgumentProblem:
        name, allowed = fields.get(key := str(details["loc"][0]), (key, "nothing"))
        empty = details["type"] == "missing" or (details["type"].endswith("too_short") and not details["input"])
        return ArgumentProblem(name, allowed, None if empty else _shown(details))

    return problem


def _shown(details: ErrorDetails) -> str:
    found = details["input"]
    if isinstance(found, dict | list | bytes):
        return type(found).__name__
    return f"{found!r:.60}"
