"""What is worth telling about a migration, beside what the comments in the source say."""

from dataclasses import dataclass, field
from typing import Any

from host.authoring.migration.texts import MIGRATION_TEXTS
from host.hooks.texts import Locale


@dataclass(frozen=True, slots=True)
class Remark:
    """One fact for people.

    Args:
        code: which; a key of the text table.
        line: the line it is about, from 1, or 0.
        fields: what the text names.
    """

    code: str
    line: int = 0
    fields: dict[str, object] = field(default_factory=dict)

    def text(self, locale: Locale = "en") -> str:
        """The sentence."""
        return MIGRATION_TEXTS.render(self.code, self.fields, locale)

    def as_dict(self, locale: Locale = "en") -> dict[str, Any]:
        """For machines: code, line, message."""
        return {"code": self.code, "line": self.line, "message": self.text(locale)}
