"""A plugin's process and the way to it: made, watched, lost, cleared away."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import Any

import msgspec

from host.runtime.border import CLEANUP_SECONDS
from host.runtime.code import HandlerVitals, Vitals
from host.runtime.problems import NoProcessError, ProcessLostError, Reason
from host.runtime.runners.call_errors import PeerGoneError, RemoteFailureError
from host.runtime.runners.channel import EndKind, EndReason
from host.runtime.runners.messages import LEAVE, LOG, UNREADABLE, LogRecord, Preparation
from host.runtime.runners.output import Output
from host.runtime.runners.peer import Peer, Request
from host.runtime.runners.process import Launcher, LaunchError, RunnerProcess
from host.runtime.runners.settings import RunnerSettings
from host.runtime.runners.shared_memory import SharedMemory
from host.runtime.runners.socket_channel import open_socket_channel
from host.runtime.runners.watch import KillReason, Watch

_NIL = msgspec.msgpack.encode(None)
_SETTLING_SECONDS = 1.0
"""How long after the end of a connection the end of its process may take."""
_LAUNCHES = 3
"""How often it is tried to make a process, where what keeps it from being made is one of `_PASSING`."""
_PASSING = frozenset({"parent_gone", "parent_stuck"})
_STOP_READING_ABOVE = 4 << 20
"""Bytes that wait for a process to read them, from which on it is not read any more itself."""


class Connection:
    """The process of one plugin, from its making to its end.

    Args:
        launcher: makes the process.
        preparation: whose it is, and its limits.
        settings: further limits.
        serve: answers what the process asks of the host.
        lost: is called when the process has ended, or was killed, though nobody had dismissed it.

    Attributes:
        peer: the way to the process, once it is open.
    """

    def __init__(
        self,
        launcher: Launcher,
        preparation: Preparation,
        settings: RunnerSettings,
        serve: Callable[[Request], Awaitable[bytes]],
        lost: Callable[[ProcessLostError], None],
    ) -> None:
        self.peer = Peer(serve, event=self._event, ended=self._connection_ended)
        self._plugin_id = preparation.plugin_id
        self._launcher = launcher
        self._preparation = preparation
        self._settings = settings
        self._lost = lost
        self._process: RunnerProcess | None = None
        self._output: Output | None = None
        self._watch: Watch | None = None
        self._began = monotonic()
        self._loss: asyncio.Task[ProcessLostError] | None = None

    async def open(self) -> None:
        """Make the process, and connect to it.

        Raises:
            NoProcessError: there can be none.
        """
        process = self._process = await self._launch()
        self._output = Output(process, self._settings.log)
        await open_socket_channel(
            process.socket,
            self.peer,
            limit=self._preparation.frame_limit,
            stop_reading_above=_STOP_READING_ABOVE,
            memory=SharedMemory.give(process.socket),
        )
        self._watch = Watch(
            self.peer,
            process.pid,
            self._settings,
            self._preparation.worker_threads,
            self._preparation.memory_limit_mb,
            self.condemn,
        )

    def suspect(self) -> None:
        """A call of it was given up: see whether it still answers."""
        if self._watch is not None and self._loss is None:
            self._watch.suspect()

    def condemn(self, reason: Reason) -> None:
        """Have it killed, for a reason; returns at once."""
        self._lose(reason)

    async def loss(self) -> ProcessLostError:
        """How the process ended, once that is known. It is ended if need be."""
        self._lose(None)
        assert self._loss is not None, "calls are made once there is a process"
        return await asyncio.shield(self._loss)

    async def dismiss(self) -> None:
        """Have the process end, by itself if it does so soon, and everything that descends from it."""
        if self._loss is not None:
            await asyncio.wait({self._loss})
            return
        if self._process is not None:
            await self._bid_leave(self._process)
        await self._clear()

    def vitals(self, handlers: dict[str, HandlerVitals]) -> Vitals | None:
        """How the process is doing; None while there is none.

        Args:
            handlers: how the calls of its handlers went.
        """
        if self._process is None or self._watch is None or self._output is None:
            return None
        return Vitals(
            pid=self._process.pid,
            uptime=monotonic() - self._began,
            responding=self._watch.responding,
            hung=self._watch.hung,
            in_flight=self.peer.outgoing,
            dropped_lines=self._output.dropped,
            handlers=handlers,
        )

    async def _launch(self) -> RunnerProcess:
        tries = _LAUNCHES
        while True:
            tries -= 1
            try:
                return await self._launcher.launch(self._plugin_id)
            except LaunchError as error:
                if not tries or error.code not in _PASSING:
                    raise NoProcessError(self._plugin_id, f"{error.text()} / {error.text('zh')}") from None

    async def _bid_leave(self, process: RunnerProcess) -> None:
        """Let the process take the plugin down and end."""
        with suppress(PeerGoneError, RemoteFailureError, TimeoutError):
            await self.peer.call(LEAVE, _NIL, due=monotonic() + 2 * CLEANUP_SECONDS)
        await self.peer.aclose()
        await asyncio.wait({process.ended}, timeout=_SETTLING_SECONDS)

    def _event(self, method: str, body: Any) -> None:
        if method != LOG or self._output is None:
            return
        try:
            record = msgspec.msgpack.decode(body, type=LogRecord)
        except UNREADABLE as error:
            self.condemn(KillReason("lost_protocol", what=f"a log record: {error}"))
        else:
            self._output.record(record)

    def _connection_ended(self, reason: EndReason) -> None:
        if reason.kind is EndKind.PROTOCOL_ERROR:
            self._lose(reason)
        elif reason.kind is not EndKind.CLOSED_HERE:
            self._lose(None)

    def _lose(self, reason: Reason | None) -> None:
        """The process is to go, or is gone. What is left of it is cleared, and whoever counts on it is told."""
        if self._loss is None and self._process is not None:
            self._loss = asyncio.create_task(self._clear_lost(self._process, reason))

    async def _clear_lost(self, process: RunnerProcess, reason: Reason | None) -> ProcessLostError:
        if reason is None:
            # The connection ends a little before the process does, if that is why.
            await asyncio.wait({process.ended}, timeout=_SETTLING_SECONDS)
        if not process.ended.done():
            reason = reason or KillReason("lost_protocol", what="it closed the connection")
            await process.kill()
        await asyncio.wait({process.ended})
        ending = process.ended.result()
        output = self._output.last if self._output is not None else ()
        loss = ProcessLostError(self._plugin_id, reason or ending, charged=ending.charged, last_lines=output)
        await self._clear()
        self._lost(loss)
        return loss

    async def _clear(self) -> None:
        """Take down what belongs to the process."""
        if self._watch is not None:
            await self._watch.aclose()
        await self.peer.aclose()
        if self._process is not None:
            await self._process.kill()
        if self._output is not None:
            await self._output.aclose()
