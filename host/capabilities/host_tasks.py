"""Work that a plugin asks for and that may end the plugin: it goes on in a task of the host's own."""

import asyncio
from collections.abc import Coroutine
from contextvars import Context
from typing import Any, TypeVar

T = TypeVar("T")


class HostTasks:
    """Tasks that outlive the calls that began them."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` in a task, outside the dispatch that asks for it, and wait for it.

        Whoever waits can be cancelled, such as when its plugin is reloaded by this very work; the work goes on.
        """
        return await asyncio.shield(self.start(work))

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run `work` in a task, outside the dispatch that asks for it."""
        task = asyncio.create_task(work, context=Context())
        self._running.add(task)
        task.add_done_callback(self._done)
        return task

    async def aclose(self) -> None:
        """Cancel what is running, and wait for its end."""
        running = [*self._running]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            # Fetched, so that nobody complains where whoever waited is gone.
            task.exception()
