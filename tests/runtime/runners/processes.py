"""Looking at processes from outside."""

import asyncio
import os
from collections.abc import Iterable
from pathlib import Path


def is_alive(pid: int) -> bool:
    """Whether a process runs, or is stopped; one that ended and was not waited for is dead."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def alive(pids: Iterable[int]) -> list[int]:
    """Those of some processes that are alive."""
    return [pid for pid in pids if is_alive(pid)]


async def wait_dead(pids: Iterable[int]) -> None:
    """Wait until processes have ended, which need not be children of this one."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(30):
        for pid in pids:
            try:
                descriptor = os.pidfd_open(pid)
            except ProcessLookupError:
                continue
            dead = asyncio.Event()
            loop.add_reader(descriptor, dead.set)
            await dead.wait()
            loop.remove_reader(descriptor)
            os.close(descriptor)


def open_descriptors(pid: int) -> int:
    """How many descriptors a process has open."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def children_of(pid: int) -> list[int]:
    """The children of a process that has one thread."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()]
