"""The trace: who did what to a payload, step by step, for whoever listens."""

from typing import Any

import pytest

from host.hooks import Chain, DispatchTrace, Step, TraceStore
from host.hooks.difference import differences
from tests.hooks.greeting import HOOK, add, fire, hooks_with, on


class _Listener:
    def __init__(self) -> None:
        self.traces: list[DispatchTrace] = []
        self.observed_steps: list[tuple[Chain, Step]] = []

    def dispatched(self, trace: DispatchTrace) -> None:
        self.traces.append(trace)

    def observed(self, dispatch: Chain, step: Step) -> None:
        self.observed_steps.append((dispatch, step))


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
    ((dispatch, step),) = listener.observed_steps
    assert dispatch is result.chain
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


async def test_the_store_keeps_the_latest_dispatches_with_what_their_observers_did() -> None:
    hooks = hooks_with()
    store = TraceStore(capacity=3)
    hooks.listen(store)

    async def observes(count: int, **kwargs: Any) -> None: ...

    hooks.register("demo.plugin", [on(observes, mode="observe")])
    for count in range(5):
        await fire(hooks, count=count)
    await hooks.drain()
    assert len(store) == 3
    assert [recorded.trace.payload["count"] for recorded in store] == [2, 3, 4]
    assert [[step.handler.name for step in recorded.observed] for recorded in store] == [["observes"]] * 3


async def test_nested_dispatches_of_one_chain_are_kept_apart() -> None:
    hooks = hooks_with()
    store = TraceStore()
    hooks.listen(store)

    async def again(count: int, **kwargs: Any) -> None:
        if count < 3:
            await fire(hooks, count=count + 1)

    async def observes(count: int, **kwargs: Any) -> None: ...

    hooks.register("demo.plugin", [on(again), on(observes, mode="observe")])
    await fire(hooks, count=1)
    await hooks.drain()
    assert [(recorded.trace.depth, recorded.trace.payload["count"]) for recorded in store] == [(3, 3), (2, 2), (1, 1)]
    assert [len(recorded.observed) for recorded in store] == [1, 1, 1]
    assert len({recorded.trace.result.trace_id for recorded in store}) == 1


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": True}, [("a", 1, True)]),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3, 4]}}, [("a.b[1]", 2, 3), ("a.b[2]", "nothing", 4)]),
        ({"a": 1, "gone": 2}, {"a": 1}, [("gone", 2, "nothing")]),
        ({"a": {"b": 1}}, {"a": [1]}, [("a", {"b": 1}, [1])]),
    ],
)
def test_differences_are_told_by_path(before: Any, after: Any, found: list[Any]) -> None:
    told = [
        (each.path, *(v if repr(v) != "nothing" else "nothing" for v in each[1:]))
        for each in differences(before, after)
    ]
    assert told == found
