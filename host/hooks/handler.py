"""One subscriber of one hook, checked and ready to be called."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from msgspec import Struct

from host.hooks.chain import Chain
from host.hooks.family import Source
from host.hooks.gate import Gate
from host.hooks.version import PayloadVersion
from maibot_sdk.types import ErrorPolicy, HookMode, HookOrder

Start = Callable[[PayloadVersion, Chain, float], Awaitable[object]]
"""``(payload with hook_name, the dispatch, deadline on time.monotonic) -> what the handler returns``.

It may raise `CannotRunError` and `HandlerFailedError`; whatever else it raises counts as raised by the handler.
"""


class Handler(Struct, frozen=True, kw_only=True, eq=False):
    """A handler as the dispatcher runs it. Made by registration; everything about it is decided.

    Args:
        hook: the hook it subscribes to.
        plugin_id: whose it is.
        name: unique among the plugin's hook handlers.
        description: in its author's words.
        mode: blocking (waited for) or observe (in the background).
        order: the slot among its mode.
        source: where the plugin lies.
        policy: what becomes of its failures.
        timeout_ms: its effective deadline in milliseconds.
        observe_aborted: an observer that is run after an abort too.
        sequence: the how manieth handler it was to be registered at this host.
        file: where it is written, or "".
        line: the line where its declaration begins, or 0.
        metadata: what else its author declared.
        gate: what its calls have to pass.
        spread: it takes the whole payload as keyword arguments and is awaited directly, as ``call(**payload)``.
        call: the coroutine function for that.
        start: how it is called otherwise: a choice of the arguments, a thread, another process.
        remote: it lives in another process, and gets the payload encoded.
        timeout: the deadline in seconds; infinite where the family has none.
    """

    hook: str
    plugin_id: str
    name: str
    description: str
    mode: HookMode
    order: HookOrder
    source: Source
    policy: ErrorPolicy
    timeout_ms: int
    observe_aborted: bool
    sequence: int
    file: str
    line: int
    metadata: Mapping[str, Any]
    gate: Gate
    spread: bool
    call: Callable[..., Any]
    start: Start
    remote: bool
    timeout: float
