"""Handlers that live in another process: checked, ordered, called and failing just as those at hand."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from host.hooks import (
    Anatomy,
    CannotRunError,
    Chain,
    Declaration,
    Failure,
    Foreign,
    HandlerFailedError,
    Hooks,
    HookSettings,
    PayloadTooLargeError,
    PayloadVersion,
    RegistrationError,
    RemoteFunction,
    Source,
    examine,
)
from tests.hooks.elsewhere import remote
from tests.hooks.greeting import HOOK, extra, fire, hooks_with, on


def _started_by(start: Callable[[PayloadVersion, Chain, float], Awaitable[object]]) -> RemoteFunction:
    return RemoteFunction(Anatomy(takes_rest=True, is_async=True), start, "elsewhere")


def _raising(error: BaseException) -> RemoteFunction:
    async def start(version: PayloadVersion, chain: Chain, due: float) -> object:
        raise error

    return _started_by(start)


def _text_of(hooks: Hooks, *declarations: Declaration) -> str:
    with pytest.raises(RegistrationError) as caught:
        hooks.check("demo.plugin", declarations)
    return str(caught.value)


# called


async def test_it_gets_the_payload_and_its_return_counts_as_that_of_a_handler_at_hand() -> None:
    hooks = hooks_with()
    seen: list[Any] = []

    async def elsewhere(**kwargs: Any) -> dict[str, Any]:
        seen.append(kwargs)
        return {"modified_kwargs": {"tags": ["a", "b"]}, "custom_result": (1, 2)}

    async def at_hand(**kwargs: Any) -> dict[str, Any]:
        return {"action": "abort", "modified_kwargs": {"text": " ".join(kwargs["tags"])}}

    hooks.register("a.plugin", [on(remote(elsewhere))])
    hooks.register("b.plugin", [on(at_hand)])
    result = await fire(hooks, extra={"deep": [1]})
    assert seen == [{"text": "hi", "extra": {"deep": [1]}, "hook_name": HOOK}]
    assert result.kwargs == {"text": "a b", "tags": ["a", "b"], "extra": {"deep": [1]}}
    assert [custom.value for custom in result.custom_results] == [[1, 2]]
    assert result.stopped_by == ("b.plugin", "at_hand")


async def test_it_is_told_the_dispatch_and_the_deadline() -> None:
    hooks = hooks_with()
    told: list[Any] = []

    async def start(version: PayloadVersion, chain: Chain, due: float) -> object:
        told.append((version.values["hook_name"], chain.trace_id, due - asyncio.get_running_loop().time()))
        return None

    hooks.register("a.plugin", [on(_started_by(start), timeout_ms=5_000)])
    result = await fire(hooks)
    ((hook, trace_id, left),) = told
    assert (hook, trace_id) == (HOOK, result.trace_id)
    assert 4 < left <= 5


async def test_its_deadline_is_kept_for_it() -> None:
    hooks = hooks_with()
    cancelled: list[str] = []

    async def start(version: PayloadVersion, chain: Chain, due: float) -> object:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append("the call")
            raise
        return None

    hooks.register("a.plugin", [on(_started_by(start), timeout_ms=10)])
    result = await fire(hooks)
    assert [(error.kind, error.text) for error in result.errors] == [("timeout", "ran longer than 10 ms")]
    assert cancelled == ["the call"]


async def test_a_failure_that_happened_elsewhere_is_recorded_as_it_is() -> None:
    hooks = hooks_with()
    failure = Failure("cancelled", "it ended itself by CancelledError: ", "Traceback of there")
    hooks.register("a.plugin", [on(_raising(HandlerFailedError(failure)))])
    (error,) = (await fire(hooks)).errors
    assert (error.kind, error.text, error.traceback) == (failure.kind, failure.text, failure.traceback)


async def test_one_that_cannot_be_run_is_unavailable_and_ends_the_dispatch_if_it_is_a_guard() -> None:
    hooks = hooks_with()
    hooks.register("a.plugin", [on(_raising(CannotRunError("no answer", charged=True)), error_policy="abort")])
    result = await fire(hooks)
    assert [(error.kind, error.text, error.traceback) for error in result.errors] == [("unavailable", "no answer", "")]
    assert result.aborted


# one encoding for each version of the payload


async def test_a_payload_is_encoded_once_for_all_that_live_elsewhere_observers_too() -> None:
    hooks = hooks_with()
    got: list[tuple[str, bytes]] = []

    def notes(name: str, changes: dict[str, Any] | None = None) -> RemoteFunction:
        async def start(version: PayloadVersion, chain: Chain, due: float) -> object:
            got.append((name, version.encoded()))
            return changes and {"modified_kwargs": changes}

        return _started_by(start)

    async def at_hand(**kwargs: Any) -> None:
        kwargs["extra"]["mine"] = 1

    hooks.register("a.plugin", [on(notes("1"), "1"), on(at_hand, "2"), on(notes("3", {"text": "new"}), "3")])
    hooks.register("b.plugin", [on(notes("4"), "4"), on(notes("5"), "5", mode="observe")])
    hooks.register("c.plugin", [on(notes("6"), "6", mode="observe")])
    await fire(hooks, extra={"deep": [1]})
    await hooks.drain()
    encoded = dict(got)
    assert msgspec.msgpack.decode(encoded["1"]) == {"text": "hi", "extra": {"deep": [1]}, "hook_name": HOOK}
    assert encoded["1"] is encoded["3"]
    assert msgspec.msgpack.decode(encoded["4"]) == {"text": "new", "extra": {"deep": [1]}, "hook_name": HOOK}
    assert encoded["4"] is encoded["5"] is encoded["6"]


async def test_what_an_observer_elsewhere_gets_is_as_it_was_when_the_dispatch_ended() -> None:
    hooks = hooks_with(HookSettings(observer_concurrency=1))
    go_on = asyncio.Event()
    seen: list[Any] = []

    async def changes(**kwargs: Any) -> dict[str, Any]:
        return {"modified_kwargs": {"tags": ["changed"]}}

    async def waits(version: PayloadVersion, chain: Chain, due: float) -> object:
        await go_on.wait()
        seen.append(msgspec.msgpack.decode(version.encoded())["tags"])
        return None

    hooks.register("a.plugin", [on(changes), on(_started_by(waits), mode="observe")])
    result = await fire(hooks)
    result.kwargs["tags"].append("the caller's")
    go_on.set()
    await hooks.drain()
    assert seen == [["changed"]]


# size


def _limited(limit: int, **spec: Any) -> Hooks:
    return hooks_with(HookSettings(max_payload_bytes=limit), **spec)


@pytest.mark.parametrize("mode", ["blocking", "observe"])
async def test_a_payload_that_is_too_large_is_the_callers_error_and_names_its_largest_part(mode: str) -> None:
    hooks = _limited(1_000)
    ran: list[str] = []

    async def handler(**kwargs: Any) -> None:
        ran.append("ran")

    hooks.register("a.plugin", [on(handler, "first")])
    hooks.register("b.plugin", [on(remote(handler), mode=mode)])
    await fire(hooks, extra={"data": b"x" * 800})
    await hooks.drain()
    assert ran == ["ran", "ran"]
    with pytest.raises(PayloadTooLargeError) as caught:
        await fire(hooks, extra={"parts": [{"type": "text"}, {"data": b"x" * 5_000}], "note": "y" * 300})
    await hooks.drain()
    assert ran == ["ran", "ran"]
    (issue,) = caught.value.issues
    assert issue.path == "extra.parts[1].data"
    assert issue.found.startswith("5,003 bytes, the largest part of 5,")
    assert issue.allowed == "1,000 bytes for the payload as a whole"
    assert HOOK in str(caught.value)
    assert "max_payload_bytes" in str(caught.value)
    assert "max_payload_bytes" in caught.value.text("zh")


async def test_of_many_small_values_the_key_that_holds_them_is_named() -> None:
    hooks = _limited(1_000)
    hooks.register("b.plugin", [on(_raising(AssertionError("never")))])
    with pytest.raises(PayloadTooLargeError) as caught:
        await fire(hooks, tags=[str(number) for number in range(1_000)], count=1)
    assert caught.value.issues[0].path == "tags"


async def test_handlers_at_hand_may_have_payloads_of_any_size() -> None:
    hooks = _limited(10)

    async def handler(**kwargs: Any) -> None: ...

    hooks.register("a.plugin", [on(handler), on(handler, "o", mode="observe")])
    assert (await fire(hooks, text="x" * 1_000)).errors == ()
    registration = hooks.register("b.plugin", [on(remote(handler))])
    with pytest.raises(PayloadTooLargeError):
        await fire(hooks, text="x" * 1_000)
    hooks.deactivate(registration)
    assert (await fire(hooks, text="x" * 1_000)).errors == ()


async def test_handlers_given_for_one_call_count_too() -> None:
    hooks = _limited(10)

    async def handler(**kwargs: Any) -> None: ...

    given = hooks.check("b.plugin", [on(remote(handler))]).handlers
    with pytest.raises(PayloadTooLargeError):
        await hooks.invoke(HOOK, {"text": "x" * 1_000}, extra_handlers=given)


async def test_where_a_change_made_it_too_large_later_handlers_elsewhere_cannot_be_run_and_are_not_charged() -> None:
    hooks = _limited(1_000)
    ran: list[str] = []

    async def grows(**kwargs: Any) -> dict[str, Any]:
        return {"modified_kwargs": {"extra": {"data": b"x" * 5_000}}}

    async def elsewhere(**kwargs: Any) -> None:
        ran.append("elsewhere")

    async def at_hand(**kwargs: Any) -> None:
        ran.append("at hand")

    async def shrinks(**kwargs: Any) -> dict[str, Any]:
        return {"modified_kwargs": {"extra": {}}}

    hooks.register("a.plugin", [on(grows)])
    hooks.register("b.plugin", [on(remote(elsewhere), "1"), on(remote(elsewhere), "2"), on(at_hand, "3")])
    for _ in range(10):
        ran.clear()
        result = await fire(hooks)
        assert ran == ["at hand"]
    assert [(error.handler, error.kind) for error in result.errors] == [("1", "unavailable"), ("2", "unavailable")]
    assert "extra.data" in result.errors[0].text
    with pytest.raises(PayloadTooLargeError) as caught:
        await fire(hooks, extra={"data": b"x" * 5_000})
    assert result.errors[0].text == result.errors[1].text == str(caught.value)
    hooks.register("a.plugin", [on(grows), on(shrinks, "shrinks", order="late")])
    hooks.register("c.plugin", [on(remote(elsewhere), "last", order="late")])
    ran.clear()
    assert [error.handler for error in (await fire(hooks)).errors] == ["1", "2"]
    assert ran == ["at hand", "elsewhere"]


# registration


async def _fits(**kwargs: Any) -> None: ...


async def _asks_too_much(text: str, mood: str) -> None: ...


async def _positional(a: str, /) -> None: ...


async def _generates(**kwargs: Any) -> Any:
    yield 1


@pytest.mark.parametrize(
    ("function", "declared"),
    [
        (_asks_too_much, {}),
        (_positional, {}),
        (_generates, {}),
        (_fits, {"hook": "greeting.before_sent"}),
        (_fits, {"timeout_ms": -1, "error_policy": "stop", "order": "first"}),
        (_fits, {"name": "zero\u200bwidth"}),
    ],
)
def test_it_is_refused_for_the_same_reasons_in_the_same_words(
    function: Callable[..., Any], declared: dict[str, Any]
) -> None:
    hooks = hooks_with()
    here = _text_of(hooks, on(function, **declared))
    assert _text_of(hooks, on(remote(function), **declared)) == here
    assert f"{__file__}:{function.__code__.co_firstlineno}: " in here


def test_it_gets_the_same_warnings_place_and_name() -> None:
    hooks = hooks_with(allow_kwargs_mutation=False, allow_abort=False)

    async def named(text: str = "", mood: str = "") -> None: ...

    here, elsewhere = (
        hooks.check("demo.plugin", [Declaration(hook=HOOK, handler=each)]) for each in (named, remote(named))
    )
    assert [warning.text() for warning in elsewhere.warnings] == [warning.text() for warning in here.warnings]
    assert len(here.warnings) == 2
    (one,), (other,) = here.handlers, elsewhere.handlers
    assert (one.name, one.file, one.line) == (other.name, other.file, other.line)
    assert (one.remote, other.remote) == (False, True)


def test_it_stands_where_the_order_puts_it() -> None:
    hooks = hooks_with()
    hooks.register("b.plugin", [on(remote(_fits), "b")])
    hooks.register("a.plugin", [on(_fits, "a"), on(_fits, "late", order="late")])
    assert [handler.name for handler in hooks.describe()[0].handlers] == ["a", "b", "late"]


class _Odd:
    """Neither this nor its repr is of any use."""

    def __repr__(self) -> str:
        raise ValueError("no")


@pytest.mark.parametrize(
    "value",
    [_Odd(), {"a": [1] * 100}, 10**40, (1, 2), {"\ud800"}],
    ids=["odd", "long", "huge", "tuple", "set"],
)
@pytest.mark.parametrize("field", ["hook", "name", "mode", "order", "timeout_ms", "error_policy", "handler"])
def test_what_could_not_travel_is_shown_as_the_thing_itself(field: str, value: object) -> None:
    hooks = hooks_with()

    def declaration(shown: object) -> Declaration:
        fields: dict[str, Any] = {"hook": HOOK, "handler": _fits, "name": "h", field: shown}
        return Declaration(**fields)

    here = _text_of(hooks, declaration(value))
    assert _text_of(hooks, declaration(Foreign.of(value))) == here


def test_flags_and_removed_components_too() -> None:
    hooks = hooks_with()
    stage = _Odd()

    def texts(stage: object, flag: object) -> list[str]:
        removed = Declaration(
            hook=None, handler=None, name="w", metadata={"stage": stage}, component_type="WORKFLOW_STEP"
        )
        nothing = Declaration(hook=None, handler=flag, component_type=None)
        return [_text_of(hooks, each) for each in (on(_fits, metadata={"observe_aborted": flag}), removed, nothing)]

    assert texts(Foreign.of((1, 2)), Foreign.of([stage])) == texts((1, 2), [stage])


def test_an_anatomy_survives_the_way_here() -> None:
    anatomy = examine(_asks_too_much)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(anatomy), type=Anatomy) == anatomy


async def test_one_given_for_a_single_call_is_called_in_its_place() -> None:
    hooks = hooks_with()
    ran: list[str] = []

    async def elsewhere(**kwargs: Any) -> None:
        ran.append("elsewhere")

    async def at_hand(**kwargs: Any) -> None:
        ran.append("at hand")

    hooks.register("z.plugin", [on(at_hand)])
    given = extra(hooks, remote(elsewhere), "a.plugin", Source.THIRD_PARTY)
    await hooks.invoke(HOOK, {"text": "hi"}, extra_handlers=[given])
    assert ran == ["elsewhere", "at hand"]
