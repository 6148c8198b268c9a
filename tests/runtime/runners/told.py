"""A runner that does as it is told: its host sends it Python source, and gets back what that answers."""

import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from textwrap import dedent
from typing import Any

from host.runtime.runners.process import RunnerProcess

ENTRY = f"{__name__}:do_as_told"

START_FAMILY = """
    plain = subprocess.Popen(["sleep", "300"])
    own_session = subprocess.Popen(["sleep", "300"], start_new_session=True)
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.write(writing, str(os.getpid()).encode())
            time.sleep(300)
        os._exit(0)
    forked_daemon = int(os.read(reading, 20))
    answer([plain.pid, own_session.pid, forked_daemon])
"""
"""Starts a child, one with a session of its own, and a fork that is an orphan with a session of its own."""

START_STRANGER = """
    shell = "setsid sleep 300 >/dev/null 2>&1 & echo $!"
    answer(int(subprocess.run(["sh", "-c", shell], env={"PATH": os.environ["PATH"]}, capture_output=True).stdout))
"""
"""Starts an orphan that has another session and another environment: nothing of the runner is left on it."""


def do_as_told(own_socket: socket.socket) -> None:
    """Run one source after the other, until the host's end is closed."""
    modules = (asyncio, json, os, random, signal, socket, subprocess, sys, threading, time)
    names: dict[str, Any] = {module.__name__: module for module in modules} | {"Path": Path, "own_socket": own_socket}
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
