"""How a component of a plugin is called: a command, a tool, an API, a gateway. Hook handlers go by the kernel."""

import asyncio
import inspect
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from host.hooks.failure import failure_of
from host.hooks.foreign import encodable
from host.hooks.portable import InvalidValueError, portable
from host.hooks.workers import Workers


class Called(Struct, frozen=True, array_like=True):
    """Which component is called.

    Args:
        name: its name.
        handler_name: the method that its declaration names, or "".
    """

    name: str
    handler_name: str = ""


class Invoked(Struct, frozen=True, array_like=True):
    """What came of calling a component.

    Args:
        success: whether its handler returned.
        result: what it returned, made of the types that may be in a payload; the text of what it raised otherwise.
        traceback: where it raised, capped; for the log.
    """

    success: bool
    result: Any = None
    traceback: str = ""


class NoSuchComponentError(Exception):
    """A plugin has no method for a component.

    Args:
        called: which.
    """

    def __init__(self, called: Called) -> None:
        self.called = called
        super().__init__(
            f"there is no method for component {called.name!r}; define {called.handler_name or called.name!r} / "
            f"组件 {called.name!r} 没有对应的方法；请定义 {called.handler_name or called.name!r}"
        )


async def invoke(instance: object, called: Called, arguments: Mapping[str, Any], workers: Workers) -> Invoked:
    """Call a component of `instance` with keyword arguments.

    The method is the one that the declaration names, else ``handle_<name>``, else ``<name>``, else
    ``invoke_component(name, **arguments)`` of the plugin: so plugins of all times are found.

    Args:
        instance: the plugin.
        called: which component.
        arguments: portable, and the callee's own.
        workers: threads for handlers that are plain functions.

    Raises:
        asyncio.CancelledError: the caller was cancelled.
    """
    try:
        function, positional = _handler(instance, called)
        if _is_async(function):
            returned = await function(*positional, **arguments)
        else:
            returned = await workers.run(function, dict(arguments), *positional)
            if inspect.isawaitable(returned):
                returned = await returned
        return Invoked(success=True, result=portable(returned, "return"))
    except InvalidValueError as error:
        return Invoked(success=False, result=f"{called.name} returned what cannot travel: {error.issue}")
    except Exception as error:  # a border: what a component raises is the text of its result
        return _failed(error)
    except BaseException as error:  # a border: not even SystemExit goes further, but a cancellation from outside does
        if is_from_outside(error):
            raise
        return _failed(error)


def is_from_outside(error: BaseException) -> bool:
    """Whether `error` is the cancellation of the running task, and not one that code in it made up."""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0


def _failed(error: BaseException) -> Invoked:
    failure = failure_of(error)
    try:
        text = str(error)
    except Exception:  # a border: the exception is a stranger's
        text = ""
    return Invoked(success=False, result=encodable(text[:4096]) or failure.text, traceback=failure.traceback)


def _handler(instance: object, called: Called) -> tuple[Any, tuple[str, ...]]:
    for name in (called.handler_name, f"handle_{called.name}", called.name):
        method = _method(instance, name)
        if method is not None:
            return method, ()
    generic = _method(instance, "invoke_component")
    if generic is None:
        raise NoSuchComponentError(called)
    return generic, (called.handler_name or called.name,)


def _method(instance: object, name: str) -> Any:
    """The callable attribute of that name, found without running a property."""
    written = inspect.getattr_static(instance, name, None) if name else None
    if written is None or isinstance(written, property):
        return None
    method = getattr(instance, name, None)
    return method if callable(method) else None


def _is_async(function: Any) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)
