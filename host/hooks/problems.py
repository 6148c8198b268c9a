"""What is wrong with a declaration, as data, and the report of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from host.hooks.texts import KERNEL_TEXTS, Locale


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding about one declaration of a plugin.

    Args:
        code: the rule that was broken; a key of the kernel's text table.
        fields: what the text names: what was found, what is allowed.
        plugin_id: the plugin as it called itself, whatever type that had.
        handler: the handler's name, or "" when the plugin as a whole is meant.
        file: where the handler is written, or "" when not known.
        line: the line of its ``def`` in `file`, or 0.
    """

    code: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    plugin_id: str = ""
    handler: str = ""
    file: str = ""
    line: int = 0

    def text(self, locale: Locale = "en") -> str:
        """One line: place, handler, what was found, what is allowed, what to do."""
        place = f"{self.file}:{self.line}: " if self.file else ""
        return place + self.sentence(locale)

    def sentence(self, locale: Locale = "en") -> str:
        """The same without the place."""
        subject = f"{self.handler!r} " if self.handler else ""
        return subject + KERNEL_TEXTS.render(self.code, self.fields, locale)


class RegistrationError(Exception):
    """A plugin was refused. Nothing of it registered; an older version of it stays as it was.

    Args:
        plugin_id: the plugin that was refused.
        problems: everything that is wrong with it, in the order of its declarations.
        warnings: what would be allowed and disappoint.
    """

    def __init__(self, plugin_id: str, problems: Iterable[Problem], warnings: Iterable[Problem] = ()) -> None:
        self.plugin_id = plugin_id
        self.problems = tuple(problems)
        self.warnings = tuple(warnings)
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """The whole report, a heading and then a line for each problem."""
        heading = KERNEL_TEXTS.render(
            "registration_refused", {"plugin_id": self.plugin_id, "count": len(self.problems)}, locale
        )
        return "\n  - ".join([heading, *(problem.text(locale) for problem in self.problems)])


def nearest(word: str, known: Iterable[str]) -> dict[str, str]:
    """The fields ``nearest_en`` and ``nearest_zh`` of a text: the known names most like `word`, or nothing."""
    close = get_close_matches(word, sorted(known), n=3, cutoff=0.5)
    if not close:
        return {"nearest_en": "", "nearest_zh": ""}
    return {
        "nearest_en": KERNEL_TEXTS.render("did_you_mean", {"names": ", ".join(map(repr, close))}),
        "nearest_zh": KERNEL_TEXTS.render("did_you_mean", {"names": "、".join(map(repr, close))}, "zh"),
    }
