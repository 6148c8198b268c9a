"""The host's line to one warm parent, from its start to the end of all that it forked."""

import asyncio
import json
import os
import secrets
import signal
import socket
from collections import deque
from contextlib import suppress
from itertools import count
from typing import Any, Self, TypeVar

from host.runtime.runners.ending import Ending
from host.runtime.runners.interpreter import python_running
from host.runtime.runners.process import LaunchError, ProcessEnds, RunnerProcess
from host.runtime.runners.sweeping import MARK, sweep

WARM_UP_SECONDS = 60.0
"""A warm parent that has not imported everything by then is given up."""
ANSWER_SECONDS = 10.0
"""One that does not answer for so long is stuck, and killed: it never does anything that takes long."""

_PACKET_BYTES = 1 << 17
_T = TypeVar("_T")


class ColdError(Exception):
    """A warm parent could not import what runners need; the text is its traceback."""


class ZygoteLink:
    """One warm parent: what is asked of it, and what it says of its children.

    Attributes:
        pid: its process.
        lost: whether it is gone; nothing can be launched any more.
    """

    def __init__(self, process: asyncio.subprocess.Process, control: socket.socket, mark: str) -> None:
        self.pid = process.pid
        self.lost = False
        self._process = process
        self._pidfd = os.pidfd_open(process.pid)
        self._control = control
        self._mark = mark
        self._loop = asyncio.get_running_loop()
        self._serials = count(1)
        self._children: dict[int, _Child] = {}
        self._outbox: deque[tuple[bytes, ProcessEnds | None]] = deque()
        self._warmed: asyncio.Future[None] = self._loop.create_future()
        self._gone: asyncio.Future[None] = self._loop.create_future()
        self._loop.add_reader(control, self._read)

    @classmethod
    async def start(cls, imports: tuple[str, ...], entry: str) -> Self:
        """Start a warm parent, and wait until it is warm.

        Raises:
            ColdError: it cannot import something, or does not get ready.
            OSError: the system has no place for another process.
        """
        control, inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        control.setblocking(False)
        mark = secrets.token_hex(16)
        with inner:
            try:
                process = await asyncio.create_subprocess_exec(
                    *python_running("host.runtime.runners.zygote", str(inner.fileno()), str(os.getpid())),
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=asyncio.subprocess.DEVNULL,
                    pass_fds=(inner.fileno(),),
                    env={**os.environ, MARK: mark},
                    start_new_session=True,
                )
                link = cls(process, control, mark)
            except BaseException:
                control.close()
                raise
        link._post("warm", imports, entry)
        try:
            async with asyncio.timeout(WARM_UP_SECONDS):
                await link._warmed
        except TimeoutError:
            await link.aclose()
            raise ColdError(f"it was not ready after {WARM_UP_SECONDS:g} s") from None
        except BaseException:
            await link.aclose()
            raise
        return link

    async def launch(self, name: str) -> RunnerProcess:
        """Fork a child; see `Launcher`."""
        if self.lost:
            raise LaunchError("parent_gone", name)
        ends = ProcessEnds()
        serial = next(self._serials)
        child = self._children[serial] = _Child(self._loop, name)
        self._post("launch", serial, name, ends=ends)
        try:
            pid = await self._answered(child.launched, name)
        except BaseException:
            ends.close_outer()
            self._post("kill", serial)
            raise
        return RunnerProcess(
            name, pid, ends.socket, ends.stdout, ends.stderr, child.ended, lambda: self._kill(serial, name)
        )

    async def aclose(self) -> None:
        """End the warm parent with everything that descends from it; returns when all is gone."""
        if not self.lost:
            self._control.shutdown(socket.SHUT_WR)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self.wait_gone()
        except TimeoutError:
            self._kill_parent()
            await self.wait_gone()

    async def wait_gone(self) -> None:
        """Wait until the warm parent and everything that descended from it is gone."""
        await asyncio.shield(self._gone)

    async def _kill(self, serial: int, name: str) -> None:
        child = self._children.get(serial)
        if child is None:  # Nothing has been left of it for long.
            return
        self._post("kill", serial)
        with suppress(LaunchError):  # A parent that is stuck was killed, and its children with it.
            await self._answered(asyncio.shield(child.killing), name)
        await asyncio.shield(child.gone)

    async def _answered(self, answer: asyncio.Future[_T], name: str) -> _T:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await answer
        except TimeoutError:
            self._kill_parent()
            raise LaunchError("parent_stuck", name, seconds=ANSWER_SECONDS) from None

    def _kill_parent(self) -> None:
        # Not by asyncio's process, which may wait for a dead one on the way and so take its return code from the loop.
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    def _post(self, *message: object, ends: ProcessEnds | None = None) -> None:
        """Send a packet as soon as there is room, with the inner side of what is to connect a process."""
        self._outbox.append((json.dumps(message).encode(), ends))
        self._flush()

    def _flush(self) -> None:
        while self._outbox:
            packet, ends = self._outbox[0]
            inner = [] if ends is None else [ends.inner_socket.fileno(), ends.inner_stdout, ends.inner_stderr]
            if not self.lost:
                try:
                    socket.send_fds(self._control, [packet], inner)
                except BlockingIOError:
                    self._loop.add_writer(self._control, self._flush)
                    return
                except ConnectionError:
                    pass  # What is read next says so.
            self._outbox.popleft()
            if ends is not None:
                ends.close_inner()
        if not self.lost:
            self._loop.remove_writer(self._control)

    def _read(self) -> None:
        try:
            while packet := self._control.recv(_PACKET_BYTES):
                self._take(json.loads(packet))
        except BlockingIOError:
            return
        except ConnectionError:
            pass
        self._lose()

    def _take(self, message: list[Any]) -> None:
        match message:
            case ["warmed"]:
                _settle(self._warmed, None)
            case ["cold", why]:
                self._fail_warming(why)
            case ["launched", serial, pid]:
                _settle(self._children[serial].launched, pid)
            case ["refused", serial, why]:
                self._children.pop(serial).refuse("refused", why=why)
            case ["killing", serial] if serial in self._children:
                _settle(self._children[serial].killing, None)
            case ["ended", serial, returncode]:
                _settle(self._children[serial].ended, Ending.of(returncode))
            case ["gone", serial]:
                self._children.pop(serial).be_gone()

    def _fail_warming(self, why: str) -> None:
        if not self._warmed.done():
            self._warmed.set_exception(ColdError(why))

    def _lose(self) -> None:
        self.lost = True
        self._loop.remove_reader(self._control)
        self._loop.remove_writer(self._control)
        self._control.close()
        self._flush()
        self._fail_warming("it ended")
        for child in self._children.values():
            child.refuse("parent_gone")
            _settle(child.ended, Ending.with_parent())
        self._finishing = self._loop.create_task(self._finish())

    async def _finish(self) -> None:
        self._kill_parent()
        await self._process.wait()
        # Its children died with it by their death signals; what those started did not.
        await asyncio.to_thread(sweep, self._mark)
        for child in self._children.values():
            child.be_gone()
        self._children.clear()
        os.close(self._pidfd)
        self._gone.set_result(None)


class _Child:
    """What is known of one child, by the time that it becomes known."""

    def __init__(self, loop: asyncio.AbstractEventLoop, name: str) -> None:
        self._name = name
        self.launched: asyncio.Future[int] = loop.create_future()
        self.killing: asyncio.Future[None] = loop.create_future()
        self.ended: asyncio.Future[Ending] = loop.create_future()
        self.gone: asyncio.Future[None] = loop.create_future()

    def refuse(self, code: str, **fields: object) -> None:
        if not self.launched.done():
            self.launched.set_exception(LaunchError(code, self._name, **fields))

    def be_gone(self) -> None:
        _settle(self.killing, None)
        _settle(self.gone, None)


def _settle(future: asyncio.Future[_T], value: _T) -> None:
    if not future.done():  # Nobody may wait for it any more.
        future.set_result(value)
