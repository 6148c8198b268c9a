"""Where settings come from: the file, and the environment over it; and all that is wrong with either."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from host.hooks.texts import Locale, TextTable
from host.runtime.config.file import NoTomlError, text_of
from host.runtime.config.problems import ConfigProblem, key_text, place_in, value_problems
from host.runtime.config.toml_layout import TomlLayoutError, sections_of
from host.runtime.config.toml_values import KeyPath
from host.settings.keys import nearest_key, takes_free_keys

PREFIX = "MAIBOT_HOST__"
"""Environment variables that begin so are settings: ``MAIBOT_HOST__WEB__PORT`` is ``port`` of ``[web]``."""

SETTINGS_TEXTS = TextTable(
    {
        "refused": (
            "The settings cannot be used. Nothing of them counts until this is mended:",
            "无法使用当前设置；在以下问题修正之前，其中的设置均不生效：",
        ),
        "in_environment": ("environment variable {name}", "环境变量 {name}"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a value comes from.

    Args:
        kind: the host's default, the settings file, or the environment.
        name: the file, or the variable; "" for a default.
        line: in the file, from 1; 0 where it is not known.
    """

    kind: Literal["default", "file", "environment"]
    name: str = ""
    line: int = 0

    def text(self, locale: Locale = "en") -> str:
        """As people are told the place; "" for a default."""
        if self.kind == "environment":
            return SETTINGS_TEXTS.render("in_environment", {"name": self.name}, locale)
        return f"{self.name}:{self.line}" if self.line else self.name


@dataclass(frozen=True, slots=True)
class SettingsProblem:
    """One thing that is wrong with the settings.

    Args:
        origin: whose fault it is.
        problem: what was found at which key, and what is allowed.
    """

    origin: Origin
    problem: ConfigProblem

    def text(self, locale: Locale = "en") -> str:
        """The place, and what is wrong there."""
        place, problem = self.origin.text(locale), self.problem.text(locale)
        return f"{place}: {problem}" if place else problem

    def as_dict(self, locale: Locale = "en") -> dict[str, Any]:
        """The same for machines."""
        return {
            "source": self.origin.kind,
            "name": self.origin.name,
            "line": self.origin.line or None,
            "key": self.problem.key,
            "code": self.problem.code,
            "text": self.problem.text(locale),
        }


class SettingsError(Exception):
    """The settings cannot be used.

    Args:
        problems: everything that is wrong with them.
    """

    def __init__(self, problems: Sequence[SettingsProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """A heading, and a line for each problem."""
        heading = SETTINGS_TEXTS.render("refused", {}, locale)
        return "\n  - ".join([heading, *(problem.text(locale) for problem in self.problems)])


@dataclass(frozen=True)
class Sources:
    """What the file and the environment say.

    Args:
        path: the file; None where there is none.
        text: of the file.
        stored: what the file says.
        variables: by path, the environment variables that say something.
        data: what both say together.
    """

    path: Path | None = None
    text: str = ""
    stored: Mapping[str, Any] = field(default_factory=dict)
    variables: Mapping[KeyPath, str] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path | None, environ: Mapping[str, str]) -> Self:
        """Read both.

        Raises:
            SettingsError: the file cannot be read, or is no TOML.
        """
        text, stored = _read(path) if path is not None else ("", {})
        variables: dict[KeyPath, str] = {}
        data: dict[str, Any] = dict(stored)
        for name in sorted(name for name in environ if name.startswith(PREFIX)):
            steps = name.removeprefix(PREFIX).lower().split("__")
            variables[tuple(steps)] = name
            data = _laid_over(data, steps, _value(environ[name]))
        return cls(path, text, stored, variables, data)

    def origin(self, path: KeyPath) -> Origin:
        """Where the value at a path comes from."""
        if name := self._variable(path):
            return Origin(kind="environment", name=name)
        if place_in(path, self.stored)[0] == path:
            return self._in_file(path)
        return Origin(kind="default")

    def problems(self, error: ValidationError, model: type[BaseModel]) -> list[SettingsProblem]:
        """All that a model found wrong with the settings.

        Args:
            error: what it raised.
            model: the one.
        """
        plain: list[ErrorDetails] = []
        problems: list[ConfigProblem] = []
        for details in error.errors():
            path, value = place_in(details["loc"], self.data)
            if details["type"] == "extra_forbidden" or _is_misspelt(details, path, value, model):
                problems.append(_unknown(path, model))
            elif details["type"] in ("value_error", "assertion_error"):
                message = details["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
                problems.append(ConfigProblem(code="config_said", path=path, fields={"message": message}))
            else:
                plain.append(details)
        problems += value_problems(plain, self.data, self._may_hold_a_key)
        return [SettingsProblem(self._to_blame(problem.path), problem) for problem in problems]

    def _may_hold_a_key(self, path: KeyPath) -> bool:
        """Whether what was found at a path must not be shown: text in the section of the models may be a key."""
        return path[:1] == ("models",) and not isinstance(place_in(path, self.data)[1], bool | int | float)

    def _variable(self, path: KeyPath) -> str | None:
        """The variable that says the value at a path, or a table above it."""
        return next(
            (self.variables[path[:end]] for end in range(len(path), 0, -1) if path[:end] in self.variables), None
        )

    def _to_blame(self, path: KeyPath) -> Origin:
        name = self._variable(path)
        if name is None and place_in(path, self.stored)[0] != path:
            # A table that only variables made.
            name = next((name for each, name in self.variables.items() if each[: len(path)] == path), None)
        return Origin(kind="environment", name=name) if name else self._in_file(path)

    def _in_file(self, path: KeyPath) -> Origin:
        above = (path[:end] for end in range(len(path), 0, -1))
        # A table without a header of its own begins with the first thing in it.
        below = (each for each in self._lines if each[: len(path)] == path)
        line = next((self._lines[each] for each in (*above, *below) if each in self._lines), 0)
        return Origin(kind="file", name=str(self.path or ""), line=line)

    @cached_property
    def _lines(self) -> Mapping[KeyPath, int]:
        """The lines of keys and of headers."""
        try:
            sections = sections_of(self.text)
        except TomlLayoutError:
            return {}
        places = {section.path: section.start for section in sections}
        places |= {pair.path: pair.start for section in sections for pair in section.pairs}
        return {path: self.text.count("\n", 0, place) + 1 for path, place in places.items()}


def _read(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        read = text_of(path.read_bytes())
    except OSError as error:
        problem = ConfigProblem(code="config_unreadable", found=error.strerror or str(error))
        raise SettingsError([SettingsProblem(Origin(kind="file", name=str(path)), problem)]) from error
    except NoTomlError as error:
        origin = Origin(kind="file", name=str(path), line=error.problem.line)
        raise SettingsError([SettingsProblem(origin, error.problem)]) from error
    return read.text, read.data


def _value(text: str) -> Any:
    """A variable's value: lists and tables are written as in TOML, everything else as it is."""
    if not text.startswith(("[", "{")):
        return text
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except ValueError:
        return text  # The setting says what it wants instead.


def _laid_over(table: Mapping[str, Any], steps: Sequence[str], value: Any) -> dict[str, Any]:
    first, *below = steps
    if not below:
        return {**table, first: value}
    inner = table.get(first)
    return {**table, first: _laid_over(inner if isinstance(inner, dict) else {}, below, value)}


def _is_misspelt(details: ErrorDetails, path: KeyPath, value: object, model: type[BaseModel]) -> bool:
    """Whether a key is surely meant for another: free keys of a section are tables."""
    is_table = isinstance(value, Mapping)
    return details["type"] in ("model_type", "dict_type") and not is_table and takes_free_keys(model, path)


def _unknown(path: KeyPath, model: type[BaseModel]) -> ConfigProblem:
    nearest = nearest_key(model, path)
    if nearest is None:
        return ConfigProblem(code="config_key_unknown", path=path)
    fields = {"nearest": key_text((*path[:-1], nearest))}
    return ConfigProblem(code="config_key_unknown_nearest", path=path, fields=fields)
