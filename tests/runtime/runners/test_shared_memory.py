"""Shared memory of two ends: blocks come out as they were put in, in order, and nobody can be made to read beyond."""

import os
import socket
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.runtime.runners import shared_memory
from host.runtime.runners.shared_memory import SIZE, BlockReader, BlockWriter, SharedMemory
from host.runtime.runners.wire import ProtocolError

pytestmark = pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="this system has no memory without a name")


def one_direction() -> tuple[BlockWriter, BlockReader]:
    """Both ends of one direction, in this process."""
    file = os.memfd_create("test")
    os.ftruncate(file, shared_memory._HEAD + SIZE)
    return BlockWriter(os.dup(file)), BlockReader(file)


def descriptors() -> int:
    """How many open files this process has."""
    return len([*Path("/proc/self/fd").iterdir()])


@pytest.fixture
def ends() -> Iterator[tuple[BlockWriter, BlockReader]]:
    writer, reader = one_direction()
    yield writer, reader
    writer.close()
    reader.close()


def test_a_block_comes_out_as_it_was_put_in(ends: tuple[BlockWriter, BlockReader]) -> None:
    writer, reader = ends
    place = writer.put(memoryview(b"abcde"))
    assert place is not None
    assert reader.take(place, 5) == b"abcde"


def test_space_is_used_again_once_it_was_read_and_not_before(ends: tuple[BlockWriter, BlockReader]) -> None:
    writer, reader = ends
    half = SIZE // 2
    first, second = writer.put(b"1" * half), writer.put(b"2" * half)
    assert (first, second) == (0, half)
    assert writer.put(b"x") is None
    assert reader.take(0, half) == b"1" * half
    assert writer.put(b"3" * half) == 0
    assert writer.put(b"x") is None
    assert reader.take(half, half) == b"2" * half
    assert reader.take(0, half) == b"3" * half


def test_what_is_larger_than_the_memory_does_not_fit(ends: tuple[BlockWriter, BlockReader]) -> None:
    writer, _ = ends
    assert writer.put(b"x" * (SIZE + 1)) is None
    assert writer.put(b"x" * SIZE) == 0


@given(st.lists(st.tuples(st.booleans(), st.integers(1, SIZE // 3)), max_size=60))
def test_whatever_the_sizes_no_block_is_overwritten_before_it_was_read(steps: list[tuple[bool, int]]) -> None:
    writer, reader = one_direction()
    waiting: deque[tuple[int, int, bytes]] = deque()
    try:
        for number, (reads, size) in enumerate(steps):
            if reads and waiting:
                place, length, mark = waiting.popleft()
                block = reader.take(place, length)
                assert (block[:4], block[-4:], len(block)) == (mark[:length], mark[-length:], length)
            mark = number.to_bytes(4, "little")
            body = (mark * (size // 4 + 1))[: size - size % 4 or 4]
            found = writer.put(body)
            if found is not None:
                assert not any(at < found + len(body) and found < at + length for at, length, _ in waiting)
                waiting.append((found, len(body), mark))
            else:
                assert waiting
    finally:
        writer.close()
        reader.close()


@pytest.mark.parametrize("count", [2**64 - 1, 5])
def test_a_reader_that_claims_more_than_there_is_gains_nothing(
    ends: tuple[BlockWriter, BlockReader], count: int
) -> None:
    writer, reader = ends
    writer.put(b"abcd")
    reader._count[0] = count
    assert writer.put(b"x" * SIZE) == 0


def test_a_place_beyond_the_memory_is_a_protocol_error(ends: tuple[BlockWriter, BlockReader]) -> None:
    _, reader = ends
    with pytest.raises(ProtocolError, match="beyond its end"):
        reader.take(SIZE - 3, 4)


def test_both_ends_of_a_socket_pair_share_what_one_gives() -> None:
    here, there = socket.socketpair()
    before = descriptors()
    with here, there:
        given_, taken = SharedMemory.give(here), SharedMemory.take(there)
        assert given_ is not None
        assert taken is not None
        place = given_.writer.put(b"out")
        assert place is not None
        assert taken.reader.take(place, 3) == b"out"
        place = taken.writer.put(b"back")
        assert place is not None
        assert given_.reader.take(place, 4) == b"back"
        given_.close()
        taken.close()
        assert descriptors() == before
