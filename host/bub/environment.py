"""The environment that tools work in where nobody provides another: this machine, as the user who runs the host."""

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path

GRACE_SECONDS = 3.0
"""How long a process tree has to end after SIGTERM, before it is killed."""
_LOOK_SECONDS = 0.02


class Shell:
    """A command that runs in the background.

    Args:
        process: its shell, the leader of a process group of its own.

    Attributes:
        output: what it wrote so far, standard error with it.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.output = bytearray()
        self._reading = asyncio.create_task(self._read())

    @property
    def returncode(self) -> int | None:
        """How it ended; None while it runs."""
        return self._process.returncode

    async def wait(self) -> tuple[int, str]:
        """Wait until it has ended by itself; how, and all that it wrote."""
        await asyncio.shield(self._reading)
        return await self._process.wait(), self.output.decode(errors="replace")

    async def terminate(self, grace_seconds: float = GRACE_SECONDS) -> None:
        """End it and all that it started: SIGTERM to the process group, after the grace SIGKILL.

        On Windows, which has no process groups of this kind, the shell alone is ended.
        """
        if sys.platform == "win32":
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
        else:
            self._signal(signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(grace_seconds):
                    # The shell may have ended, and what it started not: the group is there as long as one of them is.
                    while self._signal(0):  # noqa: ASYNC110 - nothing tells when a process group is gone
                        await asyncio.sleep(_LOOK_SECONDS)
            self._signal(signal.SIGKILL)
        await self._process.wait()
        await self._reading

    def _signal(self, number: int) -> bool:
        """Whether there was anybody to send it to."""
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            return False
        return True

    async def _read(self) -> None:
        assert self._process.stdout is not None, "the output is piped"
        while piece := await self._process.stdout.read(65536):
            self.output += piece


class LocalEnvironment:
    """Runs commands and reaches files on this machine.

    Args:
        workspace: where commands start, and what relative paths are relative to.
    """

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._shells: list[Shell] = []

    def resolve_path(self, path: str) -> Path:
        """A path as it is meant: relative to the workspace, ``~`` as the user's home."""
        return (self._workspace / Path(path).expanduser()).resolve()

    async def spawn(self, command: str) -> Shell:
        """Start a shell command in the background. It ends with this environment, if not before."""
        await self._prepare()
        shell = Shell(
            await asyncio.create_subprocess_shell(
                command,
                cwd=self._workspace,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
            )
        )
        self._shells.append(shell)
        return shell

    async def run_code(self, code: str, timeout_seconds: float | None = None) -> tuple[int, str]:
        """Run Python code in a process of its own; how it ended, and what it wrote.

        Raises:
            TimeoutError: it ran longer; it was ended.
        """
        await self._prepare()
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            code,
            cwd=self._workspace,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        shell = Shell(process)
        self._shells.append(shell)
        try:
            async with asyncio.timeout(timeout_seconds):
                return await shell.wait()
        finally:
            await shell.terminate()
            self._shells.remove(shell)

    async def _prepare(self) -> None:
        """Commands start in the workspace, which has to be there."""
        await asyncio.to_thread(self._workspace.mkdir, parents=True, exist_ok=True)

    async def read_text(self, path: str) -> str:
        """What a text file holds. Raises OSError, and UnicodeDecodeError for what is no UTF-8."""
        return await asyncio.to_thread(self.resolve_path(path).read_text, "utf-8")

    async def write_text(self, path: str, text: str) -> None:
        """Put text into a file, with the folders that it needs. Raises OSError."""
        file = self.resolve_path(path)
        await asyncio.to_thread(_write, file, text)

    async def close(self) -> None:
        """End everything that was started here and still runs, all at once."""
        shells, self._shells = self._shells, []
        await asyncio.gather(*(shell.terminate() for shell in shells))


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
