"""A plugin's code in a process of its own, as the host sees it."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any, TypeVar

import msgspec

from host.hooks.chain import Chain, current_chain
from host.hooks.failure import MAX_TEXT, MAX_TRACEBACK, CannotRunError, Failure, HandlerFailedError
from host.hooks.handler import Start
from host.hooks.outcome import PortableReturn
from host.hooks.portable import InvalidValueError, portable
from host.hooks.version import PayloadVersion
from host.runtime.border import CLEANUP_SECONDS
from host.runtime.code import Configured, Lost, Prepared, Vitals
from host.runtime.host_methods import DEFAULT_SECONDS, HostMethods
from host.runtime.invoking import Called, Invoked
from host.runtime.problems import NoProcessError, ProcessLostError, Reason, Step, StepTimeoutError
from host.runtime.runners.call_errors import PeerGoneError, RemoteFailureError
from host.runtime.runners.channel import EndKind, EndReason, FrameTooLargeError
from host.runtime.runners.declared import received
from host.runtime.runners.latencies import Latencies
from host.runtime.runners.messages import (
    CONFIGURE,
    HANDLE,
    HOST_METHOD,
    INVOKE,
    LEAVE,
    LOG,
    PREPARE,
    START,
    STOP,
    TELL,
    TELL_CONFIGURED,
    UNREADABLE,
    Answer,
    Handled,
    HostMethodCall,
    Invocation,
    LogRecord,
    Preparation,
    Told,
)
from host.runtime.runners.output import Output
from host.runtime.runners.peer import Peer, Request
from host.runtime.runners.process import Launcher, LaunchError, RunnerProcess
from host.runtime.runners.settings import RunnerSettings
from host.runtime.runners.shared_memory import SharedMemory
from host.runtime.runners.socket_channel import open_socket_channel
from host.runtime.runners.watch import KillReason, Watch
from host.runtime.state import Plugin

T = TypeVar("T")

_encode: Callable[[Any], bytes] = msgspec.msgpack.Encoder().encode
_NIL = _encode(None)
_SETTLING_SECONDS = 1.0
"""How long after the end of a connection the end of its process may take."""
_LAUNCHES = 3
"""How often it is tried to make a process, where what keeps it from being made is one of `_PASSING`."""
_PASSING = frozenset({"parent_gone", "parent_stuck"})
_STOP_READING_ABOVE = 4 << 20
"""Bytes that wait for a process to read them, from which on it is not read any more itself."""
_FROM_RUNNERS = frozenset({"exception", "cancelled", "invalid_return", "reported"})
"""What a process may say of a handler's failure; all else is for the host to see."""


class RemoteCode:
    """The code of one plugin in a process of its own.

    Args:
        plugin: its record.
        launcher: makes the process.
        preparation: what the process is told.
        settings: limits.
        host_methods: what the plugin may call on the host; None where it is not connected.
        lost: is called when the process ends though nobody asked for it, once the plugin was started.
    """

    def __init__(
        self,
        plugin: Plugin,
        launcher: Launcher,
        preparation: Preparation,
        settings: RunnerSettings,
        host_methods: HostMethods | None,
        lost: Lost,
    ) -> None:
        self._plugin = plugin
        self._launcher = launcher
        self._preparation = preparation
        self._settings = settings
        self._host_methods = host_methods
        self._lost = lost
        self._peer = Peer(self._serve, event=self._event, ended=self._connection_ended)
        self._process: RunnerProcess | None = None
        self._output: Output | None = None
        self._watch: Watch | None = None
        self._began = monotonic()
        self._serving = False
        self._loss: asyncio.Task[ProcessLostError] | None = None
        self._latencies: dict[str, Latencies] = {}

    async def prepare(self) -> Prepared:
        """Make the process, and have it import and configure the plugin and say what it declares."""
        process = self._process = await self._launch()
        self._output = Output(process, self._settings.log)
        await open_socket_channel(
            process.socket,
            self._peer,
            limit=self._preparation.frame_limit,
            stop_reading_above=_STOP_READING_ABOVE,
            memory=SharedMemory.give(process.socket),
        )
        self._watch = Watch(
            self._peer,
            process.pid,
            self._settings,
            self._preparation.worker_threads,
            self._preparation.memory_limit_mb,
            self._condemn,
        )
        answer = await self._ask(PREPARE, _encode(self._preparation), self._settings.load_seconds)
        prepared = self._part(answer.prepared)
        declared = [
            received(data, self._starter(number, str(data.name))) for number, data in enumerate(prepared.declarations)
        ]
        return Prepared(prepared.components, declared, prepared.enabled)

    async def _launch(self) -> RunnerProcess:
        tries = _LAUNCHES
        while True:
            tries -= 1
            try:
                return await self._launcher.launch(self._plugin.id)
            except LaunchError as error:
                if not tries or error.code not in _PASSING:
                    raise NoProcessError(self._plugin.id, f"{error.text()} / {error.text('zh')}") from None

    async def start(self) -> None:
        """Call ``on_load``."""
        await self._step(START, Step.ON_LOAD)
        self._serving = True

    async def stop(self) -> None:
        """Call ``on_unload``, and undo what the plugin did since ``on_load`` began."""
        self._serving = False
        await self._step(STOP, Step.ON_UNLOAD)

    async def configure(self) -> Configured:
        """Read the configuration file again, and hand it to the plugin."""
        configured = self._part((await self._step(CONFIGURE, Step.CONFIG)).configured)
        return Configured(configured.enabled, configured.changed)

    async def tell_configured(self) -> None:
        """Call ``on_config_update`` for the plugin's own configuration as it is now."""
        await self._step(TELL_CONFIGURED, Step.ON_CONFIG_UPDATE)

    async def tell(self, scope: str, config_data: Mapping[str, Any], version: str) -> None:
        """Call ``on_config_update`` for a configuration of others, if the plugin asked to be told of it."""
        await self._step(TELL, Step.ON_CONFIG_UPDATE, _encode(Told(scope, dict(config_data), version)))

    async def invoke(self, called: Called, arguments: Mapping[str, Any], due: float) -> Invoked:
        """Call a component that is no hook handler."""
        body = _encode(Invocation(called, portable(arguments, "arguments")))
        try:
            reply = await self._peer.call(INVOKE, body, due=due, context=current_chain.get())
            return msgspec.msgpack.decode(reply, type=Invoked)
        except asyncio.CancelledError:
            self._suspect()
            raise
        except PeerGoneError:
            loss = await self._the_loss()
            return Invoked(success=False, result=loss.text())
        except (RemoteFailureError, FrameTooLargeError) as error:
            return Invoked(success=False, result=str(error))
        except msgspec.DecodeError as error:
            self._condemn(KillReason("lost_protocol", what=f"a component's answer: {error}"))
            return Invoked(success=False, result=str(error))

    def vitals(self) -> Vitals | None:
        """How the process is doing."""
        if self._process is None or self._watch is None or self._output is None:
            return None
        return Vitals(
            pid=self._process.pid,
            uptime=monotonic() - self._began,
            responding=self._watch.responding,
            hung=self._watch.hung,
            in_flight=self._peer.outgoing,
            dropped_lines=self._output.dropped,
            handlers={name: each.vitals() for name, each in self._latencies.items()},
        )

    async def remove(self) -> None:
        """End the process, by itself if it does so soon, and everything that descends from it."""
        self._serving = False
        if self._loss is not None:
            await asyncio.wait({self._loss})
            return
        if self._process is not None:
            await self._dismiss(self._process)
        await self._clear()

    async def _dismiss(self, process: RunnerProcess) -> None:
        """Let the process take the plugin down and end."""
        with suppress(PeerGoneError, RemoteFailureError, TimeoutError):
            await self._peer.call(LEAVE, _NIL, due=monotonic() + 2 * CLEANUP_SECONDS)
        await self._peer.aclose()
        await asyncio.wait({process.ended}, timeout=_SETTLING_SECONDS)

    async def _step(self, method: str, step: Step, body: bytes = _NIL) -> Answer:
        """Have the process do something that it limits itself in time; it is killed where it does not come back."""
        seconds = self._preparation.lifecycle_seconds
        try:
            return await self._ask(method, body, seconds + 2 * CLEANUP_SECONDS)
        except _TooLateError:
            raise StepTimeoutError(self._plugin.id, step, seconds) from None

    async def _ask(self, method: str, body: bytes, seconds: float) -> Answer:
        """Ask something of the process that is no handler's call.

        Raises:
            PluginError: what the process says is wrong, or how it ended.
        """
        try:
            reply = await self._peer.call(method, body, due=monotonic() + seconds)
            answer = msgspec.msgpack.decode(reply, type=Answer)
            problem = None if answer.problem is None else answer.problem.error()
        except TimeoutError:
            self._condemn(KillReason("lost_step", seconds=seconds, step=method))
            if method == PREPARE:
                raise await self._the_loss() from None
            await self._the_loss()
            raise _TooLateError from None
        except (*UNREADABLE, ValueError, RemoteFailureError) as error:
            self._condemn(KillReason("lost_protocol", what=f"{method}: {error}"[:MAX_TEXT]))
            raise await self._the_loss() from None
        except PeerGoneError:
            raise await self._the_loss() from None
        if problem is not None:
            raise problem
        return answer

    def _part(self, part: T | None) -> T:
        """The part of an answer that has to be there."""
        if part is None:
            self._condemn(KillReason("lost_protocol", what="an answer without its content"))
            raise ProcessLostError(self._plugin.id, KillReason("lost_protocol", what="an empty answer"), charged=True)
        return part

    def _starter(self, number: int, name: str) -> Start:
        """The way to call the handler of this number."""
        method = f"{HANDLE} {number} "
        latencies = self._latencies.setdefault(name, Latencies())
        decode = msgspec.msgpack.Decoder(Handled).decode
        call = self._peer.call

        async def start(version: PayloadVersion, chain: Chain, due: float) -> object:
            started = monotonic()
            failed = True
            try:
                reply = await call(method + chain.trace_id, version.encoded(), due=due, context=chain)
                handled = decode(reply)
                failed = handled.failure is not None
            except asyncio.CancelledError:
                self._suspect()
                raise
            except TimeoutError:
                self._suspect()
                raise HandlerFailedError(Failure("timeout", "did not answer in time")) from None
            except PeerGoneError:
                loss = await self._the_loss()
                raise CannotRunError(loss.text(), charged=loss.charged) from None
            except FrameTooLargeError as error:
                raise CannotRunError(str(error), charged=False) from None
            except RemoteFailureError as failure:
                raise HandlerFailedError(_claimed(Failure("exception", failure.text, failure.traceback))) from None
            except UNREADABLE as error:
                self._condemn(KillReason("lost_protocol", what=f"a handler's answer: {error}"))
                raise CannotRunError(str(error), charged=True) from None
            finally:
                latencies.add(monotonic() - started, failed=failed)
            if handled.failure is not None:
                raise HandlerFailedError(_claimed(handled.failure))
            return handled.returned if handled.returned is None else _as_claimed(handled.returned)

        return start

    def _suspect(self) -> None:
        if self._watch is not None and self._loss is None:
            self._watch.suspect()

    async def _serve(self, request: Request) -> bytes:
        """Carry out what the plugin asks of the host: in its own name, within the chain of the handler that asks."""
        if request.method != HOST_METHOD or self._host_methods is None:
            raise PermissionError(f"{request.method!r} is nothing that a plugin may ask")
        call = msgspec.msgpack.decode(request.body, type=HostMethodCall)
        left = int((request.due - monotonic()) * 1000) if request.due < monotonic() + DEFAULT_SECONDS else None
        wanted = [each for each in (call.timeout_ms, left) if each is not None]
        current_chain.set(request.context if isinstance(request.context, Chain) else None)
        return _encode(
            await self._host_methods(call.method, "", call.payload, timeout_ms=min(wanted) if wanted else None)
        )

    def _event(self, method: str, body: Any) -> None:
        if method != LOG or self._output is None:
            return
        try:
            record = msgspec.msgpack.decode(body, type=LogRecord)
        except UNREADABLE as error:
            self._condemn(KillReason("lost_protocol", what=f"a log record: {error}"))
        else:
            self._output.record(record)

    def _connection_ended(self, reason: EndReason) -> None:
        if reason.kind is EndKind.PROTOCOL_ERROR:
            self._lose(reason)
        elif reason.kind is not EndKind.CLOSED_HERE:
            self._lose(None)

    def _condemn(self, reason: KillReason) -> None:
        self._lose(reason)

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
        charged = ending.charged
        loss = ProcessLostError(self._plugin.id, reason or ending, charged=charged, last_lines=output)
        await self._clear()
        if self._serving:
            self._serving = False
            self._lost(self._plugin, loss)
        return loss

    async def _the_loss(self) -> ProcessLostError:
        """How the process ended, once that is known."""
        self._lose(None)
        assert self._loss is not None, "calls are made once there is a process"
        return await asyncio.shield(self._loss)

    async def _clear(self) -> None:
        """Take down what belongs to the process."""
        if self._watch is not None:
            await self._watch.aclose()
        await self._peer.aclose()
        if self._process is not None:
            await self._process.kill()
        if self._output is not None:
            await self._output.aclose()


class _TooLateError(Exception):
    """A step did not come back in time, and its process was killed."""


def _claimed(failure: Failure) -> Failure:
    """A failure as its process tells it, as far as that is for the process to say."""
    kind = failure.kind if failure.kind in _FROM_RUNNERS else "exception"
    return Failure(kind, failure.text[:MAX_TEXT], failure.traceback[-MAX_TRACEBACK:])


def _as_claimed(returned: PortableReturn) -> PortableReturn:
    """A return as its process tells it. Changes are checked by the hook; what goes past it is checked here."""
    custom, failure = returned.custom, returned.failure
    if failure is None and not returned.has_custom:
        return returned
    try:
        custom = portable(custom, "custom_result")
    except InvalidValueError as error:
        failure = failure or Failure("invalid_return", f"returned {error.issue}")
    claimed = None if failure is None else _claimed(failure)
    return PortableReturn(returned.changes, returned.abort, returned.has_custom, custom, claimed)
