"""What the breaker of a handler means for dispatches: who is skipped, what is recorded, and what a probe decides."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from host.hooks import (
    BreakerPosition,
    BreakerSettings,
    BreakerState,
    CannotRunError,
    HookResult,
    Hooks,
    HookSettings,
    HookSpec,
    UnknownHandlerError,
)
from tests.hooks.clock import Clock
from tests.hooks.greeting import HOOK, Greeting, fire, on

PLUGIN = "demo.plugin"


class Bench:
    """A kernel with one handler whose behaviour a test sets, on a clock that it moves.

    Args:
        settings: of the breaker.
        declared: what the declaration says besides.
    """

    def __init__(self, settings: BreakerSettings | None = None, **declared: Any) -> None:
        self.clock = Clock()
        self.hooks = Hooks(HookSettings(breaker=settings or BreakerSettings()), clock=self.clock)
        self.hooks.register_spec(HookSpec(name=HOOK, payload=Greeting))
        self.calls = 0
        self.does: Callable[[], Awaitable[Any]] = succeeds

        async def guard(**kwargs: Any) -> Any:
            self.calls += 1
            return await self.does()

        self.declaration = on(guard, **declared)
        self.hooks.register(PLUGIN, [self.declaration])

    async def fire(self, does: Callable[[], Awaitable[Any]], times: int = 1) -> HookResult:
        """Fire the hook so many times with a handler that does this; the last result."""
        self.does = does
        for _ in range(times):
            result = await fire(self.hooks)
            await self.hooks.drain()
        return result

    def state(self) -> BreakerState:
        """The handler's breaker, as the table shows it."""
        return self.hooks.describe()[0].breakers[PLUGIN, "guard"]


async def succeeds() -> None:
    """A handler that works."""


async def fails() -> None:
    raise ValueError("broke")


async def aborts() -> dict[str, str]:
    return {"action": "abort"}


async def reports() -> dict[str, Any]:
    return {"success": False, "error_message": "not today"}


async def hangs() -> None:
    await asyncio.Event().wait()


def kinds(result: HookResult) -> list[str]:
    return [error.kind for error in result.errors]


async def test_a_handler_that_keeps_failing_is_skipped_and_the_result_says_why_and_how_long() -> None:
    bench = Bench()
    await bench.fire(fails, 5)
    bench.clock.now += 10
    result = await bench.fire(succeeds, 3)
    assert bench.calls == 5
    (error,) = result.errors
    assert (error.plugin_id, error.handler, error.kind, error.traceback) == (PLUGIN, "guard", "breaker_open", "")
    assert error.text == (
        "its breaker is open for 20.0 s more: "
        "5 of 5 calls failed within 60 s, the last with exception: ValueError: broke"
    )
    assert not result.aborted
    assert bench.state().skipped == 3


async def test_a_guard_that_is_skipped_ends_the_dispatch() -> None:
    bench = Bench(error_policy="abort", timeout_ms=5)
    ran: list[str] = []

    async def later(**kwargs: Any) -> None:
        ran.append("later")

    bench.hooks.register("z.plugin", [on(later)])
    await bench.fire(hangs, 5)
    result = await bench.fire(succeeds)
    assert kinds(result) == ["breaker_open"]
    assert "timeout" in result.errors[0].text
    assert (result.aborted, result.stopped_by) == (True, (PLUGIN, "guard"))
    assert ran == []


@pytest.mark.parametrize("does", [aborts, reports], ids=["aborts", "reports"])
async def test_what_a_handler_does_on_purpose_never_trips_its_breaker(does: Callable[[], Awaitable[Any]]) -> None:
    bench = Bench(error_policy="abort")
    result = await bench.fire(does, 20)
    assert bench.calls == 20
    assert result.aborted
    assert bench.state().position is BreakerPosition.CLOSED
    assert bench.state().calls == 0


async def test_what_is_not_allowed_and_ignored_never_trips_it() -> None:
    clock = Clock()
    hooks = Hooks(clock=clock)
    hooks.register_spec(HookSpec(name=HOOK, payload=Greeting, allow_abort=False, allow_kwargs_mutation=False))

    async def overreaches(**kwargs: Any) -> dict[str, Any]:
        return {"action": "abort", "modified_kwargs": {"text": "mine"}}

    hooks.register(PLUGIN, [on(overreaches)])
    for _ in range(10):
        result = await fire(hooks)
    assert kinds(result) == ["change_not_allowed", "abort_not_allowed"]


async def test_successes_count_too_once_something_failed() -> None:
    bench = Bench()
    await bench.fire(fails, 4)
    await bench.fire(succeeds, 5)
    await bench.fire(aborts)
    state = bench.state()
    assert (state.calls, state.failures) == (10, 4)
    # 5 of 11 are less than half.
    await bench.fire(fails)
    assert bench.state().position is BreakerPosition.CLOSED


async def test_a_return_that_makes_no_sense_and_a_change_that_is_refused_count() -> None:
    bench = Bench()

    async def nonsense() -> dict[str, Any]:
        return {"modified_kwargs": {"text": 7}}

    await bench.fire(nonsense, 5)
    assert "invalid_return" in bench.state().reason


async def test_a_probe_that_succeeds_closes_it() -> None:
    bench = Bench()
    await bench.fire(fails, 5)
    bench.clock.now += 30
    assert bench.state().position is BreakerPosition.HALF_OPEN
    assert kinds(await bench.fire(succeeds, 2)) == []
    assert bench.state().position is BreakerPosition.CLOSED
    assert bench.calls == 7


async def test_a_probe_that_fails_opens_it_again() -> None:
    bench = Bench()
    await bench.fire(fails, 5)
    bench.clock.now += 30
    assert kinds(await bench.fire(fails)) == ["exception"]
    assert kinds(await bench.fire(succeeds)) == ["breaker_open"]
    assert bench.state().opened == 2
    bench.clock.now += 30
    assert kinds(await bench.fire(succeeds)) == []


async def test_of_many_calls_at_once_only_one_is_the_probe() -> None:
    bench = Bench()
    await bench.fire(fails, 5)
    bench.clock.now += 30
    inside, go_on = asyncio.Event(), asyncio.Event()

    async def waits() -> None:
        inside.set()
        await go_on.wait()

    bench.does = waits
    running = [asyncio.create_task(fire(bench.hooks)) for _ in range(10)]
    await inside.wait()
    done, pending = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
    while len(pending) > 1:
        more, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        done |= more
    assert [kinds(task.result()) for task in done] == [["breaker_open"]] * 9
    assert "probe" in done.pop().result().errors[0].text
    go_on.set()
    assert kinds(await pending.pop()) == []
    assert bench.calls == 6
    assert bench.state().position is BreakerPosition.CLOSED


async def test_a_probe_whose_caller_is_cancelled_makes_way_for_the_next() -> None:
    bench = Bench()
    await bench.fire(fails, 5)
    bench.clock.now += 30
    inside = asyncio.Event()

    async def waits() -> None:
        inside.set()
        await asyncio.Event().wait()

    bench.does = waits
    caller = asyncio.create_task(fire(bench.hooks))
    await inside.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert kinds(await bench.fire(succeeds)) == []
    assert bench.state().position is BreakerPosition.CLOSED


class _ProtocolError(BaseException):
    """Something that nobody expects."""


@pytest.mark.parametrize("error", [_ProtocolError, SystemExit, asyncio.CancelledError, KeyboardInterrupt])
async def test_a_probe_that_ends_in_an_unexpected_error_opens_it_for_one_more_cool_down(
    error: type[BaseException],
) -> None:
    bench = Bench()
    await bench.fire(fails, 5)
    bench.clock.now += 30

    async def breaks() -> None:
        raise error

    await bench.fire(breaks)
    assert bench.state().position is BreakerPosition.OPEN
    bench.clock.now += 30
    assert kinds(await bench.fire(succeeds)) == []


async def test_a_probe_that_overruns_its_deadline_opens_it_again() -> None:
    bench = Bench(timeout_ms=5)
    await bench.fire(fails, 5)
    bench.clock.now += 30
    assert kinds(await bench.fire(hangs)) == ["timeout"]
    assert bench.state().position is BreakerPosition.OPEN


async def test_a_probe_that_meets_a_plugin_that_is_down_leaves_the_breaker_half_open() -> None:
    bench = Bench()
    await bench.fire(fails, 5)
    bench.clock.now += 30
    registration = bench.hooks.table.active(PLUGIN)
    assert registration is not None
    registration.lease.down("its process has died")
    assert kinds(await bench.fire(succeeds)) == ["unavailable"]
    registration.lease.open()
    assert kinds(await bench.fire(succeeds)) == []
    assert bench.state().position is BreakerPosition.CLOSED


async def test_of_many_calls_that_wait_for_the_plugin_only_one_is_the_probe() -> None:
    bench = Bench()
    await bench.fire(fails, 5)
    bench.clock.now += 30
    registration = bench.hooks.table.active(PLUGIN)
    assert registration is not None
    registration.lease.suspend()
    go_on = asyncio.Event()

    async def waits() -> None:
        await go_on.wait()

    bench.does = waits
    running = [asyncio.create_task(fire(bench.hooks)) for _ in range(5)]
    await asyncio.sleep(0)
    assert bench.calls == 5
    registration.lease.open()
    await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
    go_on.set()
    results = [kinds(result) for result in await asyncio.gather(*running)]
    assert sorted(results) == [[], *[["breaker_open"]] * 4]
    assert bench.calls == 6


async def test_calls_that_find_the_plugin_down_are_not_charged() -> None:
    bench = Bench()
    registration = bench.hooks.table.active(PLUGIN)
    assert registration is not None
    registration.lease.down("its process has died")
    assert kinds(await bench.fire(succeeds, 20)) == ["unavailable"]
    registration.lease.open()
    assert kinds(await bench.fire(succeeds)) == []
    assert bench.state().calls == 0


async def test_an_observer_that_keeps_failing_is_skipped_and_tried_again() -> None:
    bench = Bench(mode="observe")
    await bench.fire(fails, 5)
    assert bench.state().position is BreakerPosition.OPEN
    await bench.fire(succeeds, 3)
    assert (bench.calls, bench.state().skipped) == (5, 3)
    bench.clock.now += 30
    await bench.fire(fails)
    assert (bench.calls, bench.state().opened) == (6, 2)
    bench.clock.now += 30
    await bench.fire(succeeds, 2)
    assert (bench.calls, bench.state().position) == (8, BreakerPosition.CLOSED)


async def test_an_observer_that_is_cancelled_as_a_probe_makes_way_for_the_next() -> None:
    bench = Bench(mode="observe")
    await bench.fire(fails, 5)
    bench.clock.now += 30
    inside = asyncio.Event()

    async def waits() -> None:
        inside.set()
        await asyncio.Event().wait()

    bench.does = waits
    await fire(bench.hooks)
    await inside.wait()
    await bench.hooks.aclose()
    await bench.fire(succeeds)
    assert bench.state().position is BreakerPosition.CLOSED


async def test_the_log_tells_once_that_it_opened_and_once_that_it_closed(logged: list[str]) -> None:
    bench = Bench()
    await bench.fire(fails, 5)
    await bench.fire(succeeds, 50)
    bench.clock.now += 30
    await bench.fire(succeeds)
    told = [line for line in logged if "breaker" in line]
    assert [line.split()[0] for line in told] == ["ERROR", "INFO"]
    assert f"{PLUGIN}/guard of {HOOK} has opened for 30.0 s: 5 of 5 calls failed" in told[0]


async def test_the_owner_can_reset_it_and_an_unknown_handler_is_told() -> None:
    bench = Bench()
    await bench.fire(fails, 5)
    assert bench.hooks.reset_breaker(PLUGIN, "guard").position is BreakerPosition.CLOSED
    assert kinds(await bench.fire(succeeds)) == []
    with pytest.raises(UnknownHandlerError, match="Did you mean 'guard'") as caught:
        bench.hooks.reset_breaker(PLUGIN, "gard")
    assert (caught.value.plugin_id, caught.value.handler) == (PLUGIN, "gard")
    assert "您是否想用 'guard'" in caught.value.text("zh")
    with pytest.raises(UnknownHandlerError):
        bench.hooks.reset_breaker("no.plugin", "guard")


async def test_a_new_registration_starts_closed() -> None:
    bench = Bench()
    await bench.fire(fails, 5)
    bench.hooks.register(PLUGIN, [bench.declaration])
    assert kinds(await bench.fire(succeeds)) == []
    assert bench.state().opened == 0


async def test_handlers_of_one_plugin_have_breakers_of_their_own() -> None:
    clock = Clock()
    hooks = Hooks(clock=clock)
    hooks.register_spec(HookSpec(name=HOOK, payload=Greeting))
    ran: list[str] = []

    async def broken(**kwargs: Any) -> None:
        await fails()

    async def healthy(**kwargs: Any) -> None:
        ran.append("healthy")

    hooks.register(PLUGIN, [on(broken), on(healthy)])
    for _ in range(7):
        await fire(hooks)
    positions = {handler: state.position.value for (_, handler), state in hooks.describe()[0].breakers.items()}
    assert positions == {"broken": "open", "healthy": "closed"}
    assert len(ran) == 7


async def test_the_way_to_a_handler_may_say_that_it_cannot_be_run_and_whether_it_is_to_blame() -> None:
    for charged in (True, False):
        bench = Bench()

        async def cannot(charged: bool = charged) -> None:
            raise CannotRunError("its process died in the middle of the call", charged=charged)

        result = await bench.fire(cannot, 5)
        assert [(error.kind, error.text, error.traceback) for error in result.errors] == [
            ("unavailable", "its process died in the middle of the call", "")
        ]
        assert (bench.state().position is BreakerPosition.OPEN) == charged
