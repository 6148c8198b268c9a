"""The hook handlers of a runner's plugin, and how they are called."""

import asyncio
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from host.hooks import Declaration
from host.hooks.binding import Anatomy, examine
from host.hooks.failure import Failure, failure_of
from host.hooks.outcome import portable_return
from host.hooks.workers import Workers
from host.runtime.invoking import is_from_outside
from host.runtime.runners.allocation import NOTABLE, FreedMemory
from host.runtime.runners.messages import Handled

_decode: Callable[[Any], dict[str, Any]] = msgspec.msgpack.Decoder(dict[str, Any]).decode
encode: Callable[[Any], bytes] = msgspec.msgpack.Encoder(enc_hook=str).encode
NOTHING = encode(Handled())


class Handling:
    """The handlers of one plugin by number: the place that each has among its declarations.

    Args:
        declarations: as the plugin declared them.
        workers: threads for handlers that are plain functions.
        freed: is told of calls that leave much freed memory.
    """

    def __init__(self, declarations: Iterable[Declaration], workers: Workers, freed: FreedMemory) -> None:
        self._workers = workers
        self._freed = freed
        self._callees = {
            str(number): _Callee(declared.handler, examine(declared.handler))
            for number, declared in enumerate(declarations)
            if callable(declared.handler)
        }

    async def call(self, which: str, payload: bytes | memoryview) -> bytes:
        """Call a handler with a payload, and say what came of it, encoded; whatever it raises is its failure.

        Args:
            which: its number, and where it takes the trace id, that one after a space.
            payload: encoded.

        Raises:
            asyncio.CancelledError: the call was cancelled by whoever made it.
            KeyError: there is no such handler.
        """
        trace_id = ""
        callee = self._callees.get(which)
        if callee is None:
            number, _, trace_id = which.partition(" ")
            callee = self._callees[number]
        values = _decode(payload)
        try:
            arguments = callee.arguments(values, trace_id)
            if callee.is_async:
                returned = await callee.function(**arguments)
            else:
                returned = await self._workers.run(callee.function, arguments)
                if inspect.isawaitable(returned):
                    returned = await returned
            answer = NOTHING if returned is None else encode(Handled(portable_return(returned, values)))
            if len(payload) + len(answer) >= NOTABLE:
                self._freed.large()
            return answer
        except BaseException as error:  # a border: not even SystemExit of a handler goes further
            return encode(Handled(failure=_failure(error)))


class _Callee:
    """A handler's function, and which of a payload's values it takes."""

    __slots__ = ("_absent", "_named", "_takes_all", "_wants_trace_id", "function", "is_async")

    def __init__(self, function: Callable[..., Any], anatomy: Anatomy) -> None:
        self.function = function
        self.is_async = anatomy.is_async
        self._named = frozenset(anatomy.required + anatomy.optional)
        self._takes_all = anatomy.takes_rest
        self._absent = dict.fromkeys(anatomy.required)
        self._wants_trace_id = "trace_id" in self._named

    def arguments(self, values: dict[str, Any], trace_id: str) -> dict[str, Any]:
        """The keyword arguments. Registration saw to it that a required one can be missing only where that is allowed;
        it is None then."""
        if self._takes_all:
            chosen = {**self._absent, **values} if self._absent else values
        else:
            chosen = {**self._absent, **{name: values[name] for name in self._named & values.keys()}}
        if self._wants_trace_id:
            chosen["trace_id"] = trace_id
        return chosen


def _failure(error: BaseException) -> Failure:
    if is_from_outside(error):
        raise error
    if isinstance(error, asyncio.CancelledError):
        return Failure("cancelled", f"it ended itself by {failure_of(error).text}")
    return failure_of(error)
