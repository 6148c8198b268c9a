"""What a process does to become a runner's, whether it was forked from the warm parent or is a fresh interpreter.

Imported by the warm parent: it brings in the standard library only.
"""

import importlib
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from typing import cast

SOCKET = 3
"""The descriptor of the runner's socket: the only one besides standard input, output and error that it begins with."""

Entry = Callable[[socket.socket], None]


def load_entry(entry: str) -> Entry:
    """Import what a runner runs.

    Args:
        entry: ``module:function``.
    """
    module, _, function = entry.partition(":")
    return cast("Entry", getattr(importlib.import_module(module), function))


def become_runner(name: str, inner: tuple[int, int, int], parent: int) -> socket.socket:
    """Turn this process, which does nothing else yet, into one that belongs to a plugin.

    It leads a session of its own, dies with its parent, inherits its orphaned descendants (so that they can be found
    and killed with it), handles signals as a fresh interpreter does, reads nothing, and writes to its pipes.

    Args:
        name: the plugin's id.
        inner: its socket, and what becomes its standard output and error.
        parent: the process that made this one.

    Returns:
        Its socket. All other descriptors are closed.
    """
    if os.getsid(0) != os.getpid():  # A fresh interpreter leads one already.
        os.setsid()
    if sys.platform == "linux":
        from host.runtime.runners import linux

        linux.die_with_parent(signal.SIGKILL)
        linux.inherit_orphans()
        linux.rename_process(f"maibot:{name}")
    if os.getppid() != parent:  # It died before the kernel was told.
        os.kill(os.getpid(), signal.SIGKILL)
    _reset_signals()
    sys.argv[:] = [name]
    _take_over_descriptors(*inner)
    return socket.socket(fileno=SOCKET)


def _reset_signals() -> None:
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_DFL)
    # As in every fresh interpreter.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _take_over_descriptors(own_socket: int, stdout: int, stderr: int) -> None:
    import fcntl  # Not there on Windows, where this module is imported too.

    null = os.open(os.devnull, os.O_RDONLY)
    # First above all places that are taken next, so that none is overwritten before it is moved.
    sources = [fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, SOCKET + 1) for each in (null, stdout, stderr, own_socket)]
    for target, source in enumerate(sources):
        os.dup2(source, target, inheritable=target != SOCKET)
    for descriptor in [int(entry) for entry in os.listdir("/dev/fd")]:  # noqa: PTH208 - names are all it needs
        if descriptor > SOCKET:
            with suppress(OSError):  # That of the listing itself is closed by now.
                os.close(descriptor)
    # New ones: the old remember of what kind the descriptors were before. Lines are told as they are written, in the
    # encoding in which the host reads them.
    sys.stdout = sys.__stdout__ = _line_writer(1)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _line_writer(2)  # type: ignore[misc]


def _line_writer(descriptor: int) -> TextIOWrapper:
    return open(descriptor, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
