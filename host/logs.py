"""Logs: everything goes through loguru, what plugins write with the standard library's `logging` too."""

import logging
import sys
from typing import TextIO

from loguru import logger

PLUGIN_LOGGER = "plugin."
"""How the SDK names a plugin's logger, before its id."""

_FORMAT = "<dim>{time:HH:mm:ss.SSS}</dim> <level>{level:<7}</level> <cyan>{extra[origin]}</cyan> {message}"


class _IntoLoguru(logging.Handler):
    """Passes records of the standard library on."""

    def emit(self, record: logging.LogRecord) -> None:
        level: str | int = record.levelno if record.levelname not in _LEVELS else record.levelname
        origin = record.name.removeprefix(PLUGIN_LOGGER)
        logger.bind(origin=origin).opt(exception=record.exc_info).log(level, "{}", record.getMessage())


_LEVELS = frozenset({"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"})


def configure_logs(level: str = "INFO", sink: TextIO | None = None) -> None:
    """Send all logs of this process to `sink`, each line with its origin: a plugin's id, or the part of the host.

    Args:
        level: the least level that is written.
        sink: where to; standard error by default.
    """
    logger.remove()
    logger.configure(extra={"origin": "host"})
    # Values of variables stay out of tracebacks: they may be secrets.
    logger.add(sink or sys.stderr, level=level, format=_FORMAT, backtrace=False, diagnose=False)
    root = logging.getLogger()
    root.handlers[:] = [_IntoLoguru()]
    root.setLevel(logging.INFO)
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    # The client of model endpoints writes a line for each request.
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    logging.getLogger(PLUGIN_LOGGER.rstrip(".")).setLevel(logging.DEBUG)
