"""Runner processes that are fresh interpreters, for systems where no warm parent can be forked.

Slower and larger than forks, and looser at the ends: on Linux, what a plugin starts outlives the host if that is
killed, unless the plugin's runner ends it; on macOS only the process group of a runner is killed with it, on Windows
what is below it.
"""

import asyncio
import os
import secrets
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress

from host.runtime.runners.ending import Ending
from host.runtime.runners.interpreter import python_running
from host.runtime.runners.process import RUNNER_ENTRY, LaunchError, ProcessEnds, RunnerProcess
from host.runtime.runners.sweeping import MARK, sweep


class FreshInterpreter:
    """Makes runner processes by starting a Python for each.

    Args:
        entry: what a runner process runs, ``module:function``.
    """

    def __init__(self, entry: str = RUNNER_ENTRY) -> None:
        self._entry = entry
        self._closed = asyncio.Event()
        self._lives: set[_Life] = set()

    async def launch(self, name: str) -> RunnerProcess:
        """Start a Python; see `Launcher`. One that cannot import its entry says so on its standard error, and ends."""
        if self._closed.is_set():
            raise LaunchError("closed", name)
        mark = secrets.token_hex(16)
        try:
            ends = ProcessEnds()
            process = await _start(name, self._entry, ends, mark)
        except OSError as error:
            raise LaunchError("refused", name, why=error.strerror or str(error)) from error
        life = _Life(process, mark)
        self._lives.add(life)
        life.gone.add_done_callback(lambda _: self._lives.discard(life))
        if self._closed.is_set():  # Meanwhile.
            await life.kill()
        return RunnerProcess(name, process.pid, ends.socket, ends.stdout, ends.stderr, life.ended, life.kill)

    async def aclose(self) -> None:
        """Kill every Python that was started here; see `Launcher`."""
        self._closed.set()
        await asyncio.gather(*[life.kill() for life in self._lives])


class _Life:
    """One process, from its start until nothing is left of it."""

    def __init__(self, process: Process, mark: str) -> None:
        self._process = process
        self._mark = mark
        self.ended: asyncio.Future[Ending] = asyncio.get_running_loop().create_future()
        self.gone = asyncio.create_task(self._watch())

    async def kill(self) -> None:
        if self._process.returncode is None:
            await self._kill_family()
        await asyncio.shield(self.gone)

    async def _watch(self) -> None:
        self.ended.set_result(Ending.of(await self._process.wait()))
        await self._kill_family()

    async def _kill_family(self) -> None:
        if sys.platform == "linux":
            await asyncio.to_thread(sweep, self._mark)
        elif sys.platform == "win32":
            killer = await asyncio.create_subprocess_exec("taskkill", "/T", "/F", "/PID", str(self._process.pid))
            await killer.wait()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)


async def _start(name: str, entry: str, ends: ProcessEnds, mark: str) -> Process:
    try:
        return await _start_python(name, entry, ends, mark)
    except BaseException:
        ends.close_outer()
        raise
    finally:
        ends.close_inner()


async def _start_python(name: str, entry: str, ends: ProcessEnds, mark: str) -> Process:
    descriptor = ends.inner_socket.fileno()
    command = python_running("host.runtime.runners.fresh", name, entry, str(os.getpid()), str(descriptor))
    environment = {**os.environ, MARK: mark}
    if sys.platform == "win32":
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=ends.inner_stdout, stderr=ends.inner_stderr, env=environment
        )
        assert process.stdin is not None
        process.stdin.write(ends.inner_socket.share(process.pid))
        process.stdin.close()
        return process
    return await asyncio.create_subprocess_exec(
        *command,
        stdin=DEVNULL,
        stdout=ends.inner_stdout,
        stderr=ends.inner_stderr,
        pass_fds=(descriptor,),
        env=environment,
        start_new_session=True,
    )
