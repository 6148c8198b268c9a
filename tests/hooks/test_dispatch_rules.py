"""Each rule of what a dispatch does, one test each."""

import asyncio
import copy
from collections.abc import Mapping
from typing import Any

import pytest

from host.hooks import ChainDepthError, Hooks, HookSettings, HookSpec, PayloadError, UnknownHookError
from maibot_sdk.types import ErrorPolicy, HookMode
from tests.hooks.greeting import HOOK, Greeting, add, fire, hooks_with, on


def _returns(value: Any) -> Any:
    async def handler(**kwargs: Any) -> Any:
        return value

    return handler


async def _result_of(value: Any, **spec: Any) -> Any:
    """Fire a hook with one handler that returns `value`, and a second that must run unless the first aborts."""
    hooks = hooks_with(**spec)
    add(hooks, _returns(value))
    return await fire(hooks, count=1)


# 1. the payload is checked


async def test_a_missing_required_key_is_the_callers_error_and_no_handler_runs() -> None:
    hooks = hooks_with()
    ran: list[int] = []

    async def handler(**kwargs: Any) -> None:
        ran.append(1)

    add(hooks, handler)
    with pytest.raises(PayloadError, match="text: found nothing"):
        await hooks.invoke(HOOK, {"count": 1})
    assert ran == []


async def test_a_wrong_type_is_the_callers_error_and_all_problems_are_told_at_once() -> None:
    hooks = hooks_with()
    with pytest.raises(PayloadError) as caught:
        await hooks.invoke(HOOK, {"text": 7, "tags": ["ok", 8]})
    assert [issue.path for issue in caught.value.issues] == ["text", "tags[1]"]
    assert HOOK in str(caught.value)
    assert HOOK in caught.value.text("zh")


async def test_an_unknown_hook_offers_the_nearest_names() -> None:
    with pytest.raises(UnknownHookError, match=r"Did you mean 'greeting\.before_send'\?"):
        await hooks_with().invoke("greeting.befor_send", {})


async def test_an_undeclared_key_travels_on_with_one_warning(logged: list[str]) -> None:
    hooks = hooks_with()
    seen: list[Any] = []

    async def handler(**kwargs: Any) -> None:
        seen.append(kwargs["mood"])

    add(hooks, handler)
    for _ in range(3):
        result = await fire(hooks, mood="good")
    assert seen == ["good"] * 3
    assert result.kwargs["mood"] == "good"
    assert len([line for line in logged if "'mood'" in line]) == 1


async def test_a_payload_key_named_like_call_data_is_refused() -> None:
    for name in ("hook_name", "trace_id", "self"):
        with pytest.raises(PayloadError, match=name):
            await hooks_with().invoke(HOOK, {"text": "hi", name: "x"})


async def test_keys_named_like_parameters_of_the_dispatcher_are_ordinary_keys() -> None:
    seen: dict[str, Any] = {}

    async def handler(**kwargs: Any) -> None:
        seen.update(kwargs)

    hooks = hooks_with()
    add(hooks, handler)
    odd = {"supervisors": 1, "timeout_ms": 2, "name": 3, "payload": 4, "extra_handlers": 5, "handler": 6}
    await fire(hooks, **odd)
    assert odd.items() <= seen.items()


# 2. each handler gets its own copy, by keyword


async def test_a_handler_gets_the_payload_and_hook_name_as_keywords() -> None:
    seen: list[Any] = []

    async def everything(**kwargs: Any) -> None:
        seen.append(kwargs)

    async def some(text: str, hook_name: str) -> None:
        seen.append((text, hook_name))

    async def nothing() -> None:
        seen.append("nothing")

    hooks = hooks_with()
    add(hooks, everything, some, nothing)
    await fire(hooks, count=2)
    assert seen == [{"text": "hi", "count": 2, "hook_name": HOOK}, ("hi", HOOK), "nothing"]


async def test_trace_id_is_passed_where_it_is_asked_for() -> None:
    seen: list[Any] = []

    async def asks(trace_id: str, **kwargs: Any) -> None:
        seen.append((trace_id, "trace_id" in kwargs))

    async def does_not(**kwargs: Any) -> None:
        seen.append("trace_id" in kwargs)

    hooks = hooks_with()
    add(hooks, asks, does_not)
    result = await fire(hooks)
    assert seen == [(result.trace_id, False), False]
    assert len(result.trace_id) == 32


async def test_a_required_parameter_for_an_optional_key_that_is_absent_gets_none() -> None:
    seen: list[Any] = []

    async def handler(tags: list[str], **kwargs: Any) -> None:
        seen.append(tags)

    hooks = hooks_with()
    add(hooks, handler)
    await fire(hooks)
    await fire(hooks, tags=["a"])
    assert seen == [None, ["a"]]


async def test_the_copy_is_freely_mutable_and_nothing_leaks_without_a_return() -> None:
    seen: list[Any] = []

    async def edits(**kwargs: Any) -> None:
        kwargs["extra"]["b"] = 1
        kwargs["tags"].append("edited")
        del kwargs["text"]

    async def reads(**kwargs: Any) -> None:
        seen.append(copy.deepcopy(kwargs))

    hooks = hooks_with()
    add(hooks, edits, reads)
    tags = ["given"]
    payload = {"text": "hi", "tags": tags, "extra": {"a": {"deep": [1]}}}
    before = copy.deepcopy(payload)
    result = await hooks.invoke(HOOK, payload)
    assert seen == [{**before, "hook_name": HOOK}]
    assert result.kwargs == before
    assert payload == before
    assert result.errors == ()


@pytest.mark.parametrize("handlers", [0, 1, 2])
async def test_what_nobody_changed_comes_back_as_it_was_given_and_a_change_belongs_to_the_caller(handlers: int) -> None:
    kept: list[Any] = []

    async def edits_and_keeps(**kwargs: Any) -> dict[str, Any]:
        kwargs["tags"].append("edited")
        kept.append(kwargs["tags"])
        kwargs["extra"]["deep"].append("edited")
        return {"modified_kwargs": {"tags": kwargs["tags"]}}

    hooks = hooks_with()
    add(hooks, *[edits_and_keeps] * handlers)
    payload = {"text": "hi", "tags": ["given"], "extra": {"deep": []}}
    result = await hooks.invoke(HOOK, payload)
    for each in kept:
        each.append("kept")
    assert payload == {"text": "hi", "tags": ["given"], "extra": {"deep": []}}
    assert result.kwargs["extra"] is payload["extra"]
    assert result.kwargs["tags"] == ["given", *["edited"] * handlers]
    result.kwargs["text"] = "changed"
    assert payload["text"] == "hi"


async def test_the_last_handlers_edit_in_place_counts_when_it_returns_the_payload() -> None:
    async def first(**kwargs: Any) -> None:
        kwargs["extra"]["deep"].append("first, not returned")

    async def last(**kwargs: Any) -> dict[str, Any]:
        kwargs["extra"]["deep"].append("last")
        return {"modified_kwargs": kwargs}

    hooks = hooks_with()
    add(hooks, first, last)
    payload = {"text": "hi", "extra": {"deep": []}}
    result = await hooks.invoke(HOOK, payload)
    assert result.kwargs == {"text": "hi", "extra": {"deep": ["last"]}}
    assert payload == {"text": "hi", "extra": {"deep": []}}


# 3. returns


async def test_none_means_go_on() -> None:
    result = await _result_of(None)
    assert (result.kwargs, result.aborted, result.custom_results, result.errors) == (
        {"text": "hi", "count": 1},
        False,
        (),
        (),
    )


@pytest.mark.parametrize("action", ["continue", " Continue ", "CONTINUE", None, ""])
async def test_action_continue_forgives_case_and_spaces_and_may_be_missing(action: Any) -> None:
    result = await _result_of({"action": action} if action != "" else {})
    assert not result.aborted
    assert result.errors == ()


@pytest.mark.parametrize("action", ["abort", " Abort\n", "ABORT"])
async def test_abort_ends_the_chain_and_says_who_stopped_it(action: str) -> None:
    hooks = hooks_with()
    ran: list[str] = []

    async def later(**kwargs: Any) -> None:
        ran.append("later")

    add(hooks, _returns({"action": action, "modified_kwargs": {"text": "last words"}}), later)
    result = await fire(hooks)
    assert result.aborted
    assert result.stopped_by == ("demo.plugin", "000.handler")
    assert result.kwargs["text"] == "last words"
    assert ran == []


async def test_keys_of_another_spelling_are_ignored() -> None:
    result = await _result_of({"Action": "abort", "reason": "x", "result": 1, "success": True})
    assert (result.aborted, result.errors, result.custom_results) == (False, (), ())


@pytest.mark.parametrize("value", [42, [], (True, "text", 1, None, 2), "text", False, 1.5, {1, 2}, b"raw"])
async def test_what_is_no_dict_is_kept_as_a_custom_result(value: Any) -> None:
    result = await _result_of(value)
    expected = sorted(value) if isinstance(value, set) else list(value) if isinstance(value, tuple) else value
    assert result.custom_results == (("demo.plugin", "000.handler", expected),)
    assert result.kwargs == {"text": "hi", "count": 1}
    assert not result.aborted


async def test_custom_results_come_in_the_order_of_the_handlers() -> None:
    hooks = hooks_with()
    add(hooks, _returns({"custom_result": 1}), _returns(None), _returns({"custom_result": None}), _returns("x"))
    result = await fire(hooks)
    assert [each.value for each in result.custom_results] == [1, None, "x"]


def _nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    "value",
    [
        {"action": "fail"},
        {"action": 1},
        {"modified_kwargs": [1]},
        {"modified_kwargs": {1: 2}},
        {"modified_kwargs": "text"},
        {"modified_kwargs": {"extra": _nested(10_000)}},
        {"custom_result": _nested(10_000)},
        {"custom_result": object()},
        object(),
    ],
)
async def test_nonsense_is_that_handlers_failure_and_nothing_of_it_is_applied(value: Any) -> None:
    result = await _result_of(value)
    assert [error.kind for error in result.errors] == ["invalid_return"]
    assert result.kwargs == {"text": "hi", "count": 1}
    assert result.custom_results == ()
    assert not result.aborted


async def test_modified_kwargs_are_merged_shallowly() -> None:
    hooks = hooks_with()
    seen: list[Any] = []

    async def changes_one(**kwargs: Any) -> dict[str, Any]:
        return {"modified_kwargs": {"extra": {"new": 1}}}

    async def reads(**kwargs: Any) -> None:
        seen.append(kwargs)

    add(hooks, changes_one, reads)
    result = await fire(hooks, extra={"old": 1}, count=3)
    assert result.kwargs == {"text": "hi", "extra": {"new": 1}, "count": 3}
    assert seen == [{**result.kwargs, "hook_name": HOOK}]


async def test_returning_the_whole_payload_changes_nothing_but_what_was_changed() -> None:
    async def whole(**kwargs: Any) -> dict[str, Any]:
        kwargs["tags"].append("new")
        return {"action": "continue", "modified_kwargs": kwargs}

    hooks = hooks_with()
    add(hooks, whole)
    result = await fire(hooks, tags=["old"], count=1)
    assert result.kwargs == {"text": "hi", "tags": ["old", "new"], "count": 1}


async def test_call_data_is_stripped_from_returns_and_cannot_be_spoofed() -> None:
    hooks = hooks_with()
    seen: list[str] = []

    async def spoofs(**kwargs: Any) -> dict[str, Any]:
        return {"modified_kwargs": {**kwargs, "hook_name": "other.hook", "trace_id": "x", "self": 1}}

    async def reads(hook_name: str, **kwargs: Any) -> None:
        seen.append(hook_name)

    add(hooks, spoofs, reads)
    result = await fire(hooks, count=1)
    assert seen == [HOOK]
    assert result.kwargs == {"text": "hi", "count": 1}


async def test_a_wrong_type_beside_a_right_one_applies_neither() -> None:
    result = await _result_of({"modified_kwargs": {"text": "right", "tags": 5}})
    assert result.kwargs == {"text": "hi", "count": 1}
    assert result.errors[0].kind == "invalid_return"
    assert "tags" in result.errors[0].text


async def test_none_for_an_optional_key_is_accepted_and_for_a_required_one_refused() -> None:
    assert (await _result_of({"modified_kwargs": {"tags": None}})).kwargs["tags"] is None
    assert (await _result_of({"modified_kwargs": {"text": None}})).errors[0].kind == "invalid_return"


async def test_lenient_scalars_arrive_in_the_declared_type() -> None:
    result = await _result_of({"modified_kwargs": {"count": "7", "loud": "yes"}})
    assert result.errors == ()
    assert (result.kwargs["count"], result.kwargs["loud"]) == (7, True)


async def test_undeclared_keys_of_a_return_travel_on_at_the_top_and_inside() -> None:
    result = await _result_of({"modified_kwargs": {"extra": {"unknown": {"x": [1]}}, "mood": "good"}})
    assert result.kwargs["extra"] == {"unknown": {"x": [1]}}
    assert result.kwargs["mood"] == "good"


async def test_what_a_handler_keeps_of_its_return_cannot_change_it_later() -> None:
    kept: list[Any] = []

    async def keeps(**kwargs: Any) -> dict[str, Any]:
        tags = ["returned"]
        kept.append(tags)
        return {"modified_kwargs": {"tags": tags}}

    hooks = hooks_with()
    add(hooks, keeps)
    result = await fire(hooks)
    kept[0].append("later")
    assert result.kwargs["tags"] == ["returned"]


async def test_success_false_is_a_failure_with_its_message() -> None:
    result = await _result_of({"success": False, "error_message": "no luck", "modified_kwargs": {"text": "x"}})
    assert [(error.kind, error.text) for error in result.errors] == [("reported", "no luck")]
    assert result.kwargs["text"] == "hi"


async def test_abort_with_success_false_aborts_drops_the_changes_and_records_the_failure() -> None:
    result = await _result_of({"action": "abort", "success": False, "modified_kwargs": {"text": "x"}})
    assert result.aborted
    assert result.kwargs["text"] == "hi"
    assert [error.kind for error in result.errors] == ["reported"]


async def test_an_abort_that_the_hook_does_not_allow_is_ignored_and_recorded() -> None:
    result = await _result_of({"action": "abort", "modified_kwargs": {"text": "new"}}, allow_abort=False)
    assert not result.aborted
    assert result.kwargs["text"] == "new"
    assert [error.kind for error in result.errors] == ["abort_not_allowed"]


async def test_a_change_that_the_hook_does_not_allow_is_ignored_and_recorded() -> None:
    result = await _result_of({"modified_kwargs": {"text": "new"}}, allow_kwargs_mutation=False)
    assert result.kwargs["text"] == "hi"
    assert [error.kind for error in result.errors] == ["change_not_allowed"]


# 4. failures


class _TwoArgumentsError(Exception):
    def __init__(self, first: str, second: str) -> None:
        super().__init__(first, second)


class _UnprintableError(Exception):
    def __str__(self) -> str:
        raise ValueError("no text")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("boom"), "ValueError: boom"),
        (AssertionError(), "AssertionError"),
        (_TwoArgumentsError("a", "b"), "_TwoArgumentsError"),
        (_UnprintableError(), "_UnprintableError"),
        (SystemExit(3), "SystemExit: 3"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (BaseException("odd"), "BaseException: odd"),
        (StopIteration(), "StopIteration"),
        (ValueError("x" * 5_000_000), "ValueError: xxx"),
    ],
)
async def test_whatever_a_handler_raises_is_its_failure(error: BaseException, text: str) -> None:
    async def raises(**kwargs: Any) -> None:
        raise error

    hooks = hooks_with()
    add(hooks, raises)
    result = await fire(hooks)
    assert [each.kind for each in result.errors] == ["exception"]
    assert text in result.errors[0].text
    assert len(result.errors[0].text) < 10_000
    assert len(result.errors[0].traceback) < 50_000


async def test_a_handler_that_cancels_itself_fails_at_once_by_its_own_name() -> None:
    async def cancels(**kwargs: Any) -> None:
        raise asyncio.CancelledError("mine")

    hooks = hooks_with()
    add(hooks, cancels)
    result = await fire(hooks)
    assert [(each.kind, "CancelledError: mine" in each.text) for each in result.errors] == [("cancelled", True)]


async def _three(policy: ErrorPolicy, **spec: Any) -> tuple[list[str], Any]:
    ran: list[str] = []

    async def first(**kwargs: Any) -> None:
        ran.append("first")

    async def second(**kwargs: Any) -> None:
        ran.append("second")
        raise ValueError("boom")

    async def third(**kwargs: Any) -> None:
        ran.append("third")

    hooks = hooks_with(**spec)
    add(hooks, first, second, third, error_policy=policy)
    return ran, await fire(hooks)


@pytest.mark.parametrize("policy", [ErrorPolicy.SKIP, ErrorPolicy.LOG])
async def test_skip_and_log_isolate_a_failure_and_record_it(policy: ErrorPolicy) -> None:
    ran, result = await _three(policy)
    assert ran == ["first", "second", "third"]
    assert not result.aborted
    assert [(error.handler, error.kind) for error in result.errors] == [("001.second", "exception")]


async def test_abort_policy_ends_the_chain_just_as_an_abort_does_and_records_it() -> None:
    ran, result = await _three(ErrorPolicy.ABORT)
    assert ran == ["first", "second"]
    assert result.aborted
    assert result.stopped_by == ("demo.plugin", "001.second")
    assert [error.kind for error in result.errors] == ["exception"]


async def test_skip_logs_one_warning_and_log_an_error_with_the_traceback(logged: list[str]) -> None:
    await _three(ErrorPolicy.SKIP)
    assert len(logged) == 1
    assert logged[0].startswith("WARNING")
    assert "Traceback" not in logged[0]
    logged.clear()
    await _three(ErrorPolicy.LOG)
    assert len(logged) == 1
    assert logged[0].startswith("ERROR")
    assert 'raise ValueError("boom")' in logged[0]


async def test_a_timeout_is_a_failure_and_the_next_handler_runs() -> None:
    ran: list[str] = []

    async def hangs(**kwargs: Any) -> None:
        await asyncio.Event().wait()

    async def later(**kwargs: Any) -> None:
        ran.append("later")

    hooks = hooks_with()
    hooks.register("demo.plugin", [on(hangs, "a", timeout_ms=20), on(later, "b")])
    result = await fire(hooks)
    assert [(error.kind, error.text) for error in result.errors] == [("timeout", "ran longer than 20 ms")]
    assert ran == ["later"]


async def test_a_deadline_is_the_handlers_own_else_the_hooks_else_the_hosts() -> None:
    hooks = hooks_with(HookSettings(default_timeout_ms=1234))
    add(hooks, _returns(None))
    assert hooks.table.of("demo.plugin")[0].timeout_ms == 1234
    hooks = hooks_with(default_timeout_ms=5000)
    hooks.register("demo.plugin", [on(_returns(None), "a"), on(_returns(None), "b", timeout_ms=7)])
    assert [each.timeout_ms for each in hooks.table.of("demo.plugin")] == [5000, 7]


# 5. observers (see also test_observers.py)


async def test_observers_do_not_run_after_an_abort_unless_they_ask_to() -> None:
    ran: list[str] = []

    async def plain(**kwargs: Any) -> None:
        ran.append("plain")

    async def curious(**kwargs: Any) -> None:
        ran.append("curious")

    hooks = hooks_with()
    hooks.register(
        "demo.plugin",
        [
            on(_returns({"action": "abort"}), "stop"),
            on(plain, mode=HookMode.OBSERVE),
            on(curious, mode=HookMode.OBSERVE, metadata={"observe_aborted": True}),
        ],
    )
    await fire(hooks)
    await hooks.drain()
    assert ran == ["curious"]


# 6. the rest


async def test_dispatches_of_one_hook_overlap() -> None:
    """One public plugin parks a call until a later one comes, and aborts that one."""
    hooks = hooks_with()
    second_came = asyncio.Event()

    async def parks(text: str, **kwargs: Any) -> dict[str, Any] | None:
        if text == "second":
            second_came.set()
            return {"action": "abort"}
        await second_came.wait()
        return None

    add(hooks, parks)
    first = asyncio.create_task(fire(hooks, text="first"))
    await asyncio.sleep(0)
    second = await fire(hooks, text="second")
    assert second.aborted
    assert not (await first).aborted


async def test_cancelling_the_caller_cancels_the_running_handler_and_nothing_else_runs() -> None:
    hooks = hooks_with()
    started, ended, ran = asyncio.Event(), asyncio.Event(), list[str]()

    async def waits(**kwargs: Any) -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def later(**kwargs: Any) -> None:
        ran.append("later")

    hooks.register("demo.plugin", [on(waits, "a"), on(later, "b"), on(later, "c", mode=HookMode.OBSERVE)])
    caller = asyncio.create_task(fire(hooks))
    await started.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await hooks.drain()
    assert ended.is_set()
    assert ran == []


async def test_hooks_that_fire_themselves_end_in_a_typed_error_that_names_the_chain() -> None:
    hooks = hooks_with(HookSettings(max_chain_depth=4))
    depths: list[int] = []
    caught: list[ChainDepthError] = []

    async def again(count: int, **kwargs: Any) -> None:
        depths.append(count)
        try:
            await fire(hooks, count=count + 1)
        except ChainDepthError as error:
            caught.append(error)
            raise

    add(hooks, again)
    result = await fire(hooks, count=1)
    assert depths == [1, 2, 3, 4]
    assert caught[0].path == (HOOK,) * 5
    assert result.errors == ()


async def test_two_hooks_that_fire_each_other_are_stopped_and_nothing_deadlocks() -> None:
    hooks = hooks_with(HookSettings(max_chain_depth=6))
    hooks.register_spec(HookSpec(name="other.hook", payload=Greeting))
    fired: list[str] = []
    caught: list[ChainDepthError] = []

    def firing(target: str) -> Any:
        async def handler(hook_name: str, **kwargs: Any) -> None:
            fired.append(hook_name)
            try:
                await hooks.invoke(target, {"text": "again"})
            except ChainDepthError as error:
                caught.append(error)

        return handler

    hooks.register("a.plugin", [on(firing("other.hook"), "a")])
    hooks.register("b.plugin", [on(firing(HOOK), "b", hook="other.hook")])
    async with asyncio.timeout(30):
        await fire(hooks)
    assert fired == [HOOK, "other.hook"] * 3
    assert [error.path for error in caught] == [(HOOK, "other.hook") * 3 + (HOOK,)]


async def test_nested_dispatches_share_a_trace_id_and_what_comes_after_starts_a_new_chain() -> None:
    hooks = hooks_with()
    ids: list[str] = []
    gate = asyncio.Event()
    background: list[asyncio.Task[Any]] = []

    async def outer(text: str, trace_id: str, **kwargs: Any) -> None:
        ids.append(trace_id)
        if text == "hi":
            await fire(hooks, text="inner")

            async def later() -> None:
                await gate.wait()
                await fire(hooks, text="later")

            background.append(asyncio.create_task(later()))

    add(hooks, outer)
    await fire(hooks)
    gate.set()
    await background[0]
    assert ids[0] == ids[1] != ids[2]


async def test_what_a_handler_fires_after_another_dispatch_of_its_own_is_still_of_its_chain() -> None:
    hooks = hooks_with(HookSettings(max_chain_depth=2))
    ids: list[str] = []

    async def outer(text: str, trace_id: str, **kwargs: Any) -> None:
        ids.append(trace_id)
        if text == "hi":
            for _ in range(3):
                await fire(hooks, text="inner")

    add(hooks, outer)
    await fire(hooks)
    assert len(ids) == 4
    assert len(set(ids)) == 1


async def test_a_task_starts_a_new_chain_with_each_dispatch_however_the_last_one_ended() -> None:
    hooks = hooks_with(HookSettings(max_chain_depth=1))
    ids: list[str] = []

    async def handler(text: str, trace_id: str, **kwargs: Any) -> None:
        ids.append(trace_id)
        if text == "hang":
            await asyncio.Event().wait()

    add(hooks, handler)
    await fire(hooks)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await fire(hooks, text="hang")
    await fire(hooks)
    assert len(ids) == len(set(ids)) == 3


async def test_a_spec_keeps_two_forms_in_step_after_each_handler() -> None:
    def reconcile(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
        return {"count": len(after["text"])} if after["text"] != before["text"] else {}

    seen: list[int] = []

    async def changes(**kwargs: Any) -> dict[str, Any]:
        return {"modified_kwargs": {"text": "four"}}

    async def reads(count: int, **kwargs: Any) -> None:
        seen.append(count)

    hooks = hooks_with(reconcile=reconcile)
    add(hooks, changes, reads)
    result = await fire(hooks, count=0)
    assert seen == [4]
    assert result.kwargs["count"] == 4


async def test_changes_that_cannot_be_reconciled_are_that_handlers_failure() -> None:
    def reconcile(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
        raise ValueError("forms disagree")

    result = await _result_of({"modified_kwargs": {"text": "new"}}, reconcile=reconcile)
    assert result.kwargs["text"] == "hi"
    assert "forms disagree" in result.errors[0].text


async def test_a_running_dispatch_keeps_the_handlers_that_it_started_with() -> None:
    hooks = hooks_with()
    ran: list[str] = []
    inside, go_on = asyncio.Event(), asyncio.Event()

    async def first(**kwargs: Any) -> None:
        inside.set()
        await go_on.wait()

    async def old(**kwargs: Any) -> None:
        ran.append("old")

    async def new(**kwargs: Any) -> None:
        ran.append("new")

    hooks.register("a.plugin", [on(first)])
    hooks.register("b.plugin", [on(old)])
    running = asyncio.create_task(fire(hooks))
    await inside.wait()
    hooks.register("b.plugin", [on(new)])
    go_on.set()
    await running
    await fire(hooks)
    assert ran == ["old", "new"]


async def test_a_hook_nobody_subscribes_to_gives_the_payload_back() -> None:
    result = await fire(hooks_with(), count=1)
    assert (result.hook_name, result.kwargs, result.aborted) == (HOOK, {"text": "hi", "count": 1}, False)


def test_removing_a_plugin_takes_all_its_handlers_out() -> None:
    hooks = hooks_with()
    add(hooks, _returns(None), _returns(None))
    hooks.remove("demo.plugin")
    assert hooks.describe()[0].handlers == []
    assert isinstance(hooks, Hooks)
