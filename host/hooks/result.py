"""What a dispatch gives back to whoever fired the hook."""

from typing import Any, Literal, NamedTuple

from msgspec import Struct

from host.hooks.chain import Chain

ErrorKind = Literal[
    "exception",
    "timeout",
    "cancelled",
    "invalid_return",
    "reported",
    "unavailable",
    "breaker_open",
    "abort_not_allowed",
    "change_not_allowed",
]


class StoppedBy(NamedTuple):
    """The handler that ended a dispatch."""

    plugin_id: str
    handler: str


class CustomResult(NamedTuple):
    """A value that a handler handed to whoever fired the hook."""

    plugin_id: str
    handler: str
    value: Any


class HandlerError(NamedTuple):
    """One failure, or one thing asked for that the hook does not allow.

    Args:
        plugin_id: the plugin whose handler it was.
        handler: the handler's name.
        kind: ``exception`` it raised; ``timeout`` its deadline passed; ``cancelled`` it cancelled itself;
            ``invalid_return`` what it returned makes no sense; ``reported`` it returned ``success: False``;
            ``unavailable`` it could not be run; ``breaker_open`` it was skipped, since it failed too often of late;
            ``abort_not_allowed`` and ``change_not_allowed`` were ignored.
        text: what happened, one line.
        traceback: where, for ``exception``; else "".
    """

    plugin_id: str
    handler: str
    kind: ErrorKind
    text: str
    traceback: str = ""


class HookResult(Struct, frozen=True, eq=False):
    """What came of firing a hook.

    Args:
        hook_name: the hook.
        kwargs: the payload to go on with: what nobody changed is what the caller passed in, the very object; what a
            handler changed is a copy that belongs to the caller alone.
        aborted: whether a handler ended the dispatch.
        stopped_by: that handler.
        custom_results: in the order of the handlers.
        errors: in the order of the handlers, those that were skipped or could not be run among them; observers are not
            waited for and so do not show here.
    """

    hook_name: str
    kwargs: dict[str, Any]
    chain: Chain
    aborted: bool = False
    stopped_by: StoppedBy | None = None
    custom_results: tuple[CustomResult, ...] = ()
    errors: tuple[HandlerError, ...] = ()

    @property
    def trace_id(self) -> str:
        """32 hex digits, shared by everything that one outermost call set going."""
        return self.chain.trace_id
