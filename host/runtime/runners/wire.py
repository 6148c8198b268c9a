"""Frames: what travels between a host and a runner, and how it is cut out of a stream of bytes.

A frame is its length (four bytes, little endian, of what follows), the length of its header (four bytes), the header,
and the body. The header is a MessagePack array that begins with its kind; the body is a MessagePack value that was
encoded before, and is carried as it is.
"""

from struct import Struct as Layout
from typing import TypeAlias

import msgspec

LENGTH = Layout("<I")
HEADER_LENGTH = Layout("<I")

_SMALL_FRAME = 32 * 1024
_BUFFER = 128 * 1024

Body: TypeAlias = bytes | memoryview
"""An encoded MessagePack value; or nothing, where a kind of frame has no body."""


class WireError(Exception):
    """The other side sent what is no frame. Nothing that comes after it can be understood."""


class FrameTooLargeError(Exception):
    """A frame is larger than allowed; nothing of it was sent.

    Args:
        size: its bytes.
        limit: the bytes that are allowed.
    """

    def __init__(self, size: int, limit: int) -> None:
        self.size = size
        self.limit = limit
        super().__init__(f"{size:,} bytes cannot be sent at once; at most {limit:,} are allowed")


class RequestHeader(msgspec.Struct, frozen=True, array_like=True, tag=0):
    """Something is asked of the other side.

    Args:
        id: the number of the call, unused among those that the sender waits for.
        method: what is asked.
        remaining_ms: how long the sender waits for the answer, in milliseconds; None for ever.
        within: the number of the receiver's own call that the sender is serving while it asks; 0 for none.
    """

    id: int
    method: str
    remaining_ms: float | None = None
    within: int = 0


class ReplyHeader(msgspec.Struct, frozen=True, array_like=True, tag=1):
    """The answer to a request; the body is what is answered."""

    id: int


class FailureHeader(msgspec.Struct, frozen=True, array_like=True, tag=2):
    """A request could not be answered.

    Args:
        id: the number of the call.
        kind: the class of what was raised.
        text: its class and text, on one line.
        traceback: where it was raised.
    """

    id: int
    kind: str
    text: str
    traceback: str


class CancelHeader(msgspec.Struct, frozen=True, array_like=True, tag=3):
    """The sender does not wait for the answer any more."""

    id: int


class EventHeader(msgspec.Struct, frozen=True, array_like=True, tag=4):
    """The other side is told something; there is no answer."""

    method: str


Header: TypeAlias = RequestHeader | ReplyHeader | FailureHeader | CancelHeader | EventHeader

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Header).decode


def pack(header: Header, body: Body = b"") -> tuple[bytes, Body]:
    """The parts of a frame, to be sent one after the other: all that comes before the body, and the body."""
    encoded = _encode(header)
    length = LENGTH.pack(HEADER_LENGTH.size + len(encoded) + len(body))
    return length + HEADER_LENGTH.pack(len(encoded)) + encoded, body


def unpack(frame: Body) -> tuple[Header, memoryview]:
    """The header and the body of a frame, which comes without its length.

    Raises:
        WireError: it has no header of a known kind.
    """
    view = memoryview(frame)
    if len(view) < HEADER_LENGTH.size:
        raise WireError(f"a frame of {len(view)} bytes")
    end = HEADER_LENGTH.size + HEADER_LENGTH.unpack_from(view)[0]
    if end > len(view):
        raise WireError(f"a header that ends at {end} in a frame of {len(view)} bytes")
    try:
        return _decode(view[HEADER_LENGTH.size : end]), view[end:]
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise WireError(f"a header that is none: {error}") from None


class FrameBuffer:
    """Where the bytes of a stream are put as they come, to be cut into frames.

    Small frames share one buffer. A large one gets a buffer of its own size, so that its bytes are never moved.

    Args:
        limit: bytes that a frame may have, without its length.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._shared = bytearray(_BUFFER)
        self._view = memoryview(self._shared)
        self._begin = self._end = 0
        self._large: memoryview | None = None
        self._filled = 0

    def space(self) -> memoryview:
        """Where the next bytes go."""
        return self._view[self._end :] if self._large is None else self._large[self._filled :]

    def filled(self, count: int) -> list[Body]:
        """Take note that so many bytes were put where `space` said.

        Returns:
            The frames that are whole now, without their lengths; they stay as they are.

        Raises:
            WireError: a length is above the limit.
        """
        if self._large is not None:
            self._filled += count
            if self._filled < len(self._large):
                return []
            frame, self._large = self._large, None
            return [frame]
        self._end += count
        frames: list[Body] = []
        while (found := self._end - self._begin - LENGTH.size) >= 0:
            (length,) = LENGTH.unpack_from(self._shared, self._begin)
            if length > self._limit:
                raise WireError(f"a frame of {length:,} bytes, at most {self._limit:,} are allowed")
            start = self._begin + LENGTH.size
            if found >= length:
                frames.append(bytes(self._view[start : start + length]))
                self._begin = start + length
            elif length > _SMALL_FRAME:
                self._large = memoryview(bytearray(length))
                self._large[:found] = self._view[start : self._end]
                self._filled = found
                self._begin = self._end = 0
                break
            else:
                break
        self._make_room()
        return frames

    def _make_room(self) -> None:
        if self._begin == self._end:
            self._begin = self._end = 0
        elif len(self._shared) - self._begin < _SMALL_FRAME + LENGTH.size:
            rest = bytes(self._view[self._begin : self._end])
            self._view[: len(rest)] = rest
            self._begin, self._end = 0, len(rest)
