"""Runs the program as its user does: a process of its own, with its terminal as pipes."""

import asyncio
import json
import os
import re
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from host.bot import sample_chat

LIMIT_S = 60
"""How long anything here may take; a bound against hanging, not a measure."""
GOOD = """
from maibot_sdk import HookHandler, MaiBotPlugin

class Good(MaiBotPlugin):
    @HookHandler("chat.receive.before_process", name="greets")
    async def greets(self, **kwargs): ...

def create_plugin():
    return Good()
"""
"""The code of a plugin with one handler, which does nothing."""


@dataclass(frozen=True)
class Finished:
    """A run that has ended."""

    code: int | None
    out: str
    err: str

    def outcomes(self) -> list[str]:
        """What was said of each message, without its number."""
        return [line[6:] for line in self.out.splitlines() if re.match(r" *\d+  ", line)]


def environment(**changes: str) -> dict[str, str]:
    """This process' environment in a plain English locale, with `changes`."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG"))}
    return {**kept, "LANG": "C.UTF-8", "PYTHONIOENCODING": "utf-8", **changes}


@asynccontextmanager
async def started(*arguments: str, cwd: Path, env: dict[str, str] | None = None) -> AsyncIterator[Process]:
    """A running ``maibot-host``; killed at the end if it is still there."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "host",
        *arguments,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        cwd=cwd,
        env=env or environment(),
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def finished(*arguments: str, cwd: Path, typed: str = "", env: dict[str, str] | None = None) -> Finished:
    """Run ``maibot-host`` to its end with `typed` on its standard input."""
    async with started(*arguments, cwd=cwd, env=env) as process, asyncio.timeout(LIMIT_S):
        out, err = await process.communicate(typed.encode())
    return Finished(process.returncode, out.decode(), err.decode())


async def line_with(process: Process, text: str) -> str:
    """The next line of output that has `text` in it."""
    assert process.stdout is not None
    async with asyncio.timeout(LIMIT_S):
        while line := await process.stdout.readline():
            if text in line.decode():
                return line.decode().rstrip("\n")
    raise AssertionError(f"the program ended without saying {text!r}")


@asynccontextmanager
async def host_over(folder: Path, *arguments: str) -> AsyncIterator[Process]:
    """A host that has loaded the plugins in a folder and serves its web interface; its folder is that one's parent."""
    options = ["--port", "0", "--no-console", "--plugins", str(folder), *arguments]
    async with started("run", *options, cwd=folder.parent) as process:
        await line_with(process, "is here")
        yield process


async def ended(process: Process, by: signal.Signals) -> None:
    """End a process by a signal."""
    process.send_signal(by)
    async with asyncio.timeout(LIMIT_S):
        await process.wait()


@dataclass
class Terminal:
    """A terminal that a program runs on.

    Attributes:
        process: the program.
        text: what it has shown so far, with the codes that move the cursor.
    """

    process: Process
    _controlling: int
    text: str = ""

    async def shows(self, pattern: str) -> str:
        """Wait until it has shown what a regular expression matches; everything that it has shown by then."""
        async with asyncio.timeout(LIMIT_S):
            while not re.search(pattern, self.text, re.MULTILINE):
                self.text += (await asyncio.to_thread(os.read, self._controlling, 65_536)).decode(errors="replace")
        return self.text

    async def end(self) -> tuple[int | None, str]:
        """Wait until the program has ended; its exit code, and everything that it has shown."""
        try:
            async with asyncio.timeout(LIMIT_S):
                while chunk := await asyncio.to_thread(os.read, self._controlling, 65_536):
                    self.text += chunk.decode(errors="replace")
        except OSError:
            """So the end shows on Linux."""
        return await self.process.wait(), self.text


@asynccontextmanager
async def on_a_terminal(*arguments: str, cwd: Path) -> AsyncIterator[Terminal]:
    """A ``maibot-host`` that runs on a terminal of 120 columns; killed at the end if it is still there."""
    controlling, terminal = os.openpty()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "host", *arguments),
        stdin=DEVNULL,
        stdout=terminal,
        stderr=terminal,
        cwd=cwd,
        env=environment(TERM="xterm", COLUMNS="120", LINES="40"),
    )
    os.close(terminal)
    try:
        yield Terminal(process, controlling)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        os.close(controlling)


def sample_lines() -> list[bytes]:
    """The recorded chat that ships."""
    return sample_chat().read_bytes().splitlines(keepends=True)


def write_plugin(folder: Path, plugin_id: str, code: str, **manifest: object) -> Path:
    """A plugin folder under `folder`; returns `folder`."""
    plugin = folder / plugin_id
    plugin.mkdir(parents=True)
    content = {
        "manifest_version": 2,
        "id": plugin_id,
        "version": "1.0.0",
        "name": plugin_id,
        "description": "for a test",
        "author": {"name": "tests", "url": "https://example.org"},
        "license": "MIT",
        **manifest,
    }
    (plugin / "_manifest.json").write_text(json.dumps(content), encoding="utf-8")
    (plugin / "plugin.py").write_text(code, encoding="utf-8")
    return folder


def numbers(lines: Sequence[str]) -> list[int]:
    """The line numbers that outcomes begin with."""
    return [int(line.split()[0]) for line in lines]
