"""What lives as long as the application runs: lifespans, the tape store, the steering inbox, environments."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from loguru import logger

from host.bub.errors import OverlappingScopesError
from host.bub.payloads import is_environment
from host.bub.runtime import HookRuntime
from host.hooks import enter, is_lifespan


class Resources:
    """Holds them.

    Args:
        runtime: the calls.
        workspace: where environments work.

    Attributes:
        tape_store: while running, where conversations are kept; else None.
        steering_inbox: while running, where steering messages wait; else None.
    """

    def __init__(self, runtime: HookRuntime, workspace: Path) -> None:
        self.tape_store: Any = None
        self.steering_inbox: Any = None
        self._runtime = runtime
        self._workspace = workspace
        self._environments: dict[str, Any] = {}
        self._is_running = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[AsyncExitStack]:
        """Start lifespans, tape store and steering inbox; at the end close environments, and leave those in reverse.

        Yields:
            What is left in reverse, for more to be put on it: that is left first.

        Raises:
            OverlappingScopesError: it runs already.
            Exception: one of them failed to start; those that started are left in reverse.
        """
        if self._is_running:
            raise OverlappingScopesError
        self._is_running = True
        try:
            async with AsyncExitStack() as stack:
                for lifespan in self._runtime.call_many_sync("provide_lifespan"):
                    if is_lifespan(lifespan):
                        await enter(stack, lifespan)
                self.tape_store = await enter(stack, self._runtime.call_first_sync("provide_tape_store"))
                self.steering_inbox = await enter(stack, self._runtime.call_first_sync("provide_steering_inbox"))
                stack.push_async_callback(self._close_environments)
                stack.callback(self._forget)
                yield stack
        finally:
            self._forget()
            self._is_running = False

    async def environment(self, session_id: str) -> Any:
        """A session's environment, asked for once; None where nobody provides one, which is asked for once too.

        Raises:
            TypeError: the answer is no environment.
        """
        if session_id in self._environments:
            return self._environments[session_id]
        made = await self._runtime.call_first("provide_environment", session_id=session_id, workspace=self._workspace)
        if made is not None and not is_environment(made):
            raise TypeError("hook.provide_environment must return Environment or None")
        kept = self._environments.setdefault(session_id, made)
        if kept is not made and made is not None:
            await _close(made)
        return kept

    def _forget(self) -> None:
        self.tape_store = self.steering_inbox = None

    async def _close_environments(self) -> None:
        environments, self._environments = self._environments, {}
        await asyncio.gather(*(_close(each) for each in environments.values() if each is not None))


async def _close(environment: Any) -> None:
    try:
        await environment.close()
    except Exception as error:
        logger.opt(exception=error).warning("Failed to close environment {}", environment)
