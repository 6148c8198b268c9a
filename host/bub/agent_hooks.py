"""The four hooks around an agent's calls: decisions fold and stop; failures and nonsense are logged and skipped."""

from dataclasses import replace
from typing import Any

from loguru import logger

from host.bub.events import EventBus, LLMCallFinished, LLMCallStarted, ToolCallFinished, ToolCallStarted
from host.bub.payloads import (
    LLMCallDecision,
    LLMCallRequest,
    LLMCallResult,
    ToolCall,
    ToolCallDecision,
    ToolCallResult,
    is_finish,
    is_request,
    is_tool_decision,
)
from host.bub.runtime import HookRuntime
from host.hooks import NOTIFY, WATERFALL, Implementation, series


class AgentHooks:
    """Fires the hooks around model and tool calls.

    Args:
        runtime: whose implementations.
    """

    def __init__(self, runtime: HookRuntime) -> None:
        self._table = runtime.plugins.table

    async def before_llm_call(
        self, request: LLMCallRequest, state: dict[str, Any]
    ) -> tuple[LLMCallRequest, LLMCallDecision | None]:
        """The request as it was rewritten, and the decision that ended the hook, if one did.

        With a decision neither the provider nor ``after_llm_call`` is to be called; earlier rewrites stay.
        """
        decision: list[LLMCallDecision] = []

        def fold(implementation: Implementation, arguments: dict[str, Any], answer: Any) -> bool:
            if is_finish(answer):
                decision.append(answer)
                return True
            if is_request(answer):
                arguments["request"] = answer
            else:
                _log_return(implementation, answer, "LLMCallRequest | LLMCallDecision | None")
            return False

        arguments: dict[str, Any] = {"request": request, "state": state}
        await series(self._table.of("before_llm_call"), arguments, WATERFALL, fold=fold, complain=_log_failure)
        return arguments["request"], decision[0] if decision else None

    async def after_llm_call(self, request: LLMCallRequest, result: LLMCallResult, state: dict[str, Any]) -> None:
        """Once for each completed call: success, or failure by an ordinary exception."""
        arguments = {"request": request, "result": result, "state": state}
        await series(self._table.of("after_llm_call"), arguments, NOTIFY, complain=_log_failure)

    async def before_tool_call(self, call: ToolCall, state: dict[str, Any]) -> tuple[ToolCall, ToolCallDecision]:
        """The call with the arguments that it goes on with, and the decision: proceed, replace or deny."""
        decision = [ToolCallDecision.proceed()]

        def fold(implementation: Implementation, arguments: dict[str, Any], answer: Any) -> bool:
            if not is_tool_decision(answer) or answer.action not in ("proceed", "replace", "deny"):
                _log_return(implementation, answer, "ToolCallDecision | None")
                return False
            if answer.action != "proceed":
                decision[0] = answer
                return True
            if answer.arguments is not None:
                arguments["call"] = replace(arguments["call"], arguments=dict(answer.arguments))
            return False

        arguments: dict[str, Any] = {"call": call, "state": state}
        await series(self._table.of("before_tool_call"), arguments, WATERFALL, fold=fold, complain=_log_failure)
        return arguments["call"], decision[0]

    async def after_tool_call(self, call: ToolCall, result: ToolCallResult, state: dict[str, Any]) -> None:
        """Once for each call that ended: success, failure, denied or replaced. All share the one `result`."""
        arguments = {"call": call, "result": result, "state": state}
        await series(self._table.of("after_tool_call"), arguments, NOTIFY, complain=_log_failure)


class PluginAgentHooks:
    """Connects the four hooks to the events of an agent.

    Args:
        runtime: whose implementations.
    """

    def __init__(self, runtime: HookRuntime) -> None:
        self._hooks = AgentHooks(runtime)

    def subscribe(self, events: EventBus | None = None) -> EventBus:
        """Listen to `events`, or to a bus that is made for it; the bus."""
        bus = EventBus() if events is None else events
        bus.on(LLMCallStarted, self._before_llm_call)
        bus.on(LLMCallFinished, self._after_llm_call)
        bus.on(ToolCallStarted, self._before_tool_call)
        bus.on(ToolCallFinished, self._after_tool_call)
        return bus

    async def _before_llm_call(self, event: LLMCallStarted) -> None:
        # What a listener before the hooks decided stands: they are asked only while the call is going to be made.
        if event.decision is None:
            event.request, event.decision = await self._hooks.before_llm_call(event.request, event.state)

    async def _after_llm_call(self, event: LLMCallFinished) -> None:
        await self._hooks.after_llm_call(event.request, event.result, event.state)

    async def _before_tool_call(self, event: ToolCallStarted) -> None:
        if event.decision.action == "proceed":
            event.call, event.decision = await self._hooks.before_tool_call(event.call, event.state)

    async def _after_tool_call(self, event: ToolCallFinished) -> None:
        await self._hooks.after_tool_call(event.call, event.result, event.state)


def _log_failure(implementation: Implementation, failure: Exception) -> None:
    logger.opt(exception=failure).warning(
        "hook.agent_hook_failed hook={} adapter={}", implementation.hook, implementation.plugin
    )


def _log_return(implementation: Implementation, answer: object, expected: str) -> None:
    logger.warning(
        "hook.agent_hook_bad_return hook={} adapter={} got={} expected={}",
        implementation.hook,
        implementation.plugin,
        type(answer).__name__,
        expected,
    )
