"""Why a handler's turn counts for nothing: as data, and as the exceptions by which the way to a handler tells it."""

import traceback as traceback_module

from msgspec import Struct

from host.hooks.foreign import encodable
from host.hooks.result import ErrorKind

MAX_TRACEBACK = 32_768
"""Characters of a traceback that are kept, from its end."""
MAX_TEXT = 4_096
"""Characters of an exception's text that are kept."""


class Failure(Struct, frozen=True):
    """Why a handler's turn counts for nothing.

    Args:
        kind: what sort of failure.
        text: one line.
        traceback: where it was raised, or "".
        charged: whether the handler has to answer for it, so that its breaker counts it.
    """

    kind: ErrorKind
    text: str
    traceback: str = ""
    charged: bool = True


class CannotRunError(Exception):
    """A handler could not be run: raised by the ``start`` of one that lives elsewhere.

    Args:
        text: why, one line.
        charged: whether the handler has to answer for it, so that its breaker counts it.
    """

    def __init__(self, text: str, *, charged: bool) -> None:
        self.text = text
        self.charged = charged
        super().__init__(text)


class HandlerFailedError(Exception):
    """A handler failed where it lives: raised by its ``start``, to hand the failure over as it is.

    Args:
        failure: what happened there.
    """

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(failure.text)


def unavailable(why: str = "") -> Failure:
    """The failure of a handler that was not called, since its plugin is not running. It does not answer for that."""
    return Failure("unavailable", f"its plugin is not running{f': {why}' if why else ''}", charged=False)


def failure_of(error: BaseException) -> Failure:
    """What a handler raised, as text: nothing of a stranger's exception is kept alive or asked twice."""
    if isinstance(error, HandlerFailedError):
        return error.failure
    if isinstance(error, CannotRunError):
        return Failure("unavailable", error.text, charged=error.charged)
    name = type(error).__name__
    try:
        text = f"{name}: {error}"
    except Exception as unprintable:  # a border: the exception is a stranger's
        text = f"{name} (its text cannot be read: {type(unprintable).__name__})"
    try:
        lines = "".join(traceback_module.format_exception(error))
    except Exception as unprintable:  # a border, as above
        lines = f"{text}\n(its traceback cannot be printed: {type(unprintable).__name__})"
    return Failure("exception", encodable(text[:MAX_TEXT]), encodable(lines[-MAX_TRACEBACK:]))
