"""Tasks that run at once up to where they first wait, on every Python.

A task that never waits then costs no turn of the event loop, which is most of what a task costs.
"""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any

_NAME = "request"

if sys.version_info >= (3, 12):

    def begin(
        coroutine: Coroutine[Any, Any, None], loop: asyncio.AbstractEventLoop, context: Context
    ) -> asyncio.Task[None]:
        """Make a task and run it up to where it first waits.

        Args:
            coroutine: what it runs.
            loop: the running loop, which has called this from one of its callbacks, not from within another task.
            context: what it runs in.
        """
        return asyncio.Task(coroutine, loop=loop, context=context, name=_NAME, eager_start=True)

else:

    def begin(
        coroutine: Coroutine[Any, Any, None], loop: asyncio.AbstractEventLoop, context: Context
    ) -> asyncio.Task[None]:
        """Make a task and run it up to where it first waits.

        Args:
            coroutine: what it runs.
            loop: the running loop, which has called this from one of its callbacks, not from within another task.
            context: what it runs in.
        """
        # A new task hands its first step to the loop; here it comes back instead of being put into the queue. What else
        # comes that way, out of a finalizer that the memory for the task made run, goes where it belongs.
        put: list[tuple[Callable[..., object], tuple[object, ...], Context | None]] = []

        def call_soon(callback: Callable[..., object], *args: object, context: Context | None = None) -> None:
            put.append((callback, args, context))

        own = vars(loop)
        own["call_soon"] = call_soon
        try:
            task = asyncio.Task(coroutine, loop=loop, context=context, name=_NAME)
        finally:
            del own["call_soon"]
        for callback, args, within in put:
            if getattr(callback, "__self__", None) is task:
                context.run(callback)
            else:
                loop.call_soon(callback, *args, context=within)
        return task
