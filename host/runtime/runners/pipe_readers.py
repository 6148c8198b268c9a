"""Reading a pipe that another process writes to, chunk by chunk, without ever waiting for its end."""

import asyncio
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

Feed = Callable[[bytes], float]
"""Gets what was read, and says for how many seconds not to read on."""

_CHUNK_BYTES = 1 << 14
"""So much is worked on in one go of the loop."""
_LEFTOVER_BYTES = 1 << 20
"""So much is still read when reading ends, which is the most that a pipe holds."""
_THREAD_SECONDS = 0.5
"""So long is waited for a thread to see the end of its pipe."""


class PipeReader(Protocol):
    """Reads a pipe from when it is made, and closes it in the end."""

    async def aclose(self) -> None:
        """Read what is there, and stop."""
        ...


class LoopReader:
    """Reads where the event loop can watch pipes.

    Args:
        descriptor: the reading end, non-blocking.
        feed: gets what is read.
    """

    def __init__(self, descriptor: int, feed: Feed) -> None:
        self._descriptor = descriptor
        self._feed = feed
        self._loop = asyncio.get_running_loop()
        self._pause: asyncio.TimerHandle | None = None
        self._closed = False
        self._resume()

    async def aclose(self) -> None:
        """Read what is there, and stop."""
        if self._closed:
            return
        leftover = 0
        with suppress(BlockingIOError):
            while leftover < _LEFTOVER_BYTES and (chunk := os.read(self._descriptor, _CHUNK_BYTES)):
                leftover += len(chunk)
                self._feed(chunk)
        self._close()

    def _resume(self) -> None:
        self._loop.add_reader(self._descriptor, self._read)

    def _read(self) -> None:
        chunk = os.read(self._descriptor, _CHUNK_BYTES)
        if not chunk:
            self._close()
        elif pause := self._feed(chunk):
            self._loop.remove_reader(self._descriptor)
            self._pause = self._loop.call_later(pause, self._resume)

    def _close(self) -> None:
        self._closed = True
        if self._pause is not None:
            self._pause.cancel()
        self._loop.remove_reader(self._descriptor)
        os.close(self._descriptor)


class ThreadReader:
    """Reads in a thread of its own, where the event loop can watch no pipes.

    Args:
        descriptor: the reading end, blocking.
        feed: gets what is read, in the event loop.
    """

    def __init__(self, descriptor: int, feed: Feed) -> None:
        self._descriptor = descriptor
        self._feed = feed
        self._loop = asyncio.get_running_loop()
        self._turn = threading.Semaphore(1)
        self._finished = asyncio.Event()
        self._closed = False
        threading.Thread(target=self._run, name=f"pipe {descriptor}", daemon=True).start()

    async def aclose(self) -> None:
        """Read what is there, and stop. The thread lives on while something holds the other end of the pipe."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_THREAD_SECONDS):
                await self._finished.wait()
        self._closed = True

    def _run(self) -> None:
        with suppress(RuntimeError):  # The loop is closed; nobody listens.
            while self._turn.acquire() and (chunk := os.read(self._descriptor, _CHUNK_BYTES)):
                self._loop.call_soon_threadsafe(self._take, chunk)
            self._loop.call_soon_threadsafe(self._finished.set)
        os.close(self._descriptor)

    def _take(self, chunk: bytes) -> None:
        pause = 0.0 if self._closed else self._feed(chunk)
        self._loop.call_later(pause, self._turn.release)
