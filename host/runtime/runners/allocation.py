"""What becomes of memory that large messages took, in the host and in runners."""

import asyncio
import sys
from collections.abc import Callable

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
KEPT = 32 << 20
"""Bytes of freed memory that are kept for the next message; a block of more bytes never is."""
NOTABLE = 64 << 10
"""Bytes of a message that is worth a look at what it left behind."""


_EXAMPLE = 8 << 20


def keep_large_blocks() -> None:
    """In the host: have freed blocks of up to some MiB kept for the next ones, not given back to the system at once.

    A message of 256 KiB lives in half a dozen blocks for a moment. Each that the system gives out anew costs a page
    fault for every 4 KiB of it, together ten times what encoding, copying and decoding it cost. The GNU C library
    learns by example: it goes on keeping blocks as large as the largest that it saw freed, and twice that at the end
    of its heap. Others have policies of their own, and this does nothing.
    """
    # Freed at once. The memory is never touched, so nothing is used up by it.
    bytearray(_EXAMPLE)


class FreedMemory:
    """Freed memory is used again by messages that come one soon after another, and given back after a while.

    The C library would give it back at once, and every message of some 100 KB would cost the system fresh pages, at
    each step of its way: that doubles the time of the whole call. Does nothing where the C library is not glibc. Made
    in a running event loop.

    Args:
        quiet_seconds: how long after the last large message it is given back.
    """

    def __init__(self, quiet_seconds: float = 5.0) -> None:
        self._loop = asyncio.get_running_loop()
        self._quiet_seconds = quiet_seconds
        self._last = 0.0
        self._waiting = False
        self._trim = _keep()

    def large(self) -> None:
        """A message of `NOTABLE` bytes or more is dealt with."""
        if self._trim is not None:
            self._last = self._loop.time()
            if not self._waiting:
                self._waiting = True
                self._loop.call_later(self._quiet_seconds, self._look)

    def _look(self) -> None:
        left = self._last + self._quiet_seconds - self._loop.time()
        if left > 0:
            self._loop.call_later(left, self._look)
            return
        self._waiting = False
        assert self._trim is not None, "nothing is looked at where nothing can be given back"
        self._trim(0)


def _keep() -> Callable[[int], object] | None:
    """Tell the C library to keep what is freed; returns what gives it back."""
    if sys.platform != "linux":
        return None
    import ctypes

    libc = ctypes.CDLL(None)
    if not hasattr(libc, "mallopt"):
        return None
    libc.mallopt(_M_MMAP_THRESHOLD, KEPT)
    libc.mallopt(_M_TRIM_THRESHOLD, KEPT)
    trim: Callable[[int], object] = libc.malloc_trim
    return trim
