"""What a handler's return means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from msgspec import Struct

from host.hooks.errors import PayloadIssue
from host.hooks.failure import MAX_TEXT, Failure, failure_of
from host.hooks.foreign import encodable, repr_of
from host.hooks.payload import CALL_DATA, Key
from host.hooks.portable import InvalidValueError, portable

NO_CHANGES: Mapping[str, Any] = {}


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


class PortableReturn(Struct, frozen=True, array_like=True):
    """A handler's return on its way from another process: what could be found out about it without the hook's checks.

    Args:
        changes: new values by key, as they may travel; in the order of the return, up to the first that may not.
        abort: as in `Outcome`.
        has_custom: as in `Outcome`.
        custom: as in `Outcome`.
        failure: what makes the return a failure, unless one of `changes` does so before.
    """

    changes: dict[str, Any]
    abort: bool = False
    has_custom: bool = False
    custom: Any = None
    failure: Failure | None = None


class Checks(Protocol):
    """What reading a return needs of a hook's `Payload`."""

    @property
    def keys(self) -> Mapping[str, Key]:
        """The declared keys."""

    def check_change(self, name: str, value: Any) -> Any:
        """A copy of the value that a handler returned for `name`, as it may travel on."""


def read(returned: object, payload: Checks, current: Mapping[str, Any]) -> Outcome:
    """What `returned` asks for.

    Args:
        returned: what the handler returned, not None.
        payload: the checks of the hook's payload.
        current: the payload as the handler got it; what comes back as it was is no change.
    """
    try:
        if not isinstance(returned, dict):
            return _received(returned, payload) if type(returned) is PortableReturn else _custom(returned)
        abort = False
        action = returned.get("action")
        if action is not None and action != "continue":
            word = action.strip().lower() if isinstance(action, str) else None
            if word not in ("abort", "continue"):
                return _nonsense("action", action, "'continue' or 'abort'")
            abort = word == "abort"
        if returned.get("success") is False:
            message = returned.get("error_message")
            text = encodable(str(message)[:MAX_TEXT]) if message else "the handler reported success = False"
            return Outcome(abort=abort, failure=Failure("reported", text))
        changes = NO_CHANGES
        modified = returned.get("modified_kwargs")
        if modified is not None:
            if not isinstance(modified, dict):
                return _nonsense("modified_kwargs", modified, "a dict")
            changes = _changes(modified, payload, current)
        if "custom_result" not in returned:
            return Outcome(changes, abort)
        return Outcome(changes, abort, True, portable(returned["custom_result"], "custom_result"))
    except InvalidValueError as error:
        return _invalid(str(error.issue))
    except Exception as error:  # a border: what was returned is a stranger's, its methods are called
        return _invalid(f"what cannot be read: {failure_of(error).text}")


def _changes(modified: Mapping[Any, Any], payload: Checks, current: Mapping[str, Any]) -> dict[str, Any]:
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
        if key is not None:
            changes[name] = key.check(value, name)
        else:
            portable(name, "modified_kwargs")
            changes[name] = payload.check_change(name, value)
    return changes


def asks_for_effect(returned: object) -> bool:
    """Whether a return wants to change the payload or to end the dispatch."""
    if isinstance(returned, PortableReturn):
        return returned.abort or bool(returned.changes)
    if not isinstance(returned, dict):
        return False
    return returned.get("modified_kwargs") is not None or returned.get("action") not in (None, "continue")


def portable_return(returned: object, given: Mapping[str, Any] = NO_CHANGES) -> PortableReturn | None:
    """A handler's return as it may travel to the host. `read` makes the same of it there as of the return itself.

    Args:
        returned: what the handler returned.
        given: the payload that the handler was called with: plain values that it handed back as they were stay behind.
    """
    if returned is None:
        return None
    if type(returned) is dict and "modified_kwargs" not in returned:
        outcome = read(returned, _NOTHING_CHANGED, NO_CHANGES)
        return PortableReturn({}, outcome.abort, outcome.has_custom, outcome.custom, outcome.failure)
    unchanged = {name: value for name, value in given.items() if type(value) not in (dict, list)}
    collected = _Collected()
    outcome = read(returned, collected, unchanged)
    return PortableReturn(collected.changes, outcome.abort, outcome.has_custom, outcome.custom, outcome.failure)


class _Collected:
    """Stands in for the checks of a hook's payload where they are not known; keeps what they would be asked about."""

    keys: Mapping[str, Key] = {}

    def __init__(self) -> None:
        self.changes: dict[str, Any] = {}

    def check_change(self, name: str, value: Any) -> Any:
        self.changes[name] = value = portable(value, name)
        return value


_NOTHING_CHANGED = _Collected()


def _received(returned: PortableReturn, payload: Checks) -> Outcome:
    changes = _changes(returned.changes, payload, NO_CHANGES)
    if returned.failure is not None:
        return Outcome(abort=returned.abort, failure=returned.failure)
    return Outcome(changes or NO_CHANGES, returned.abort, returned.has_custom, returned.custom)


def _custom(value: object) -> Outcome:
    return Outcome(has_custom=True, custom=portable(value, "return"))


def _nonsense(path: str, found: object, allowed: str) -> Outcome:
    return _invalid(str(PayloadIssue(path, f"{type(found).__name__} {repr_of(found):.60}", allowed)))


def _invalid(what: str) -> Outcome:
    return Outcome(failure=Failure("invalid_return", encodable(f"returned {what}")))
