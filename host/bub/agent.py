"""An agent: asks a model, makes the calls that it wants, and asks again, until it wants none; all events are told."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, Protocol
from uuid import uuid4

from host.bub.errors import BubError
from host.bub.events import EventBus, LLMCallFinished, LLMCallStarted, MessagesPending, StepFinished
from host.bub.payloads import LLMCallRequest, LLMCallResult
from host.bub.recording import Tape, messages_of
from host.bub.streaming import StreamState
from host.bub.tapes import InMemoryTapeStore
from host.bub.tools import Tool, ToolExecutor


@dataclass(frozen=True)
class ModelReply:
    """What a model said.

    Args:
        text: the text so far; the whole of it in the last reply of a call.
        tool_calls: ``{"id", "name", "arguments"}``, in order.
        usage: of tokens, where known.
        model: the model that really answered.
        delta: what is new in `text`.
    """

    text: str = ""
    tool_calls: list[dict[str, Any]] = field(default_factory=list)
    usage: dict[str, Any] | None = None
    model: str = ""
    delta: str = ""


class Provider(Protocol):
    """Calls a model. The last of what it yields is the whole answer."""

    def __call__(self, request: LLMCallRequest, tools: Sequence[Tool], /) -> AsyncGenerator[ModelReply, None]:
        """Raises what it likes; that ends the run."""
        ...


SystemPrompt = Callable[[Any, dict[str, Any]], Awaitable[str]]
"""``(prompt, state) -> text``, asked before each step."""


async def no_system_prompt(prompt: Any, state: dict[str, Any]) -> str:
    """None."""
    return ""


@dataclass
class Agent:
    """Runs. Any number of runs may be under way at once.

    Args:
        provider: calls the model.
        model: the name that is asked for.
        tools: what it may call.
        events: who is told.
        system_prompt: what stands before everything else in each request.
        store: keeps the tapes.
        context: makes the messages of a request from a tape's entries.
        sidecars: tapes beside each tape.
        max_steps: how many steps a run may have.
    """

    provider: Provider
    model: str = ""
    tools: list[Tool] = field(default_factory=list)
    events: EventBus = field(default_factory=EventBus)
    system_prompt: SystemPrompt = no_system_prompt
    store: Any = field(default_factory=InMemoryTapeStore)
    context: Any = None
    sidecars: Sequence[Any] = ()
    max_steps: int = 32

    async def run(self, prompt: Any, *, session_id: str, state: dict[str, Any]) -> AsyncGenerator[str, None]:
        """One run; the text of the model piece by piece. Use it within `contextlib.aclosing` to leave it early.

        Args:
            prompt: what the user says, in the older form.
            session_id: names the tape.
            state: of the turn; all hooks of the run get it.

        Raises:
            BubError: it took too many steps.
            Exception: of the provider, or of a direct listener.
        """
        run_id = uuid4().hex
        async with Tape(session_id, self.store, run_id, self.sidecars).forked() as tape:
            await tape.append("message", {"role": "user", "content": prompt})
            output = StreamState()
            for _ in range(self.max_steps):
                reply = ModelReply()
                async with aclosing(self._ask(tape, prompt, state)) as replies:
                    async for reply in replies:
                        if reply.delta:
                            yield reply.delta
                await self._record(tape, reply)
                output.usage = reply.usage
                if reply.tool_calls:
                    await self._call(tape, reply.tool_calls, state)
                pending = await self.events.emit(MessagesPending(state))
                for message in pending.messages:
                    await tape.append("message", {"role": "user", "content": message})
                goes_on = bool(reply.tool_calls or pending.messages)
                step = StepFinished("continue" if goes_on else "done", prompt, tape, output)
                await self.events.emit(step)
                if not goes_on:
                    return
                if step.next_prompt is not None:
                    await tape.append("message", {"role": "user", "content": step.next_prompt})
            raise BubError("steps", f"the run did not end in {self.max_steps} steps")

    async def _ask(self, tape: Tape, prompt: Any, state: dict[str, Any]) -> AsyncGenerator[ModelReply, None]:
        """One model call between its events. Where it is cancelled, or closed by whoever reads, its end is not told."""
        request = await self._request(tape, prompt, state)
        started = await self.events.emit(LLMCallStarted(request, state))
        request = started.request
        await tape.append("event", {"name": "llm.request", "model": request.model, "messages": request.messages})
        if started.decision is not None:
            text = started.decision.text
            yield ModelReply(text, model=request.model, delta=text)
            return
        begun = monotonic()
        reply = ModelReply()
        tools = [tool for tool in self.tools if tool.name in request.tool_names]
        try:
            async with aclosing(self.provider(request, tools)) as replies:
                async for reply in replies:
                    yield reply
        except Exception as error:
            spent = round((monotonic() - begun) * 1000)
            result = LLMCallResult(request.run_id, error=error, duration_ms=spent)
            await tape.append("error", {"kind": "provider", "message": str(error)}, model=request.model)
            await self.events.emit(LLMCallFinished(request, result, state))
            raise
        spent = round((monotonic() - begun) * 1000)
        result = LLMCallResult(request.run_id, reply.text, reply.tool_calls, reply.usage, None, spent)
        await self.events.emit(LLMCallFinished(request, result, state))
        if not reply.model:
            yield replace(reply, model=request.model, delta="")

    async def _request(self, tape: Tape, prompt: Any, state: dict[str, Any]) -> LLMCallRequest:
        said = messages_of(await tape.entries())
        before = await self.system_prompt(prompt, state)
        messages = [{"role": "system", "content": before}, *said] if before else said
        return LLMCallRequest(tape.run_id, self.model, messages, tuple(tool.name for tool in self.tools))

    async def _record(self, tape: Tape, reply: ModelReply) -> None:
        """The tape has the model that really answered."""
        message: dict[str, Any] = {"role": "assistant", "content": reply.text}
        if reply.tool_calls:
            message["tool_calls"] = reply.tool_calls
        await tape.append("message", message, model=reply.model, usage=reply.usage)

    async def _call(self, tape: Tape, asked: Sequence[dict[str, Any]], state: dict[str, Any]) -> None:
        """Make the calls of one step, and write down what came of each, in their order."""
        known = {tool.name: tool for tool in self.tools}
        calls = [(known.get(each["name"]) or _unknown(each["name"]), each["arguments"]) for each in asked]
        done = await ToolExecutor(self.events).execute(calls, run_id=tape.run_id, state=state, context=tape)
        for each, result in zip(asked, done.tool_results, strict=True):
            said = {"role": "tool", "tool_call_id": each["id"], "name": each["name"], "content": _told(result)}
            await tape.append("message", said)


def _told(result: Any) -> str:
    """A tool's result as the model is told it."""
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)


def _unknown(name: str) -> Tool:
    """A tool that the model made up: calling it fails, and the model is told."""

    def fail(**arguments: Any) -> None:
        raise BubError("tool", f"There is no tool {name!r}.")

    return Tool(name, fail)
