"""A scope undoes what was done, the latest first, whatever one undo of it does."""

import pytest

from host.runtime.scope import Scope


async def test_effects_are_undone_in_reverse_sync_and_async() -> None:
    undone: list[str] = []
    scope = Scope("a.plugin")

    async def later(what: str) -> None:
        undone.append(what)

    scope.effect("one", lambda: undone.append("one"))
    scope.effect("two", lambda: later("two"))
    scope.effect("three", lambda: undone.append("three"))
    await scope.aclose()
    assert undone == ["three", "two", "one"]
    await scope.aclose()
    assert undone == ["three", "two", "one"]


async def test_what_was_taken_back_otherwise_is_forgotten() -> None:
    undone: list[str] = []
    scope = Scope("a.plugin")
    for what in ("one", "two"):
        scope.effect(what, lambda what=what: undone.append(what))  # type: ignore[misc]
    scope.forget("one")
    scope.forget("three")
    await scope.aclose()
    assert undone == ["two"]


async def test_an_undo_that_fails_is_logged_and_the_others_are_done(logged: list[str]) -> None:
    undone: list[str] = []
    scope = Scope("a.plugin")
    scope.effect("one", lambda: undone.append("one"))
    scope.effect("two", lambda: 1 / 0)  # type: ignore[arg-type, return-value]
    await scope.aclose()
    assert undone == ["one"]
    assert any("two could not be undone" in line for line in logged)


async def test_effects_that_undoing_adds_are_undone_too() -> None:
    undone: list[str] = []
    scope = Scope("a.plugin")
    scope.effect("outer", lambda: scope.effect("inner", lambda: undone.append("inner")))
    await scope.aclose()
    assert undone == ["inner"]


def test_nothing_happens_before_it_is_closed() -> None:
    scope = Scope("a.plugin")
    scope.effect("one", lambda: pytest.fail("undone too early"))
