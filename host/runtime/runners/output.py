"""What a plugin's process writes, in the host's log: its log records, and whatever comes out of its pipes."""

import logging
from time import monotonic

from loguru import logger

from host.runtime.runners.log_lines import Allowance, LogLimits, LogLines, Stream
from host.runtime.runners.messages import MOST_LOGGED, LogRecord
from host.runtime.runners.process import RunnerProcess

_PLUGIN_LOGGER = "plugin."
_LEVELS: dict[Stream, str] = {"stdout": "INFO", "stderr": "WARNING"}


class Output:
    """Passes on what a plugin's process writes, as lines of that plugin, and no more of it than is allowed.

    Args:
        process: whose output.
        limits: how much of it.
    """

    def __init__(self, process: RunnerProcess, limits: LogLimits) -> None:
        self._log = logger.bind(origin=process.name)
        self._name = process.name
        self._allowance = Allowance(limits, monotonic)
        self._dropped = 0
        self._lines = LogLines(
            process.stdout, process.stderr, self._line, tell_dropped=self._tell_dropped, limits=limits
        )

    @property
    def dropped(self) -> int:
        """How many lines and records were dropped so far."""
        return self._lines.dropped + self._dropped

    @property
    def last(self) -> tuple[str, ...]:
        """The last lines."""
        return self._lines.last

    def record(self, record: LogRecord) -> None:
        """Pass on a record of the plugin's own log."""
        if not self._allowance.take(1):
            self._dropped += 1
            return
        origin = record.logger.removeprefix(_PLUGIN_LOGGER)
        level = logging.getLevelName(record.level)
        text = record.text[:MOST_LOGGED]
        self._log.bind(origin=origin if origin == self._name else f"{self._name} {origin}").log(
            level if level in _NAMES else max(record.level, 0), "{}", text
        )
        self._lines.remember(text)

    async def aclose(self) -> None:
        """Pass on what was written so far, and close the pipes."""
        await self._lines.aclose()
        if self._dropped:
            self._tell_dropped(self._dropped)

    def _line(self, stream: Stream, line: str) -> None:
        self._log.log(_LEVELS[stream], "{}", line)

    def _tell_dropped(self, count: int) -> None:
        self._log.warning("{} lines of its output were dropped, since there were too many", count)


_NAMES = frozenset({"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"})
