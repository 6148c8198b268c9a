"""Why a plugin's code failed, on its way from a runner to the host: as plain data, never as a pickled object."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from host.hooks.failure import MAX_TEXT, MAX_TRACEBACK
from host.runtime.config.problems import ConfigError, ConfigProblem
from host.runtime.problems import (
    AsyncCreatePluginError,
    ComponentsError,
    GoneError,
    NoCreatePluginError,
    NoInstanceError,
    PluginError,
    StepFailedError,
    StepTimeoutError,
)

_TYPES: Mapping[str, type[PluginError]] = {
    each.__name__: each
    for each in (
        AsyncCreatePluginError,
        ComponentsError,
        ConfigError,
        GoneError,
        NoCreatePluginError,
        NoInstanceError,
        StepFailedError,
        StepTimeoutError,
    )
}
"""What can go wrong in a runner."""


class ProblemData(Struct, frozen=True):
    """A `PluginError`.

    Args:
        type: the name of its class.
        code: which reason.
        fields: the facts that its text names; numbers stay numbers, all else is text.
        traceback: where the plugin's code raised.
        file: the file that it is about, or "".
        line: the line in it, or 0.
        problems: everything that is wrong with a configuration.
    """

    type: str
    code: str
    fields: dict[str, str | int | float]
    traceback: str = ""
    file: str = ""
    line: int = 0
    problems: list[ConfigProblem] = []

    @classmethod
    def of(cls, error: PluginError) -> "ProblemData":
        """An error as data."""
        return cls(
            type=type(error).__name__,
            code=error.code,
            fields={name: _plain(value) for name, value in error.fields.items()},
            traceback=error.traceback,
            file=str(getattr(error, "file", "")),
            line=getattr(error, "line", 0),
            problems=list(error.problems) if isinstance(error, ConfigError) else [],
        )

    def error(self) -> PluginError:
        """The error again, of the class that it had.

        Raises:
            ValueError: no such error comes out of a runner; what does is no work of our code.
        """
        kind = _TYPES.get(self.type)
        if kind is None:
            raise ValueError(f"a runner does not fail with {self.type!r}")
        error = kind.__new__(kind)
        vars(error).update(code=self.code, traceback=self.traceback[-MAX_TRACEBACK:])
        if kind is ConfigError:
            vars(error).update(file=Path(self.file), problems=tuple(self.problems))
        elif kind is StepFailedError:
            vars(error).update(file=self.file, line=self.line)
        try:
            PluginError.__init__(error, **{name: _short(value) for name, value in self.fields.items()})
            error.text("zh")
        except (LookupError, TypeError, ValueError) as unusable:
            raise ValueError(f"the fields of {self.code!r} are not such as its text names") from unusable
        return error


def _short(value: str | int | float) -> str | int | float:
    return value[: 2 * MAX_TEXT] if isinstance(value, str) else value


def _plain(value: object) -> Any:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)
