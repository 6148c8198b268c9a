"""A plugin's code in a process of its own, as the host sees it."""

import asyncio
from collections.abc import Callable, Mapping
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
from host.runtime.problems import ProcessLostError, Step, StepTimeoutError
from host.runtime.runners.call_errors import PeerGoneError, RemoteFailureError
from host.runtime.runners.channel import FrameTooLargeError
from host.runtime.runners.connection import Connection
from host.runtime.runners.declared import received
from host.runtime.runners.latencies import Latencies
from host.runtime.runners.messages import (
    CONFIGURE,
    HANDLE,
    HOST_METHOD,
    INVOKE,
    PREPARE,
    START,
    STOP,
    TELL,
    TELL_CONFIGURED,
    UNREADABLE,
    Answer,
    DeclarationData,
    Handled,
    HostMethodCall,
    Invocation,
    Preparation,
    Told,
)
from host.runtime.runners.peer import Request
from host.runtime.runners.process import Launcher
from host.runtime.runners.settings import RunnerSettings
from host.runtime.runners.watch import KillReason
from host.runtime.state import Plugin

T = TypeVar("T")

_encode: Callable[[Any], bytes] = msgspec.msgpack.Encoder().encode
_NIL = _encode(None)
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
        self._preparation = preparation
        self._load_seconds = settings.load_seconds
        self._host_methods = host_methods
        self._tell_lost = lost
        self._serving = False
        self._connection = Connection(launcher, preparation, settings, self._serve, self._lost)
        self._latencies: dict[str, Latencies] = {}

    async def prepare(self) -> Prepared:
        """Make the process, and have it import and configure the plugin and say what it declares."""
        await self._connection.open()
        answer = await self._ask(PREPARE, _encode(self._preparation), self._load_seconds)
        prepared = self._part(answer.prepared)
        declared = [received(data, self._starter(number, data)) for number, data in enumerate(prepared.declarations)]
        return Prepared(prepared.components, declared, prepared.enabled)

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
            reply = await self._connection.peer.call(INVOKE, body, due=due, context=current_chain.get())
            return msgspec.msgpack.decode(reply, type=Invoked)
        except asyncio.CancelledError:
            self._connection.suspect()
            raise
        except PeerGoneError:
            loss = await self._connection.loss()
            return Invoked(success=False, result=loss.text())
        except (RemoteFailureError, FrameTooLargeError) as error:
            return Invoked(success=False, result=str(error))
        except msgspec.DecodeError as error:
            self._connection.condemn(KillReason("lost_protocol", what=f"a component's answer: {error}"))
            return Invoked(success=False, result=str(error))

    def vitals(self) -> Vitals | None:
        """How the process is doing."""
        return self._connection.vitals({name: each.vitals() for name, each in self._latencies.items()})

    async def remove(self) -> None:
        """End the process, by itself if it does so soon, and everything that descends from it."""
        self._serving = False
        await self._connection.dismiss()

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
            reply = await self._connection.peer.call(method, body, due=monotonic() + seconds)
            answer = msgspec.msgpack.decode(reply, type=Answer)
            problem = None if answer.problem is None else answer.problem.error()
        except TimeoutError:
            self._connection.condemn(KillReason("lost_step", seconds=seconds, step=method))
            if method == PREPARE:
                raise await self._connection.loss() from None
            await self._connection.loss()
            raise _TooLateError from None
        except (*UNREADABLE, ValueError, RemoteFailureError) as error:
            self._connection.condemn(KillReason("lost_protocol", what=f"{method}: {error}"[:MAX_TEXT]))
            raise await self._connection.loss() from None
        except PeerGoneError:
            raise await self._connection.loss() from None
        if problem is not None:
            raise problem
        return answer

    def _part(self, part: T | None) -> T:
        """The part of an answer that has to be there."""
        if part is None:
            self._connection.condemn(KillReason("lost_protocol", what="an answer without its content"))
            raise ProcessLostError(self._plugin.id, KillReason("lost_protocol", what="an empty answer"), charged=True)
        return part

    def _starter(self, number: int, declared: DeclarationData) -> Start:
        """The way to call the handler of this number."""
        method = f"{HANDLE} {number}"
        anatomy = declared.anatomy
        takes_trace_id = anatomy is not None and "trace_id" in anatomy.required + anatomy.optional
        latencies = self._latencies.setdefault(str(declared.name), Latencies())
        decode = msgspec.msgpack.Decoder(Handled).decode
        call = self._connection.peer.call

        async def start(version: PayloadVersion, chain: Chain, due: float) -> object:
            started = monotonic()
            failed = True
            try:
                named = f"{method} {chain.trace_id}" if takes_trace_id else method
                reply = await call(named, version.encoded(), due=due, context=chain)
                handled = decode(reply)
                failed = handled.failure is not None
            except asyncio.CancelledError:
                self._connection.suspect()
                raise
            except TimeoutError:
                self._connection.suspect()
                raise HandlerFailedError(Failure("timeout", "did not answer in time")) from None
            except PeerGoneError:
                loss = await self._connection.loss()
                raise CannotRunError(loss.text(), charged=loss.charged) from None
            except FrameTooLargeError as error:
                raise CannotRunError(str(error), charged=False) from None
            except RemoteFailureError as failure:
                raise HandlerFailedError(_claimed(Failure("exception", failure.text, failure.traceback))) from None
            except UNREADABLE as error:
                self._connection.condemn(KillReason("lost_protocol", what=f"a handler's answer: {error}"))
                raise CannotRunError(str(error), charged=True) from None
            finally:
                latencies.add(monotonic() - started, failed=failed)
            if handled.failure is not None:
                raise HandlerFailedError(_claimed(handled.failure))
            return handled.returned if handled.returned is None else _as_claimed(handled.returned)

        return start

    def _lost(self, loss: ProcessLostError) -> None:
        if self._serving:
            self._serving = False
            self._tell_lost(self._plugin, loss)

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


class _TooLateError(Exception):
    """A step did not come back in time, and its process was killed."""


def _claimed(failure: Failure) -> Failure:
    """A failure as its process tells it, as far as that is for the process to say."""
    kind = failure.kind if failure.kind in _FROM_RUNNERS else "exception"
    return Failure(kind, failure.text[:MAX_TEXT], failure.traceback[-MAX_TRACEBACK:])


def _as_claimed(returned: PortableReturn) -> PortableReturn:
    """A return as its process tells it. Changes are checked by the hook; what goes past it is checked here."""
    custom, failure = returned.custom, returned.failure
    if failure is None and (custom is None or type(custom) is str):
        return returned
    try:
        custom = portable(custom, "custom_result")
    except InvalidValueError as error:
        failure = failure or Failure("invalid_return", f"returned {error.issue}")
    claimed = None if failure is None else _claimed(failure)
    return PortableReturn(returned.changes, returned.abort, returned.has_custom, custom, claimed)
