"""What a handler's deadline must do and must not: with nested timeouts, outside cancellation, task groups, clean-up."""

import asyncio
import contextlib
import gc
import time
import weakref
from collections.abc import Callable
from typing import Any, Literal

import anyio
import pytest

from tests.hooks.greeting import fire, hooks_with, on

Outcome = tuple[Literal["ok", "timeout", "exception", "cancelled"], Any]


async def run(*handlers: Callable[..., Any], limit: float) -> list[Outcome]:
    """Dispatch to `handlers`, each with a deadline of `limit` seconds, and tell how each ended."""
    values: dict[str, Any] = {}

    def recording(name: str, handler: Callable[..., Any]) -> Callable[..., Any]:
        async def call(**kwargs: Any) -> None:
            values[name] = await handler()

        return call

    hooks = hooks_with()
    names = [f"{index:02d}" for index in range(len(handlers))]
    hooks.register(
        "demo.plugin",
        [
            on(recording(name, each), name, timeout_ms=round(limit * 1000))
            for name, each in zip(names, handlers, strict=True)
        ],
    )
    result = await fire(hooks)
    kinds = {error.handler: error.kind for error in result.errors}
    return [(kinds[name], None) if name in kinds else ("ok", values[name]) for name in names]  # type: ignore[misc]


async def ok() -> int:
    return 1


async def forever() -> None:
    await asyncio.Event().wait()


def clean() -> None:
    """No cancellation request of the host's is left on the task."""
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


TIMEOUT: Outcome = ("timeout", None)
OK: Outcome = ("ok", 1)


async def test_a_handler_within_its_deadline_just_returns() -> None:
    assert await run(ok, limit=1) == [OK]


async def test_after_a_timeout_the_next_handler_runs() -> None:
    before = time.monotonic()
    assert await run(forever, ok, limit=0.04) == [TIMEOUT, OK]
    assert 0.03 < time.monotonic() - before < 5
    clean()


async def test_clean_up_that_awaits_runs_to_its_end() -> None:
    log = []

    async def cleans() -> None:
        try:
            await forever()
        finally:
            await asyncio.sleep(0.01)
            log.append("cleaned")

    assert await run(cleans, limit=0.02) == [TIMEOUT]
    assert log == ["cleaned"]


async def test_an_inner_timeout_that_is_shorter_is_the_handlers_own() -> None:
    async def inner() -> str:
        try:
            async with asyncio.timeout(0.02):
                await forever()
        except TimeoutError:
            return "inner"
        return "never"

    assert await run(inner, limit=2) == [("ok", "inner")]
    clean()


async def test_an_inner_timeout_that_is_longer_does_not_get_in_the_way() -> None:
    async def inner() -> None:
        async with asyncio.timeout(5):
            await forever()

    assert await run(inner, ok, limit=0.03) == [TIMEOUT, OK]
    clean()


async def test_a_timeout_around_the_dispatch_wins() -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.03):
            await run(forever, forever, limit=2)
    clean()


async def test_cancellation_from_outside_passes_through() -> None:
    caller = asyncio.create_task(run(forever, forever, limit=2))
    await asyncio.sleep(0.01)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller


async def test_children_in_an_anyio_task_group_are_cancelled() -> None:
    ended = []

    async def child() -> None:
        try:
            await forever()
        finally:
            ended.append("child")

    async def parent() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(child)
            group.start_soon(child)
            await forever()

    assert await run(parent, ok, limit=0.03) == [TIMEOUT, OK]
    assert ended == ["child", "child"]
    clean()


async def test_an_anyio_task_group_that_ends_in_time_is_untouched() -> None:
    async def parent() -> str:
        async with anyio.create_task_group() as group:
            group.start_soon(anyio.sleep, 0.01)
            group.start_soon(anyio.sleep, 0.01)
        return "done"

    assert await run(parent, parent, limit=5) == [("ok", "done")] * 2
    clean()


async def test_an_inner_anyio_scope_that_is_shorter_is_the_handlers_own() -> None:
    async def inner() -> str:
        try:
            with anyio.fail_after(0.02):
                await anyio.sleep_forever()
        except TimeoutError:
            return "inner"
        return "never"

    assert await run(inner, limit=2) == [("ok", "inner")]
    clean()


async def test_scopes_may_open_before_the_first_suspension_and_close_after() -> None:
    async def scopes() -> str:
        with anyio.CancelScope():
            await anyio.sleep(0.01)
        with anyio.move_on_after(0.01):
            await anyio.sleep_forever()
        return "through"

    assert await run(scopes, limit=5) == [("ok", "through")]
    clean()


async def test_an_anyio_scope_around_the_dispatch_wins() -> None:
    with anyio.move_on_after(0.03) as scope:
        await run(forever, limit=2)
    assert scope.cancelled_caught
    await asyncio.sleep(0)
    clean()


async def test_a_swallowed_cancellation_leaks_into_no_later_handler() -> None:
    async def swallows() -> str:
        with contextlib.suppress(asyncio.CancelledError):
            await forever()
        return "swallowed"

    async def sleeps() -> int:
        await asyncio.sleep(0.005)
        return 2

    assert (await run(swallows, sleeps, limit=0.03))[1] == ("ok", 2)
    clean()


async def test_what_comes_after_the_deadline_is_a_timeout_and_no_result() -> None:
    async def late() -> str:
        with contextlib.suppress(asyncio.CancelledError):
            await forever()
        return "late"

    async def raises_late() -> None:
        try:
            await forever()
        except asyncio.CancelledError:
            raise ValueError("late") from None

    assert await run(late, raises_late, ok, limit=0.02) == [TIMEOUT, TIMEOUT, OK]
    clean()


async def test_when_caller_and_deadline_come_in_the_same_turn_the_caller_wins() -> None:
    caller = asyncio.create_task(run(forever, forever, limit=0.03))
    await asyncio.sleep(0.025)
    asyncio.get_running_loop().call_soon(caller.cancel)
    time.sleep(0.01)  # noqa: ASYNC251 - makes both due in one turn of the loop
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(asyncio.shield(caller), 5)
    assert caller.cancelled()


async def test_the_same_deadline_outside_and_inside_leaves_nothing_behind() -> None:
    for _ in range(5):
        try:
            async with asyncio.timeout(0.02):
                await run(forever, limit=0.02)
        except TimeoutError:
            pass
        clean()


async def test_children_in_an_asyncio_task_group_are_cancelled() -> None:
    ended = []

    async def child() -> None:
        try:
            await forever()
        finally:
            ended.append("child")

    async def parent() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(child())
            group.create_task(child())

    assert await run(parent, ok, limit=0.03) == [TIMEOUT, OK]
    assert ended == ["child", "child"]
    clean()


async def test_a_handlers_own_timeout_error_is_an_exception_like_any_other() -> None:
    async def raises() -> None:
        await asyncio.sleep(0)
        raise TimeoutError("mine")

    assert await run(raises, ok, limit=5) == [("exception", None), OK]
    clean()


async def test_a_dispatch_inside_a_handler_has_deadlines_of_its_own() -> None:
    async def nested() -> list[Outcome]:
        return await run(forever, ok, limit=0.03)

    assert await run(nested, ok, limit=5) == [("ok", [TIMEOUT, OK]), OK]
    clean()


async def test_the_outer_handlers_deadline_ends_a_dispatch_inside_it() -> None:
    async def nested() -> list[Outcome]:
        return await run(forever, ok, limit=5)

    assert await run(nested, ok, limit=0.03) == [TIMEOUT, OK]
    clean()


async def test_an_inner_timeout_in_the_same_turn_as_the_deadline_is_one_or_the_other() -> None:
    async def inner() -> str:
        try:
            async with asyncio.timeout(0.03):
                await forever()
        except TimeoutError:
            return "inner"
        return "never"

    for _ in range(5):
        first, second = await run(inner, ok, limit=0.03)
        assert first in (("ok", "inner"), TIMEOUT)
        assert second == OK
        clean()


async def test_a_task_that_the_handler_waits_for_is_cancelled() -> None:
    ended = []

    async def child() -> None:
        try:
            await forever()
        except asyncio.CancelledError:
            ended.append("child")
            raise

    async def waits() -> None:
        await asyncio.create_task(child())

    assert await run(waits, ok, limit=0.03) == [TIMEOUT, OK]
    assert ended == ["child"]
    clean()


async def test_a_task_cancelled_by_somebody_else_is_the_failure_of_the_handler_that_waits_for_it() -> None:
    async def waits() -> None:
        child = asyncio.create_task(forever())
        asyncio.get_running_loop().call_soon(child.cancel)
        await child

    assert await run(waits, ok, limit=5) == [("cancelled", None), OK]
    clean()


async def test_closing_the_dispatch_runs_the_handlers_finally() -> None:
    ended = []

    async def cleans(**kwargs: Any) -> None:
        try:
            await forever()
        finally:
            ended.append("cleaned")

    hooks = hooks_with()
    hooks.register("demo.plugin", [on(cleans)])
    dispatch = hooks.invoke("greeting.before_send", {"text": "hi"})
    dispatch.send(None)
    dispatch.close()
    assert ended == ["cleaned"]


async def test_exceptions_before_and_after_the_first_suspension_are_isolated() -> None:
    async def at_once() -> None:
        raise ValueError(1)

    async def later() -> None:
        await asyncio.sleep(0)
        raise ValueError(2)

    assert await run(at_once, later, ok, limit=5) == [("exception", None), ("exception", None), OK]


async def test_the_caller_can_still_cancel_during_the_clean_up_after_a_timeout() -> None:
    cleaning = asyncio.Event()

    async def cleans_slowly() -> None:
        try:
            await forever()
        finally:
            cleaning.set()
            await forever()

    caller = asyncio.create_task(run(cleans_slowly, ok, limit=0.02))
    await cleaning.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller


async def test_an_anyio_scope_outside_that_is_due_in_the_same_turn_is_kept() -> None:
    for _ in range(5):
        with anyio.move_on_after(0.02) as scope:
            await run(forever, limit=0.02)
            await anyio.sleep_forever()
        assert scope.cancelled_caught
        await asyncio.sleep(0)
        clean()


async def test_a_short_deadline_that_comes_after_a_long_one_is_kept() -> None:
    hooks = hooks_with()

    async def quick(**kwargs: Any) -> None: ...

    async def hangs(**kwargs: Any) -> None:
        await forever()

    hooks.register("demo.plugin", [on(quick, "a", timeout_ms=600_000), on(hangs, "b", timeout_ms=20)])
    async with asyncio.timeout(10):
        result = await fire(hooks)
    assert [(error.handler, error.kind) for error in result.errors] == [("b", "timeout")]


async def test_many_parked_dispatches_each_end_at_their_own_deadline() -> None:
    hooks = hooks_with()

    async def hangs(**kwargs: Any) -> None:
        await forever()

    for index in range(10):
        hooks.register(f"p.p{index}", [on(hangs, timeout_ms=10 + index)])
    results = await asyncio.gather(*(fire(hooks) for _ in range(20)))
    assert all([error.kind for error in result.errors] == ["timeout"] * 10 for result in results)


def test_one_kernel_serves_several_event_loops_one_after_another() -> None:
    hooks = hooks_with()

    async def hangs(**kwargs: Any) -> None:
        await forever()

    hooks.register("demo.plugin", [on(hangs, timeout_ms=10)])
    for _ in range(2):
        assert [error.kind for error in asyncio.run(fire(hooks)).errors] == ["timeout"]


async def test_nothing_is_kept_of_dispatches_that_ended() -> None:
    class Marker:
        """Something weakly referenceable to follow."""

    markers: weakref.WeakSet[Marker] = weakref.WeakSet()

    async def fails(**kwargs: Any) -> None:
        marker = Marker()
        markers.add(marker)
        if kwargs["count"] % 3 == 0:
            raise ValueError("with a frame that holds the marker")
        if kwargs["count"] % 3 == 1:
            await forever()

    hooks = hooks_with()
    hooks.register("demo.plugin", [on(fails, timeout_ms=5), on(fails, "seen", mode="observe", timeout_ms=5)])
    before = asyncio.all_tasks()
    for count in range(30):
        await fire(hooks, count=count)
    await hooks.drain()
    gc.collect()
    assert len(markers) == 0
    assert asyncio.all_tasks() == before
