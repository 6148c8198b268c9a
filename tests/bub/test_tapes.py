"""Tape stores: the same questions to each."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.bub.builtin import Builtin
from host.bub.recording import Tape
from host.bub.sqlite_tapes import SQLiteTapeStore
from host.bub.tapes import InMemoryTapeStore, TapeEntry, TapeQuery, TapeStore
from tests.bub.making import framework


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TapeStore]:
    if request.param == "memory":
        yield InMemoryTapeStore()
    else:
        yield from SQLiteTapeStore.kept(tmp_path / "tapes" / "tapes.db")


def _fill(store: TapeStore) -> None:
    for kind, payload in (
        ("message", {"role": "user", "content": "你好"}),
        ("anchor", {"name": "a"}),
        ("message", {"n": 2}),
        ("event", {"n": 3}),
        ("anchor", {"name": "b"}),
        ("message", {"n": 4}),
    ):
        store.append("t", TapeEntry(kind, payload, {"run_id": "r"}))


def test_entries_come_back_in_order_with_their_places(store: TapeStore) -> None:
    _fill(store)
    store.append("other", TapeEntry("event", {}))
    entries = store.fetch_all(TapeQuery("t"))
    assert [entry.id for entry in entries] == [1, 2, 3, 4, 5, 6]
    assert [entries[0].payload["content"], entries[0].meta] == ["你好", {"run_id": "r"}]
    assert store.list_tapes() == ["other", "t"]


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        (TapeQuery("t", kinds=("message",)), [1, 3, 6]),
        (TapeQuery("t", after_anchor=""), [6]),
        (TapeQuery("t", after_anchor="a"), [3, 4, 5, 6]),
        (TapeQuery("t", after_anchor="none"), [1, 2, 3, 4, 5, 6]),
        (TapeQuery("t", limit=2), [5, 6]),
        (TapeQuery("t", limit=0), []),
        (TapeQuery("t", limit=99, kinds=("event",)), [4]),
        (TapeQuery("missing"), []),
    ],
)
def test_what_is_asked_for(store: TapeStore, query: TapeQuery, ids: list[int]) -> None:
    _fill(store)
    assert [entry.id for entry in store.fetch_all(query)] == ids


def test_a_tape_is_forgotten_alone(store: TapeStore) -> None:
    _fill(store)
    store.append("other", TapeEntry("event", {}))
    store.reset("t")
    assert store.list_tapes() == ["other"]


async def test_a_run_is_seen_by_nobody_until_it_ends(store: TapeStore) -> None:
    _fill(store)
    tape = Tape("t", store, "run")
    async with tape.forked():
        await tape.append("message", {"content": ["text", {"type": "image", "url": "data:..."}]})
        assert [entry.id for entry in await tape.entries(TapeQuery("t", limit=1))] == [1], "its place comes when merged"
        assert len(store.fetch_all(TapeQuery("t"))) == 6
    last = store.fetch_all(TapeQuery("t"))[-1]
    assert [last.id, last.payload, last.meta] == [7, {"content": ["text"]}, {"run_id": "run"}]


async def test_writers_of_one_file_take_turns(tmp_path: Path) -> None:
    stores = [SQLiteTapeStore(tmp_path / "tapes.db") for _ in range(2)]
    writes = [asyncio.to_thread(each.append, "t", TapeEntry("event", {})) for each in stores * 20]
    await asyncio.gather(*writes)
    assert [entry.id for entry in stores[0].fetch_all(TapeQuery("t"))] == list(range(1, 41))
    for each in stores:
        each.close()


async def test_the_file_is_kept_from_run_to_run(tmp_path: Path) -> None:
    for count in (1, 2):
        host = framework()
        host.plugins.register(Builtin(host, tmp_path / "tapes.db"), "builtin")
        async with host.running():
            host.resources.tape_store.append("t", TapeEntry("event", {}))
            assert len(host.resources.tape_store.fetch_all(TapeQuery("t"))) == count
