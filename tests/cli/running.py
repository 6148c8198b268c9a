"""Runs the program as its user does: a process of its own, with its terminal as pipes."""

import asyncio
import json
import os
import re
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from host.bot import sample_chat

LIMIT_S = 60
"""How long anything here may take; a bound against hanging, not a measure."""


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
