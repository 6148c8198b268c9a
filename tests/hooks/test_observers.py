"""Observers: started all at once, not waited for, each with its own snapshot, within bounds."""

import asyncio
from typing import Any

import pytest

from host.hooks import Hooks, HookSettings
from maibot_sdk.types import HookMode
from tests.hooks.greeting import HOOK, add, fire, hooks_with, on


async def test_observers_are_not_waited_for_and_run_side_by_side() -> None:
    hooks = hooks_with()
    both = asyncio.Barrier(2)

    async def meets(**kwargs: Any) -> None:
        await both.wait()

    add(hooks, meets, meets, mode=HookMode.OBSERVE)
    result = await fire(hooks)
    assert result.errors == ()
    async with asyncio.timeout(10):
        await hooks.drain()


async def test_an_observer_sees_the_payload_as_it_was_when_the_dispatch_ended() -> None:
    hooks = hooks_with()
    go_on = asyncio.Event()
    seen: list[Any] = []

    async def changes(**kwargs: Any) -> dict[str, Any]:
        return {"modified_kwargs": {"text": "changed"}}

    async def edits_late(**kwargs: Any) -> None:
        await go_on.wait()
        seen.append((kwargs["text"], list(kwargs["tags"]), kwargs["hook_name"]))
        kwargs["tags"].append("observer's")

    hooks.register(
        "demo.plugin",
        [on(changes), on(edits_late, "a", mode="observe"), on(edits_late, "b", mode="observe")],
    )
    payload = {"text": "hi", "tags": ["given"]}
    result = await hooks.invoke(HOOK, payload)
    payload["tags"].append("caller's")  # type: ignore[attr-defined]
    result.kwargs["text"] = "result's"
    go_on.set()
    await hooks.drain()
    assert seen == [("changed", ["given"], HOOK)] * 2
    assert payload["tags"] == result.kwargs["tags"] == ["given", "caller's"]


async def test_what_observers_return_is_ignored_with_one_warning_each(logged: list[str]) -> None:
    hooks = hooks_with()

    def returning(index: int) -> Any:
        async def handler(**kwargs: Any) -> Any:
            return {"action": "abort", "modified_kwargs": {"text": f"from {index}"}}

        return handler

    add(hooks, *(returning(index) for index in range(6)), mode=HookMode.OBSERVE)
    for _ in range(3):
        result = await fire(hooks)
        await hooks.drain()
    assert (result.kwargs, result.aborted, result.custom_results) == ({"text": "hi"}, False, ())
    assert len([line for line in logged if "is ignored" in line]) == 6


async def test_an_observers_failure_is_logged_and_stays_its_own(logged: list[str]) -> None:
    hooks = hooks_with()
    ran: list[str] = []

    async def fails(**kwargs: Any) -> None:
        raise ValueError("observer broke")

    async def hangs(**kwargs: Any) -> None:
        await asyncio.Event().wait()

    async def exits(**kwargs: Any) -> None:
        raise SystemExit(1)

    async def healthy(**kwargs: Any) -> None:
        ran.append("healthy")

    add(hooks, fails, hangs, exits, healthy, mode=HookMode.OBSERVE, timeout_ms=20)
    await fire(hooks)
    await hooks.drain()
    assert ran == ["healthy"]
    for text in ("observer broke", "ran longer than 20 ms", "SystemExit: 1"):
        assert len([line for line in logged if text in line]) == 1


async def test_a_slow_observer_runs_few_calls_holds_some_and_drops_the_oldest() -> None:
    hooks = hooks_with(HookSettings(observer_concurrency=3, observer_backlog=5))
    go_on = asyncio.Event()
    running, most, seen = 0, 0, list[int]()

    async def slow(count: int, **kwargs: Any) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await go_on.wait()
        running -= 1
        seen.append(count)

    hooks.register("demo.plugin", [on(slow, mode="observe")])
    for count in range(100):
        await fire(hooks, count=count)
        await asyncio.sleep(0)
    assert hooks.describe()[0].dropped == {("demo.plugin", "slow"): 92}
    go_on.set()
    await hooks.drain()
    assert most == 3
    assert sorted(seen) == [0, 1, 2, 95, 96, 97, 98, 99]


async def test_ten_thousand_calls_of_a_stuck_observer_leave_few_tasks_and_stop_is_at_once() -> None:
    hooks = hooks_with()

    async def stuck(**kwargs: Any) -> None:
        await asyncio.Event().wait()

    hooks.register("demo.plugin", [on(stuck, mode="observe")])
    before = asyncio.all_tasks()
    for count in range(10_000):
        await fire(hooks, count=count)
    await asyncio.sleep(0)
    assert len(asyncio.all_tasks() - before) == 8
    assert hooks.describe()[0].dropped == {("demo.plugin", "stuck"): 10_000 - 8 - 256}
    async with asyncio.timeout(10):
        await hooks.aclose()
    assert asyncio.all_tasks() == before


async def test_a_removed_observer_gets_none_of_the_calls_that_waited() -> None:
    hooks = hooks_with(HookSettings(observer_concurrency=1))
    go_on = asyncio.Event()
    seen: list[int] = []

    async def slow(count: int, **kwargs: Any) -> None:
        await go_on.wait()
        seen.append(count)

    hooks.register("demo.plugin", [on(slow, mode="observe")])
    for count in range(3):
        await fire(hooks, count=count)
    await asyncio.sleep(0)
    hooks.remove("demo.plugin")
    go_on.set()
    await hooks.drain()
    assert seen == [0]


async def test_observers_that_fire_hooks_in_a_ring_are_stopped_by_the_depth(logged: list[str]) -> None:
    hooks = hooks_with(HookSettings(max_chain_depth=5))
    counts: list[int] = []

    async def again(count: int, **kwargs: Any) -> None:
        counts.append(count)
        await fire(hooks, count=count + 1)

    hooks.register("demo.plugin", [on(again, mode="observe")])
    await fire(hooks, count=1)
    async with asyncio.timeout(10):
        await hooks.drain()
    assert counts == [1, 2, 3, 4, 5]
    assert len([line for line in logged if "ChainDepthError" in line]) == 1


async def test_a_plain_function_may_observe() -> None:
    hooks = hooks_with()
    seen: list[str] = []

    def plain(text: str) -> None:
        seen.append(text)

    hooks.register("demo.plugin", [on(plain, mode="observe")])
    await fire(hooks)
    await hooks.drain()
    assert seen == ["hi"]


async def test_closing_the_kernel_cancels_observers_and_it_can_be_used_again() -> None:
    hooks: Hooks = hooks_with()
    ended: list[str] = []

    async def waits(text: str, **kwargs: Any) -> None:
        try:
            if text == "hi":
                await asyncio.Event().wait()
        finally:
            ended.append(text)

    hooks.register("demo.plugin", [on(waits, mode="observe")])
    await fire(hooks)
    await asyncio.sleep(0)
    await hooks.aclose()
    assert ended == ["hi"]
    await fire(hooks, text="again")
    await hooks.drain()
    assert ended == ["hi", "again"]


@pytest.mark.parametrize("observing", [0, 1])
async def test_cancelled_dispatches_start_no_observer(observing: int) -> None:
    hooks = hooks_with()
    ran: list[str] = []

    async def waits(**kwargs: Any) -> None:
        await asyncio.Event().wait()

    async def observes(**kwargs: Any) -> None:
        ran.append("observer")

    hooks.register("demo.plugin", [on(waits), on(observes, mode="observe")])
    caller = asyncio.create_task(fire(hooks))
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await hooks.drain()
    assert ran == []
