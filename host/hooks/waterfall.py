"""The strategy *waterfall*: one handler after another over one payload, each seeing the changes so far."""

from asyncio import current_task
from collections.abc import Mapping, Sequence
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from host.hooks.chain import Chain, current_chain
from host.hooks.deadlines import late, settle
from host.hooks.failure import Failure, failure_of
from host.hooks.gate import Passage
from host.hooks.handler import Handler
from host.hooks.notify import Observer
from host.hooks.outcome import NO_CHANGES, Outcome, read
from host.hooks.portable import copy_portable
from host.hooks.result import CustomResult, ErrorKind, HandlerError, HookResult, StoppedBy
from host.hooks.spec import Reconcile
from host.hooks.trace import DispatchTrace, Step
from host.hooks.version import PayloadVersion
from maibot_sdk.types import ErrorPolicy

if TYPE_CHECKING:
    from host.hooks.dispatch import Dispatcher, HookPoint


async def waterfall(
    dispatcher: "Dispatcher", point: "HookPoint", given: Mapping[str, Any], extra: Sequence[Handler] = ()
) -> HookResult:
    """Fire a hook: the blocking handlers in series, then the observers in the background.

    Args:
        dispatcher: deadlines, chains, background tasks, trace.
        point: the hook and its subscribers.
        given: the payload as the caller passed it.
        extra: handlers for this one call; they take their place by the same order.

    Raises:
        PayloadError: the payload is not what the spec declares, or too large for a handler in another process.
        ChainDepthError: hooks fired hooks too deep.
        asyncio.CancelledError: the caller was cancelled; the handler that ran was too, and nothing else ran.
    """
    spec = point.spec
    chain = dispatcher.begin(spec.name)
    arguments, nests = point.payload.admit(given)
    blocking, observers = point.with_extra(extra, dispatcher) if extra else (point.blocking, point.observers)
    traced = dispatcher.listener is not None
    if not blocking and not observers and not traced:
        return HookResult(spec.name, {**given}, chain)

    arguments["hook_name"] = spec.name
    run = _Run(dispatcher, point, arguments, nests, chain, [] if traced else None)
    if point.remote or (extra and any(handler.remote for handler in extra)):
        run.current().check_size()
    first = {**arguments} if traced else arguments
    if blocking:
        # Where nothing needs the checked payload after the last handler, that one gets it without another copy.
        heir = None if observers or traced or spec.reconcile is not None or blocking[-1].remote else blocking[-1]
        deadlines = dispatcher.deadlines()
        task = current_task(deadlines.loop)
        assert task is not None, "hooks are fired from asyncio tasks"
        base = task.cancelling()
        watch = deadlines.watch(task)
        minded = traced
        current_chain.set(chain)
        # The loop stands here and not in a method of its own, since one more coroutine costs what all its checks do.
        try:
            for handler in blocking:
                inherits = handler is heir and not run.changes
                returned = failure = None
                if handler.gate.shut:
                    watch.due, minded = inf, True
                    failure = await run.enter(handler)
                started = monotonic()
                if failure is None:
                    watch.due = due = started + handler.timeout
                    if due < deadlines.armed_for:
                        deadlines.arm(due)
                    try:
                        if handler.spread:
                            own = copy_portable(arguments) if run.nests and not inherits else arguments
                            returned = await handler.call(**own)
                        else:
                            returned = await handler.start(run.current(inherits), chain, due)
                        if watch.fired:
                            failure = late(handler, watch, task)
                    except GeneratorExit:
                        raise
                    except BaseException as error:
                        failure = settle(error, handler, watch, task, base)
                        if failure is None:
                            raise
                        if point.propagates:
                            run.leave(handler, failure)
                            raise
                if failure is not None:
                    run.turn(handler, started, Outcome(failure=failure))
                elif returned is not None:
                    # What the heir edited in place is no longer what it got.
                    run.turn(handler, started, read(returned, point.payload, NO_CHANGES if inherits else arguments))
                elif minded:
                    run.uneventful(handler, started)
                if run.stopped_by is not None:
                    break
        finally:
            deadlines.release(watch)
            if run.passage is not None:
                run.passage.give_up()
            # Where no dispatch lies around this one it may stay: a chain that has ended is as good as none.
            chain.ended = True
            if chain.parent is not None:
                current_chain.set(chain.parent)
    else:
        chain.ended = True

    notified = run.notify(observers) if observers else ()
    result = run.result(given)
    if run.steps is not None:
        skipped = tuple(blocking[len(run.steps) :])
        trace = DispatchTrace(first, tuple(run.steps), skipped, notified, result, chain.depth)
        dispatcher.tell(lambda listener: listener.dispatched(trace))
    return result


class _Run(Struct, eq=False):
    """What a dispatch has come to so far.

    Args:
        dispatcher: for the log.
        point: the hook.
        arguments: the payload as it stands, with ``hook_name``; the dispatch's own.
        nests: some value of it may hold others, so that each handler needs a copy.
        chain: the dispatch.
        steps: what handlers did, while somebody listens.
        changes: the keys that were changed so far, with their values.
        stopped_by: the handler that ended the dispatch.
        customs: values for the caller.
        errors: failures, and what was asked for and is not allowed.
        version: the payload as it stands, for those who take it otherwise than as a copy; made when one does.
        passage: the way of the handler that runs through its gate, where it had to be let through.
    """

    dispatcher: "Dispatcher"
    point: "HookPoint"
    arguments: dict[str, Any]
    nests: bool
    chain: Chain
    steps: list[Step] | None
    changes: dict[str, Any] = field(default_factory=dict)
    stopped_by: StoppedBy | None = None
    customs: tuple[CustomResult, ...] = ()
    errors: tuple[HandlerError, ...] = ()
    version: PayloadVersion | None = None
    passage: Passage | None = None

    def current(self, inherits: bool = False) -> PayloadVersion:
        """The payload as it stands.

        Args:
            inherits: it is for the handler that may have the payload itself, and not a copy of it.
        """
        if inherits:
            return PayloadVersion(self.arguments, False)
        if self.version is None:
            self.version = PayloadVersion(self.arguments, self.nests, self.dispatcher.settings.max_payload_bytes)
        return self.version

    async def enter(self, handler: Handler) -> Failure | None:
        """Pass a handler's gate; the failure that it counts as where it is not let through."""
        entered = await handler.gate.enter(self.dispatcher.settings.reload_wait_ms / 1000)
        if isinstance(entered, Failure):
            return entered
        self.passage = entered
        return None

    def leave(self, handler: Handler, failure: Failure | None) -> None:
        """Tell the handler's gate how its call ended."""
        if self.passage is not None:
            self.passage.end(failure)
            self.passage = None
        elif failure is not None:
            handler.gate.failed(failure)

    def turn(self, handler: Handler, started: float, outcome: Outcome) -> None:
        """Apply what a handler's turn came to, and note it down while somebody listens."""
        known = len(self.errors)
        changes = self.take(handler, outcome)
        if self.steps is not None:
            seconds, ended = monotonic() - started, self.stopped_by is not None
            self.steps.append(Step(handler, started, seconds, changes, self.errors[known:], ended))

    def uneventful(self, handler: Handler, started: float) -> None:
        """The same for a turn that came to nothing."""
        if self.passage is not None:
            self.leave(handler, None)
        if self.steps is not None:
            self.steps.append(Step(handler, started, monotonic() - started))

    def take(self, handler: Handler, outcome: Outcome) -> Mapping[str, Any]:
        """Apply what a handler's turn came to; returns the changes that were accepted."""
        spec = self.point.spec
        changes = outcome.changes
        failure = outcome.failure
        if changes and not spec.allow_kwargs_mutation:
            self._record(handler, "change_not_allowed", f"changed {', '.join(changes)}; {spec.name} allows no change")
            changes = NO_CHANGES
        if outcome.abort and not spec.allow_abort:
            self._record(handler, "abort_not_allowed", f"asked for an abort; {spec.name} allows none")
        if changes and spec.reconcile is not None:
            changes, failure = _reconciled(spec.reconcile, self.arguments, changes)
        if failure is not None or self.passage is not None:
            self.leave(handler, failure)
        if failure is not None:
            self._record(handler, failure.kind, failure.text, failure.traceback)
            self.dispatcher.log_failure(handler, failure)
        elif changes:
            self.arguments.update(changes)
            self.changes.update(changes)
            self.version = None
            for value in changes.values():
                if type(value) is dict or type(value) is list:
                    self.nests = True
        if outcome.has_custom:
            self.customs += (CustomResult(handler.plugin_id, handler.name, outcome.custom),)
        if spec.allow_abort and (outcome.abort or (failure is not None and handler.policy is ErrorPolicy.ABORT)):
            self.stopped_by = StoppedBy(handler.plugin_id, handler.name)
        return changes if failure is None else NO_CHANGES

    def notify(self, observers: Sequence[Observer]) -> tuple[Handler, ...]:
        """Hand the payload over to the observers; returns those that got it."""
        if self.stopped_by is not None:
            observers = [each for each in observers if each.handler.observe_aborted]
        # The caller may edit what was changed, so what the observers share is a copy.
        snapshot = self.current().snapshot()
        for observer in observers:
            observer.notify(snapshot, self.chain)
        return tuple([observer.handler for observer in observers])

    def result(self, given: Mapping[str, Any]) -> HookResult:
        """What the caller gets: the payload as it was `given`, with the changes laid over it."""
        kwargs = {**given, **self.changes} if self.changes else {**given}
        stopped_by = self.stopped_by
        return HookResult(
            self.point.spec.name, kwargs, self.chain, stopped_by is not None, stopped_by, self.customs, self.errors
        )

    def _record(self, handler: Handler, kind: ErrorKind, text: str, traceback: str = "") -> None:
        self.errors += (HandlerError(handler.plugin_id, handler.name, kind, text, traceback),)


def _reconciled(
    reconcile: Reconcile, before: Mapping[str, Any], changes: Mapping[str, Any]
) -> tuple[Mapping[str, Any], Failure | None]:
    """The changes with what the spec's `reconcile` adds; its refusal is the failure of the handler that made them."""
    try:
        return {**changes, **reconcile(before, {**before, **changes})}, None
    except Exception as error:  # a border: it reads what a stranger returned
        return NO_CHANGES, Failure(
            "invalid_return", f"returned changes that cannot be reconciled: {failure_of(error).text}"
        )
