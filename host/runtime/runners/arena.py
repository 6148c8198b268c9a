"""Memory that two processes share, for what is too large to be worth carrying through a socket.

Through a socket, each byte is copied into the system and out of it again, in pieces, and both processes wake up for
each piece. Through shared memory it is copied in once and out once.

A piece of memory serves one direction. The writer puts blocks into it, tells the reader over the socket where each
lies, and takes no space back before the reader has said, in the memory itself, how many blocks it has copied out. What
does not fit is carried by the socket: nobody waits.

The memory has no name in the file system; both processes get it as an open file over their socket.
"""

import mmap
import os
import sys
from collections import deque

from host.runtime.runners.wire import Bytes, ProtocolError

SIZE = 16 << 20
"""Bytes of one direction. The system gives them out as they are used."""
SMALLEST_BLOCK = 64 * 1024
"""Blocks smaller than this are better off in the socket."""

_HEAD = mmap.PAGESIZE
"""The first page holds the count of blocks that the reader has copied out."""


def shared_memory() -> int | None:
    """Memory for one direction, as an open file; None where the system has none that is without a name."""
    if sys.platform != "linux":
        return None
    file = os.memfd_create("maibot wire", os.MFD_CLOEXEC)
    os.ftruncate(file, _HEAD + SIZE)
    return file


class _Mapping:
    """Shared memory in this process. The file is closed; the mapping lasts until it is closed as well."""

    def __init__(self, file: int) -> None:
        self._map = mmap.mmap(file, _HEAD + SIZE)
        os.close(file)
        self._view = memoryview(self._map)
        # A memory word is written and read as a whole, so the other side never sees half of a count.
        self._count = self._view[:8].cast("Q")
        self._blocks = self._view[_HEAD:]

    def close(self) -> None:
        """Give the mapping up."""
        for view in (self._count, self._blocks, self._view):
            view.release()
        self._map.close()


class ArenaWriter(_Mapping):
    """The end that puts blocks in.

    Args:
        file: the memory, which belongs to this object from now on.
    """

    def __init__(self, file: int) -> None:
        super().__init__(file)
        self._written = 0
        self._outstanding: deque[tuple[int, int]] = deque()

    def put(self, size: int, parts: tuple[Bytes, ...]) -> int | None:
        """Put one block in.

        Args:
            size: bytes of all parts together.
            parts: what the block is made of.

        Returns:
            Where it lies; None when there is no room for it.
        """
        self._reclaim()
        begin = self._room_for(size)
        if begin is None:
            return None
        at = begin
        for part in parts:
            self._blocks[at : at + len(part)] = part
            at += len(part)
        self._outstanding.append((begin, at))
        self._written += 1
        return begin

    def _reclaim(self) -> None:
        # The count is the other side's word. It can claim no more than there is, and cheats but itself.
        taken = len(self._outstanding) - (self._written - min(self._count[0], self._written))
        for _ in range(taken):
            self._outstanding.popleft()

    def _room_for(self, size: int) -> int | None:
        """Blocks lie one after another, and begin again at the start, which keeps the memory in use small."""
        if not self._outstanding:
            return 0 if size <= SIZE else None
        first, last = self._outstanding[0][0], self._outstanding[-1][1]
        if self._outstanding[-1][0] >= first:
            if last + size <= SIZE:
                return last
            return 0 if size < first else None
        return last if last + size < first else None


class ArenaReader(_Mapping):
    """The end that copies blocks out, in the order in which they were put in.

    Args:
        file: the memory, which belongs to this object from now on.
    """

    def take(self, begin: int, size: int) -> bytes:
        """Copy a block out, and give its space back.

        A copy it has to be: the other side can still write there.

        Raises:
            ProtocolError: there is no such place.
        """
        if begin + size > SIZE:
            raise ProtocolError("outside_arena", begin=begin, size=size)
        block = bytes(self._blocks[begin : begin + size])
        self._count[0] += 1
        return block
