"""How a function is called with a payload. Looked at once, at registration."""

import functools
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from host.hooks.chain import Chain
from host.hooks.handler import Start
from host.hooks.workers import Workers

CALLER_GIVES = ("hook_name", "trace_id")
"""Arguments that a handler may name beside the keys of the payload."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What a handler asks for.

    Args:
        required: parameters without a default.
        optional: parameters with one.
        positional_only: of the required ones, those that no keyword can fill.
        takes_rest: it has ``**kwargs``.
    """

    required: tuple[str, ...]
    optional: tuple[str, ...]
    positional_only: tuple[str, ...]
    takes_rest: bool


def signature_of(function: Callable[..., Any]) -> Signature:
    """The parameters of `function`; one that tells nothing (some builtins) counts as taking everything."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return Signature((), (), (), takes_rest=True)
    required: list[str] = []
    optional: list[str] = []
    positional_only: list[str] = []
    takes_rest = False
    for name, parameter in parameters.items():
        kind = parameter.kind
        if kind is parameter.VAR_KEYWORD:
            takes_rest = True
        elif kind is parameter.POSITIONAL_ONLY:
            if parameter.default is parameter.empty:
                positional_only.append(name)
        elif kind is not parameter.VAR_POSITIONAL:
            (required if parameter.default is parameter.empty else optional).append(name)
    return Signature(tuple(required), tuple(optional), tuple(positional_only), takes_rest)


def _called(function: Callable[..., Any]) -> Any:
    """The function whose body runs when `function` is called."""
    while isinstance(function, functools.partial):
        function = function.func
    if inspect.isfunction(function) or inspect.ismethod(function) or inspect.isbuiltin(function):
        return function
    return type(function).__call__


def is_generator(function: Callable[..., Any]) -> bool:
    """Whether calling `function` makes a generator, sync or async."""
    body = _called(function)
    return inspect.isgeneratorfunction(body) or inspect.isasyncgenfunction(body)


def is_coroutine_function(function: Callable[..., Any]) -> bool:
    """Whether calling `function` makes a coroutine, and so may be done on the event loop."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(_called(function))


def place_of(function: object) -> tuple[str, int]:
    """File and line where `function` is declared, its first decorator included; ("", 0) when it has no source."""
    if not callable(function):
        return "", 0
    code = getattr(inspect.unwrap(_called(function)), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code is not None else ("", 0)


def starter(
    function: Callable[..., Any],
    signature: Signature,
    *,
    keys: Iterable[str],
    fills_rest: bool,
    workers: Workers | None,
) -> Start:
    """The way to call a handler that cannot simply be awaited with the whole payload.

    Args:
        function: the handler.
        signature: what it asks for.
        keys: the payload's declared keys; a required parameter of such a name gets None when the payload lacks it.
        fills_rest: whether ``**kwargs`` gets the keys that it does not name.
        workers: where to call it when it is a plain function; None calls it on the event loop.
    """
    takes_all = signature.takes_rest and fills_rest
    named = frozenset(signature.required + signature.optional)
    absent = dict.fromkeys(name for name in signature.required if name in frozenset(keys))
    wants_trace_id = "trace_id" in named

    def choose(payload: Mapping[str, Any], chain: Chain) -> dict[str, Any]:
        chosen = {**absent, **(payload if takes_all else {name: payload[name] for name in named & payload.keys()})}
        if wants_trace_id:
            chosen["trace_id"] = chain.trace_id
        return chosen

    async def in_thread(pool: Workers, arguments: dict[str, Any]) -> object:
        returned = await pool.run(function, arguments)
        return await returned if inspect.isawaitable(returned) else returned

    def start(payload: dict[str, Any], chain: Chain, due: float) -> Awaitable[object]:
        arguments = choose(payload, chain)
        if workers is not None:
            return in_thread(workers, arguments)
        awaitable: Awaitable[object] = function(**arguments)
        return awaitable

    return start
