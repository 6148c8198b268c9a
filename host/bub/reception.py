"""Messages of channels: whose session they are of, and whether they start, wait for or steer a turn, or are dropped."""

import asyncio
from collections import deque
from collections.abc import AsyncIterable, Collection
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from loguru import logger

from host.bub.envelope import Envelope, field_of
from host.bub.framework import Framework
from host.bub.payloads import TurnSnapshot
from host.bub.steering import SteeringInbox

_turn_of: ContextVar["asyncio.Task[None] | None"] = ContextVar("turn_of", default=None)
"""The task of the turn that this code belongs to, in tasks that the turn started too."""


@dataclass
class _Session:
    """What one session does now, and what waits until it has done it."""

    running: set["asyncio.Task[None]"] = field(default_factory=set)
    pending: deque[Envelope] = field(default_factory=deque)


class Reception:
    """Receives the messages of all channels and starts their turns.

    Args:
        framework: whose channels, hooks and turns.
        enabled_channels: the names of those that are started; None starts all that call themselves enabled.
        stream_output: whether turns ask the model for a stream.

    Attributes:
        stopping: set it to end `listen_and_run`; channels are given it.
    """

    def __init__(
        self,
        framework: Framework,
        enabled_channels: Collection[str] | None = None,
        *,
        stream_output: bool = False,
    ) -> None:
        self._framework = framework
        self._stream_output = stream_output
        self._sessions: dict[str, _Session] = {}
        self._started: list[Any] = []
        self.stopping = asyncio.Event()
        self._channels = {
            name: channel
            for name, channel in framework.channels(self.receive).items()
            if (name in enabled_channels if enabled_channels is not None else getattr(channel, "enabled", True))
        }

    def sessions(self) -> list[str]:
        """The sessions that do something now, or have something waiting."""
        return sorted(self._sessions)

    async def listen_and_run(self) -> None:
        """Hold the framework's resources, start the channels, and stop them when `stopping` is set."""
        async with self._framework.running():
            self._framework.router = self
            try:
                for channel in self._channels.values():
                    await channel.start(self.stopping)
                    self._started.append(channel)
                await self.stopping.wait()
            finally:
                self._framework.router = None
                await self.shutdown()

    async def shutdown(self) -> None:
        """Cancel all turns and stop the channels that were started; what a channel still gave meanwhile ends too."""
        await self._quit_all()
        while self._started:
            channel = self._started.pop()
            try:
                await channel.stop()
            except Exception as error:
                logger.opt(exception=error).warning("Failed to stop channel {}", channel.name)
        await self._quit_all()

    async def drain(self) -> None:
        """Wait until no session does anything, nor has anything waiting."""
        while turns := [turn for session in self._sessions.values() for turn in session.running]:
            await asyncio.wait(turns)

    async def _quit_all(self) -> None:
        for session_id in self.sessions():
            await self.quit(session_id)

    async def quit(self, session_id: str) -> None:
        """Forget what waits for a session and cancel its turns, but for the one that asks for it."""
        session = self._sessions.get(session_id)
        if session is None:
            return
        session.pending.clear()
        if self._inbox is not None:
            await self._inbox.drain_messages({"session_id": session_id})
        others = [task for task in session.running if task is not _turn_of.get()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def send(self, message: Envelope) -> None:
        """Give an outbound message to the channel that it names; one that names none of them goes nowhere."""
        channel = self._channels.get(field_of(message, "channel"))
        if channel is not None:
            await channel.send(message)

    def wrap_stream(self, message: Envelope, stream: AsyncIterable[Any]) -> AsyncIterable[Any]:
        """Let the message's channel see the stream, and change it."""
        channel = self._channels.get(field_of(message, "channel"))
        if channel is None or not hasattr(channel, "stream_events"):
            return stream
        wrapped: AsyncIterable[Any] = channel.stream_events(message, stream)
        return wrapped

    async def receive(self, message: Envelope) -> None:
        """Take a new message; what channels call.

        One whose session cannot be told is dropped, and ``on_error`` is told.
        """
        try:
            session_id = await self._framework.resolve_session(message)
        except Exception as error:
            logger.exception("channel.manager resolve_session failed")
            await self._framework.runtime.notify_error(stage="resolve_session", error=error, message=message)
            return
        if isinstance(message, dict):
            message["session_id"] = session_id
        else:
            message.session_id = session_id
        action = await self._admitted(session_id, message)
        session = self._sessions.setdefault(session_id, _Session())
        if action == "drop":
            self._forget_idle(session_id)
        elif session.running and action == "steer" and self._inbox is not None:
            await self._inbox.enqueue_message(message, {"session_id": session_id})
            # The turn may have ended meanwhile, and have found the inbox empty.
            session = self._sessions.setdefault(session_id, _Session())
            if not session.running:
                await self._next(session_id, session)
        elif session.running and action in ("steer", "follow_up"):
            session.pending.append(message)
        else:
            self._start(session_id, message)

    async def _admitted(self, session_id: str, message: Envelope) -> str:
        """The action of the decision; whatever fails or is not known means ``process``."""
        session = self._sessions.get(session_id, _Session())
        steering = 0 if self._inbox is None else self._inbox.message_count({"session_id": session_id})
        running, pending = len(session.running), len(session.pending)
        try:
            decision = await self._framework.admit_message(
                session_id, message, TurnSnapshot(session_id, running > 0, running, pending, steering)
            )
        except Exception as error:
            logger.exception("channel.manager admission hook failed")
            await self._framework.runtime.notify_error(stage="admit_message", error=error, message=message)
            return "process"
        action = "process" if decision is None else decision.action
        if action not in ("process", "drop", "follow_up", "steer"):
            logger.warning("channel.manager admission unknown action={} session_id={}", action, session_id)
            return "process"
        return str(action)

    @property
    def _inbox(self) -> SteeringInbox | None:
        inbox: SteeringInbox | None = self._framework.resources.steering_inbox
        return inbox

    def _start(self, session_id: str, message: Envelope) -> None:
        session = self._sessions[session_id]
        session.running.add(asyncio.get_running_loop().create_task(self._turn(session_id, session, message)))

    async def _turn(self, session_id: str, session: _Session, message: Envelope) -> None:
        task = asyncio.current_task()
        assert task is not None, "turns run in tasks"
        _turn_of.set(task)
        try:
            # Its failure was logged and told to on_error; it ends this turn and nothing else.
            with suppress(Exception):
                await self._framework.process_inbound(message, stream_output=self._stream_output)
        finally:
            session.running.discard(task)
            if not session.running:
                await self._next(session_id, session)

    async def _next(self, session_id: str, session: _Session) -> None:
        """Start one of those that wait. What was meant to steer and came too late waits behind them.

        The inbox is asked by the session that it was given to, not by what the turn's state says: nothing stays in it.
        """
        if self._inbox is not None:
            session.pending.extend(await self._inbox.drain_messages({"session_id": session_id}))
            # While the inbox was asked, the session may have been forgotten, or have begun anew.
            current = self._sessions.setdefault(session_id, session)
            if current is not session:
                current.pending.extend(session.pending)
                session = current
        if session.pending and not session.running:
            self._start(session_id, session.pending.popleft())
        self._forget_idle(session_id)

    def _forget_idle(self, session_id: str) -> None:
        session = self._sessions[session_id]
        if not session.running and not session.pending:
            del self._sessions[session_id]
