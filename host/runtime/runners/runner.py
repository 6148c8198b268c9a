"""What runs in a plugin's own process: the plugin, and the answers to what the host asks of it."""

import asyncio
import atexit
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from socket import socket
from typing import Any

import msgspec

from host.hooks import Source
from host.hooks.portable import portable
from host.hooks.workers import Workers
from host.runtime.border import CLEANUP_SECONDS
from host.runtime.discovery import look
from host.runtime.inline import InlineCode
from host.runtime.problems import GoneError, PluginError, Step, StepFailedError
from host.runtime.runners.allocation import FreedMemory
from host.runtime.runners.call_errors import RemoteFailureError
from host.runtime.runners.channel import EndReason
from host.runtime.runners.declared import sent, sent_components
from host.runtime.runners.handling import Handling, encode
from host.runtime.runners.memory_limit import limit_memory
from host.runtime.runners.messages import (
    CONFIGURE,
    HANDLE,
    HOST_METHOD,
    INVOKE,
    LEAVE,
    PING,
    PREPARE,
    START,
    STOP,
    TELL,
    TELL_CONFIGURED,
    Answer,
    ConfiguredData,
    HostMethodCall,
    Invocation,
    Pong,
    Preparation,
    PreparedData,
    Told,
)
from host.runtime.runners.peer import Peer, Request
from host.runtime.runners.problem_data import ProblemData
from host.runtime.runners.records import ToHost, pass_on
from host.runtime.runners.shared_memory import SharedMemory
from host.runtime.runners.socket_channel import SocketChannel, open_socket_channel
from host.runtime.state import Plugin

_MOST = 1 << 30
"""Bytes that a message from the host may have, and one to the host before it says what it takes."""
_STEPS = {
    PREPARE: Step.IMPORT,
    START: Step.ON_LOAD,
    STOP: Step.ON_UNLOAD,
    CONFIGURE: Step.CONFIG,
    TELL_CONFIGURED: Step.ON_CONFIG_UPDATE,
    TELL: Step.ON_CONFIG_UPDATE,
}


def main(host: socket) -> None:
    """Serve the host until the connection ends.

    Args:
        host: the connection, a stream.
    """
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    host.setblocking(True)
    runner = loop.run_until_complete(Runner.connected(host, SharedMemory.take(host)))
    while not runner.over.done():
        try:
            loop.run_until_complete(runner.over)
        except (SystemExit, KeyboardInterrupt) as error:
            # From a task or a callback of the plugin's own. It ends that one, not the process.
            logging.getLogger(f"plugin.{runner.plugin_id}").error("a background task ended by %r", error)
    _leave()


def _leave() -> None:
    """End the process without waiting for threads of the plugin's or tearing the interpreter down piece by piece."""
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(0)


class Runner:
    """One plugin's process. Made by `connected`, in a running event loop.

    Attributes:
        over: done when the connection has ended.
        plugin_id: whose process it is, once the host has said it.
    """

    def __init__(self) -> None:
        self.over = asyncio.get_running_loop().create_future()
        self.plugin_id = ""
        self._channel: SocketChannel | None = None
        self._plugin: Plugin | None = None
        self._code: InlineCode | None = None
        self._handling: Handling | None = None
        self._workers: Workers | None = None
        self._freed = FreedMemory()
        self._peer = Peer(self._serve, event=lambda *_: None, ended=self._ended)
        self._steps: dict[str, Callable[[Any], Awaitable[Answer]]] = {
            PREPARE: self._prepare,
            START: lambda _: self._did(self._prepared.start()),
            STOP: lambda _: self._did(self._prepared.stop()),
            CONFIGURE: self._configure,
            TELL_CONFIGURED: lambda _: self._did(self._prepared.tell_configured()),
            TELL: self._tell,
        }

    @classmethod
    async def connected(cls, host: socket, memory: SharedMemory | None = None) -> "Runner":
        """Begin to serve a host.

        Args:
            host: the connection, a stream.
            memory: what is shared with the host.
        """
        runner = cls()
        runner._channel = await open_socket_channel(host, runner._peer, limit=_MOST, memory=memory)
        pass_on(ToHost(runner._peer))
        return runner

    def _serve(self, request: Request) -> Awaitable[bytes]:
        method, _, which = request.method.partition(" ")
        if method == HANDLE:
            assert self._handling is not None, "the host prepares a plugin before it calls its handlers"
            return self._handling.call(which, request.body)
        return self._serve_other(method, request)

    async def _serve_other(self, method: str, request: Request) -> bytes:
        if method == INVOKE:
            invocation = msgspec.msgpack.decode(request.body, type=Invocation)
            return encode(await self._prepared.invoke(invocation.called, invocation.arguments, request.due))
        if method == PING:
            return encode(Pong(self._workers.hung if self._workers else 0))
        if method == LEAVE:
            await self._leave()
            return encode(None)
        return encode(await self._step(method, request.body))

    async def _step(self, method: str, body: Any) -> Answer:
        try:
            return await self._steps[method](body)
        except PluginError as problem:
            return Answer(ProblemData.of(problem))
        except KeyboardInterrupt as error:
            # In the host's process it would be the owner's Ctrl-C. Here nobody but the plugin raises it.
            path = self._plugin.path if self._plugin is not None else Path()
            return Answer(ProblemData.of(StepFailedError(self.plugin_id, _STEPS[method], path, error)))

    async def _leave(self) -> None:
        """Let what was cancelled clean up, and take the plugin down."""
        await self._peer.settle(CLEANUP_SECONDS)
        if self._code is not None:
            await self._code.remove()

    async def _prepare(self, body: Any) -> Answer:
        order = msgspec.msgpack.decode(body, type=Preparation)
        self.plugin_id = order.plugin_id
        path = Path(order.path)
        found = look(path, Source.BUILTIN if order.builtin else Source.THIRD_PARTY)
        if found is None or found.id != order.plugin_id:
            raise GoneError(order.plugin_id, path)
        if order.memory_limit_mb is not None:
            limit_memory(order.memory_limit_mb << 20)
        rpc_call = self._call_host if order.connected else None
        assert self._channel is not None, "requests come by a channel"
        self._channel.limit = order.frame_limit
        self._plugin = Plugin.of(found)
        self._code = InlineCode(self._plugin, Path(order.data_dir), order.lifecycle_seconds, rpc_call)
        prepared = await self._code.prepare()
        self._workers = Workers(order.plugin_id, order.worker_threads)
        self._handling = Handling(prepared.declarations, self._workers, self._freed)
        declared = [sent(each) for each in prepared.declarations]
        return Answer(prepared=PreparedData(sent_components(prepared.components), declared, prepared.enabled))

    @property
    def _prepared(self) -> InlineCode:
        assert self._code is not None, "the host prepares a plugin before it asks anything else of it"
        return self._code

    async def _did(self, step: Awaitable[None]) -> Answer:
        await step
        return Answer()

    async def _configure(self, _: Any) -> Answer:
        configured = await self._prepared.configure()
        return Answer(configured=ConfiguredData(configured.enabled, configured.changed))

    async def _tell(self, body: Any) -> Answer:
        told = msgspec.msgpack.decode(body, type=Told)
        return await self._did(self._prepared.tell(told.scope, told.config_data, told.version))

    async def _call_host(
        self, method: str, plugin_id: str, payload: Any = None, *, timeout_ms: int | None = None
    ) -> Any:
        """Carry a call of the plugin's to the host, which knows by the connection who calls.

        Raises:
            RuntimeError: it failed; the host's text.
        """
        call = HostMethodCall(method, None if payload is None else portable(payload, "payload"), timeout_ms)
        try:
            return msgspec.msgpack.decode(await self._peer.call(HOST_METHOD, encode(call)))
        except RemoteFailureError as failure:
            raise RuntimeError(failure.text) from None

    def _ended(self, reason: EndReason) -> None:
        if not self.over.done():
            self.over.set_result(None)
