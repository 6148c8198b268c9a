"""First answer, all answers, at once or awaited, and observers of errors; compared with what Bub itself answered."""

import asyncio
from typing import Any

import pytest

from host.bub import ModelChoice, ModelOptions, hookimpl
from tests.bub.making import ANSWERS, framework, plugin


@pytest.mark.parametrize("empty", ["", 0, False, []])
async def test_an_empty_session_is_an_answer_and_gives_the_fallback(empty: Any) -> None:
    asked: list[str] = []

    def low(message: Any) -> str:
        asked.append("low")
        return "low"

    host = framework(plugin(resolve_session=low), plugin(resolve_session=lambda message: empty))
    session = await host.resolve_session({"channel": "c", "chat_id": "r"})
    assert [session, asked] == ANSWERS["falsy_resolve_session"][repr(empty)]


async def test_an_empty_prompt_is_an_answer_and_gives_the_message() -> None:
    asked: list[str] = []

    def low(message: Any) -> str:
        asked.append("low")
        return "low"

    host = framework(plugin(build_prompt=low), plugin(build_prompt=lambda message: ""))
    assert [await host.build_prompt({"content": "hi"}, "s", {}), asked] == ANSWERS["falsy_build_prompt"]


async def test_the_session_where_nobody_says_one() -> None:
    messages: list[dict[str, Any]] = [{}, {"channel": "c"}, {"session_id": ""}, {"session_id": 5}]
    host = framework()
    assert [await host.resolve_session(each) for each in messages] == ANSWERS["default_session_id_variants"]


def test_where_nothing_can_be_awaited_the_next_one_is_asked(said: list[str]) -> None:
    async def high() -> str:
        return "high"

    host = framework(plugin(build_tape_context=lambda: "low"), plugin(build_tape_context=high))
    answer = host.runtime.call_first_sync("build_tape_context")
    assert answer == ANSWERS["sync_call_skips_awaitable_and_continues"]
    assert said == ["WARNING: hook.async_not_supported hook=build_tape_context adapter=p1"]


async def test_all_answers_are_kept_none_too() -> None:
    host = framework(plugin(load_state=lambda: None), plugin(load_state=lambda: {"b": 1}))
    assert await host.runtime.call_many("load_state", message={}, session_id="s") == ANSWERS["call_many_keeps_none"]
    assert host.runtime.call_many_sync("load_state", message={}, session_id="s") == ANSWERS["call_many_keeps_none"]


async def test_state_is_merged_from_low_to_high() -> None:
    async def high() -> dict[str, str]:
        return {"k": "high"}

    host = framework(
        plugin(load_state=lambda: {"k": "low", "a": 1, "_runtime_workspace": "OVERRIDE"}),
        plugin(load_state=high),
        plugin(load_state=lambda: [("k", "list")]),
    )
    state = await host.build_state({}, "s")
    assert {key: str(value) for key, value in state.items()} == ANSWERS["load_state_merge_priority_and_nondict_ignored"]


async def test_the_first_failure_ends_the_series() -> None:
    asked: list[str] = []

    def high() -> None:
        raise ValueError("boom")

    host = framework(plugin(load_state=lambda: asked.append("low")), plugin(load_state=high))
    with pytest.raises(ValueError, match="boom") as raised:
        await host.process_inbound({"content": "x"})
    assert [type(raised.value).__name__, asked] == ANSWERS["run_all_stops_at_first_exception"]


async def test_implementations_run_one_after_another() -> None:
    running: list[str] = []

    def slow(tag: str) -> Any:
        async def dispatch_outbound() -> None:
            running.append(f"{tag} begins")
            await asyncio.sleep(0)
            running.append(f"{tag} ends")

        return plugin(dispatch_outbound=dispatch_outbound)

    await framework(slow("a"), slow("b")).runtime.call_many("dispatch_outbound", message={})
    assert running == ["b begins", "b ends", "a begins", "a ends"]


async def test_all_dispatch_whatever_one_answers() -> None:
    asked: list[str] = []

    def sending(tag: str) -> Any:
        def dispatch_outbound() -> bool:
            asked.append(tag)
            return True

        return plugin(dispatch_outbound=dispatch_outbound)

    await framework(sending("a"), sending("b")).runtime.call_many("dispatch_outbound", message={})
    assert asked == ANSWERS["dispatch_outbound_all_run_even_when_true"]


async def test_a_failing_observer_of_errors_leaves_the_others(said: list[str]) -> None:
    told: list[str] = []

    def observing(tag: str) -> Any:
        def on_error(stage: str, error: Exception) -> None:
            told.append(tag)
            if tag == "b":
                raise RuntimeError("of its own")

        return plugin(tag, on_error=on_error)

    host = framework(*map(observing, "abc"))
    await host.runtime.notify_error(stage="turn", error=ValueError(), message=None)
    assert told == ANSWERS["on_error_observer_failure_isolated_and_order"]
    assert said == ["WARNING: hook.on_error_failed stage=turn adapter=b"]
    host.runtime.notify_error_sync(stage="turn", error=ValueError(), message=None)
    assert told == ["c", "b", "a"] * 2


async def test_cancellation_passes_an_observer_of_errors() -> None:
    async def on_error() -> None:
        raise asyncio.CancelledError

    host = framework(plugin(on_error=on_error))
    assert ANSWERS["on_error_cancelled_propagates"].startswith("RAISED CancelledError")
    with pytest.raises(asyncio.CancelledError):
        await host.runtime.notify_error(stage="turn", error=ValueError(), message=None)


async def test_channels_that_are_no_list() -> None:
    with pytest.raises(TypeError) as raised:
        framework(plugin(provide_channels=lambda: None)).channels(_ignore)
    assert f"RAISED TypeError: {raised.value}" == ANSWERS["provide_channels_none_result"]


def test_a_sidecar_that_is_none() -> None:
    with pytest.raises(AttributeError) as raised:
        framework(plugin(provide_tape_sidecar=lambda: None)).tape_sidecars()
    assert f"RAISED AttributeError: {raised.value}" == ANSWERS["provide_tape_sidecar_none_result"]


def test_of_one_name_the_highest_priority_stays() -> None:
    class Named:
        def __init__(self, name: str, owner: str) -> None:
            self.name, self.owner = name, owner

    host = framework(
        plugin(provide_tools=lambda: [Named("t", "low"), Named("u", "low")]),
        plugin(provide_tools=lambda: [Named("t", "high")]),
    )
    assert [(each.name, each.owner) for each in host.tools()] == [("t", "high"), ("u", "low")]


def test_the_system_prompt_is_joined_from_low_to_high(said: list[str]) -> None:
    async def middle() -> str:
        return "mid"

    host = framework(
        plugin(system_prompt=lambda: "low"),
        plugin(system_prompt=middle),
        plugin(system_prompt=lambda: ""),
        plugin(system_prompt=lambda: "high"),
    )
    assert host.system_prompt(prompt="p", state={}) == ANSWERS["system_prompt_order_async_skipped"]
    assert said == ["WARNING: hook.async_not_supported hook=system_prompt adapter=p1"]


def test_the_system_prompt_of_tryfirst_is_last() -> None:
    host = framework(
        plugin(system_prompt=hookimpl(tryfirst=True)(lambda: "A")),
        plugin(system_prompt=lambda: "B"),
        plugin(system_prompt=hookimpl(trylast=True)(lambda: "C")),
    )
    assert host.system_prompt(prompt="p", state={}) == ANSWERS["system_prompt_tryfirst_is_last_in_text"]


def test_a_tape_context_of_another_type() -> None:
    with pytest.raises(TypeError) as raised:
        framework(plugin(build_tape_context=lambda: 5)).tape_context()
    assert f"RAISED TypeError: {raised.value}" == ANSWERS["build_tape_context_wrong_type"]


async def test_an_admission_of_another_type() -> None:
    with pytest.raises(TypeError) as raised:
        await framework(plugin(admit_message=lambda: "drop")).admit_message("s", {}, None)  # type: ignore[arg-type]
    assert f"RAISED TypeError: {raised.value}" == ANSWERS["admit_wrong_type"]


def test_onboarding_runs_from_low_to_high() -> None:
    asked: list[str] = []

    def asking(tag: str) -> Any:
        def onboard_config(current_config: dict[str, Any]) -> dict[str, Any]:
            asked.append(tag)
            return {"k": tag}

        return plugin(tag, onboard_config=onboard_config)

    host = framework(asking("low"), asking("high"))
    merged = host.onboard_config()
    assert [asked, merged] == ANSWERS["onboard_config_order_low_to_high_high_wins"]
    assert host.onboard_config("low") == {"k": "low"}
    with pytest.raises(ValueError, match="registered are: low, high"):
        host.onboard_config("nobody")


def test_onboarding_passes_the_configuration_to_whom_does_not_declare_it() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'current_config'"):
        framework(plugin(onboard_config=lambda: {})).onboard_config()
    assert "unexpected keyword argument 'current_config'" in ANSWERS["onboard_config_must_declare_param"]


def test_onboarding_with_something_that_is_no_dict() -> None:
    with pytest.raises(TypeError) as raised:
        framework(plugin(onboard_config=lambda current_config: [1])).onboard_config()
    assert f"RAISED TypeError: {raised.value}" == ANSWERS["onboard_config_nondict"]


async def test_models_are_appended_and_the_first_current_one_stays() -> None:
    host = framework(
        plugin(provide_model_options=lambda: ModelOptions([ModelChoice("a")], "a")),
        plugin(provide_model_options=lambda: None),
        plugin(provide_model_options=lambda: ModelOptions([ModelChoice("a"), ModelChoice("b")])),
    )
    options = await host.model_options("s")
    assert [[each.id for each in options.models], options.current_model] == ANSWERS["model_options_merge"]


async def _ignore(message: Any) -> None: ...
