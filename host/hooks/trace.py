"""What a dispatch did, step by step, for those who want to see it. Nothing is recorded while nobody listens."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from msgspec import Struct

from host.hooks.chain import Chain
from host.hooks.handler import Handler
from host.hooks.outcome import NO_CHANGES
from host.hooks.result import HandlerError, HookResult


class Step(Struct, eq=False):
    """One handler's turn.

    Args:
        handler: whose turn.
        started: seconds on ``time.monotonic``.
        seconds: how long it ran.
        changes: the keys that it changed, as accepted, with their new values.
        errors: its failure, and what it asked for that the hook does not allow.
        aborted: whether it ended the dispatch.
    """

    handler: Handler
    started: float
    seconds: float
    changes: Mapping[str, Any] = NO_CHANGES
    errors: tuple[HandlerError, ...] = ()
    aborted: bool = False


class DispatchTrace(Struct, eq=False):
    """One dispatch: what was fired, what each handler did, what came of it.

    Args:
        payload: as the first handler got it.
        steps: the blocking handlers that had their turn, in order.
        skipped: those that did not, since one before them ended the dispatch.
        observers: those that were started in the background; their steps come later, one by one.
        result: what the caller got.
        depth: how many dispatches this one lies in, itself included.
    """

    payload: Mapping[str, Any]
    steps: tuple[Step, ...]
    skipped: tuple[Handler, ...]
    observers: tuple[Handler, ...]
    result: HookResult
    depth: int

    def got(self, index: int) -> dict[str, Any]:
        """The payload that the handler of ``steps[index]`` was called with."""
        payload = dict(self.payload)
        for step in self.steps[:index]:
            payload.update(step.changes)
        return payload


class TraceListener(Protocol):
    """Is told of every dispatch. What it raises is logged and goes no further."""

    def dispatched(self, trace: DispatchTrace) -> None:
        """A dispatch has ended; its observers may still be running."""

    def observed(self, dispatch: Chain, step: Step) -> None:
        """An observer has ended its call. `dispatch` is the ``chain`` of the result of the dispatch that started it."""


class Recorded(Struct, eq=False):
    """A dispatch in the store.

    Args:
        trace: what it did.
        observed: what its observers have done since, in the order of their ends.
    """

    trace: DispatchTrace
    observed: list[Step]


class TraceStore:
    """A listener that keeps the latest dispatches, the oldest of them first to go.

    Args:
        capacity: how many it keeps.
    """

    def __init__(self, capacity: int = 500) -> None:
        self._capacity = capacity
        self._records: OrderedDict[int, tuple[Chain, Recorded]] = OrderedDict()

    def dispatched(self, trace: DispatchTrace) -> None:
        """Keep a dispatch that has ended."""
        chain = trace.result.chain
        # The chain is kept beside its id, so that no later one can have the same.
        self._records[id(chain)] = (chain, Recorded(trace, []))
        if len(self._records) > self._capacity:
            self._records.popitem(last=False)

    def observed(self, dispatch: Chain, step: Step) -> None:
        """Add an observer's step to its dispatch, unless that one is gone already."""
        if id(dispatch) in self._records:
            self._records[id(dispatch)][1].observed.append(step)

    def __iter__(self) -> Iterator[Recorded]:
        """The dispatches that are kept, the oldest first."""
        return iter([recorded for _, recorded in self._records.values()])

    def __len__(self) -> int:
        return len(self._records)
