"""Reading a dict that came from outside: what is wrong is noted with its path, and all of it is told at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from host.bot.texts import BOT_TEXTS
from host.hooks.texts import Locale


@dataclass(frozen=True, slots=True)
class MessageProblem:
    """One thing that keeps a dict from being a message.

    Args:
        code: the rule that was broken; a key of the bot's text table.
        path: where, as ``message_info.user_info.user_id`` or ``raw_message[2].data``.
        found: what stands there, shortened; "" where nothing does.
        limit: the limit that was passed, for a rule that has one.
    """

    code: str
    path: str
    found: str = ""
    limit: int = 0

    def text(self, locale: Locale = "en") -> str:
        """One sentence: where, what was found, what is allowed."""
        return BOT_TEXTS.render(self.code, {"path": self.path, "found": self.found, "limit": self.limit}, locale)


class InvalidMessageError(Exception):
    """A dict is no message.

    Args:
        problems: everything that is wrong with it, in reading order.
    """

    def __init__(self, problems: tuple[MessageProblem, ...]) -> None:
        self.problems = problems
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """All problems in one line."""
        listed = " ".join(problem.text(locale) for problem in self.problems)
        return BOT_TEXTS.render("invalid_message", {"count": len(self.problems), "problems": listed}, locale)


class Reading:
    """Takes values out of dicts, noting in `problems` what is not as it must be.

    A value that is wrong reads as an empty one of its type, so that reading goes on to the next problem; whoever
    reads ends with `finish`.
    """

    def __init__(self) -> None:
        self.problems: list[MessageProblem] = []

    def note(self, code: str, path: str, value: object, *, limit: int = 0) -> None:
        """Remember that `value` may not stand at `path`."""
        self.problems.append(MessageProblem(code, path, describe(value), limit))

    def finish(self) -> None:
        """End the reading.

        Raises:
            InvalidMessageError: something was noted.
        """
        if self.problems:
            raise InvalidMessageError(tuple(self.problems))

    def text(self, owner: Mapping[str, Any], key: str, path: str) -> str:
        """Required text that is not blank."""
        if key not in owner:
            self.note("missing", path, None)
            return ""
        value = owner[key]
        if not is_text(value) or not value.strip():
            self.note("want_text", path, value)
            return ""
        return value

    def any_text(self, value: object, path: str) -> str:
        """Required text, which may be empty."""
        if is_text(value):
            return value
        self.note("want_any_text", path, value)
        return ""

    def text_or_none(self, owner: Mapping[str, Any], key: str, path: str) -> str | None:
        """Text, or None where there is none."""
        value = owner.get(key)
        if value is None or is_text(value):
            return value
        self.note("want_text_or_none", path, value)
        return None

    def reference(self, owner: Mapping[str, Any], key: str, path: str) -> str | None:
        """The id of something else, or None where there is none. Blank text is none; a number is read as its digits."""
        value = owner.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        text = self.text_or_none(owner, key, path)
        return text if text and text.strip() else None

    def mapping(self, owner: Mapping[str, Any], key: str, path: str) -> Mapping[str, Any] | None:
        """A required dict; None, noted, where there is none."""
        if key not in owner:
            self.note("missing", path, None)
            return None
        value = owner[key]
        if isinstance(value, Mapping):
            return value
        self.note("want_dict", path, value)
        return None


def describe(value: object) -> str:
    """A value found, short enough for an error: its type, and its beginning where that helps."""
    if value is None:
        return "null"
    if isinstance(value, str) and not is_text(value):
        return "text with a lone surrogate"
    if isinstance(value, int) and abs(value) > 2**64:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:40] + "…")
    return f"a value of type {type(value).__name__}"


def is_text(value: object) -> TypeGuard[str]:
    """Whether a value is text that can be written out: half a surrogate pair cannot be hashed, stored or sent."""
    if not isinstance(value, str):
        return False
    return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)
