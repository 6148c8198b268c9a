"""What Linux knows about processes and Python does not offer: who inherits orphans, who dies with whom, and names."""

import ctypes
import os
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_NAME = 15
_PR_SET_CHILD_SUBREAPER = 36

_ARG_START, _ARG_END = 45, 46
"""Where /proc/self/stat says where the command line lies in memory, counted from after the program's name."""

_libc = ctypes.CDLL(None, use_errno=True)


def die_with_parent(signal_number: int) -> None:
    """Have the kernel send this process a signal when the thread that made it ends."""
    _prctl(_PR_SET_PDEATHSIG, signal_number)


def inherit_orphans() -> None:
    """Become the parent of all descendants whose own parent ends."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def rename_process(title: str) -> None:
    """Change how lists of processes show this one: its name (15 bytes), and its command line as far as that is long."""
    name = title.encode()
    _prctl(_PR_SET_NAME, ctypes.c_char_p(name[:15]))
    places = Path("/proc/self/stat").read_bytes().rpartition(b")")[2].split()
    start, end = int(places[_ARG_START]), int(places[_ARG_END])
    ctypes.memset(start, 0, end - start)
    ctypes.memmove(start, name, min(len(name), end - start - 1))


def thread_count() -> int:
    """How many threads this process has, those that no Python code started included."""
    return len(os.listdir("/proc/self/task"))  # noqa: PTH208 - called before each fork, and names are all it needs


def _prctl(option: int, argument: object) -> None:
    if _libc.prctl(option, argument, 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
