"""Frames and messages: what is cut into pieces comes out whole, and what is none is told from what is one."""

from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.runtime.runners.wire import (
    CHUNK,
    LARGE,
    MAX_METHOD,
    MOST_LISTED,
    PREFIX,
    Answered,
    Asked,
    Cancelled,
    Failed,
    FrameReader,
    Message,
    ProtocolError,
    Told,
    beginning_of,
    frame_of,
    read_failure,
)

LIMIT = 4 * CHUNK


def messages_of(data: bytes, cuts: list[int], limit: int = LIMIT) -> tuple[list[Message], str | None]:
    """The messages of `data` that comes in pieces cut at these places, and the code of the error that ended it."""
    reader = FrameReader(limit)
    read: list[Message] = []
    try:
        for start, stop in pairwise([0, *sorted(cut for cut in cuts if cut < len(data)), len(data)]):
            piece = memoryview(data)[start:stop]
            while piece:
                space = reader.space()
                count = min(len(space), len(piece))
                space[:count] = piece[:count]
                piece = piece[count:]
                for messages in reader.filled(count):
                    read += messages
    except ProtocolError as error:
        return read, error.code
    return read, None


def stream(bodies: list[bytes]) -> bytes:
    """A frame for each body; the large ones follow their lists."""
    return b"".join(
        frame_of([Answered(1, body)]) if len(body) < LARGE else beginning_of(Answered(1), len(body)) + body
        for body in bodies
    )


SIZES = st.one_of(
    st.integers(0, 40),
    st.sampled_from([LARGE - 1, LARGE, LARGE + 1, CHUNK - 5, CHUNK - 4, CHUNK - 3, CHUNK, CHUNK + 1, LIMIT]),
)
CUTS = st.lists(st.integers(0, 6 * CHUNK), max_size=30)


@given(st.lists(SIZES, max_size=8), CUTS)
def test_messages_come_out_as_they_went_in_however_they_are_cut(sizes: list[int], cuts: list[int]) -> None:
    bodies = [bytes([index + 1]) * size for index, size in enumerate(sizes)]
    assert messages_of(stream(bodies), cuts) == ([Answered(1, body) for body in bodies], None)


@given(st.binary(max_size=300) | st.binary(max_size=40).map(lambda rest: PREFIX.pack(4, 9) + rest), CUTS)
def test_random_bytes_mean_the_same_however_they_are_cut(data: bytes, cuts: list[int]) -> None:
    cuts = [cut % 300 for cut in cuts]
    assert messages_of(data, cuts, 200) == messages_of(data, [], 200) == messages_of(data, [*range(len(data))], 200)


TOO_LONG = st.tuples(st.integers(0, MOST_LISTED), st.integers(LIMIT + 1, 2**32 - 1)) | st.tuples(
    st.integers(MOST_LISTED + 1, 2**32 - 1), st.integers(0, LIMIT)
)


@given(st.lists(st.integers(0, 100), max_size=5), TOO_LONG, CUTS)
def test_a_length_above_the_limit_is_an_error_after_the_messages_before_it(
    sizes: list[int], lengths: tuple[int, int], cuts: list[int]
) -> None:
    bodies = [b"x" * size for size in sizes]
    data = stream(bodies) + PREFIX.pack(*lengths) + b"more"
    assert messages_of(data, cuts) == ([Answered(1, body) for body in bodies], "frame_too_long")


def test_a_message_that_was_given_stays_as_it_is() -> None:
    reader = FrameReader(LIMIT)
    kept: list[Message] = []
    for size in (10, LARGE):
        for letter in b"abc":
            data = stream([bytes([letter]) * size])
            reader.space()[: len(data)] = data
            kept += [message for messages in reader.filled(len(data)) for message in messages]
    assert [bytes(message.body) for message in kept] == [letter * size for size in (10, LARGE) for letter in LETTERS]


LETTERS = [b"a", b"b", b"c"]
MESSAGES: list[Message] = [
    Asked(1, "hook", None, 0, b"\xc1\x00 no MessagePack"),
    Asked(2**63 - 1, "名", 2**53 - 1, 2**63 - 1),
    Asked(3, "名" * MAX_METHOD, None, 0),
    Answered(7, memoryview(b"a view")),
    Failed(8, b"why"),
    Cancelled(9),
    Told("log", b"line"),
]


def test_messages_of_one_frame_are_read_as_they_were_sent() -> None:
    assert messages_of(frame_of(MESSAGES), []) == (MESSAGES, None)


@given(st.binary(max_size=80))
def test_a_random_list_is_messages_or_a_typed_error(data: bytes) -> None:
    assert messages_of(PREFIX.pack(len(data), 0) + data, [])[1] in (None, "garbage")


@given(st.binary(max_size=80))
def test_a_random_failure_is_one_or_a_typed_error(data: bytes) -> None:
    with suppress(ProtocolError):
        read_failure(data)


@given(st.integers(PREFIX.size, 200), st.integers(0, 255))
def test_messages_with_one_byte_changed_are_messages_or_a_typed_error(place: int, value: int) -> None:
    data = bytearray(frame_of(MESSAGES[:2] + MESSAGES[3:]))
    data[min(place, len(data) - 1)] = value
    assert messages_of(bytes(data), [])[1] in (None, "garbage")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x92\x01\x01",  # no list of messages
        b"\x91\x92\x05\x01",  # an unknown kind
        b"\x91\x92\x01\x00",  # ids begin at 1
        b"\x91\x92\x01\xff",
        b"\x91\x92\x04\xa1\xff",  # a name that is no UTF-8
        b"\x91\x95\x00\x01\xa0\xff\x00",  # a negative time
        b"\x91\x92\x01\x01 more",
        b"\xdc\x00\x41" + b"\x92\x03\x01" * 65,  # more messages than belong in one list
        b"\x91\x92\x04\xd9\xff" + b"x" * 256,  # a name cut short, and then something else
        b"\x91\x92\x04\xda\x01\x00" + b"x" * 256,  # a name that is too long
        b"\x91\x93\x01\x01" + b"\x91" * 100_000,  # nested without end
    ],
)
def test_what_is_no_message_is_a_typed_error(data: bytes) -> None:
    assert messages_of(PREFIX.pack(len(data), 0) + data, []) == ([], "garbage")


@pytest.mark.parametrize("messages", [[], [Cancelled(1)]])
@pytest.mark.parametrize("size", [1, LARGE, LIMIT])
def test_a_body_that_belongs_to_no_message_is_a_typed_error(messages: list[Message], size: int) -> None:
    listed = frame_of(messages)[PREFIX.size :]
    assert messages_of(PREFIX.pack(len(listed), size) + listed + bytes(size), []) == ([], "garbage")


def test_a_failure_nested_without_end_is_a_typed_error() -> None:
    with pytest.raises(ProtocolError):
        read_failure(b"\x94\xa0\xa0\xa0" + b"\x91" * 100_000)
