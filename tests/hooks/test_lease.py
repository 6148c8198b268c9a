"""A plugin that is being reloaded is waited for, a little; one that is gone is passed over, and that is recorded."""

import asyncio
from typing import Any

import pytest

from host.hooks import HookSettings
from tests.hooks.greeting import fire, hooks_with, on


def _labelled(label: str, ran: list[str]) -> Any:
    async def handler(**kwargs: Any) -> None:
        ran.append(label)

    return handler


@pytest.mark.parametrize("policy", ["skip", "abort"])
async def test_a_handler_whose_plugin_is_gone_meanwhile_is_passed_over_and_recorded(policy: str) -> None:
    hooks = hooks_with()
    ran: list[str] = []
    inside, go_on = asyncio.Event(), asyncio.Event()

    async def first(**kwargs: Any) -> None:
        inside.set()
        await go_on.wait()

    hooks.register("a.plugin", [on(first)])
    hooks.register("b.plugin", [on(_labelled("gone", ran), "guard", error_policy=policy)])
    hooks.register("c.plugin", [on(_labelled("last", ran))])
    running = asyncio.create_task(fire(hooks))
    await inside.wait()
    hooks.remove("b.plugin")
    go_on.set()
    result = await running
    assert [(error.plugin_id, error.kind) for error in result.errors] == [("b.plugin", "unavailable")]
    # A guard that cannot run does not mean "allowed".
    assert result.aborted == (policy == "abort")
    assert ran == ([] if policy == "abort" else ["last"])


async def test_calls_wait_for_a_plugin_that_is_being_reloaded() -> None:
    hooks = hooks_with()
    ran: list[str] = []
    registration = hooks.check(
        "a.plugin", [on(_labelled("called", ran)), on(_labelled("seen", ran), "o", mode="observe")]
    )
    registration.lease.suspend()
    hooks.activate(registration)
    waiting = asyncio.create_task(fire(hooks))
    for _ in range(5):
        await asyncio.sleep(0)
    assert ran == []
    registration.lease.open()
    result = await waiting
    await hooks.drain()
    assert result.errors == ()
    assert ran == ["called", "seen"]


async def test_a_plugin_that_does_not_come_up_in_time_counts_as_one_that_cannot_be_run() -> None:
    hooks = hooks_with(HookSettings(reload_wait_ms=20))
    ran: list[str] = []
    registration = hooks.check(
        "a.plugin", [on(_labelled("called", ran)), on(_labelled("seen", ran), "o", mode="observe")]
    )
    registration.lease.suspend()
    hooks.activate(registration)
    result = await fire(hooks)
    await hooks.drain()
    assert [error.kind for error in result.errors] == ["unavailable"]
    assert ran == []


async def test_waiting_calls_are_given_up_at_once_when_the_plugin_fails_to_come_up() -> None:
    hooks = hooks_with(HookSettings(reload_wait_ms=600_000))
    registration = hooks.check("a.plugin", [on(_labelled("never", []), error_policy="abort")])
    registration.lease.suspend()
    hooks.activate(registration)
    waiting = asyncio.create_task(fire(hooks))
    await asyncio.sleep(0)
    hooks.remove("a.plugin")
    async with asyncio.timeout(30):
        result = await waiting
    assert result.aborted
    assert [error.kind for error in result.errors] == ["unavailable"]


async def test_a_caller_that_waits_can_be_cancelled() -> None:
    hooks = hooks_with()
    registration = hooks.check("a.plugin", [on(_labelled("never", []))])
    registration.lease.suspend()
    hooks.activate(registration)
    waiting = asyncio.create_task(fire(hooks))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_the_deadline_of_the_handler_before_does_not_count_while_waiting() -> None:
    hooks = hooks_with()
    hooks.register("a.plugin", [on(_labelled("first", []), timeout_ms=1)])
    ran: list[str] = []
    registration = hooks.check("b.plugin", [on(_labelled("second", ran))])
    registration.lease.suspend()
    hooks.activate(registration)
    waiting = asyncio.create_task(fire(hooks))
    await asyncio.sleep(0.03)
    registration.lease.open()
    result = await waiting
    assert result.errors == ()
    assert ran == ["second"]


async def test_calls_of_a_plugin_that_is_down_fail_at_once_with_the_reason() -> None:
    hooks = hooks_with(HookSettings(reload_wait_ms=600_000))
    ran: list[str] = []
    registration = hooks.check(
        "a.plugin", [on(_labelled("called", ran)), on(_labelled("seen", ran), "o", mode="observe")]
    )
    hooks.activate(registration)
    registration.lease.down("its process died, and starts again in 4 s")
    async with asyncio.timeout(30):
        result = await fire(hooks)
        await hooks.drain()
    assert [(error.kind, error.text) for error in result.errors] == [
        ("unavailable", "its plugin is not running: its process died, and starts again in 4 s")
    ]
    assert ran == []
    registration.lease.open()
    assert (await fire(hooks)).errors == ()


async def test_calls_that_wait_fail_at_once_when_the_plugin_goes_down_and_later_ones_wait_when_it_comes_up() -> None:
    hooks = hooks_with(HookSettings(reload_wait_ms=600_000))
    ran: list[str] = []
    registration = hooks.check("a.plugin", [on(_labelled("called", ran))])
    registration.lease.suspend()
    hooks.activate(registration)
    waiting = asyncio.create_task(fire(hooks))
    await asyncio.sleep(0)
    registration.lease.down("its process died")
    async with asyncio.timeout(30):
        result = await waiting
    assert "its process died" in result.errors[0].text
    registration.lease.suspend()
    waiting = asyncio.create_task(fire(hooks))
    await asyncio.sleep(0)
    assert not waiting.done()
    registration.lease.open()
    assert (await waiting).errors == ()
    assert ran == ["called"]


async def test_a_plugin_that_is_gone_stays_gone() -> None:
    hooks = hooks_with()
    registration = hooks.check("a.plugin", [on(_labelled("called", []))])
    hooks.activate(registration)
    lease = registration.lease
    lease.end()
    for move in (lease.open, lease.suspend, lambda: lease.down("died")):
        move()
        assert lease.ended
        assert [error.text for error in (await fire(hooks)).errors] == ["its plugin is not running"]
