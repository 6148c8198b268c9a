"""The hooks around model and tool calls; compared with what Bub itself answered."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

import pytest

from host.bub import (
    AgentHooks,
    LLMCallDecision,
    LLMCallRequest,
    LLMCallResult,
    PluginAgentHooks,
    Tool,
    ToolCall,
    ToolCallDecision,
    ToolExecutor,
)
from tests.bub.making import ANSWERS, framework, plugin

REQUEST = LLMCallRequest("r", "m", [])


def executor(*plugins: object) -> ToolExecutor:
    return ToolExecutor(PluginAgentHooks(framework(*plugins).runtime).subscribe())


def hooks(*plugins: object) -> AgentHooks:
    return AgentHooks(framework(*plugins).runtime)


async def test_finish_stops_and_keeps_earlier_rewrites() -> None:
    async def rewrite(request: LLMCallRequest) -> LLMCallRequest:
        return replace(request, model="new")

    def never() -> None:
        raise AssertionError

    agent = hooks(
        plugin(before_llm_call=never),
        plugin(before_llm_call=lambda request: LLMCallDecision.finish("stop:" + request.model)),
        plugin(before_llm_call=rewrite),
    )
    request, decision = await agent.before_llm_call(REQUEST, {})
    assert decision is not None
    assert [request.model, decision.text] == ANSWERS["before_llm_finish_keeps_earlier_rewrites"]


async def _cancelled() -> None:
    raise asyncio.CancelledError


@pytest.mark.parametrize("hook", ["before_llm_call", "after_llm_call", "before_tool_call", "after_tool_call"])
async def test_cancellation_passes(hook: str) -> None:
    agent = hooks(plugin(**{hook: _cancelled}))
    call = ToolCall("r", "t", {})
    calls: dict[str, Any] = {
        "before_llm_call": lambda: agent.before_llm_call(REQUEST, {}),
        "after_llm_call": lambda: agent.after_llm_call(REQUEST, LLMCallResult("r"), {}),
        "before_tool_call": lambda: agent.before_tool_call(call, {}),
        "after_tool_call": lambda: agent.after_tool_call(call, None, {}),  # type: ignore[arg-type]
    }
    assert ANSWERS["before_llm_cancel_propagates"].startswith("RAISED CancelledError")
    with pytest.raises(asyncio.CancelledError):
        await calls[hook]()


async def test_arguments_edited_in_place_stay_edited() -> None:
    agent = hooks(plugin(before_tool_call=lambda call: call.arguments.update(x=1)))
    call, decision = await agent.before_tool_call(ToolCall("r", "t", {}), {})
    assert [call.arguments, decision.action] == ANSWERS["before_tool_inplace_mutation_leaks"]


async def test_raising_and_nonsense_are_logged_and_never_block(said: list[str]) -> None:
    def boom() -> None:
        raise PermissionError("no")

    agent = hooks(plugin(before_tool_call=lambda: True), plugin(before_tool_call=boom))
    call, decision = await agent.before_tool_call(ToolCall("r", "t", {"a": 1}), {})
    assert [call.arguments, decision.action] == ANSWERS["before_tool_bad_return_and_raise_skipped"]
    assert said == [
        "WARNING: hook.agent_hook_failed hook=before_tool_call adapter=p1",
        "WARNING: hook.agent_hook_bad_return hook=before_tool_call adapter=p0 got=bool"
        " expected=ToolCallDecision | None",
    ]


async def test_arguments_fold_and_deny_stops() -> None:
    seen: list[Any] = []

    def lowest() -> None:
        raise AssertionError

    def middle(call: ToolCall) -> ToolCallDecision:
        seen.append(call.arguments)
        return ToolCallDecision.deny("no")

    agent = hooks(
        plugin(before_tool_call=lowest),
        plugin(before_tool_call=middle),
        plugin(before_tool_call=lambda: ToolCallDecision.proceed({"a": 2})),
    )
    call, decision = await agent.before_tool_call(ToolCall("r", "t", {"a": 1}), {})
    assert seen == [{"a": 2}]
    assert (call.arguments, decision.action, decision.message) == ({"a": 2}, "deny", "no")


async def test_decisions_of_another_package_are_known_by_their_shape() -> None:
    @dataclass(frozen=True)
    class ForeignDecision:
        action: str
        arguments: Any = None
        result: Any = None
        message: Any = None

    agent = hooks(plugin(before_tool_call=lambda: ForeignDecision("deny", message="foreign")))
    _, decision = await agent.before_tool_call(ToolCall("r", "t", {}), {})
    assert (decision.action, decision.message) == ("deny", "foreign")


async def test_denied_without_a_word_says_why_and_reaches_after() -> None:
    seen: list[Any] = []

    def after(call: ToolCall, result: Any) -> None:
        seen.append([result.result, str(result.error), call.arguments])

    tools = executor(plugin(before_tool_call=lambda: ToolCallDecision.deny(""), after_tool_call=after))
    execution = await tools.execute([(Tool("t", lambda **given: "ran"), {"a": 1})])
    assert [execution.tool_results, str(execution.error), seen] == ANSWERS[
        "tool_executor_deny_default_message_and_after_fires"
    ]


def _replacing(text: str) -> Any:
    def after_tool_call(result: Any) -> None:
        result.result = text.format(result.result)

    return plugin(after_tool_call=after_tool_call)


async def test_a_result_put_in_the_place_of_a_failure() -> None:
    def boom() -> None:
        raise ValueError("x")

    execution = await executor(_replacing("REPLACED")).execute([(Tool("t", boom), {})])
    assert [execution.tool_results, str(execution.error)] == ANSWERS["after_tool_result_replacement_on_error"]
    assert execution.error is not None
    assert execution.error.details == {"error": "ValueError('x')"}


async def test_all_edit_one_result_the_highest_first() -> None:
    tools = executor(_replacing("{}>low"), _replacing("{}>high"))
    execution = await tools.execute([(Tool("t", lambda: "ran"), {})])
    assert execution.tool_results == ANSWERS["after_tool_result_replacement_on_success_chain_order"]


async def test_a_replaced_call_reaches_after() -> None:
    replacing = plugin(before_tool_call=lambda: ToolCallDecision.replace("rep"))
    tools = executor(replacing, _replacing("{}+after"))
    execution = await tools.execute([(Tool("t", lambda: "ran"), {})])
    assert execution.tool_results == ANSWERS["replace_still_fires_after_and_can_be_overwritten"]


async def test_a_cancelled_tool_does_not_reach_after() -> None:
    seen: list[Any] = []
    inside = asyncio.Event()

    def after_tool_call(result: Any) -> None:
        seen.append(result)

    async def hang() -> None:
        inside.set()
        await asyncio.Event().wait()

    tools = executor(plugin(after_tool_call=after_tool_call))
    step = asyncio.create_task(tools.execute([(Tool("t", hang), {})]))
    await inside.wait()
    step.cancel()
    with pytest.raises(asyncio.CancelledError):
        await step
    assert seen == []


async def test_a_raising_after_hook_leaves_the_result(said: list[str]) -> None:
    def boom() -> None:
        raise ValueError("after")

    tools = executor(plugin(after_tool_call=boom))
    assert (await tools.execute([(Tool("t", lambda: "ran"), {})])).tool_results == ["ran"]
    assert said == ["WARNING: hook.agent_hook_failed hook=after_tool_call adapter=p0"]
