"""What every strategy needs to run handlers, and what it runs them on."""

import asyncio
import itertools
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any

from loguru import logger

from host.hooks.chain import Chain, current_chain
from host.hooks.deadlines import Deadlines
from host.hooks.errors import ChainDepthError, ExtraHandlerError
from host.hooks.failure import Failure
from host.hooks.family import Failures
from host.hooks.handler import Handler
from host.hooks.notify import Observer
from host.hooks.ordering import Ordering
from host.hooks.payload import Payload
from host.hooks.result import HookResult
from host.hooks.settings import HookSettings
from host.hooks.spec import HookSpec
from host.hooks.trace import TraceListener
from maibot_sdk.types import ErrorPolicy, HookMode

Strategy = Callable[["Dispatcher", "HookPoint", Mapping[str, Any], Sequence[Handler]], Coroutine[Any, Any, HookResult]]
"""Runs the handlers of a point over a payload and combines their results."""


class HookPoint:
    """One hook as it is fired: its rules, and its subscribers in dispatch order.

    The tuples are replaced, never changed, so that a running dispatch keeps those that it started with.

    Args:
        spec: the hook.
        payload: the checks of its payload.
        strategy: how the blocking handlers' results are combined.
        ordering: where handlers stand.

    Attributes:
        blocking: those that are waited for.
        observers: those that run in the background.
        remote: whether some of them live in another process.
    """

    __slots__ = ("blocking", "observers", "ordering", "payload", "propagates", "remote", "spec", "strategy")

    def __init__(self, spec: HookSpec, payload: Payload, strategy: Strategy, ordering: Ordering) -> None:
        self.spec = spec
        self.payload = payload
        self.strategy = strategy
        self.ordering = ordering
        self.propagates = spec.family.failures is Failures.PROPAGATE
        self.subscribe((), ())

    def subscribe(self, blocking: Iterable[Handler], observers: Iterable[Observer]) -> None:
        """Take these subscribers, sorted already, in the place of those that it has."""
        self.blocking = tuple(blocking)
        self.observers = tuple(observers)
        self.remote = any(handler.remote for handler in self.handlers())

    def handlers(self) -> list[Handler]:
        """All subscribers in dispatch order."""
        return [*self.blocking, *(observer.handler for observer in self.observers)]

    def with_extra(
        self, extra: Sequence[Handler], dispatcher: "Dispatcher"
    ) -> tuple[tuple[Handler, ...], tuple[Observer, ...]]:
        """Blocking handlers and observers with those of one call among them, in the order as if they were registered.

        Raises:
            ExtraHandlerError: one of them is for another hook.
        """
        for handler in extra:
            if handler.hook != self.spec.name:
                raise ExtraHandlerError(self.spec.name, handler.plugin_id, handler.name, handler.hook)
        key = self.ordering.key
        blocking = [*self.blocking, *(each for each in extra if each.mode is HookMode.BLOCKING)]
        observers = [
            *self.observers,
            *(Observer(each, dispatcher) for each in extra if each.mode is HookMode.OBSERVE),
        ]
        return tuple(sorted(blocking, key=key)), tuple(sorted(observers, key=lambda each: key(each.handler)))

    def reorder(self, ordering: Ordering) -> None:
        """Sort the subscribers anew. Dispatches that are running keep the order that they started with."""
        self.ordering = ordering
        observers = sorted(self.observers, key=lambda each: ordering.key(each.handler))
        self.subscribe(sorted(self.blocking, key=ordering.key), observers)


class Dispatcher:
    """The means of dispatch: deadlines, chains, background tasks, and whoever listens.

    Args:
        settings: limits and bounds.
    """

    def __init__(self, settings: HookSettings) -> None:
        self.settings = settings
        self.listener: TraceListener | None = None
        self._deadlines: Deadlines | None = None
        # Ids of chains are random across processes and restarts, and counted within one.
        self._numbers = itertools.count(secrets.randbits(64) << 64)
        self._tasks: set[asyncio.Task[None]] = set()

    def deadlines(self) -> Deadlines:
        """The shared timer of the running event loop."""
        loop = asyncio.get_running_loop()
        deadlines = self._deadlines
        if deadlines is None or deadlines.loop is not loop:
            deadlines = self._deadlines = Deadlines(loop)
        return deadlines

    def begin(self, hook: str) -> Chain:
        """The link of a dispatch that starts now, in the chain of whichever dispatch it is fired from.

        Raises:
            ChainDepthError: that chain is as deep as allowed.
        """
        parent = current_chain.get()
        if parent is None or parent.ended:
            return Chain(hook, next(self._numbers))
        if parent.depth >= self.settings.max_chain_depth:
            raise ChainDepthError([*parent.path(), hook], self.settings.max_chain_depth)
        return Chain(hook, parent.number, parent.depth + 1, parent)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` in the background."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def tell(self, message: Callable[[TraceListener], None]) -> None:
        """Pass something to the trace listener; its faults are logged and go no further."""
        if self.listener is None:
            return
        try:
            message(self.listener)
        except Exception:
            logger.exception("The trace listener failed")

    def log_failure(self, handler: Handler, failure: Failure) -> None:
        """Put a handler's failure in the log, as loud as its policy says; an open breaker has said so already."""
        if failure.kind == "breaker_open":
            return
        place = f"{handler.plugin_id}/{handler.name} of {handler.hook}"
        if handler.policy is ErrorPolicy.LOG:
            logger.error("Handler {} failed ({}): {}\n{}", place, failure.kind, failure.text, failure.traceback)
        else:
            logger.warning("Handler {} failed ({}): {}", place, failure.kind, failure.text)

    async def drain(self) -> None:
        """Wait until every call in the background has ended."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def aclose(self) -> None:
        """Cancel what runs in the background, and wait for it."""
        tasks: Sequence[Awaitable[None]] = [*self._tasks]
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._deadlines is not None:
            self._deadlines.disarm()
            self._deadlines = None
