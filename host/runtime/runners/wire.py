"""What travels between the host and a runner: frames on a stream of bytes, and the messages in them.

A frame is its length, 4 bytes little endian, and so many bytes. The bytes are a message: the length of its head, one
byte, the head as a MessagePack array, and the rest as it is: a body, which is encoded and read by those who call and
serve. It is neither copied into the head nor looked at here.
"""

from collections.abc import Callable, Iterable, Iterator
from struct import Struct as Layout
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from host.hooks.texts import Locale
from host.runtime.runners.wire_texts import WIRE_TEXTS

Bytes = bytes | bytearray | memoryview
"""What may be sent; a view is one of bytes."""
Body = bytes | memoryview
"""What comes: bytes, or a view of them where there are many, so that they are not copied once more."""

CHUNK = 128 * 1024
"""Bytes that are read at once, at most, as long as frames are small."""
LARGE = CHUNK // 4
"""A frame of more bytes that is not there as a whole is read into memory of its own, without a further copy."""

LENGTH = Layout("<I")
ELSEWHERE = 1 << 31
"""In a length: the frame lies in shared memory, and what follows says where (`PLACE`)."""
PLACE = Layout("<II")
"""Where a frame begins in shared memory, and how many bytes it has."""
PREFIX = LENGTH.size
"""Bytes before a frame."""
MAX_HEAD = 255
"""Bytes that a head may have."""

Id = Annotated[int, Meta(ge=1, le=2**63 - 1)]
"""Which request: the side that asks counts up."""


class ProtocolError(Exception):
    """The other side sent what an honest one does not send. It is to be cut off.

    Args:
        code: what was wrong; a key of the wire's text table.
        fields: the facts that the text names.
    """

    def __init__(self, code: str, **fields: object) -> None:
        self.code = code
        self.fields = fields
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """What was found and what is allowed, in the given language."""
        return WIRE_TEXTS.render(self.code, self.fields, locale)


class Asked(Struct, array_like=True, tag=0, frozen=True, gc=False):
    """A request; the body is its argument.

    Args:
        id: not used before on this channel and in this direction; higher than those before.
        method: what is called.
        remaining_ms: until when it has to be done, in milliseconds from now; None without a deadline.
        within: the request of the other direction that is being served by whoever asks, or 0.
    """

    id: Id
    method: str
    remaining_ms: Annotated[int, Meta(ge=0, lt=2**53)] | None
    within: Annotated[int, Meta(ge=0, le=2**63 - 1)]


class Answered(Struct, array_like=True, tag=1, frozen=True, gc=False):
    """The end of a request; the body is its result.

    Args:
        id: of the request.
    """

    id: Id


class Failed(Struct, array_like=True, tag=2, frozen=True, gc=False):
    """The end of a request by an exception; the body is a `Failure`.

    Args:
        id: of the request.
    """

    id: Id


class Cancelled(Struct, array_like=True, tag=3, frozen=True, gc=False):
    """Nobody waits for a request any more; without a body.

    Args:
        id: of the request.
    """

    id: Id


class Told(Struct, array_like=True, tag=4, frozen=True, gc=False):
    """Something that has no answer; the body says what.

    Args:
        method: what it is about.
    """

    method: str


class Failure(Struct, array_like=True, frozen=True, gc=False):
    """An exception, as text.

    Args:
        kind: the name of its class.
        text: one line, which begins with that name.
        traceback: where it was raised.
    """

    kind: str
    text: str
    traceback: str


Head = Asked | Answered | Failed | Cancelled | Told

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Head).decode
_decode_failure = msgspec.msgpack.Decoder(Failure).decode
_length_at = LENGTH.unpack_from
_SIZES = [bytes((size,)) for size in range(MAX_HEAD + 1)]


def head_of(message: Head) -> bytes:
    """The first part of a frame; its body comes right after.

    Raises:
        ValueError: its method has too long a name.
    """
    head = _encode(message)
    if len(head) > MAX_HEAD:
        raise ValueError(f"the head of a message has {len(head)} bytes; allowed are {MAX_HEAD}: use a shorter name")
    return _SIZES[len(head)] + head


def body_of(failure: Failure) -> bytes:
    """The body of a `Failed`."""
    return _encode(failure)


def read(frame: Body) -> tuple[Head, Body]:
    """A message's head and body.

    Args:
        frame: the bytes of one frame, without its length.

    Raises:
        ProtocolError: it is no message.
    """
    stop = 1 + frame[0] if frame else 1
    if stop > len(frame):
        raise ProtocolError("garbage", why=f"a head that ends at {stop} in a frame of {len(frame)} bytes")
    try:
        return _decode(frame[1:stop]), frame[stop:]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProtocolError("garbage", why=f"{error}"[:200]) from None


def read_failure(body: Body) -> Failure:
    """The body of a `Failed`.

    Raises:
        ProtocolError: it is none.
    """
    try:
        return _decode_failure(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProtocolError("garbage", why=f"{error}"[:200]) from None


class FrameReader:
    """Cuts a stream of bytes into frames, however it comes in pieces.

    Bytes are put into `space()`, and `filled()` gives the frames that are whole by then.

    Args:
        limit: bytes that one frame may have.
        take: copies out a frame that lies in shared memory, by its place and size; None where there is none.
    """

    __slots__ = ("_got", "_large", "_stop", "_take", "_view", "limit")

    def __init__(self, limit: int, take: Callable[[int, int], bytes] | None = None) -> None:
        self.limit = limit
        self._take = take
        self._view = memoryview(bytearray(CHUNK))
        self._stop = 0
        self._large: memoryview | None = None
        self._got = 0

    def space(self) -> memoryview:
        """Where the next bytes belong; never empty."""
        if self._large is not None:
            return self._large[self._got :]
        return self._view[self._stop :] if self._stop else self._view

    def filled(self, count: int) -> Iterable[Body]:
        """The frames that are whole now that `count` bytes were put into `space()`. To be exhausted before the next.

        Returns:
            The bytes of each frame, without its length. They belong to whoever takes them.

        Raises:
            ProtocolError: while they are taken: the next one is longer than allowed, and none can come after it.
        """
        if self._large is None:
            self._stop += count
            return self._frames()
        self._got += count
        if self._got < len(self._large):
            return ()
        frame, self._large = self._large.toreadonly(), None
        return (frame,)

    def _frames(self) -> Iterator[Body]:
        start, stop, limit = 0, self._stop, self.limit
        read = bytes(self._view[:stop])
        while (begin := start + PREFIX) <= stop:
            size: int = _length_at(read, start)[0]
            if size > limit:
                if size < ELSEWHERE or self._take is None:
                    raise ProtocolError("frame_too_long", size=size, limit=limit)
                if stop < begin + PLACE.size:
                    break
                place, size = PLACE.unpack_from(read, begin)
                if size > limit:
                    raise ProtocolError("frame_too_long", size=size, limit=limit)
                start = begin + PLACE.size
                yield self._take(place, size)
                continue
            end = begin + size
            if end > stop:
                if size > LARGE:
                    self._begin_large(size, read[begin:])
                    return
                break
            start = end
            yield read[begin:end]
        # What is left over is part of a small frame, or nothing.
        self._stop = stop - start
        if start and self._stop:
            self._view[: self._stop] = read[start:]

    def _begin_large(self, size: int, begun: bytes) -> None:
        self._large = memoryview(bytearray(size))
        self._large[: len(begun)] = begun
        self._got = len(begun)
        self._stop = 0
