"""A runner process as the host sees it, and what makes such processes."""

import asyncio
import os
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Protocol

from host.hooks.texts import Locale
from host.runtime.runners.ending import Ending
from host.runtime.runners.process_texts import PROCESS_TEXTS

RUNNER_ENTRY = "host.runtime.runners.runner:main"
"""What a runner process runs: ``module:function``, called with the process' end of its socket."""


class LaunchError(Exception):
    """No process could be made; the plugin had no part in it.

    Args:
        code: ``closed``, ``refused``, ``not_warm``, ``parent_gone`` or ``parent_stuck``.
        name: the plugin's id.
        fields: what the text of the code tells: ``why``, ``seconds``.
    """

    def __init__(self, code: str, name: str, **fields: object) -> None:
        self.code = code
        self.name = name
        self.fields = fields
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """What is wrong, in the given language."""
        return PROCESS_TEXTS.render(self.code, {"name": self.name, **self.fields}, locale)


@dataclass(eq=False)
class RunnerProcess:
    """The host's handle on the process of one runner.

    Its socket and pipes belong to whoever launched it, who closes them; a process that ended leaves them open, so that
    what it wrote last can still be read.

    Attributes:
        name: the plugin's id.
        pid: the process' number.
        socket: the host's end of the socket pair, a non-blocking stream.
        stdout: the host's end of the pipe that the process writes its standard output to, a non-blocking descriptor.
        stderr: the same for its standard error.
        ended: done when the process has ended, however that came. Wait for it with `asyncio.wait` or
            `asyncio.shield`: to cancel the waiting must not cancel it for others.
    """

    name: str
    pid: int
    socket: socket.socket
    stdout: int
    stderr: int
    ended: asyncio.Future[Ending]
    _kill: Callable[[], Awaitable[None]] = field(repr=False)

    async def kill(self) -> None:
        """Kill the process with everything that descends from it; returns when all of that is gone.

        Of a process that has ended already, waits until what it left running is gone too.
        """
        await self._kill()


class Launcher(Protocol):
    """Makes runner processes. Calls may overlap."""

    async def launch(self, name: str) -> RunnerProcess:
        """Make a process.

        Args:
            name: the plugin's id, which lists of processes show.

        Raises:
            LaunchError: there can be none.
        """
        ...

    async def aclose(self) -> None:
        """Kill all processes that were made here and everything that descends from them. None is launched later."""
        ...


class ProcessEnds:
    """Both sides of what connects a runner process with the host: a socket pair and two pipes.

    Raises OSError where the host may have no more descriptors.

    Attributes:
        socket, stdout, stderr: the host's side, as in `RunnerProcess`.
        inner_socket, inner_stdout, inner_stderr: the process' side.
    """

    def __init__(self) -> None:
        with ExitStack() as made:
            self.socket, self.inner_socket = socket.socketpair()
            made.callback(self.socket.close)
            made.callback(self.inner_socket.close)
            self.stdout, self.inner_stdout = os.pipe()
            made.callback(os.close, self.stdout)
            made.callback(os.close, self.inner_stdout)
            self.stderr, self.inner_stderr = os.pipe()
            made.pop_all()
        self.socket.setblocking(False)
        if sys.platform != "win32":
            os.set_blocking(self.stdout, False)
            os.set_blocking(self.stderr, False)

    def close_outer(self) -> None:
        """Close the host's side, where nothing came of it."""
        self.socket.close()
        os.close(self.stdout)
        os.close(self.stderr)

    def close_inner(self) -> None:
        """Close the host's copies of the process' side; the process has its own."""
        self.inner_socket.close()
        os.close(self.inner_stdout)
        os.close(self.inner_stderr)
