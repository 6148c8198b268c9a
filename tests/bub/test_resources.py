"""What lives while the application runs, and in which order it comes and goes; compared with Bub's own answers."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from host.bub import hookimpl
from host.bub.errors import OverlappingScopesError
from tests.bub.making import ANSWERS, framework, plain, plugin


def two(log: list[Any]) -> tuple[Any, Any]:
    """A with a lifespan, a store and an inbox, B with a lifespan; all write down when they start and stop."""

    def held(name: str, value: Any = None) -> Iterator[Any]:
        log.append(f"{name} start")
        try:
            yield value
        finally:
            log.append(f"{name} stop")

    async def of_b() -> AsyncIterator[None]:
        log.append("B start")
        try:
            yield
        finally:
            log.append("B stop")

    first = plugin(
        "A",
        provide_lifespan=lambda: held("A"),
        provide_tape_store=lambda: held("store", "STORE"),
        provide_steering_inbox=lambda: held("inbox", "INBOX"),
    )
    return first, plugin("B", provide_lifespan=of_b)


async def test_the_order_of_coming_and_going() -> None:
    log: list[Any] = []
    host = framework(*two(log))
    async with host.running():
        log.append(("body", host.resources.tape_store, host.resources.steering_inbox))
    log.append(("after", host.resources.tape_store, host.resources.steering_inbox))
    assert plain(log) == ANSWERS["lifespan_order"]


async def test_a_failing_body() -> None:
    log: list[Any] = []
    with pytest.raises(ValueError, match="body") as raised:
        async with framework(*two(log)).running():
            raise ValueError("body")
    assert [*log, repr(raised.value)] == ANSWERS["lifespan_body_raises"]


def _failing_at_once() -> Iterator[None]:
    raise ValueError("C start")


async def test_a_failing_start_leaves_what_started() -> None:
    log: list[Any] = []

    def provide_lifespan() -> Iterator[None]:
        yield from _failing_at_once()

    host = framework(plugin("C", provide_lifespan=hookimpl(trylast=True)(provide_lifespan)), *two(log))
    with pytest.raises(ValueError, match="C start") as raised:
        async with host.running():
            log.append("body")
    assert [*log, repr(raised.value)] == ANSWERS["lifespan_start_failure_unwinds_started"]


async def test_what_is_no_generator_is_not_entered(said: list[str]) -> None:
    log: list[str] = []

    @contextlib.contextmanager
    def manager() -> Iterator[None]:
        log.append("cm start")
        yield

    async def coroutine() -> None:
        log.append("coro ran")

    host = framework(
        plugin("cm", provide_lifespan=hookimpl(manager)),
        plugin("none", provide_lifespan=lambda: None),
        plugin("coro", provide_lifespan=coroutine),
    )
    async with host.running():
        log.append("body")
    assert log == ANSWERS["lifespan_forms"]
    assert said == ["WARNING: hook.async_not_supported hook=provide_lifespan adapter=coro"]


@pytest.mark.parametrize(("yields", "question"), [(0, "lifespan_zero_yield"), (2, "lifespan_two_yields")])
async def test_not_exactly_one_yield(yields: int, question: str) -> None:
    def provide_lifespan() -> Iterator[None]:
        for _ in range(yields):
            yield

    with pytest.raises(RuntimeError) as raised:
        async with framework(plugin(provide_lifespan=provide_lifespan)).running():
            pass
    assert f"RAISED RuntimeError: {raised.value}" == ANSWERS[question]


async def test_a_generator_may_swallow_what_the_body_raised() -> None:
    log: list[str] = []

    def provide_lifespan() -> Iterator[None]:
        try:
            yield
        except ValueError:
            log.append("swallowed")

    async with framework(plugin(provide_lifespan=provide_lifespan)).running():
        raise ValueError("x")
    log.append("continued")  # type: ignore[unreachable]
    assert log == ANSWERS["lifespan_generator_can_suppress_body_exception"]


async def test_two_scopes_do_not_overlap() -> None:
    host = framework()
    async with host.running():
        with pytest.raises(OverlappingScopesError):
            async with host.running():
                pass
    async with host.running():
        pass


class Environment:
    """One that only writes down when it is closed."""

    def __init__(self, log: list[str], name: str, *, failing: bool = False) -> None:
        self._log, self._name, self._failing = log, name, failing

    async def spawn(self) -> None: ...
    async def read_text(self) -> None: ...
    async def write_text(self) -> None: ...
    async def close(self) -> None:
        self._log.append(f"close {self._name}")
        if self._failing:
            raise RuntimeError("close")


async def test_environments_are_of_a_session_and_close_first(said: list[str]) -> None:
    log: list[str] = []

    async def provide_environment(session_id: str) -> Environment:
        log.append(f"make {session_id}")
        return Environment(log, session_id, failing=session_id == "s1")

    host = framework(*two(log), plugin("E", provide_environment=provide_environment))
    async with host.running():
        for session in ("s1", "s1", "s2"):
            await host.resources.environment(session)
    assert log == ANSWERS["environment_cached_per_session_closed_before_resources"]
    assert [line.startswith("WARNING: Failed to close environment <") for line in said] == [True]


async def test_an_environment_of_another_type() -> None:
    with pytest.raises(TypeError) as raised:
        await framework(plugin(provide_environment=lambda: 5)).resources.environment("s")
    assert f"RAISED TypeError: {raised.value}" == ANSWERS["environment_wrong_type"]


async def test_no_environment_is_asked_for_once() -> None:
    log: list[str] = []
    host = framework(plugin(provide_environment=lambda: log.append("called")))
    for _ in range(2):
        assert await host.resources.environment("s") is None
    assert log == ANSWERS["environment_none_cached"]


async def test_of_two_made_at_once_the_later_is_closed() -> None:
    log: list[str] = []
    made = 0
    second_is_asked, first_is_done = asyncio.Event(), asyncio.Event()

    async def provide_environment() -> Environment:
        nonlocal made
        made += 1
        if made == 1:
            await second_is_asked.wait()
            return Environment(log, "#1")
        second_is_asked.set()
        await first_is_done.wait()
        return Environment(log, "#2")

    host = framework(plugin(provide_environment=provide_environment))
    asked = [asyncio.create_task(host.resources.environment("s")) for _ in range(2)]
    first = await asked[0]
    first_is_done.set()
    same = await asked[1] is first
    assert [same, log] == ANSWERS["environment_concurrent_creation_loser_closed"]
