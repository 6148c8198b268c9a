"""What a plugin's code left running in the host's process: tasks, timers, log handlers and threads.

A plugin in a process of its own takes these with it when that ends. One that runs in the host's process is cleaned up
after: by the modules that the code of a task or a timer belongs to, which no two loads of a plugin share, and for tasks
by who made them. Threads cannot be ended from outside; they are reported.
"""

import asyncio
import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from loguru import logger

from host.runtime.task_owners import TaskOwners

CLEANUP_SECONDS = 1.0
"""What cancelled tasks get to clean up, at most."""


async def cancel_tasks(package: str, owner: str, owners: TaskOwners) -> None:
    """Cancel every task that `package` made or that runs code of it, and wait for them, a little.

    A task of the host that happens to be calling the plugin is left alone: its outermost code is the host's.
    """
    others = asyncio.all_tasks() - {asyncio.current_task()}
    tasks = [task for task in others if owners.owner(task) == package or _runs(task, package)]
    for task in tasks:
        task.cancel()
    if not tasks:
        return
    _, pending = await asyncio.wait(tasks, timeout=CLEANUP_SECONDS)
    for task in pending:
        logger.warning("plugin {}: task {} ignores that it was cancelled, and runs on", owner, task.get_name())


def cancel_timers(package: str) -> None:
    """Cancel every timer (``loop.call_later`` and the like) whose callback is code of `package`."""
    # Event loops tell nobody what they have scheduled; other loops than asyncio's own may have no such list.
    for handle in list(getattr(asyncio.get_running_loop(), "_scheduled", ())):
        if not handle.cancelled() and _is_of(getattr(handle, "_callback", None), package):
            handle.cancel()


def report_threads(package: str, owner: str) -> None:
    """Name the threads that a plugin started by itself; they end with the process."""
    for thread in threading.enumerate():
        if _is_of(getattr(thread, "_target", None), package) or _is_of(type(thread).run, package):
            logger.warning("plugin {}: thread {} is still running; it ends with the host", owner, thread.name)


@contextmanager
def noticed_log_handlers() -> Iterator[list[logging.Handler]]:
    """Fills a list with the handlers that code inside the ``with`` adds to the standard library's loggers."""
    before = {handler for log in _loggers() for handler in log.handlers}
    added: list[logging.Handler] = []
    try:
        yield added
    finally:
        added += {handler for log in _loggers() for handler in log.handlers} - before


def remove_log_handlers(handlers: Iterable[logging.Handler]) -> None:
    """Take handlers off whichever loggers have them, and close them."""
    for handler in handlers:
        for log in _loggers():
            log.removeHandler(handler)
        handler.close()


def _loggers() -> Iterator[logging.Logger]:
    yield logging.getLogger()
    yield from (log for log in logging.root.manager.loggerDict.values() if isinstance(log, logging.Logger))


def _runs(task: asyncio.Task[Any], package: str) -> bool:
    """Whether the outermost code of a task, but for asyncio's own wrappers, belongs to the package."""
    for frame in _frames(task.get_coro()):
        module = str(frame.f_globals.get("__name__", ""))
        if not module.startswith("asyncio."):
            return _belongs(module, package)
    return False


def _frames(coroutine: object) -> Iterator[FrameType]:
    """The frames of a coroutine and of those that it awaits, the outermost first."""
    while coroutine is not None:
        frame = getattr(coroutine, "cr_frame", getattr(coroutine, "gi_frame", None))
        if not isinstance(frame, FrameType):
            return
        yield frame
        coroutine = getattr(coroutine, "cr_await", getattr(coroutine, "gi_yieldfrom", None))


def _is_of(function: object, package: str) -> bool:
    return _belongs(str(getattr(function, "__module__", "")), package)


def _belongs(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")
