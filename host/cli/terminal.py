"""Lines that a person types, or that another program pipes in, without blocking the event loop."""

import asyncio
import os
import threading
from collections.abc import AsyncGenerator, Iterator

_AHEAD = 64
"""Lines that are read before somebody wants them; a faster writer waits."""
_CHUNK = 65_536


async def lines_of(descriptor: int) -> AsyncGenerator[bytes]:
    """The lines that come in on a file descriptor, as they come, each with its end.

    A terminal cannot be read without blocking on every system, so a thread reads. It is a daemon: one that waits for a
    line that never comes does not keep the program alive. It reads the descriptor itself, since a buffered file that
    such a thread holds brings the interpreter down at its end.
    """
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes | None] = asyncio.Queue()
    room = threading.Semaphore(_AHEAD)

    def read() -> None:
        try:
            for line in _read_lines(descriptor):
                room.acquire()
                loop.call_soon_threadsafe(lines.put_nowait, line)
            loop.call_soon_threadsafe(lines.put_nowait, None)
        except RuntimeError:
            """The loop is closed: nobody reads any more."""

    threading.Thread(target=read, name="standard input", daemon=True).start()
    while (line := await lines.get()) is not None:
        room.release()
        yield line


def _read_lines(descriptor: int) -> Iterator[bytes]:
    begun = b""
    while chunk := os.read(descriptor, _CHUNK):
        *whole, begun = (begun + chunk).split(b"\n")
        for line in whole:
            yield line + b"\n"
    if begun:
        yield begun
