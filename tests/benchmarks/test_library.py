"""The rows about the library of emoji: they are measured. No test of speed."""

import pytest

from benchmarks import library
from benchmarks.cases import CASES, LIBRARY
from benchmarks.harness import Effort

TINY = Effort(processes=1, rounds=1, stretch=0.0001, window=0.01)


async def test_the_rows_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "FEW", 3)
    monkeypatch.setattr(library, "MANY", 30)
    assert list(library.LIBRARY) == [each.key for each in CASES if each.subject == LIBRARY]
    for key in ("emoji-choose", "emoji-all", "emoji-register"):
        samples = await library.LIBRARY[key](TINY)
        assert samples.values
        assert all(value > 0 for value in samples.values)
