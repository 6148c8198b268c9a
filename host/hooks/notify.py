"""The strategy *notify*: handlers run in the background; their returns count for nothing, their faults stay theirs."""

from asyncio import current_task
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING

from loguru import logger

from host.hooks.chain import Chain, current_chain
from host.hooks.deadlines import Deadlines, late, settle
from host.hooks.failure import Failure
from host.hooks.gate import Passage
from host.hooks.handler import Handler
from host.hooks.outcome import asks_for_effect
from host.hooks.result import HandlerError
from host.hooks.trace import Step
from host.hooks.version import PayloadVersion

if TYPE_CHECKING:
    from host.hooks.dispatch import Dispatcher

_Call = tuple[PayloadVersion, Chain]


class Observer:
    """One observing handler with its bounds: so many calls at once, so many waiting; beyond that the oldest is dropped.

    Args:
        handler: what to call.
        dispatcher: whose bounds, deadlines, tasks and trace it uses.

    Attributes:
        dropped: how many calls were dropped since it was registered.
        running: how many run now.
    """

    __slots__ = ("_dispatcher", "_limit", "_waiting", "_warned", "closed", "dropped", "handler", "running")

    def __init__(self, handler: Handler, dispatcher: "Dispatcher") -> None:
        settings = dispatcher.settings
        self.handler = handler
        self.dropped = 0
        self.running = 0
        self.closed = False
        self._dispatcher = dispatcher
        self._limit = settings.observer_concurrency
        self._waiting: deque[_Call] = deque(maxlen=settings.observer_backlog)
        self._warned = False

    @property
    def waiting(self) -> int:
        """How many calls wait for their turn."""
        return len(self._waiting)

    def notify(self, version: PayloadVersion, chain: Chain) -> None:
        """Hand over one call; returns at once.

        Args:
            version: the payload; shared with other observers.
            chain: the dispatch that it belongs to.
        """
        if self.running < self._limit:
            self.running += 1
            self._dispatcher.spawn(self._work((version, chain)))
            return
        if len(self._waiting) == self._waiting.maxlen:
            self._drop()
        self._waiting.append((version, chain))

    def close(self) -> None:
        """Forget the waiting calls; what runs ends by itself or with the dispatcher."""
        self.closed = True
        self._waiting.clear()

    def _drop(self) -> None:
        self.dropped += 1
        if self.dropped == 1:
            logger.warning(
                "Observer {}/{} of {} is too slow: {} calls wait, the oldest are dropped from now on",
                self.handler.plugin_id,
                self.handler.name,
                self.handler.hook,
                len(self._waiting),
            )

    async def _work(self, call: _Call) -> None:
        deadlines = self._dispatcher.deadlines()
        try:
            await self._call(deadlines, *call)
            while self._waiting:
                await self._call(deadlines, *self._waiting.popleft())
        finally:
            self.running -= 1

    async def _call(self, deadlines: Deadlines, version: PayloadVersion, caused_by: Chain) -> None:
        gate = self.handler.gate
        chain = Chain(caused_by.hook, caused_by.number, caused_by.depth, caused_by.parent)
        current_chain.set(chain)
        entered: Passage | Failure | None = None
        if gate.shut:
            entered = await gate.enter(self._dispatcher.settings.reload_wait_ms / 1000)
        started = monotonic()
        if isinstance(entered, Failure):
            self._report(caused_by, started, entered)
            return
        try:
            failure = await self._run(deadlines, version, chain)
            if entered is not None:
                entered.end(failure)
            elif failure is not None:
                gate.failed(failure)
        finally:
            chain.ended = True
            if entered is not None:
                entered.give_up()
        self._report(caused_by, started, failure)

    async def _run(self, deadlines: Deadlines, version: PayloadVersion, chain: Chain) -> Failure | None:
        """Run the handler once; its failure, if it failed."""
        handler = self.handler
        task = current_task(deadlines.loop)
        assert task is not None, "observers run in asyncio tasks"
        watch = deadlines.watch(task)
        try:
            watch.due = due = monotonic() + handler.timeout
            if due < deadlines.armed_for:
                deadlines.arm(due)
            returned = await (handler.call(**version.own()) if handler.spread else handler.start(version, chain, due))
            if watch.fired:
                return late(handler, watch, task)
            if returned is not None:
                self._warn_about_return(returned)
            return None
        except GeneratorExit:
            raise
        except BaseException as error:
            failure = settle(error, handler, watch, task, 0)
            if failure is None:
                raise
            return failure
        finally:
            deadlines.release(watch)

    def _warn_about_return(self, returned: object) -> None:
        if self._warned or not asks_for_effect(returned):
            return
        self._warned = True
        logger.warning(
            "Observer {}/{} of {} returns changes or an abort; what an observer returns is ignored",
            self.handler.plugin_id,
            self.handler.name,
            self.handler.hook,
        )

    def _report(self, dispatch: Chain, started: float, failure: Failure | None) -> None:
        handler = self.handler
        errors: tuple[HandlerError, ...] = ()
        if failure is not None:
            errors = (HandlerError(handler.plugin_id, handler.name, failure.kind, failure.text, failure.traceback),)
            self._dispatcher.log_failure(handler, failure)
        if self._dispatcher.listener is not None:
            self._dispatcher.tell(
                lambda listener: listener.observed(
                    dispatch, Step(handler, started, monotonic() - started, errors=errors)
                )
            )
