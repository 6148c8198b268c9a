"""What is logged in a runner's process, on its way to the host."""

import asyncio
import logging
import threading
from traceback import format_exception
from typing import TYPE_CHECKING

import msgspec
from loguru import logger

from host.hooks.foreign import encodable
from host.runtime.runners.messages import LOG, MOST_LOGGED, LogRecord
from host.runtime.runners.peer import Peer

if TYPE_CHECKING:
    from loguru import Message

_encode = msgspec.msgpack.Encoder().encode


class ToHost(logging.Handler):
    """Passes records on to the host, from any thread."""

    def __init__(self, peer: Peer) -> None:
        super().__init__()
        self._peer = peer
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            text = f"{text}\n{''.join(format_exception(record.exc_info[1])).rstrip()}"
        self.tell(record.levelno, record.name, text)

    def tell(self, level: int, name: str, text: str) -> None:
        """Pass on one record, in order with what this thread sends otherwise."""
        body = _encode(LogRecord(level, name, encodable(text[:MOST_LOGGED])))
        if threading.get_ident() == self._thread:
            self._peer.notify(LOG, body)
        else:
            self._loop.call_soon_threadsafe(self._peer.notify, LOG, body)


class _LoguruSink:
    """Takes what is written with loguru, by the plugin or by the host's own code in this process.

    Loguru has one list of sinks for the whole process, and takes some ten milliseconds to add one. So this one is added
    once, by the rehearsal in the process that runners are forked from, and each runner says where it leads.
    """

    def __init__(self) -> None:
        self._added = False
        self._to_host: ToHost | None = None

    def lead(self, to_host: ToHost | None) -> None:
        """From now on pass everything on there; None to drop it."""
        self._to_host = to_host
        if not self._added:
            self._added = True
            logger.remove()
            logger.add(self._write, format="{message}", level="DEBUG")

    def _write(self, line: "Message") -> None:
        if self._to_host is not None:
            record = line.record
            self._to_host.tell(record["level"].no, record["name"] or "", str(line).rstrip("\n"))


_loguru = _LoguruSink()


def pass_on(to_host: ToHost | None) -> None:
    """Have all that is logged in this process from now on, with `logging` or with loguru, passed on to the host.

    Args:
        to_host: what passes it on; None to have it dropped.
    """
    root = logging.getLogger()
    root.handlers[:] = [] if to_host is None else [to_host]
    root.setLevel(logging.INFO)
    logging.getLogger("plugin").setLevel(logging.DEBUG)
    _loguru.lead(to_host)
