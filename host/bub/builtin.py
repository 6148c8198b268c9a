"""What the host itself implements: the first plugin that is registered, so that everybody else comes before it."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

from host.bub.agent import Agent
from host.bub.envelope import Envelope, content_of, field_of, reply_to
from host.bub.environment import LocalEnvironment
from host.bub.framework import Framework
from host.bub.marks import hookimpl
from host.bub.payloads import TapeContext
from host.bub.sqlite_tapes import SQLiteTapeStore
from host.bub.steering import InMemorySteeringInbox
from host.bub.streaming import AsyncStreamEvents, StreamEvent
from host.bub.tapes import InMemoryTapeStore

NAME = "builtin"


class Builtin:
    """The defaults.

    Args:
        framework: whose router takes the replies.
        tape_file: a database for the tapes; None keeps them in memory.
        agent: answers; None leaves the model stage to others.
    """

    def __init__(self, framework: Framework, tape_file: Path | None = None, agent: Agent | None = None) -> None:
        self._framework = framework
        self._tape_file = tape_file
        self._agent = agent

    @hookimpl
    def resolve_session(self, message: Envelope) -> str:
        """The message's own session, where it has one that is not blank; else ``channel:chat_id``."""
        given = str(field_of(message, "session_id") or "").strip()
        return given or f"{field_of(message, 'channel', 'default')}:{field_of(message, 'chat_id', 'default')}"

    @hookimpl
    def load_state(self, session_id: str) -> dict[str, Any]:
        """The session, and the agent."""
        return {"session_id": session_id, "_runtime_agent": self._agent}

    @hookimpl
    async def run_model_stream(self, prompt: Any, session_id: str, state: dict[str, Any]) -> AsyncStreamEvents | None:
        """What the agent says. Its store is the one that runs."""
        agent = self._agent
        if agent is None:
            return None
        agent.store = self._framework.resources.tape_store or agent.store

        async def events() -> AsyncIterator[StreamEvent]:
            async with aclosing(agent.run(prompt, session_id=session_id, state=state)) as pieces:
                async for piece in pieces:
                    yield StreamEvent("text", {"delta": piece})

        return AsyncStreamEvents(events())

    @hookimpl
    def render_outbound(self, message: Envelope, session_id: str, model_output: str) -> list[Any]:
        """One reply with the output."""
        return [reply_to(message, session_id, model_output)]

    @hookimpl
    async def dispatch_outbound(self, message: Envelope) -> bool:
        """Hand it to the channels."""
        if self._framework.router is None:
            return False
        await self._framework.router.send(message)
        return True

    @hookimpl
    async def on_error(self, stage: str, error: Exception, message: Envelope | None) -> None:
        """Tell where the message came from that it failed."""
        if message is not None:
            told = reply_to(message, str(field_of(message, "session_id", "")), f"An error occurred ({stage}): {error}")
            await self._framework.runtime.call_many("dispatch_outbound", message=told)

    @hookimpl
    def provide_environment(self, workspace: Path) -> LocalEnvironment:
        """This machine."""
        return LocalEnvironment(workspace)

    @hookimpl
    def provide_tape_store(self) -> Any:
        """The file, or memory."""
        return InMemoryTapeStore() if self._tape_file is None else SQLiteTapeStore.kept(self._tape_file)

    @hookimpl
    def provide_steering_inbox(self) -> InMemorySteeringInbox:
        """In memory."""
        return InMemorySteeringInbox()

    @hookimpl
    def build_tape_context(self) -> TapeContext:
        """All since the last anchor."""
        return TapeContext()

    @hookimpl
    def build_prompt(self, message: Envelope) -> list[Any] | str:
        """The message's text."""
        return [content_of(message)]
