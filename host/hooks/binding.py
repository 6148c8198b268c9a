"""How a function is called with a payload. Looked at once, at registration."""

import functools
import inspect
from collections.abc import Awaitable, Callable
from types import FunctionType, MethodType
from typing import Any

from msgspec import Struct

from host.hooks.chain import Chain
from host.hooks.handler import Start
from host.hooks.version import PayloadVersion
from host.hooks.workers import Workers


class Anatomy(Struct, frozen=True):
    """What a handler's function is, and what it asks for.

    Args:
        required: parameters without a default.
        optional: parameters with one.
        positional_only: parameters without a default that no keyword can fill.
        takes_rest: it has ``**kwargs``.
        is_async: calling it makes a coroutine, and so may be done on the event loop.
        is_generator: calling it makes a generator, sync or async.
        file: where it is declared, or "".
        line: the line where it begins, its first decorator included, or 0.
    """

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    positional_only: tuple[str, ...] = ()
    takes_rest: bool = False
    is_async: bool = False
    is_generator: bool = False
    file: str = ""
    line: int = 0


def examine(function: Any) -> Anatomy:
    """Look at a handler's function. What is no callable has no parameters and no place."""
    if not callable(function):
        return Anatomy()
    plain = function.__func__ if isinstance(function, MethodType) else function
    if isinstance(plain, FunctionType) and not plain.__dict__.keys() & _DISGUISES:
        return _of_code(plain, bound=plain is not function)
    required, optional, positional_only, takes_rest = _by_inspection(function)
    body = _called(function)
    code = getattr(inspect.unwrap(body), "__code__", None)
    return Anatomy(
        required,
        optional,
        positional_only,
        takes_rest,
        inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(body),
        inspect.isgeneratorfunction(body) or inspect.isasyncgenfunction(body),
        code.co_filename if code else "",
        code.co_firstlineno if code else 0,
    )


_DISGUISES = frozenset({"__wrapped__", "__signature__", "_is_coroutine_marker"})
"""Attributes by which a function says that it is called otherwise than its own code tells."""


def _of_code(function: FunctionType, *, bound: bool) -> Anatomy:
    """The same from the code of an ordinary function or method, in a fraction of the time of `inspect.signature`."""
    code = function.__code__
    count, keyword_only = code.co_argcount, code.co_kwonlyargcount
    without_default = max(count - len(function.__defaults__ or ()), 0)
    names = code.co_varnames
    first = 1 if bound else 0
    positional_only = names[first : min(code.co_posonlyargcount, without_default)]
    required = names[max(first, code.co_posonlyargcount) : without_default]
    optional = names[max(first, code.co_posonlyargcount, without_default) : count]
    if keyword_only:
        defaults = function.__kwdefaults__ or {}
        keywords = names[count : count + keyword_only]
        required += tuple([name for name in keywords if name not in defaults])
        optional += tuple([name for name in keywords if name in defaults])
    flags = code.co_flags
    return Anatomy(
        required,
        optional,
        positional_only,
        bool(flags & inspect.CO_VARKEYWORDS),
        bool(flags & inspect.CO_COROUTINE),
        bool(flags & (inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR)),
        code.co_filename,
        code.co_firstlineno,
    )


def _by_inspection(
    function: Callable[..., Any],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], bool]:
    """Required, optional and positional-only parameters, and whether it takes the rest."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        # Some builtins tell nothing; they count as taking everything.
        return (), (), (), True
    keyword = [each for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    return (
        tuple(each.name for each in keyword if each.default is each.empty),
        tuple(each.name for each in keyword if each.default is not each.empty),
        tuple(each.name for each in parameters if each.kind is each.POSITIONAL_ONLY and each.default is each.empty),
        any(each.kind is each.VAR_KEYWORD for each in parameters),
    )


def _called(function: Callable[..., Any]) -> Any:
    """The function whose body runs when `function` is called."""
    while isinstance(function, functools.partial):
        function = function.func
    if inspect.isfunction(function) or inspect.ismethod(function) or inspect.isbuiltin(function):
        return function
    return type(function).__call__


def starter(
    function: Callable[..., Any],
    anatomy: Anatomy,
    *,
    may_lack: Callable[[str], bool],
    takes_all: bool,
    workers: Workers | None,
) -> Start:
    """The way to call a handler that cannot simply be awaited with the whole payload.

    Args:
        function: the handler.
        anatomy: what it asks for.
        may_lack: whether a name is that of a key that may be missing; a required parameter of that name gets None then.
        takes_all: whether it gets all keys; if not, only those that it names.
        workers: where to call it when it is a plain function; None calls it on the event loop.
    """
    named = frozenset(anatomy.required + anatomy.optional)
    absent = dict.fromkeys(filter(may_lack, anatomy.required))
    wants_trace_id = "trace_id" in named

    def choose(version: PayloadVersion, chain: Chain) -> dict[str, Any]:
        values = version.own()
        chosen = {**absent, **(values if takes_all else {name: values[name] for name in named & values.keys()})}
        if wants_trace_id:
            chosen["trace_id"] = chain.trace_id
        return chosen

    async def in_thread(pool: Workers, arguments: dict[str, Any]) -> object:
        returned = await pool.run(function, arguments)
        return await returned if inspect.isawaitable(returned) else returned

    def start(version: PayloadVersion, chain: Chain, due: float) -> Awaitable[object]:
        arguments = choose(version, chain)
        if workers is not None:
            return in_thread(workers, arguments)
        awaitable: Awaitable[object] = function(**arguments)
        return awaitable

    return start
