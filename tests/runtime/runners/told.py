"""A runner that does as it is told: its host sends it Python source, and gets back what that answers."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent
from typing import Any

from host.runtime.runners.process import RunnerProcess

ENTRY = f"{__name__}:do_as_told"


def do_as_told(own_socket: socket.socket) -> None:
    """Run one source after the other, until the host's end is closed."""
    names: dict[str, Any] = {
        each.__name__: each for each in (asyncio, json, os, signal, socket, subprocess, sys, time, Path)
    }
    names["own_socket"] = own_socket
    names["answer"] = lambda value: own_socket.sendall(json.dumps(value).encode() + b"\n")
    received = b""
    while piece := own_socket.recv(1 << 16):
        *sources, received = (received + piece).split(b"\0")
        for source in sources:
            exec(source, names)


async def tell(process: RunnerProcess, source: str) -> None:
    """Have a runner run some source."""
    await asyncio.get_running_loop().sock_sendall(process.socket, dedent(source).encode() + b"\0")


async def ask(process: RunnerProcess, source: str) -> Any:
    """Have a runner run some source that calls ``answer(value)``, and return the value."""
    await tell(process, source)
    received = b""
    async with asyncio.timeout(30):
        while not received.endswith(b"\n"):
            piece = await asyncio.get_running_loop().sock_recv(process.socket, 1 << 16)
            assert piece, "the runner ended"
            received += piece
    return json.loads(received)


async def value_of(process: RunnerProcess, expression: str) -> Any:
    """The value of an expression in a runner."""
    return await ask(process, f"answer({expression})")


def hang_up(*processes: RunnerProcess) -> None:
    """Close the host's ends."""
    for process in processes:
        process.socket.close()
        os.close(process.stdout)
        os.close(process.stderr)
