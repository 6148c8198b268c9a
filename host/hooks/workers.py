"""Threads for handlers that are plain functions: few per plugin, so that hung ones hold up nobody else.

The threads are daemons. `concurrent.futures` would wait for a hung handler when the process ends.
"""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any

_Job = tuple["Future[Any]", Callable[[], Any]]


class Workers:
    """A bounded pool of daemon threads that belongs to one plugin.

    Args:
        owner: the plugin's id; the threads are named after it.
        size: how many calls run at once; more wait for their turn (and for their deadline).
    """

    def __init__(self, owner: str, size: int) -> None:
        self._owner = owner
        self._size = size
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._idle = threading.Semaphore(0)
        self._hung: set[Future[Any]] = set()

    @property
    def hung(self) -> int:
        """How many threads still run a call that nobody waits for any more."""
        return sum(not call.done() for call in self._hung)

    async def run(self, function: Callable[..., Any], arguments: dict[str, Any], *positional: Any) -> Any:
        """Call ``function(*positional, **arguments)`` in a thread and wait for it. Whatever it raises is raised here.

        When the caller is cancelled, a call that has not begun never begins; one that runs goes on, its result dropped.
        """
        context = contextvars.copy_context()
        call: Future[Any] = Future()
        self._jobs.put((call, lambda: context.run(function, *positional, **arguments)))
        if not self._idle.acquire(blocking=False) and len(self._threads) < self._size:
            self._spawn()
        try:
            return await asyncio.wrap_future(call)
        finally:
            if call.running():
                self._hung.add(call)
                call.add_done_callback(self._hung.discard)

    def close(self) -> None:
        """End the idle threads now and each busy one after its call."""
        for _ in self._threads:
            self._jobs.put(None)

    def _spawn(self) -> None:
        thread = threading.Thread(
            target=self._work, name=f"plugin {self._owner} worker {len(self._threads) + 1}", daemon=True
        )
        self._threads.append(thread)
        thread.start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            call, function = job
            if call.set_running_or_notify_cancel():
                _finish(call, function)
            del job, call, function
            self._idle.release()


def _finish(call: "Future[Any]", function: Callable[[], Any]) -> None:
    try:
        result = function()
    except StopIteration as error:
        # A future cannot carry it; a coroutine that raises it ends in a RuntimeError too.
        failure = RuntimeError(f"handler raised StopIteration({error})")
        failure.__cause__ = error
        call.set_exception(failure)
    except BaseException as error:  # a border: SystemExit of a handler is its failure
        call.set_exception(error)
    else:
        call.set_result(result)
