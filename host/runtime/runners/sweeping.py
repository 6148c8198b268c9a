"""Killing processes that are known by a mark in their environment, with everything below them. Linux only.

What a process starts inherits its environment, through forks, new sessions and the deaths of parents. A process that
was started with another environment is found only while a marked one is above it.
"""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

MARK = "MAIBOT_RUNNERS"
"""The environment variable that holds the mark."""

_POLL_SECONDS = 0.002


def sweep(mark: str) -> None:
    """Kill every process with the mark and everything below those; returns when all are gone. Blocks: use a thread.

    What belongs to other users and cannot be killed is left, and so may be what forks faster than it is looked for
    and changes its process group on the way.
    """
    immortal: set[int] = set()
    while marked := _marked(mark):
        # Stopped, they start nothing more, and still inherit what loses its parent: all below them stays below.
        for pid in marked:
            _send(pid, signal.SIGSTOP)
        while below := _below(marked) - immortal:
            immortal |= {pid for pid in below if not _send(pid, signal.SIGKILL)}
            time.sleep(_POLL_SECONDS)
        for pid in marked:
            _kill_group(pid)
        while any(map(_is_alive, marked)):
            time.sleep(_POLL_SECONDS)


def _kill_group(pid: int) -> None:
    """Kill a marked process with its group: all of that descends from the same runner, since each leads a session.

    A group is hit as a whole, however fast its members fork.
    """
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(os.getpgid(pid), signal.SIGKILL)


def _marked(mark: str) -> set[int]:
    entry = f"{MARK}={mark}".encode()
    return {pid for pid in _all_pids() if entry in _environment(pid)}


def _below(roots: set[int]) -> set[int]:
    """All living descendants of some processes, those processes not included."""
    parents = {pid: parent for pid in _all_pids() if (parent := _living_parent(pid)) is not None}
    found: set[int] = set()
    while more := {pid for pid, parent in parents.items() if parent in roots | found} - found - roots:
        found |= more
    return found


def _all_pids() -> list[int]:
    return [int(entry.name) for entry in os.scandir("/proc") if entry.name.isdecimal()]


def _environment(pid: int) -> list[bytes]:
    with suppress(OSError):  # It ended, or belongs to another user.
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return []


def _living_parent(pid: int) -> int | None:
    with suppress(OSError):
        state, parent = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[:2]
        if state not in b"ZX":
            return int(parent)
    return None


def _is_alive(pid: int) -> bool:
    return _living_parent(pid) is not None


def _send(pid: int, signal_number: int) -> bool:
    """Send a signal; False where that is not allowed."""
    try:
        os.kill(pid, signal_number)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return True
