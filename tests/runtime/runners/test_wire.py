"""Frames and messages: what is cut into pieces comes out whole, and what is none is told from what is one."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.runtime.runners.wire import (
    CHUNK,
    LARGE,
    LENGTH,
    Answered,
    Asked,
    Body,
    Cancelled,
    Failed,
    FrameReader,
    Head,
    ProtocolError,
    Told,
    head_of,
    read,
    read_failure,
)

LIMIT = 4 * CHUNK


def frames_of(data: bytes, cuts: list[int], limit: int = LIMIT) -> tuple[list[bytes], str | None]:
    """The frames of `data` that comes in pieces cut at these places, and the code of the error that ended it."""
    reader = FrameReader(limit)
    frames: list[bytes] = []
    try:
        for start, stop in pairwise([0, *sorted(cut for cut in cuts if cut < len(data)), len(data)]):
            piece = memoryview(data)[start:stop]
            while piece:
                space = reader.space()
                count = min(len(space), len(piece))
                space[:count] = piece[:count]
                piece = piece[count:]
                frames.extend(bytes(frame) for frame in reader.filled(count))
    except ProtocolError as error:
        return frames, error.code
    return frames, None


def stream(bodies: list[bytes]) -> bytes:
    return b"".join(LENGTH.pack(len(body)) + body for body in bodies)


SIZES = st.one_of(
    st.integers(0, 40),
    st.sampled_from([LARGE - 1, LARGE, LARGE + 1, CHUNK - 5, CHUNK - 4, CHUNK - 3, CHUNK, CHUNK + 1, LIMIT]),
)
CUTS = st.lists(st.integers(0, 6 * CHUNK), max_size=30)


@given(st.lists(SIZES, max_size=8), CUTS)
def test_frames_come_out_as_they_went_in_however_they_are_cut(sizes: list[int], cuts: list[int]) -> None:
    bodies = [bytes([index + 1]) * size for index, size in enumerate(sizes)]
    assert frames_of(stream(bodies), cuts) == (bodies, None)


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=20))
def test_random_bytes_mean_the_same_however_they_are_cut(data: bytes, cuts: list[int]) -> None:
    assert frames_of(data, cuts, 200) == frames_of(data, [], 200) == frames_of(data, list(range(len(data))), 200)


@given(st.lists(st.integers(0, 100), max_size=5), st.integers(LIMIT + 1, 2**32 - 1), CUTS)
def test_a_length_above_the_limit_is_an_error_after_the_frames_before_it(
    sizes: list[int], length: int, cuts: list[int]
) -> None:
    bodies = [b"x" * size for size in sizes]
    data = stream(bodies) + LENGTH.pack(length) + b"more"
    assert frames_of(data, cuts) == (bodies, "frame_too_long")


def test_a_frame_that_was_given_stays_as_it_is() -> None:
    reader = FrameReader(LIMIT)
    kept: list[Body] = []
    for letter in b"abc":
        data = stream([bytes([letter]) * 10])
        reader.space()[: len(data)] = data
        kept.extend(reader.filled(len(data)))
    assert kept == [b"a" * 10, b"b" * 10, b"c" * 10]


HEADS = [
    Asked(1, "hook", None, 0),
    Asked(2**63 - 1, "名", 2**53 - 1, 2**63 - 1),
    Answered(7),
    Failed(8),
    Cancelled(9),
    Told("log"),
]


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("body", [b"", b"\xc1\x00 no MessagePack"])
def test_a_message_is_read_as_it_was_sent(head: Head, body: bytes) -> None:
    assert read(head_of(head) + body) == (head, body)
    assert read(memoryview(head_of(head) + body)) == (head, body)


def code_of(reads: Callable[[bytes], object], data: bytes) -> str | None:
    """The code of the error that reading `data` raises, or None."""
    try:
        reads(data)
    except ProtocolError as error:
        return error.code
    return None


@given(st.binary(max_size=80))
def test_random_bytes_are_a_message_or_a_typed_error(data: bytes) -> None:
    assert code_of(read, data) in (None, "garbage")
    assert code_of(read_failure, data) in (None, "garbage")


@given(st.sampled_from(HEADS), st.integers(0, 200), st.integers(0, 255))
def test_a_message_with_one_byte_changed_is_a_message_or_a_typed_error(head: Head, place: int, value: int) -> None:
    data = bytearray(head_of(head) + b"body")
    data[place % len(data)] = value
    assert code_of(read, bytes(data)) in (None, "garbage")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00",
        b"\x09\x92\x01\x01",  # a head longer than its frame
        b"\x03\x92\x05\x01",  # an unknown kind
        b"\x03\x92\x01\x00",  # ids begin at 1
        b"\x03\x92\x01\xff",
        b"\x03\x92\x04\xa1\xff",
        b"\x04\x92\x04\xa1\xff",  # a name that is no UTF-8
        b"\x06\x95\x00\x01\xa0\xff\x00",  # a negative time
    ],
)
def test_what_is_no_message_is_a_typed_error(data: bytes) -> None:
    with pytest.raises(ProtocolError) as caught:
        read(data)
    assert caught.value.code == "garbage"


def test_a_failure_nested_without_end_is_a_typed_error() -> None:
    with pytest.raises(ProtocolError):
        read_failure(b"\x94\xa0\xa0\xa0" + b"\x91" * 100_000)


def test_a_name_too_long_for_a_head_is_refused_where_it_is_sent() -> None:
    with pytest.raises(ValueError, match="shorter name"):
        head_of(Told("x" * 300))
