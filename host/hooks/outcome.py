"""What a handler's return means."""

import traceback as traceback_module
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from host.hooks.errors import PayloadIssue
from host.hooks.payload import CALL_DATA, Payload
from host.hooks.portable import InvalidValueError, portable
from host.hooks.result import ErrorKind

MAX_TRACEBACK = 32_768
"""Characters of a traceback that are kept, from its end."""
MAX_TEXT = 4_096
"""Characters of an exception's text that are kept."""

NO_CHANGES: Mapping[str, Any] = {}


class Failure(Struct, frozen=True):
    """Why a handler's turn counts for nothing.

    Args:
        kind: what sort of failure.
        text: one line.
        traceback: where it was raised, or "".
    """

    kind: ErrorKind
    text: str
    traceback: str = ""


UNAVAILABLE = Failure("unavailable", "its plugin is not running")
"""A handler could not be run."""


class Outcome(Struct, frozen=True):
    """A handler's return, read.

    Args:
        changes: new values by key, each checked and copied.
        abort: it asks to end the dispatch.
        has_custom: it hands a value to the caller.
        custom: that value.
        failure: it failed, by what it returned; with `abort` both count.
    """

    changes: Mapping[str, Any] = NO_CHANGES
    abort: bool = False
    has_custom: bool = False
    custom: Any = None
    failure: Failure | None = None


def read(returned: object, payload: Payload, current: Mapping[str, Any]) -> Outcome:
    """What `returned` asks for.

    Args:
        returned: what the handler returned, not None.
        payload: the checks of the hook's payload.
        current: the payload as the handler got it; equal values are no change.
    """
    if not isinstance(returned, dict):
        return _custom(returned)
    abort = False
    action = returned.get("action")
    if action is not None and action != "continue":
        word = action.strip().lower() if isinstance(action, str) else None
        if word not in ("abort", "continue"):
            return _nonsense("action", action, "'continue' or 'abort'")
        abort = word == "abort"
    if returned.get("success") is False:
        message = returned.get("error_message")
        failure = Failure("reported", str(message)[:MAX_TEXT] if message else "the handler reported success = False")
        return Outcome(abort=abort, failure=failure)
    changes = NO_CHANGES
    modified = returned.get("modified_kwargs")
    if modified is not None:
        if not isinstance(modified, dict):
            return _nonsense("modified_kwargs", modified, "a dict")
        try:
            changes = _changes(modified, payload, current)
        except InvalidValueError as error:
            return _invalid(error.issue)
    if "custom_result" not in returned:
        return Outcome(changes, abort)
    try:
        return Outcome(changes, abort, True, portable(returned["custom_result"], "custom_result"))
    except InvalidValueError as error:
        return _invalid(error.issue)


def _changes(modified: Mapping[Any, Any], payload: Payload, current: Mapping[str, Any]) -> dict[str, Any]:
    changes = {}
    keys = payload.keys
    for name, value in modified.items():
        if name in current and value is current[name] and name not in CALL_DATA:
            continue
        if type(name) is not str:
            issue = PayloadIssue("modified_kwargs", f"a key of type {type(name).__name__}", "keys that are text")
            raise InvalidValueError(issue)
        if name in CALL_DATA:
            continue
        key = keys.get(name)
        changes[name] = payload.check_change(name, value) if key is None else key.check(value, name)
    return changes


def _custom(value: object) -> Outcome:
    try:
        return Outcome(has_custom=True, custom=portable(value, "return"))
    except InvalidValueError as error:
        return _invalid(error.issue)


def _nonsense(path: str, found: object, allowed: str) -> Outcome:
    return _invalid(PayloadIssue(path, f"{type(found).__name__} {found!r:.60}", allowed))


def _invalid(issue: PayloadIssue) -> Outcome:
    return Outcome(failure=Failure("invalid_return", f"returned {issue}"))


def failure_of(error: BaseException) -> Failure:
    """What a handler raised, as text: nothing of a stranger's exception is kept alive or asked twice."""
    name = type(error).__name__
    try:
        text = f"{name}: {error}"
    except Exception as unprintable:  # a border: the exception is a stranger's
        text = f"{name} (its text cannot be read: {type(unprintable).__name__})"
    try:
        lines = "".join(traceback_module.format_exception(error))
    except Exception as unprintable:  # a border, as above
        lines = f"{text}\n(its traceback cannot be printed: {type(unprintable).__name__})"
    return Failure("exception", text[:MAX_TEXT], lines[-MAX_TRACEBACK:])
