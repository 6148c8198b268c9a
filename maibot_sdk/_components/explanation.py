"""What is wrong with the arguments of a decorator: what was found, what is allowed, what to write.

The checks are those of the models in `maibot_sdk.types`, and so are the type and the place of each error; the words are
ours, in English and in Chinese, since a traceback knows no locale.
"""

from __future__ import annotations

from enum import Enum
from types import TracebackType
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from maibot_sdk._components.target import check_target, shown

EnumT = TypeVar("EnumT", bound=Enum)

_EXPECTED = {
    "string": ('text, such as "hello"', '文本，例如 "hello"'),
    "int": ("a whole number, such as 10", "整数，例如 10"),
    "finite": ("a whole number, such as 10", "整数，例如 10"),
    "greater": ("a number greater than 0", "大于 0 的数"),
    "bool": ("True or False", " True 或 False"),
    "list": ('a list, such as ["a", "b"]', '列表，例如 ["a", "b"]'),
    "dict": ('a dict, such as {"a": 1}', '字典，例如 {"a": 1}'),
    "model": ('ToolParameterInfo(name="...")', ' ToolParameterInfo(name="...")'),
}
"""What is allowed, in English and in Chinese, by the first word of pydantic's type of the error."""

_PARAMETER_OF_FIELD = {"command_pattern": "pattern"}
"""Fields whose parameter has another name."""

_MILLISECONDS = ("a whole number of milliseconds, such as 5000", "以毫秒为单位的整数，例如 5000")


class Explained:
    """`with Explained(title, Model): Model(...)`: a ValidationError in there comes out with texts that help.

    It still is a `pydantic.ValidationError`, and so a ValueError.

    Args:
        title: the decorator, and what it is on.
        model: the class that checks the arguments.
        place: where these arguments stand among those of the decorator.
    """

    def __init__(self, title: str, model: type[BaseModel], place: tuple[str | int, ...] = ()) -> None:
        self._title = title
        self._model = model
        self._place = place

    def __enter__(self) -> None: ...

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        if isinstance(error, ValidationError):
            lines = [self._line(each) for each in error.errors(include_url=False)]
            raise ValidationError.from_exception_data(self._title, lines, hide_input=True) from None

    def _line(self, error: ErrorDetails) -> InitErrorDetails:
        place = (*self._place, *error["loc"])
        # Type checkers want literals here.
        kind: Any = error["type"]
        text: Any = self._text(kind, ".".join(_PARAMETER_OF_FIELD.get(str(step), str(step)) for step in place), error)
        return InitErrorDetails(type=PydanticCustomError(kind, text), loc=place, input=error["input"])

    def _text(self, kind: str, parameter: str, error: ErrorDetails) -> str:
        found = error["input"]
        if kind == "missing":
            return f"{parameter} is missing and has no default; write it / 缺少 {parameter}，它没有默认值；请补上"
        if kind in ("enum", "literal_error"):
            annotation = self._model.model_fields[str(error["loc"][0])].annotation
            return _choice(parameter, annotation, found, self._owner_of(found))
        if parameter.endswith("_ms") and kind != "greater_than":
            return _told(parameter, _MILLISECONDS, found)
        return _told(parameter, _EXPECTED.get(kind.split("_")[0], (error["msg"], error["msg"])), found)

    def _owner_of(self, found: object) -> str:
        """How an enum member is written as the argument that it is meant for, or nothing."""
        if isinstance(found, Enum):
            for name, field in self._model.model_fields.items():
                if field.annotation is type(found):
                    return f"{name}={shown(found)}"
        return ""


def describing(function: object, decorator: str, model: type[BaseModel], *, classes: bool = False) -> Explained:
    """`with describing(function, "Tool", Model): Model(...)`, where a decorator describes what it is on.

    Args:
        function: what it is on.
        decorator: its name.
        model: the class of the description, which checks the arguments.
        classes: whether it may be on a class.

    Raises:
        TypeError: it is on something that is no method.
    """
    check_target(function, decorator, classes=classes)
    return Explained(f"@{decorator} above {shown(function)}", model)


def member_of(kind: type[EnumT], value: object, parameter: str) -> EnumT:
    """The member of an enum that is given as itself or as its value. ValueError for anything else."""
    try:
        return kind(value)
    except ValueError:
        raise ValueError(_choice(parameter, kind, value)) from None


def _choice(parameter: str, annotation: Any, found: object, advice: str = "") -> str:
    """What is wrong with a value that is none of an enum's or of a Literal's."""
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        ways = {str(member.value): shown(member) for member in annotation}
        values = ", ".join(map(repr, ways))
        name = annotation.__name__
        expected = (f"a member of {name} or its value ({values})", f" {name} 的成员或其值（{values}）")
    else:
        ways = {choice: repr(choice) for choice in get_args(annotation)}
        expected = (f"one of {', '.join(map(repr, ways))}", f"以下之一：{', '.join(map(repr, ways))}")
    # Not worth its time at every import of this package.
    from difflib import get_close_matches

    near = get_close_matches(found.strip().lower() if isinstance(found, str) else "", ways, n=1)
    return _told(parameter, expected, found, advice or "".join(ways[value] for value in near))


def _told(parameter: str, expected: tuple[str, str], found: object, advice: str = "") -> str:
    en, zh = expected
    write, write_zh = (f"; write {advice}", f"；请写 {advice}") if advice else ("", "")
    return f"{parameter} takes {en}, got {shown(found)}{write} / {parameter} 应为{zh}，收到 {shown(found)}{write_zh}"
