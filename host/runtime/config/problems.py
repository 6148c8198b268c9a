"""What is wrong with a plugin's configuration: the place in the file or the key path, what was found, what may be."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, time
from functools import reduce
from pathlib import Path
from typing import Any

from pydantic_core import ErrorDetails
from tomlkit.items import SingleKey

from host.hooks.texts import Locale
from host.runtime.config.texts import CONFIG_TEXTS
from host.runtime.config.toml_values import KeyPath
from host.runtime.problems import PluginError

_ALLOWED: Mapping[str, str] = {
    "int": "allowed_integer",
    "float": "allowed_number",
    "finite_number": "allowed_finite",
    "bool": "allowed_boolean",
    "string": "allowed_text",
    "string_too_short": "allowed_longer_text",
    "string_too_long": "allowed_shorter_text",
    "string_pattern_mismatch": "allowed_pattern",
    "literal_error": "allowed_choice",
    "enum": "allowed_choice",
    "list": "allowed_list",
    "tuple": "allowed_list",
    "set": "allowed_list",
    "frozen_set": "allowed_list",
    "dict": "allowed_table",
    "mapping": "allowed_table",
    "model": "allowed_table",
    "dataclass": "allowed_table",
    "date": "allowed_date",
    "time": "allowed_time",
    "datetime": "allowed_datetime",
    "time_delta": "allowed_duration",
    "greater_than": "allowed_above",
    "greater_than_equal": "allowed_at_least",
    "less_than": "allowed_below",
    "less_than_equal": "allowed_at_most",
    "multiple_of": "allowed_multiple",
    "too_short": "allowed_more_members",
    "too_long": "allowed_fewer_members",
}
"""What is allowed where pydantic finds an error of this type; the ways in which a type can be missed are one."""
_WAY_OF_MISSING = re.compile("_(attributes_)?(type|parsing.*|from_.*|unicode)$")

MASK = "***"
"""Stands for a value that nobody may read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """What may stand at a key.

    Args:
        code: a key of the configurations' text table.
        fields: the facts that its text names.
    """

    code: str
    fields: Mapping[str, object] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigProblem:
    """One thing that is wrong with a configuration, or worth a warning.

    Args:
        code: the rule that was broken; a key of the configurations' text table.
        path: keys of tables and, from 0, positions in lists; empty when it is about the whole file.
        found: what stands there, shortened.
        allowed: what may stand there, one of them; empty when the rule's text says it.
        line: where the file is no TOML, from 1; else 0.
        column: likewise.
        fields: further facts that the rule's text names.
    """

    code: str
    path: KeyPath = ()
    found: str = ""
    allowed: tuple[Allowed, ...] = ()
    line: int = 0
    column: int = 0
    fields: Mapping[str, object] = field(default_factory=dict, hash=False)

    @property
    def key(self) -> str:
        """The path as it would be written in the file, as ``words.rules[1]."the key"``."""
        return key_text(self.path)

    def text(self, locale: Locale = "en") -> str:
        """One line: where, what was found, what is allowed."""
        each = [CONFIG_TEXTS.render(allowed.code, allowed.fields, locale) for allowed in self.allowed]
        allowed = reduce(
            lambda one, other: CONFIG_TEXTS.render("allowed_or", {"one": one, "other": other}, locale), each or [""]
        )
        place = {"path": self.key, "found": self.found, "allowed": allowed, "line": self.line, "column": self.column}
        return CONFIG_TEXTS.render(self.code, {**self.fields, **place}, locale)


class ConfigError(PluginError):
    """A configuration cannot be used or changed. What was configured before stays as it was, and so does the file.

    Args:
        plugin_id: whose configuration.
        file: its file.
        problems: everything that is wrong with it.
    """

    code = "config_invalid"

    def __init__(self, plugin_id: str, file: Path, problems: Sequence[ConfigProblem]) -> None:
        self.file = file
        self.problems = tuple(problems)
        super().__init__(plugin_id=plugin_id, file=file, count=len(problems))

    def text(self, locale: Locale = "en") -> str:
        """The whole report, a heading and then a line for each problem."""
        return "\n  - ".join([super().text(locale), *(problem.text(locale) for problem in self.problems)])


def value_problems(
    errors: Iterable[ErrorDetails], data: Mapping[str, Any], is_secret: Callable[[KeyPath], bool]
) -> list[ConfigProblem]:
    """What a configuration model found wrong, one problem a key.

    Args:
        errors: as pydantic tells them.
        data: what it looked at.
        is_secret: whether nobody may read the value at a path in a log.
    """
    problems: dict[KeyPath, ConfigProblem] = {}
    for details in errors:
        path, value = place_in(details["loc"], data)
        if details["type"] == "missing":
            problem = ConfigProblem(code="config_key_missing", path=(*path, details["loc"][-1]))
        elif path:
            problem = ConfigProblem(code="config_key_wrong", path=path, found=MASK if is_secret(path) else shown(value))
        else:
            problem = ConfigProblem(code="config_refused")
        former = problems.get(problem.path, problem)
        # A key that may hold one of several types has one error for each of them.
        if (allowed := _allowed(details)) not in former.allowed:
            problems[problem.path] = replace(former, allowed=(*former.allowed, allowed))
    return list(problems.values())


def key_text(path: KeyPath) -> str:
    """A key path as it would be written in TOML, with the positions in lists in brackets."""
    written = (f"[{key}]" if isinstance(key, int) else f".{SingleKey(key).as_string()}" for key in path)
    return "".join(written).removeprefix(".")


def shown(value: object) -> str:
    """A value for people, in one short line."""
    if isinstance(value, dict | list):
        return "{...}" if isinstance(value, dict) else "[...]"
    text = json.dumps(str(value) if isinstance(value, date | time) else value, ensure_ascii=False, default=_type_name)
    text = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _type_name(value: object) -> str:
    return type(value).__name__


def place_in(location: Iterable[str | int], data: Mapping[str, Any]) -> tuple[KeyPath, object]:
    """The part of a location that is in the data, and the value there: pydantic puts names of types in between."""
    path: list[str | int] = []
    value: Any = data
    for key in location:
        match value, key:
            case dict(), _ if key in value:
                value = value[key]
            case list(), int() if key < len(value):
                value = value[key]
            case _:
                continue
        path.append(key)
    return tuple(path), value


def _allowed(details: ErrorDetails) -> Allowed:
    facts = details.get("ctx", {})
    kind = details["type"] if details["type"] in _ALLOWED else _WAY_OF_MISSING.sub("", details["type"])
    if kind in _ALLOWED:
        return Allowed(code=_ALLOWED[kind], fields=facts)
    message = details["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
    return Allowed(code="allowed_by_model", fields={"message": " ".join(message.split())})
