"""What marks a function as an implementation, and how a plugin is searched for such functions."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, overload

MARK = "bub_impl"
"""The attribute that ``pluggy.HookimplMarker("bub")`` leaves on a function, and `hookimpl` here."""

F = TypeVar("F", bound=Callable[..., Any])


@overload
def hookimpl(function: F) -> F: ...
@overload
def hookimpl(
    *, tryfirst: bool = False, trylast: bool = False, optionalhook: bool = False, specname: str | None = None
) -> Callable[[F], F]: ...
def hookimpl(
    function: Any = None,
    *,
    tryfirst: bool = False,
    trylast: bool = False,
    optionalhook: bool = False,
    specname: str | None = None,
) -> Any:
    """Mark a function as the implementation of the hook of its name.

    Args:
        function: the function, where the marker is used without arguments.
        tryfirst: it runs before the plain ones.
        trylast: it runs behind them.
        optionalhook: no warning where there is no such hook.
        specname: the hook, where it is not the function's name.
    """
    options = {"tryfirst": tryfirst, "trylast": trylast, "optionalhook": optionalhook, "specname": specname}

    def mark(marked: F) -> F:
        setattr(marked, MARK, options)
        return marked

    return mark if function is None else mark(function)


def marked(plugin: object) -> Iterator[tuple[str, Callable[..., Any], Mapping[str, Any]]]:
    """The marked functions of a module or an instance: name, what to call, options. By name; no property is read."""
    for name in dir(plugin):
        found = inspect.getattr_static(plugin, name, None)
        plain = found.__func__ if isinstance(found, staticmethod | classmethod) else found
        options = getattr(plain, MARK, None) if inspect.isroutine(plain) else None
        if isinstance(options, Mapping):
            yield name, getattr(plugin, name), options
