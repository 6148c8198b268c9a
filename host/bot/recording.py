"""Recordings of chats: JSON Lines, one session message dict a line, UTF-8."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from host.bot.reading import describe
from host.bot.texts import BOT_TEXTS
from host.hooks.texts import Locale


@dataclass(frozen=True, slots=True)
class RecordedMessage:
    """A line that holds a message.

    Args:
        line: its number, from 1.
        message: the dict as it was recorded; `Bot.receive` says whether it is a valid message.
    """

    line: int
    message: dict[str, Any]


class RecordingError(Exception):
    """A line of a recording cannot be used.

    Args:
        code: ``line_not_json`` or ``line_not_object``.
        line: its number, from 1.
        fields: what the text names beside the line.
    """

    def __init__(self, code: str, line: int, **fields: object) -> None:
        self.code = code
        self.line = line
        self.fields = {"line": line, **fields}
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """What is wrong with the line and what to write instead."""
        return BOT_TEXTS.render(self.code, self.fields, locale)


def read_recording(lines: Iterable[bytes], *, first_line: int = 1) -> Iterator[RecordedMessage | RecordingError]:
    """Read a recording line by line, such as a file opened with ``"rb"``. Blank lines are passed over.

    Args:
        lines: the lines, with or without their ends; the very first may begin with a byte order mark.
        first_line: the number of the first of them, where the recording comes in pieces.

    Yields:
        For each line its message, or the error that says what is wrong with it. An error does not end the reading.
    """
    for number, line in enumerate(lines, first_line):
        if line.strip():
            yield _read_line(number, line)


def sample_chat() -> Traversable:
    """A recording that comes with the host: an hour in two groups and two private chats."""
    return files("host.bot") / "sample_chat.jsonl"


def _read_line(number: int, line: bytes) -> RecordedMessage | RecordingError:
    try:
        value = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except (ValueError, RecursionError) as error:  # ValueError: not UTF-8, not JSON, or a number beyond all measure.
        return RecordingError("line_not_json", number, why=str(error))
    if not isinstance(value, dict):
        return RecordingError("line_not_object", number, found=describe(value))
    return RecordedMessage(number, value)
