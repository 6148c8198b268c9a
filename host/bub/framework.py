"""One application of this family: its plugins, its turn, and what it holds while it runs."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loguru import logger

from host.bub.application import Application
from host.bub.envelope import Envelope, content_of, default_session_id, reply_to
from host.bub.payloads import TurnSnapshot, is_admission
from host.bub.plugins import Plugins
from host.bub.prompt import to_legacy_prompt
from host.bub.resources import Resources
from host.bub.runtime import HookRuntime, ModelSelection
from host.bub.streaming import text_of
from host.hooks import REDUCERS


@dataclass(frozen=True)
class TurnResult:
    """What came of one message."""

    session_id: str
    prompt: Any
    model_output: str
    outbounds: list[Any]
    state: dict[str, Any]


class Framework(Application):
    """Plugins of this family, and what they are fired for.

    Args:
        workspace: where tools work; the current folder unless given.
        config: what ``onboard_config`` starts from.
        selection: how the model hook is chosen.

    Attributes:
        plugins: register and load them here.
        runtime: the calls.
        router: what wraps a turn's stream, with ``wrap_stream(message, stream)``; None leaves it as it is.
    """

    def __init__(
        self,
        workspace: Path | None = None,
        config: Mapping[str, Any] | None = None,
        selection: ModelSelection = ModelSelection.PRIORITY,
    ) -> None:
        self.plugins = Plugins()
        self.router: Any = None
        workspace = (workspace or Path.cwd()).resolve()
        runtime = HookRuntime(self.plugins, selection)
        super().__init__(runtime, workspace, config or {})
        self.resources = Resources(runtime, workspace)

    def running(self) -> AbstractAsyncContextManager[AsyncExitStack]:
        """Hold lifespans, tape store and steering inbox; see `Resources.running`."""
        return self.resources.running()

    async def resolve_session(self, message: Envelope) -> str:
        """Which session a message belongs to. An empty answer gives the message's own, else ``channel:chat_id``."""
        answer = await self.runtime.call_first("resolve_session", message=message)
        return str(answer) if answer else default_session_id(message)

    async def build_state(self, message: Envelope, session_id: str) -> dict[str, Any]:
        """The host's own keys, and over them what every ``load_state`` gives, from low to high priority."""
        state: dict[str, Any] = {
            "_runtime_workspace": str(self.workspace),
            "_runtime_steering_inbox": self.resources.steering_inbox,
        }
        environment = await self.resources.environment(session_id)
        if environment is not None:
            state["_runtime_environment"] = environment
        loaded = await self.runtime.call_many("load_state", message=message, session_id=session_id)
        return {**state, **REDUCERS["merge"](loaded)}

    async def build_prompt(self, message: Envelope, session_id: str, state: dict[str, Any]) -> Any:
        """The first answer; where that is empty, the message's text."""
        answer = await self.runtime.call_first("build_prompt", message=message, session_id=session_id, state=state)
        return answer or content_of(message)

    async def collect_outbounds(
        self, message: Envelope, session_id: str, state: dict[str, Any], model_output: str
    ) -> list[Any]:
        """What every ``render_outbound`` gives, one after the other; one plain reply where that is nothing."""
        answers = await self.runtime.call_many(
            "render_outbound", message=message, session_id=session_id, state=state, model_output=model_output
        )
        outbounds: list[Any] = REDUCERS["concatenate"](answers)
        return outbounds or [reply_to(message, session_id, model_output)]

    async def admit_message(self, session_id: str, message: Envelope, turn: TurnSnapshot) -> Any:
        """The decision about a new message, or None.

        Raises:
            TypeError: the answer is no decision.
        """
        answer = await self.runtime.call_first("admit_message", session_id=session_id, message=message, turn=turn)
        if answer is not None and not is_admission(answer):
            raise TypeError("hook.admit_message must return AdmitDecision or None")
        return answer

    async def process_inbound(self, message: Envelope, *, stream_output: bool = False) -> TurnResult:
        """One turn: session, state, prompt, model, ``save_state`` in any case, and the replies.

        Args:
            message: what came in; a dict is given its session id.
            stream_output: whether the model is asked for a stream, which goes through the router.

        Raises:
            Exception: whatever a hook raised, after ``on_error`` was told. Cancellation is not told.
        """
        try:
            session_id = await self.resolve_session(message)
            if isinstance(message, dict):
                message.setdefault("session_id", session_id)
            state = await self.build_state(message, session_id)
            prompt = await self.build_prompt(message, session_id, state)
            output = ""
            try:
                output = await self._model_stage(message, prompt, session_id, state, stream_output)
            finally:
                await self.runtime.call_many(
                    "save_state", session_id=session_id, state=state, message=message, model_output=output
                )
            outbounds = await self.collect_outbounds(message, session_id, state, output)
            for outbound in outbounds:
                await self.runtime.call_many("dispatch_outbound", message=outbound)
            return TurnResult(session_id, prompt, output, outbounds, state)
        except Exception as error:
            logger.exception("Error processing inbound message")
            await self.runtime.notify_error(stage="turn", error=error, message=message)
            raise

    async def _model_stage(
        self, message: Envelope, prompt: Any, session_id: str, state: dict[str, Any], stream_output: bool
    ) -> str:
        legacy = to_legacy_prompt(prompt)
        arguments: dict[str, Any] = {"prompt": legacy, "session_id": session_id, "state": state}
        if stream_output:
            text = await self._streamed(message, arguments)
        else:
            text = await self.runtime.run_model(**arguments)
        if text is not None:
            return text
        error = RuntimeError("no model skill returned output")
        await self.runtime.notify_error(stage="run_model", error=error, message=message)
        return legacy if isinstance(legacy, str) else content_of(message)

    async def _streamed(self, message: Envelope, arguments: dict[str, Any]) -> str | None:
        stream = await self.runtime.run_model_stream(**arguments)
        if stream is None:
            return None

        async def tell(error: Exception) -> None:
            await self.runtime.notify_error(stage="run_model", error=error, message=message)

        return await text_of(stream if self.router is None else self.router.wrap_stream(message, stream), tell)
