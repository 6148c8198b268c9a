"""The trace: who did what to a payload, step by step, for whoever listens."""

from typing import Any

import pytest

from host.hooks import DispatchTrace, Step
from tests.hooks.greeting import HOOK, add, fire, hooks_with, on


class _Listener:
    def __init__(self) -> None:
        self.traces: list[DispatchTrace] = []
        self.observed_steps: list[tuple[str, Step]] = []

    def dispatched(self, trace: DispatchTrace) -> None:
        self.traces.append(trace)

    def observed(self, trace_id: str, step: Step) -> None:
        self.observed_steps.append((trace_id, step))


async def test_a_trace_tells_what_each_handler_got_changed_and_why_others_were_skipped() -> None:
    hooks = hooks_with()
    listener = _Listener()
    hooks.listen(listener)

    async def changes(**kwargs: Any) -> dict[str, Any]:
        return {"modified_kwargs": {**kwargs, "text": "new"}}

    async def fails(**kwargs: Any) -> None:
        raise ValueError("boom")

    async def stops(**kwargs: Any) -> dict[str, Any]:
        return {"action": "abort", "modified_kwargs": {"count": 2}}

    async def never(**kwargs: Any) -> None: ...

    add(hooks, changes, fails, stops, never)
    result = await fire(hooks, count=1)
    (trace,) = listener.traces
    assert trace.result is result
    assert [step.handler.name for step in trace.steps] == ["000.changes", "001.fails", "002.stops"]
    assert [dict(step.changes) for step in trace.steps] == [{"text": "new"}, {}, {"count": 2}]
    assert [[error.kind for error in step.errors] for step in trace.steps] == [[], ["exception"], []]
    assert [step.aborted for step in trace.steps] == [False, False, True]
    assert all(step.seconds >= 0 for step in trace.steps)
    assert [handler.name for handler in trace.skipped] == ["003.never"]
    assert trace.got(0) == {"text": "hi", "count": 1, "hook_name": HOOK}
    assert trace.got(2) == {"text": "new", "count": 1, "hook_name": HOOK}
    assert trace.depth == 1


async def test_observers_are_told_of_when_they_end() -> None:
    hooks = hooks_with()
    listener = _Listener()
    hooks.listen(listener)

    async def observes(**kwargs: Any) -> None:
        raise ValueError("boom")

    hooks.register("demo.plugin", [on(observes, mode="observe")])
    result = await fire(hooks)
    assert [each.name for each in listener.traces[0].observers] == ["observes"]
    await hooks.drain()
    ((trace_id, step),) = listener.observed_steps
    assert trace_id == result.trace_id
    assert [error.text for error in step.errors] == ["ValueError: boom"]


@pytest.mark.parametrize("handlers", [0, 1])
async def test_a_listener_changes_neither_order_nor_result_and_its_faults_stay_its_own(
    handlers: int, logged: list[str]
) -> None:
    class Broken(_Listener):
        def dispatched(self, trace: DispatchTrace) -> None:
            raise RuntimeError("listener broke")

    hooks = hooks_with()

    async def changes(**kwargs: Any) -> dict[str, Any]:
        return {"modified_kwargs": {"text": "new"}}

    add(hooks, *[changes] * handlers)
    without = await fire(hooks)
    hooks.listen(Broken())
    traced = await fire(hooks)
    assert (traced.kwargs, traced.aborted, traced.errors) == (without.kwargs, without.aborted, without.errors)
    assert any("listener broke" in line for line in logged)
