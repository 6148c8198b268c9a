"""What this family raises."""

from collections.abc import Iterable, Mapping
from typing import Any

from host.bub.texts import BUB_TEXTS
from host.hooks.texts import Locale


class BubError(Exception):
    """A failure as agents and tapes tell of it.

    Args:
        kind: what failed: ``tool``, ``provider``, ...
        message: what happened.
        details: more about it.
    """

    def __init__(self, kind: str, message: str, details: Mapping[str, Any] | None = None) -> None:
        self.kind = kind
        self.message = message
        self.details = dict(details or {})
        super().__init__(f"[{kind}] {message}")

    def as_dict(self) -> dict[str, Any]:
        """What the model sees of it: kind and message, and details where there are some."""
        shown: dict[str, Any] = {"kind": self.kind, "message": self.message}
        return {**shown, "details": self.details} if self.details else shown


class PluginValidationError(Exception):
    """A plugin was refused; nothing of it registered.

    Args:
        plugin: its name.
        problems: a code of `BUB_TEXTS` and its fields, for everything that is wrong with it.
    """

    def __init__(self, plugin: str, problems: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
        self.plugin = plugin
        self.problems = tuple(problems)
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """All of it, a heading and then a line for each problem."""
        heading = BUB_TEXTS.render("refused", {"plugin": self.plugin, "count": len(self.problems)}, locale)
        return "\n  - ".join([heading, *(BUB_TEXTS.render(code, fields, locale) for code, fields in self.problems)])


class OverlappingScopesError(RuntimeError):
    """``running()`` was entered while it was entered already."""

    def __init__(self) -> None:
        super().__init__(BUB_TEXTS.render("overlapping", {}))
