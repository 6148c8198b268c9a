"""Handlers that are plain functions run in a few threads of their plugin; hung ones hold up nobody else."""

import asyncio
import contextvars
import threading
from typing import Any

import pytest

from host.hooks import Hooks, HookSettings
from tests.hooks.greeting import fire, hooks_with, on


class _Gate:
    """Holds plain functions up until the test is over."""

    def __init__(self) -> None:
        self._open = threading.Event()
        self.entered = 0

    def hold(self, **kwargs: Any) -> dict[str, Any]:
        self.entered += 1
        self._open.wait(60)
        return {"modified_kwargs": {"text": "too late"}}

    def open(self) -> None:
        self._open.set()


@pytest.fixture
def gate() -> Any:
    gate = _Gate()
    yield gate
    gate.open()


async def test_hung_plain_functions_fill_only_their_own_plugins_threads_and_are_counted(gate: _Gate) -> None:
    hooks = hooks_with(HookSettings(worker_threads=3))
    ran: list[str] = []

    def healthy_plain(**kwargs: Any) -> None:
        ran.append("plain of another plugin")

    async def healthy_async(**kwargs: Any) -> None:
        ran.append("async of the same plugin")

    hooks.register("a.hangs", [on(gate.hold, "hold", timeout_ms=50)])
    results = await asyncio.gather(*(fire(hooks) for _ in range(40)))
    assert all([error.kind for error in result.errors] == ["timeout"] for result in results)
    assert gate.entered == 3
    assert hooks.hung_calls() == {"a.hangs": 3}

    hooks.register("a.hangs", [on(gate.hold, "hold", timeout_ms=50), on(healthy_async, "quick", timeout_ms=5000)])
    hooks.register("b.other", [on(healthy_plain, timeout_ms=5000)])
    result = await fire(hooks)
    assert [(error.plugin_id, error.handler) for error in result.errors] == [("a.hangs", "hold")]
    assert ran == ["async of the same plugin", "plain of another plugin"]
    assert result.kwargs["text"] == "hi"


async def test_a_call_that_was_given_up_before_it_began_never_begins(gate: _Gate) -> None:
    hooks = hooks_with(HookSettings(worker_threads=1))
    began: list[str] = []

    def waits_its_turn(**kwargs: Any) -> None:
        began.append("began")

    hooks.register("a.hangs", [on(gate.hold, "a", timeout_ms=30), on(waits_its_turn, "b", timeout_ms=30)])
    result = await fire(hooks)
    assert [error.kind for error in result.errors] == ["timeout", "timeout"]
    gate.open()
    hooks.register("a.hangs", [on(waits_its_turn, "c", timeout_ms=5000)])
    await fire(hooks)
    assert began == ["began"]
    assert hooks.hung_calls() == {}


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (SystemExit(3), "SystemExit: 3"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (StopIteration(1), "StopIteration(1)"),
    ],
)
async def test_whatever_a_plain_function_raises_is_its_failure_and_its_thread_goes_on(
    error: BaseException, text: str
) -> None:
    hooks = hooks_with(HookSettings(worker_threads=1))

    def raises(**kwargs: Any) -> None:
        raise error

    hooks.register("demo.plugin", [on(raises, "a"), on(raises, "b")])
    result = await fire(hooks)
    assert [each.kind for each in result.errors] == ["exception", "exception"]
    assert all(text in each.text for each in result.errors)


async def test_a_plain_function_sees_the_context_of_its_call_and_calls_of_its_plugin_share_threads() -> None:
    variable = contextvars.ContextVar[str]("variable")
    seen: list[tuple[str, str]] = []

    def plain(**kwargs: Any) -> None:
        seen.append((variable.get(), threading.current_thread().name))

    hooks: Hooks = hooks_with()
    hooks.register("demo.plugin", [on(plain)])
    for value in ("one", "two"):
        variable.set(value)
        await fire(hooks)
    assert seen == [("one", "plugin demo.plugin worker 1"), ("two", "plugin demo.plugin worker 1")]


async def test_a_removed_plugins_threads_end() -> None:
    thread: list[threading.Thread] = []

    def plain(**kwargs: Any) -> None:
        thread.append(threading.current_thread())

    hooks = hooks_with()
    hooks.register("demo.plugin", [on(plain)])
    await fire(hooks)
    hooks.remove("demo.plugin")
    await asyncio.to_thread(thread[0].join, 10)
    assert not thread[0].is_alive()
