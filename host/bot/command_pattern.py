"""Patterns of commands: regular expressions that plugins write, matched within a limit of time."""

import re

import regex
from loguru import logger

QUICK_SECONDS = 0.01
"""How long a pattern may hold up the event loop. Nearly all take some microseconds."""
LIMIT_SECONDS = 1.0
"""How long a pattern may take in a thread, where it holds up nobody; then it counts as not found."""
CHANCES = 3
"""How often it may take that long. After that it is not tried any more."""


class CommandPattern:
    """A regular expression that can run away, as ``^(a|aa)+$`` does over many an "a".

    `re` cannot be interrupted and keeps all threads waiting; `regex` takes the same expressions, gives up at a limit of
    time, and lets others run meanwhile.

    Args:
        name: the full name of the command, for the log.
        source: the expression.

    Raises:
        re.error: it is no regular expression; likewise `OverflowError` and `RecursionError`.
    """

    def __init__(self, name: str, source: str) -> None:
        re.compile(source)  # Whatever else `regex` would take is no expression where authors try theirs.
        try:
            self._pattern = regex.compile(source)
        except regex.error as error:
            raise re.error(str(error)) from error
        self._name = name
        self._left = CHANCES

    def search(self, text: str, *, in_thread: bool = False) -> dict[str, str | None] | None:
        """The named groups of the first place in a text where it is found, or None.

        Args:
            text: the text.
            in_thread: this is not the thread of the event loop: it may take `LIMIT_SECONDS`, and is not found then.

        Raises:
            TimeoutError: it took more than `QUICK_SECONDS` in the thread of the event loop.
        """
        if not self._left:
            return None
        seconds = LIMIT_SECONDS if in_thread else QUICK_SECONDS
        try:
            found = self._pattern.search(text, timeout=seconds, concurrent=in_thread)
        except TimeoutError:
            if not in_thread:
                raise
            self._ran_away(text)
            return None
        return found.groupdict() if found else None

    def _ran_away(self, text: str) -> None:
        self._left = max(self._left - 1, 0)
        logger.error(
            "The pattern of {} needs more than {} s for a text of {} characters, and counts as not found{}. "
            "It repeats something that repeats; its author has to rewrite it.",
            self._name,
            LIMIT_SECONDS,
            len(text),
            "" if self._left else "; it is not tried any more, only the aliases call the command",
        )
