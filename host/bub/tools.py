"""Tools, and the calls of one step of an agent: at the same time, each with its hooks around it."""

import asyncio
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

from host.bub.errors import BubError
from host.bub.events import EventBus, ToolCallFinished, ToolCallStarted
from host.bub.payloads import ToolCall, ToolCallResult


@dataclass(frozen=True)
class Tool:
    """Something that an agent may call.

    Args:
        name: as the model calls it.
        handler: called with the arguments by keyword; may be async.
        description: for the model.
        parameters: a JSON schema.
    """

    name: str
    handler: Callable[..., Any]
    description: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ToolExecution:
    """What came of a step's calls: what the model sees of each, in their order, and the first error."""

    tool_results: list[Any]
    error: BubError | None = None


class ToolExecutor:
    """Makes tool calls.

    Args:
        events: told before and after each.
    """

    def __init__(self, events: EventBus) -> None:
        self._events = events

    async def execute(
        self,
        calls: Sequence[tuple[Tool, dict[str, Any]]],
        *,
        run_id: str = "",
        state: dict[str, Any] | None = None,
        context: Any = None,
    ) -> ToolExecution:
        """Make all calls of one step, all at once. Hooks of one call run in series, those of two calls interleave.

        Args:
            calls: each tool with its arguments.
            run_id: of the run that they belong to.
            state: of the turn.
            context: handed on to whoever listens.

        Raises:
            Exception: what a listener raised; the other calls are cancelled.
        """
        turn_state = {} if state is None else state
        running = [
            asyncio.ensure_future(self.call(tool, ToolCall(run_id, tool.name, given, context), turn_state))
            for tool, given in calls
        ]
        try:
            results = await asyncio.gather(*running)
        finally:
            for each in running:
                each.cancel()
            await asyncio.gather(*running, return_exceptions=True)
        errors = [each.error for each in results if isinstance(each.error, BubError)]
        return ToolExecution([for_model(each) for each in results], errors[0] if errors else None)

    async def call(self, tool: Tool, asked: ToolCall, state: dict[str, Any]) -> ToolCallResult:
        """Make one call; the result as whoever listens left it."""
        started = await self._events.emit(ToolCallStarted(asked, state))
        call, decision = started.call, started.decision
        result = ToolCallResult(call.run_id, tool.name, call.arguments)
        begun = monotonic()
        if decision.action == "deny":
            result.error = BubError("tool", decision.message or f"Tool '{tool.name}' call denied by policy hook.")
        elif decision.action == "replace":
            result.result = decision.result
        else:
            result = await _run(tool, result)
        result.duration_ms = round((monotonic() - begun) * 1000)
        await self._events.emit(ToolCallFinished(call, result, state))
        return result


async def _run(tool: Tool, result: ToolCallResult) -> ToolCallResult:
    try:
        value = tool.handler(**result.arguments)
        return replace(result, result=await value if inspect.isawaitable(value) else value)
    except BubError as error:
        return replace(result, error=error)
    except Exception as error:
        failed = BubError("tool", f"Tool '{tool.name}' execution failed.", {"error": repr(error)})
        failed.__cause__ = error
        return replace(result, error=failed)


def for_model(result: ToolCallResult) -> Any:
    """What a hook put into the result counts, beside an error too."""
    if isinstance(result.error, BubError) and result.result is None:
        return result.error.as_dict()
    return result.result
