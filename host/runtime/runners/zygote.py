"""The warm parent's own process: it imports what runners need once, and forks a runner whenever the host asks for one.

It has one thread, since a fork copies no other, and knows nothing of plugins. What the host and it say to each other
over its control socket are JSON lists, one a packet:

- the host: ``["warm", imports, entry]`` first, then ``["launch", serial, name]`` with the three descriptors of the
  runner's side, and ``["kill", serial]``. The serial is how both call a runner: process numbers are used again.
- the parent: ``["warmed"]`` or ``["cold", why]`` first; then ``["launched", serial, pid]`` or ``["refused", serial,
  why]``; ``["killing", serial]``; ``["ended", serial, returncode]``, and ``["gone", serial]`` when nothing is left of
  what the runner started.

Each runner inherits its own orphans while it lives, and this process those of runners that ended. So a child of it that
is no runner was left by a runner that ended, whatever sessions and parents it went through, and is killed.

When the host is gone, in whatever way, all descendants are killed and the parent ends.
"""

import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import traceback
from array import array
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from host.runtime.runners import linux
from host.runtime.runners.birth import Entry, become_runner, load_entry

_PACKET_BYTES = 1 << 17
_DESCRIPTORS_BYTES = socket.CMSG_SPACE(3 * array("i").itemsize)


class Newborn(NamedTuple):
    """A process that was just forked: who it is to become."""

    name: str
    inner: tuple[int, int, int]


def main() -> None:
    """Serve one host, over the socket whose descriptor is the first argument; the second is the host's process."""
    control = socket.socket(fileno=int(sys.argv[1]))
    zygote = os.getpid()
    linux.inherit_orphans()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Whether the user's Ctrl-C ends anything is the host's matter.
    try:
        entry = _warm_up(json.loads(control.recv(_PACKET_BYTES)))
    except BaseException:
        control.send(json.dumps(["cold", traceback.format_exc()[-8000:]]).encode())
        return
    control.send(json.dumps(["warmed"]).encode())
    newborn = _Nursery(control, host=int(sys.argv[2])).serve()
    if newborn is not None:
        control.detach()  # Its descriptor is closed next, and the number may be used again.
        gc.enable()
        entry(become_runner(newborn.name, newborn.inner, zygote))


def _warm_up(order: list[Any]) -> Entry:
    _, modules, entry_name = order
    # Nothing is collected while everything is new, and what is frozen then is never touched by a collection in a
    # child: its pages stay shared.
    gc.disable()
    for module in modules:
        importlib.import_module(module)
    entry = load_entry(entry_name)
    gc.collect()
    gc.freeze()
    return entry


class _Nursery:
    """Forks, and buries: every child of this process is a runner of the host's, or what one left behind."""

    def __init__(self, control: socket.socket, host: int) -> None:
        self._control = control
        self._host = host
        self._serials: dict[int, int] = {}
        self._burying: list[int] = []
        self._immortal: set[int] = set()

    def serve(self) -> Newborn | None:
        """Returns in each child that it forks, with who that is to become; and with None when the host is gone."""
        wakeup, woken = socket.socketpair()
        wakeup.setblocking(False)
        woken.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakeup.fileno(), warn_on_full_buffer=False)
        poll = select.poll()
        # The process is watched besides the socket: a forked copy of the host might hold that open.
        for descriptor in (self._control.fileno(), woken.fileno(), os.pidfd_open(self._host)):
            poll.register(descriptor, select.POLLIN)
        while True:
            ready = {descriptor for descriptor, _ in poll.poll()}
            if woken.fileno() in ready:
                _empty(woken)
                self._bury()
            if self._control.fileno() in ready:
                order, descriptors = self._next_order()
                if order is None:
                    break
                newborn = self._obey(order, descriptors)
                if newborn is not None:
                    return newborn
            elif not ready <= {woken.fileno()}:
                break
        self._end(woken)
        return None

    def _next_order(self) -> tuple[list[Any] | None, tuple[int, ...]]:
        with suppress(ConnectionError):
            packet, ancillary, _, _ = self._control.recvmsg(_PACKET_BYTES, _DESCRIPTORS_BYTES, socket.MSG_CMSG_CLOEXEC)
            if packet:
                descriptors = array("i")
                for _, _, content in ancillary:
                    descriptors.frombytes(content)
                return json.loads(packet), tuple(descriptors)
        return None, ()

    def _obey(self, order: list[Any], descriptors: tuple[int, ...]) -> Newborn | None:
        match order:
            case ["launch", serial, name]:
                own_socket, stdout, stderr = descriptors
                return self._fork(serial, Newborn(name, (own_socket, stdout, stderr)))
            case ["kill", serial]:
                self._tell("killing", serial)
                for pid in [pid for pid, each in self._serials.items() if each == serial]:
                    _kill(pid)
        return None

    def _fork(self, serial: int, newborn: Newborn) -> Newborn | None:
        threads = linux.thread_count()
        try:
            if threads != 1:
                raise RuntimeError(f"the warm parent has {threads} threads, and only one may be there in a fork")
            pid = os.fork()
        except (OSError, RuntimeError) as error:
            self._tell("refused", serial, str(error))
        else:
            if pid == 0:
                return newborn
            self._serials[pid] = serial
            self._tell("launched", serial, pid)
        for descriptor in newborn.inner:
            os.close(descriptor)
        return None

    def _bury(self) -> None:
        """Take note of all children that ended, and kill what runners left behind."""
        while (pid := _ended_child()) is not None:
            if pid in self._serials:
                _kill_group(pid)  # While it is a zombie, its number is that of no other group.
            _, status = os.waitpid(pid, 0)
            self._immortal.discard(pid)
            serial = self._serials.pop(pid, None)
            if serial is not None:
                self._tell("ended", serial, os.waitstatus_to_exitcode(status))
                self._burying.append(serial)
        strays = _children() - self._serials.keys() - self._immortal
        for pid in strays:
            if not _kill(pid):  # It runs as another user by now.
                self._immortal.add(pid)
        if strays <= self._immortal:
            for serial in self._burying:
                self._tell("gone", serial)
            self._burying.clear()

    def _end(self, woken: socket.socket) -> None:
        """Kill all that is left, and wait for it."""
        for pid in self._serials:
            _kill(pid)
        self._bury()
        while self._serials or self._burying:
            select.select([woken], [], [])
            _empty(woken)
            self._bury()

    def _tell(self, *message: object) -> None:
        with suppress(ConnectionError):  # Nobody is there to be told: the socket says so next.
            self._control.send(json.dumps(message).encode())


def _children() -> set[int]:
    pid = os.getpid()
    return {int(child) for child in Path(f"/proc/self/task/{pid}/children").read_bytes().split()}


def _ended_child() -> int | None:
    try:
        ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return None
    return None if ended is None else ended.si_pid


def _kill(pid: int) -> bool:
    """Kill a child that was not waited for yet, and its group; False where that is not allowed."""
    try:
        os.kill(pid, signal.SIGKILL)
    except PermissionError:
        return False
    _kill_group(pid)
    return True


def _kill_group(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _empty(woken: socket.socket) -> None:
    with suppress(BlockingIOError):
        while woken.recv(4096):
            pass
