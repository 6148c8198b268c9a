"""Whose tasks are whose: a task belongs to the plugin whose code asked for it, whatever coroutine it runs.

``asyncio.create_task(asyncio.sleep(3600))`` runs no code of the plugin, so nothing tells afterwards who made it. While
it is made, the stack does: going up from ``create_task`` through asyncio and other libraries, the first code that is a
plugin's or the host's is whose it is. A library that goes on by itself in a task of a plugin makes tasks for that one.
"""

import asyncio
import sys
from collections.abc import Coroutine, Generator
from types import FrameType
from typing import Any, Self, TypeVar
from weakref import WeakKeyDictionary

from host.runtime.importing import PRIVATE

T = TypeVar("T")

_FARTHEST = 64
"""How many frames are looked at, at most; code that is nested deeper in libraries counts as nobody's."""
_SOMEBODYS = (PRIVATE, "host.", "webui_api.")
"""How the names of modules begin that are a plugin's or the host's own."""
_LOOP_STEP = asyncio.Handle._run.__code__
"""Where the event loop calls a callback, or lets a task go on. Below it stands whoever runs the loop."""


class TaskOwners:
    """The task factory of an event loop that remembers which tasks plugins made, over the one that the loop had.

    All hosts on one loop share one; it is there while any of them needs it.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._former = loop.get_task_factory()
        self._owners: WeakKeyDictionary[asyncio.Future[Any], str] = WeakKeyDictionary()
        self._users = 0

    @classmethod
    def over(cls, loop: asyncio.AbstractEventLoop) -> Self:
        """The one of `loop`, put there if need be. To be given back with `release`."""
        owners = loop.get_task_factory()
        if not isinstance(owners, cls):
            owners = cls(loop)
            loop.set_task_factory(owners)
        owners._users += 1
        return owners

    def release(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give it back. After the last one, `loop` has the factory that it had before, unless it got yet another."""
        self._users -= 1
        if not self._users and loop.get_task_factory() is self:
            loop.set_task_factory(self._former)

    def owner(self, task: asyncio.Future[Any]) -> str | None:
        """The package of the plugin that made `task`; None where none did."""
        return self._owners.get(task)

    def __call__(
        self,
        loop: asyncio.AbstractEventLoop,
        coroutine: Coroutine[Any, Any, T] | Generator[Any, None, T],
        **options: Any,
    ) -> asyncio.Future[T]:
        """Make a task, as event loops ask for it."""
        owner = self._asking(loop, sys._getframe(1))
        task: asyncio.Future[T]
        if self._former is None:
            task = asyncio.Task(coroutine, loop=loop, **options)
        else:
            task = self._former(loop, coroutine, **options)
        if owner is not None:
            self._owners[task] = owner
        return task

    def _asking(self, loop: asyncio.AbstractEventLoop, frame: FrameType | None) -> str | None:
        """The package of the plugin that a task is being made for by the code of `frame` and those that called it."""
        for _ in range(_FARTHEST):
            if frame is None:
                return None
            if frame.f_code is _LOOP_STEP:
                running = asyncio.current_task(loop)
                return None if running is None else self._owners.get(running)
            module = frame.f_globals.get("__name__")
            if module.__class__ is str and module.startswith(_SOMEBODYS):
                if module.startswith(PRIVATE):
                    return module.partition(".")[0]
                # A task that begins to run while it is made stands on this factory.
                if module != __name__:
                    return None
            frame = frame.f_back
        return None
