"""Deadlines of handlers, enforced by one shared timer per event loop.

A handler that starts writes down when it has to be done; that is one attribute. The timer is armed for the earliest of
these times, and only then are the running ones looked at. The alternative, a scope or a task per call, costs several
times the call.
"""

import asyncio
from asyncio import CancelledError
from math import inf
from time import monotonic
from typing import Any

from host.hooks.failure import Failure, failure_of
from host.hooks.handler import Handler

Task = asyncio.Task[Any]


class Watch:
    """One dispatch under watch: the task it runs in, and when its running handler has to be done.

    Args:
        task: the task to cancel.
    """

    __slots__ = ("due", "fired", "task")

    def __init__(self, task: Task) -> None:
        self.task: Task | None = task
        self.due = inf
        self.fired = False


class Deadlines:
    """The timer of one event loop.

    Args:
        loop: the loop whose tasks are watched.
    """

    __slots__ = ("_free", "_handle", "_watches", "armed_for", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.armed_for = inf
        self._handle: asyncio.TimerHandle | None = None
        self._watches: list[Watch] = []
        self._free: list[Watch] = []

    def watch(self, task: Task) -> Watch:
        """A watch on `task`, without a deadline yet; to be given back with `release`."""
        if self._free:
            watch = self._free.pop()
            watch.task = task
            return watch
        watch = Watch(task)
        self._watches.append(watch)
        return watch

    def release(self, watch: Watch) -> None:
        """End a watch; it will be used again."""
        watch.due = inf
        watch.fired = False
        watch.task = None
        self._free.append(watch)

    def arm(self, due: float) -> None:
        """Have the timer go off at `due`, on the clock of `time.monotonic`, if that is sooner than it would."""
        if self._handle is not None:
            self._handle.cancel()
        self.armed_for = due
        # The loop's own clock is monotonic() unless a test replaced it; the difference is what counts.
        self._handle = self.loop.call_later(due - monotonic(), self._expire)

    def disarm(self) -> None:
        """Stop the timer; nothing is watched any more."""
        if self._handle is not None:
            self._handle.cancel()
        self._handle = None
        self.armed_for = inf

    def _expire(self) -> None:
        now = monotonic()
        self._handle = None
        self.armed_for = inf
        earliest = inf
        for watch in self._watches:
            if watch.due <= now and watch.task is not None:
                watch.fired = True
                watch.due = inf
                watch.task.cancel()
            elif watch.due < earliest:
                earliest = watch.due
        if earliest < inf:
            self.arm(earliest)


def late(handler: Handler, watch: Watch, task: Task) -> Failure:
    """The failure of a handler that ended by itself after its deadline had passed: it swallowed the cancellation."""
    watch.fired = False
    task.uncancel()
    return Failure("timeout", f"ran longer than {handler.timeout_ms} ms")


def settle(error: BaseException, handler: Handler, watch: Watch, task: Task, base: int) -> Failure | None:
    """Why a handler ended by `error`.

    Args:
        error: what came out of it.
        handler: the handler.
        watch: the watch on it; spent afterwards.
        task: the task that it ran in.
        base: how often that task had been cancelled before the dispatch.

    Returns:
        The handler's failure; None for a cancellation that came from outside and so is to be raised again.
    """
    cancelled = isinstance(error, CancelledError)
    if watch.fired:
        watch.fired = False
        if task.uncancel() > base and cancelled:
            return None
        return Failure("timeout", f"ran longer than {handler.timeout_ms} ms")
    if not cancelled:
        return failure_of(error)
    if task.cancelling() > base:
        return None
    return Failure("cancelled", f"it ended itself by {failure_of(error).text}")
