"""Memory that two processes share, for bodies that are too large to be worth carrying through a socket.

Through a socket each byte is copied into the system and out of it again, in pieces, and both processes wake up for each
piece. Through shared memory it is copied in once and out once.

Each direction has a piece of memory of its own. The writer puts blocks into it, tells the reader over the socket where
each lies, and takes no space back before the reader has said, in the memory itself, how many blocks it has copied out.
What does not fit goes through the socket: nobody waits. The memory has no name in the file system; the end that made it
gives it to the other one over their socket, before anything else.
"""

import mmap
import os
import socket
import sys
from collections import deque

from host.runtime.runners.wire import Body, ProtocolError

SIZE = 16 << 20
"""Bytes of one direction. The system gives them out as they are used."""
SMALLEST_BLOCK = 64 * 1024
"""Bodies smaller than this are better off in the socket."""

_HEAD = mmap.PAGESIZE
"""The first page holds the count of blocks that the reader has copied out."""
_GIVEN, _NONE = b"\1", b"\0"


class SharedMemory:
    """Both directions, as one end has them.

    Args:
        out: memory for what this end sends, as an open file, which belongs to this object from now on.
        back: the same for what the other end sends.

    Attributes:
        writer: takes what this end sends.
        reader: gives what the other end sent.
    """

    def __init__(self, out: int, back: int) -> None:
        self.writer = BlockWriter(out)
        self.reader = BlockReader(back)

    @classmethod
    def give(cls, connected: socket.socket) -> "SharedMemory | None":
        """Make it, and give it to the other end of a connected pair, where `take` is to be called.

        Args:
            connected: this end, unused so far.

        Returns:
            None where the system has no memory without a name.

        Raises:
            OSError: the other end is gone, or there are no descriptors left.
        """
        if sys.platform != "linux":
            connected.sendall(_NONE)
            return None
        files: list[int] = []
        try:
            for name in ("maibot to runner", "maibot from runner"):
                files.append(os.memfd_create(name, os.MFD_CLOEXEC))
                os.ftruncate(files[-1], _HEAD + SIZE)
            socket.send_fds(connected, [_GIVEN], files)
            out, back = files
            files = []
            return cls(out, back)
        finally:
            for file in files:
                os.close(file)

    @classmethod
    def take(cls, connected: socket.socket) -> "SharedMemory | None":
        """Take what the other end of a connected pair gives; waits for it.

        Args:
            connected: this end, blocking and unused so far.

        Returns:
            None where the other end has none to give.
        """
        if sys.platform != "linux":
            connected.recv(1)
            return None
        _, files, _, _ = socket.recv_fds(connected, 1, 2)
        if len(files) != 2:
            return None
        back, out = files
        return cls(out, back)

    def close(self) -> None:
        """Give it up; what lies in it is lost to this end."""
        self.writer.close()
        self.reader.close()


class _Mapping:
    """One direction's memory in this process. The file is closed; the mapping lasts until it is closed as well."""

    def __init__(self, file: int) -> None:
        try:
            self._map = mmap.mmap(file, _HEAD + SIZE)
        finally:
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


class BlockWriter(_Mapping):
    """The end that puts blocks in.

    Args:
        file: the memory, which belongs to this object from now on.
    """

    def __init__(self, file: int) -> None:
        super().__init__(file)
        self._written = 0
        self._outstanding: deque[tuple[int, int]] = deque()

    def put(self, block: Body) -> int | None:
        """Put one block in.

        Returns:
            Where it lies; None when there is no room for it.
        """
        self._reclaim()
        begin = self._room_for(len(block))
        if begin is None:
            return None
        end = begin + len(block)
        self._blocks[begin:end] = block
        self._outstanding.append((begin, end))
        self._written += 1
        return begin

    def _reclaim(self) -> None:
        # The count is the other side's word. It can claim no more than there is, and so cheats but itself.
        left = self._written - min(self._count[0], self._written)
        while len(self._outstanding) > left:
            self._outstanding.popleft()

    def _room_for(self, size: int) -> int | None:
        """Blocks lie one after another, and begin again at the start, so that little memory is ever used."""
        if not self._outstanding:
            return 0 if size <= SIZE else None
        oldest, (newest, end) = self._outstanding[0][0], self._outstanding[-1]
        if newest >= oldest:
            if end + size <= SIZE:
                return end
            return 0 if size <= oldest else None
        return end if end + size <= oldest else None


class BlockReader(_Mapping):
    """The end that copies blocks out, in the order in which they were put in.

    Args:
        file: the memory, which belongs to this object from now on.
    """

    def take(self, begin: int, size: int) -> bytes:
        """Copy a block out, and give its space back. A copy it has to be: the other side can still write there.

        Raises:
            ProtocolError: there is no such place.
        """
        if begin + size > SIZE:
            raise ProtocolError("outside_memory", begin=begin, size=size)
        block = bytes(self._blocks[begin : begin + size])
        self._count[0] += 1
        return block
