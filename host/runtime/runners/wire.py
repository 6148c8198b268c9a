"""What travels between the host and a runner: frames on a stream of bytes, and the messages in them.

A frame begins with two lengths, 4 bytes little endian each: of a list of messages in MessagePack, and of what follows
it. Several messages in one list cost little more than one. Each has a body, which is encoded and read by those who call
and serve, and is but bytes here. A large body is not in the list: it follows, as it is, without being copied once more,
or lies in shared memory; it belongs to the last message.
"""

from collections.abc import Callable, Iterable, Iterator
from struct import Struct as Layout
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec
from msgspec import Meta, Struct

from host.hooks.texts import Locale
from host.runtime.runners.wire_texts import WIRE_TEXTS

Body = bytes | memoryview
"""Bytes, or a view of them where there are many, so that they are not copied once more."""

CHUNK = 128 * 1024
"""Bytes that are read at once, at most, as long as bodies are small."""
LARGE = CHUNK // 4
"""A body of so many bytes or more follows the list of messages."""
MOST_LISTED = CHUNK - 16
"""Bytes that a list may have."""
MOST_TOGETHER = 64
"""Messages that a list may have: they are dealt with in one go."""

PREFIX = Layout("<II")
"""How many bytes the list has, and how many follow it."""
ELSEWHERE = 1 << 31
"""In the second length: so many bytes lie in shared memory, and `PLACE` comes before the list."""
PLACE = Layout("<I")
"""Where they begin there."""
MAX_METHOD = 255
"""Characters that the name of a method may have."""

if TYPE_CHECKING:
    _Body = Body
else:
    _Body = bytes  # what is in a list comes as bytes; what follows it is put in afterwards

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


Method = Annotated[str, Meta(max_length=MAX_METHOD)]
"""What is called."""


class Asked(Struct, array_like=True, tag=0, gc=False):
    """A request.

    Args:
        id: not used before on this channel and in this direction; higher than those before.
        method: what is called.
        remaining_ms: until when it has to be done, in milliseconds from now; None without a deadline.
        within: the request of the other direction that is being served by whoever asks, or 0.
        body: its argument.
    """

    id: Id
    method: Method
    remaining_ms: Annotated[int, Meta(ge=0, lt=2**53)] | None
    within: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    body: _Body = b""


class Answered(Struct, array_like=True, tag=1, gc=False):
    """The end of a request.

    Args:
        id: of the request.
        body: its result.
    """

    id: Id
    body: _Body = b""


class Failed(Struct, array_like=True, tag=2, gc=False):
    """The end of a request by an exception.

    Args:
        id: of the request.
        body: a `Failure`.
    """

    id: Id
    body: _Body = b""


class Cancelled(Struct, array_like=True, tag=3, gc=False):
    """Nobody waits for a request any more; without a body.

    Args:
        id: of the request.
    """

    body: ClassVar[bytes] = b""
    id: Id


class Told(Struct, array_like=True, tag=4, gc=False):
    """Something that has no answer.

    Args:
        method: what it is about.
        body: what is told.
    """

    method: Method
    body: _Body = b""


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


WithBody = Asked | Answered | Failed | Told
Message = WithBody | Cancelled

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Annotated[list[Message], Meta(max_length=MOST_TOGETHER)]).decode
_decode_failure = msgspec.msgpack.Decoder(Failure).decode
_lengths_at = PREFIX.unpack_from
_lengths = PREFIX.pack


def frame_of(messages: list[Message]) -> bytes:
    """A frame of messages with small bodies."""
    encoded = _encode(messages)
    return _lengths(len(encoded), 0) + encoded


def beginning_of(message: WithBody, size: int, place: int | None = None) -> bytes:
    """A frame without what follows its list.

    Args:
        message: the only one, without its body.
        size: bytes of the body.
        place: where the body begins in shared memory; None when it follows.
    """
    encoded = _encode([message])
    if place is None:
        return _lengths(len(encoded), size) + encoded
    return _lengths(len(encoded), size | ELSEWHERE) + PLACE.pack(place) + encoded


def body_of(failure: Failure) -> bytes:
    """The body of a `Failed`."""
    return _encode(failure)


def read_failure(body: Body) -> Failure:
    """The body of a `Failed`.

    Raises:
        ProtocolError: it is none.
    """
    try:
        return _decode_failure(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _garbage(error) from None


def _garbage(why: object) -> ProtocolError:
    return ProtocolError("garbage", why=f"{why}"[:200])


class FrameReader:
    """Reads a stream of bytes as messages, however it comes in pieces.

    Bytes are put into `space()`, and `filled()` gives the messages that are whole by then.

    Args:
        limit: bytes that one body may have.
        take: copies out a body that lies in shared memory, by its place and size; None where there is none.
    """

    __slots__ = ("_got", "_large", "_messages", "_stop", "_take", "_view", "limit")

    def __init__(self, limit: int, take: Callable[[int, int], bytes] | None = None) -> None:
        self.limit = limit
        self._take = take
        self._view = memoryview(bytearray(CHUNK))
        self._stop = 0
        self._messages: list[Message] = []
        self._large: memoryview | None = None
        self._got = 0

    def space(self) -> memoryview:
        """Where the next bytes belong; never empty."""
        if self._large is not None:
            return self._large[self._got :]
        return self._view[self._stop :] if self._stop else self._view

    def filled(self, count: int) -> Iterable[list[Message]]:
        """The messages that are whole now that `count` bytes were put into `space()`. To be exhausted before the next.

        Returns:
            The messages of each frame. They belong to whoever takes them.

        Raises:
            ProtocolError: while they are taken: the next frame is longer than allowed or holds no messages, and none
                can come after it.
        """
        if self._large is None:
            if not self._stop and count > PREFIX.size:
                size, follows = _lengths_at(self._view)
                if not follows and size == count - PREFIX.size <= MOST_LISTED:
                    # One small frame and nothing else, as it mostly is while there is one call at a time.
                    return (_listed(self._view[PREFIX.size : count]),)
            self._stop += count
            return self._frames()
        self._got += count
        if self._got < len(self._large):
            return ()
        body, self._large = self._large.toreadonly(), None
        return (_with_body(self._messages, body),)

    def _frames(self) -> Iterator[list[Message]]:
        start, stop = 0, self._stop
        read = bytes(self._view[:stop])
        while (begin := start + PREFIX.size) <= stop:
            size, follows = _lengths_at(read, start)
            place = None
            if follows >= ELSEWHERE and self._take is not None:
                if begin + PLACE.size > stop:
                    break
                place = PLACE.unpack_from(read, begin)[0]
                begin += PLACE.size
                follows -= ELSEWHERE
            if size > MOST_LISTED or follows > self.limit:
                raise self._too_long(size, follows)
            end = begin + size
            if end > stop:
                break
            messages = _listed(read[begin:end])
            start = end
            if place is not None and self._take is not None:
                _with_body(messages, self._take(place, follows))
            elif follows:
                start += follows
                if start > stop:
                    self._begin_large(messages, follows, read[end:])
                    return
                _with_body(messages, read[end:start])
            yield messages
        # What is left over is the beginning of a list, or nothing.
        self._stop = stop - start
        if start and self._stop:
            self._view[: self._stop] = read[start:]

    def _too_long(self, size: int, follows: int) -> ProtocolError:
        if size > MOST_LISTED:
            return ProtocolError("frame_too_long", size=size, limit=MOST_LISTED)
        return ProtocolError("frame_too_long", size=follows, limit=self.limit)

    def _begin_large(self, messages: list[Message], size: int, begun: bytes) -> None:
        self._messages = messages
        self._large = memoryview(bytearray(size))
        self._large[: len(begun)] = begun
        self._got = len(begun)
        self._stop = 0


def _listed(encoded: Body) -> list[Message]:
    try:
        return _decode(encoded)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _garbage(error) from None


def _with_body(messages: list[Message], body: Body) -> list[Message]:
    """Messages whose last one gets its body."""
    if not messages or isinstance(last := messages[-1], Cancelled):
        raise _garbage("a body that belongs to no message")
    last.body = body
    return messages
