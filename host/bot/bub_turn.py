"""A message as plugins of Bub see it, while the bot goes through its own turn: their hooks at their places, once each.

Their session is the one that ``resolve_session`` names; the bot's own identity of the chat stays what it is.
"""

import json
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from time import monotonic
from typing import Any, TypeVar
from uuid import uuid4

from loguru import logger

from host.bot.builtin_tools import REPLY, ToolDefinition, definition
from host.bot.guest import Admission, Guest, GuestFailedError, RunTool
from host.bot.message import SessionMessage
from host.bot.tool_results import ToolResult
from host.bub.agent_hooks import PluginAgentHooks
from host.bub.builtin import NAME as BUILTIN
from host.bub.envelope import Envelope, content_of, field_of
from host.bub.errors import BubError
from host.bub.events import LLMCallFinished, LLMCallStarted
from host.bub.framework import Framework
from host.bub.payloads import LLMCallRequest, LLMCallResult, ToolCall, TurnSnapshot
from host.bub.prompt import to_legacy_prompt
from host.bub.recording import Tape
from host.bub.streaming import StreamState
from host.bub.tapes import InMemoryTapeStore
from host.bub.tools import Tool, ToolExecutor, for_model
from host.models import Caller, ModelAnswer, ModelError, ModelRequest, Models, PromptError, read_prompt
from host.models import ToolCall as ModelCall
from host.models.roles import role_messages

T = TypeVar("T")
PLANNER = "planner"
"""What the planner is called as a caller of models."""

_ADMISSIONS: Mapping[str, Admission] = {
    "process": "parallel",
    "follow_up": "follow_up",
    "steer": "steer",
    "drop": "drop",
}


class BubTurn(Guest):
    """One message.

    Args:
        framework: whose plugins.
    """

    def __init__(self, framework: Framework) -> None:
        self._framework = framework
        self._runtime = framework.runtime
        self._events = PluginAgentHooks(self._runtime).subscribe()
        self._run_id = uuid4().hex
        self._message: Envelope = {}
        self._session_id = ""
        self._state: dict[str, Any] = {}
        self._prompt: Any = ""
        self._output = ""
        self._unsaved = False
        self._finished: str | None = None
        self._heard: SessionMessage | None = None
        self._reworded = ""
        self._stream_state = StreamState()
        self._tape = Tape("", InMemoryTapeStore())
        self._own_tools = {tool.name: tool for tool in framework.tools()}
        self.tools: list[ToolDefinition] = [
            definition(tool.name, tool.description, tool.parameters or {"type": "object", "properties": {}})
            for tool in self._own_tools.values()
        ]

    async def admit(self, heard: SessionMessage, running: int, waiting: int) -> Admission | None:
        """``resolve_session``, whose failure drops the message, and ``admit_message``, whose failure does not."""
        self._message = envelope(heard)
        try:
            self._session_id = await self._framework.resolve_session(self._message)
        except Exception as error:
            await self._tell("resolve_session", error)
            raise GuestFailedError(error) from error
        self._message["session_id"] = self._session_id
        steering = self._framework.resources.steering_inbox
        waits = 0 if steering is None else steering.message_count({"session_id": self._session_id})
        try:
            decision = await self._framework.admit_message(
                self._session_id,
                self._message,
                TurnSnapshot(self._session_id, running > 0, running, waiting, waits),
            )
        except Exception as error:
            await self._tell("admit_message", error)
            return "parallel"
        if decision is None:
            return None
        if decision.action not in _ADMISSIONS:
            logger.warning("admission unknown action={} session_id={}", decision.action, self._session_id)
        return _ADMISSIONS.get(decision.action, "parallel")

    @asynccontextmanager
    async def turn(self, heard: SessionMessage) -> AsyncIterator[None]:
        """``provide_environment`` and ``load_state``; at the end ``save_state``, if the model stage was entered."""
        self._message = {**envelope(heard), "session_id": self._session_id}
        try:
            async with AsyncExitStack() as stack:
                if not self._session_id:  # A message that an earlier run of the program admitted.
                    self._session_id = await self._asked(self._framework.resolve_session(self._message))
                    self._message["session_id"] = self._session_id
                self._state = await self._asked(self._framework.build_state(self._message, self._session_id))
                store = self._framework.resources.tape_store or InMemoryTapeStore()
                tape = Tape(self._session_id, store, self._run_id, self._framework.tape_sidecars())
                self._tape = await stack.enter_async_context(tape.forked())
                stack.push_async_callback(lambda: self._asked(self._save()))
                yield
        except GuestFailedError as failed:
            await self._tell("turn", failed.__cause__ or failed)
            raise
        except Exception as error:
            await self._tell("turn", error)
            raise

    async def prompt(self, heard: SessionMessage) -> SessionMessage:
        """``build_prompt``; the model stage begins here."""
        built = await self._asked(self._framework.build_prompt(self._message, self._session_id, self._state))
        self._prompt = to_legacy_prompt(built)
        self._unsaved = True
        await self._tape.append("message", {"role": "user", "content": self._prompt})
        text = self._prompt if isinstance(self._prompt, str) else _text_of(self._prompt)
        if text == heard.text:
            return heard
        self._heard, self._reworded = heard, text
        return replace(heard, processed_plain_text=text)

    def told(self, history: Sequence[SessionMessage]) -> Sequence[SessionMessage]:
        """With the prompt in the place of what was said, where the two differ."""
        heard = self._heard
        if heard is None:
            return history
        return [
            replace(each, processed_plain_text=self._reworded)
            if (each.message_id, each.text) == (heard.message_id, heard.text)
            else each
            for each in history
        ]

    async def begin_step(self) -> None:
        """``system_prompt``."""
        try:
            self.system_block = self._framework.system_prompt(prompt=self._prompt, state=self._state)
        except Exception as error:
            raise GuestFailedError(error) from error

    async def generate(
        self, models: Models, task: str, request: ModelRequest, *, model: str | None, caller: Caller
    ) -> ModelAnswer:
        """``run_model`` or ``run_model_stream`` where a plugin has one, else a model between the hooks of its call.

        Where plugins have the model stage, or ended it, the planner's model is not asked: it replies.
        """
        if self._answers or self._finished is not None:
            if caller.request_type == PLANNER:
                return _reply()
            text, self._finished = self._finished or await self._by_plugin(), None
            if text is not None:
                self._output = text
                return ModelAnswer(text=text)
        return await self._by_model(models, task, request, model, caller)

    async def call_tool(self, name: str, arguments: Mapping[str, Any], run: RunTool) -> ToolResult:
        """``before_tool_call`` and ``after_tool_call`` around the call."""
        done: list[ToolResult] = []
        lost: list[Exception] = []

        async def handler(**given: Any) -> str:
            try:
                done.append(await run(given))
            except Exception as error:  # Not the tool's failure but the turn's: told to the hooks, and raised below.
                lost.append(error)
                raise
            if not done[0].success:
                raise BubError("tool", done[0].output)
            return done[0].output

        own = self._own_tools.get(name)
        tool = Tool(name, handler) if own is None else own
        asked = ToolCall(self._run_id, name, dict(arguments))
        result = await ToolExecutor(self._events).call(tool, asked, self._state)
        if lost:
            raise lost[0]
        output = for_model(result)
        text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False, default=str)
        await self._tape.append("message", {"role": "tool", "name": name, "content": text})
        if done and not done[0].success and result.result is None:
            return done[0]
        ends = bool(done) and done[0].ends
        # What a hook put in the place of the output stands in for what came with it too.
        media = done[0].media if done and text == done[0].output else ()
        return ToolResult(text, success=result.error is None or result.result is not None, ends=ends, media=media)

    async def end_step(self) -> list[str]:
        """``continue_prompt``, and what steers the run."""
        told = await self._asked(
            self._runtime.call_first("continue_prompt", prompt=self._prompt, tape=self._tape, state=self._stream_state)
        )
        inbox = self._framework.resources.steering_inbox
        steered = [] if inbox is None else await inbox.drain_messages({"session_id": self._session_id})
        said = [content_of(message) for message in steered]
        return said if told is None else [*said, str(told)]

    async def render(self, text: str) -> list[str]:
        """``save_state``, since the model stage is over, and ``render_outbound``."""
        self._output = text
        await self._asked(self._save())
        outbounds = await self._asked(
            self._framework.collect_outbounds(self._message, self._session_id, self._state, text)
        )
        here = [each for each in outbounds if _is_for(each, self._message)]
        for each in outbounds:
            if each not in here:
                await self._asked(self._runtime.call_many("dispatch_outbound", message=each))
        return [content_of(each) for each in here]

    async def dispatched(self, message: SessionMessage) -> None:
        """``dispatch_outbound``."""
        sent = {**envelope(message), "session_id": self._session_id}
        await self._asked(self._runtime.call_many("dispatch_outbound", message=sent))

    @property
    def _answers(self) -> bool:
        """Whether a plugin has the model stage."""
        table = self._framework.plugins.table
        return any(each.plugin != BUILTIN for hook in ("run_model", "run_model_stream") for each in table.of(hook))

    async def _by_plugin(self) -> str | None:
        text = await self._asked(
            self._runtime.run_model(prompt=self._prompt, session_id=self._session_id, state=self._state)
        )
        if text is None:
            await self._tell("run_model", RuntimeError("no model skill returned output"))
        else:
            await self._tape.append("message", {"role": "assistant", "content": text})
        return text

    async def _by_model(
        self, models: Models, task: str, request: ModelRequest, model: str | None, caller: Caller
    ) -> ModelAnswer:
        roles = role_messages(request.messages)
        wanted = model or next((entry.name for entry in models.pool(task)), "")
        names = tuple(tool.name for tool in request.tools)
        asked = LLMCallRequest(self._run_id, wanted, roles, names, request.max_tokens)
        started = await self._events.emit(LLMCallStarted(asked, self._state))
        call = started.request
        await self._tape.append("event", {"name": "llm.request", "model": call.model, "messages": call.messages})
        if started.decision is not None:
            if caller.request_type == PLANNER:
                self._finished = started.decision.text
                return _reply()
            return ModelAnswer(text=started.decision.text, model=call.model)
        changed = request
        if call.messages != roles:
            changed = replace(changed, messages=_read(call.messages, request))
        if call.max_tokens != request.max_tokens:
            changed = replace(changed, max_tokens=call.max_tokens)
        begun = monotonic()
        try:
            chosen = model if call.model == wanted else call.model
            answer = await models.generate(task, changed, model=chosen, caller=caller)
        except ModelError as error:
            spent = round((monotonic() - begun) * 1000)
            await self._tape.append("error", {"kind": "provider", "message": str(error)}, model=call.model)
            result = LLMCallResult(self._run_id, error=error, duration_ms=spent)
            await self._events.emit(LLMCallFinished(call, result, self._state))
            await self._tell("turn", error)
            raise
        calls = [{"id": each.id, "name": each.name, "arguments": dict(each.arguments)} for each in answer.tool_calls]
        usage = {"prompt_tokens": answer.usage.prompt_tokens, "completion_tokens": answer.usage.completion_tokens}
        spent = round((monotonic() - begun) * 1000)
        result = LLMCallResult(self._run_id, answer.text, calls, usage, None, spent)
        self._stream_state.usage = usage
        await self._tape.append(
            "message", {"role": "assistant", "content": answer.text, "tool_calls": calls}, model=answer.model
        )
        await self._events.emit(LLMCallFinished(call, result, self._state))
        return answer

    async def _save(self) -> None:
        """Once, when the model stage is over, however it ended."""
        if self._unsaved:
            self._unsaved = False
            await self._runtime.call_many(
                "save_state",
                session_id=self._session_id,
                state=self._state,
                message=self._message,
                model_output=self._output,
            )

    async def _asked(self, answer: Awaitable[T]) -> T:
        """A turn hook of theirs: what it raises ends the turn, as their rules have it."""
        try:
            return await answer
        except Exception as error:
            raise GuestFailedError(error) from error

    async def _tell(self, stage: str, error: BaseException) -> None:
        if isinstance(error, Exception):
            await self._runtime.notify_error(stage=stage, error=error, message=self._message)


def envelope(message: SessionMessage) -> dict[str, Any]:
    """A message as their plugins get it: ``channel`` is the platform, ``chat_id`` the group, else the user."""
    user, group = message.user_info, message.group_info
    spoken = message if message.processed_plain_text is not None else message.processed()
    return {
        "channel": message.platform,
        "chat_id": group.group_id if group else user.user_id,
        "session_id": message.session_id,
        "content": spoken.text,
        "message_id": message.message_id,
        "sender_id": user.user_id,
        "sender_name": user.shown_name,
        "timestamp": message.timestamp,
    }


def _is_for(outbound: Envelope, message: Envelope) -> bool:
    """Whether it goes where the message came from."""
    return all(field_of(outbound, key) in (None, message[key]) for key in ("channel", "chat_id"))


def _text_of(blocks: list[dict[str, Any]]) -> str:
    return "\n".join(block["text"] for block in blocks if block.get("type") == "text")


def _reply() -> ModelAnswer:
    """The planner's decision to reply."""
    return ModelAnswer(tool_calls=(ModelCall(uuid4().hex, REPLY, {}),), finish_reason="tool_calls")


def _read(messages: list[Any], request: ModelRequest) -> Any:
    try:
        return read_prompt(list(messages))
    except PromptError as error:
        logger.warning("Messages that came back from before_llm_call are left out: {}", error)
        return request.messages
