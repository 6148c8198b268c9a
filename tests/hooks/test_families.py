"""What differs between families of hooks is data: a second one with other rules runs on the same loop."""

import asyncio
from typing import Any

import pytest

from host.hooks import Failures, Family, Generators, Handler, Hooks, HookSpec
from tests.hooks.greeting import HOOK, Greeting, add, fire, on


def _by_registration(handler: Handler, place: int) -> tuple[int, int]:
    return (place, handler.sequence)


def _reason(handler: Handler) -> tuple[str, ...]:
    return (f"registered as number {handler.sequence}",)


def _family(failures: Failures, *, fills_var_keyword: bool = True, deadlines: bool = True) -> Family:
    return Family(
        name="other",
        sort_key=_by_registration,
        order_reason=_reason,
        fills_var_keyword=fills_var_keyword,
        failures=failures,
        deadlines=deadlines,
        generators=Generators.REFUSED,
    )


def _hooks(family: Family) -> Hooks:
    hooks = Hooks()
    hooks.register_spec(HookSpec(name=HOOK, payload=Greeting, family=family))
    return hooks


async def _fails(**kwargs: Any) -> None:
    raise ValueError("boom")


async def test_a_family_orders_its_handlers_by_its_own_key() -> None:
    ran: list[str] = []

    def note(label: str) -> Any:
        async def handler(**kwargs: Any) -> None:
            ran.append(label)

        return handler

    hooks = _hooks(_family(Failures.DECLARED))
    hooks.register("z.last", [on(note("z"), order="late")])
    hooks.register("a.first", [on(note("a"), order="early")])
    await fire(hooks)
    assert ran == ["z", "a"]


async def test_failures_of_a_propagating_family_reach_the_caller() -> None:
    hooks = _hooks(_family(Failures.PROPAGATE))
    add(hooks, _fails)
    with pytest.raises(ValueError, match="boom"):
        await fire(hooks)


async def test_failures_that_reached_the_caller_count_for_the_breaker_all_the_same() -> None:
    hooks = _hooks(_family(Failures.PROPAGATE))
    add(hooks, _fails)
    for _ in range(5):
        with pytest.raises(ValueError, match="boom"):
            await fire(hooks)
    assert [error.kind for error in (await fire(hooks)).errors] == ["breaker_open"]


async def test_failures_of_an_isolating_family_are_recorded_whatever_the_handler_declares() -> None:
    hooks = _hooks(_family(Failures.ISOLATE))
    add(hooks, _fails, error_policy="abort")
    result = await fire(hooks)
    assert not result.aborted
    assert [error.kind for error in result.errors] == ["exception"]


async def test_a_family_may_trim_arguments_to_what_is_declared() -> None:
    seen: list[Any] = []

    async def rest(text: str, **rest: Any) -> None:
        seen.append((text, rest))

    hooks = _hooks(_family(Failures.DECLARED, fills_var_keyword=False))
    add(hooks, rest)
    await fire(hooks, count=1)
    assert seen == [("hi", {})]


async def test_a_family_without_deadlines_cuts_nobody_off() -> None:
    async def slow(**kwargs: Any) -> str:
        await asyncio.sleep(0.03)
        return "done"

    hooks = _hooks(_family(Failures.DECLARED, deadlines=False))
    add(hooks, slow, timeout_ms=1)
    result = await fire(hooks)
    assert [each.value for each in result.custom_results] == ["done"]
