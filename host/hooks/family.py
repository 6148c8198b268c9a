"""What a whole kind of hooks has in common, as data. The strategies read it; they never ask which family they serve."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from maibot_sdk.types import HookMode, HookOrder

if TYPE_CHECKING:
    from host.hooks.handler import Handler


class Source(str, Enum):
    """Where a plugin lies. The host knows it from the place; no plugin can claim it."""

    BUILTIN = "builtin"
    THIRD_PARTY = "third_party"


class Failures(Enum):
    """What becomes of a handler's failure."""

    DECLARED = "declared"
    """The handler's own ``error_policy`` decides."""
    PROPAGATE = "propagate"
    """It reaches whoever fired the hook."""
    ISOLATE = "isolate"
    """It is recorded, and the next handler runs."""


class Generators(Enum):
    """What a handler that is a generator means."""

    REFUSED = "refused"
    LIFESPAN = "lifespan"
    """Entered before, left after; exactly one ``yield``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Rules shared by all hooks of one kind.

    Args:
        name: shown in the hook table.
        sort_key: places a handler among those of its hook; every path that adds a handler sorts by it. Its second
            argument is the place that the owner gave the handler, 0 where the owner said nothing about the hook.
        order_reason: says in words why a handler stands where it does, most significant part first.
        fills_var_keyword: whether a handler's ``**kwargs`` gets the keys that it does not name.
        failures: what becomes of a handler's failure.
        deadlines: whether a handler that runs too long is cut off.
        generators: what a generator as handler means.
    """

    name: str
    sort_key: Callable[["Handler", int], tuple[Any, ...]]
    order_reason: Callable[["Handler"], tuple[str, ...]]
    fills_var_keyword: bool
    failures: Failures
    deadlines: bool
    generators: Generators


_MODE_RANK = {HookMode.BLOCKING: 0, HookMode.OBSERVE: 1}
_SLOT_RANK = {HookOrder.EARLY: 0, HookOrder.NORMAL: 1, HookOrder.LATE: 2}
_SOURCE_RANK = {Source.BUILTIN: 0, Source.THIRD_PARTY: 1}


def _maibot_key(handler: "Handler", place: int) -> tuple[int, int, int, int, str, str]:
    return (
        _MODE_RANK[handler.mode],
        place,
        _SLOT_RANK[handler.order],
        _SOURCE_RANK[handler.source],
        handler.plugin_id,
        handler.name,
    )


def _maibot_reason(handler: "Handler") -> tuple[str, ...]:
    return (handler.mode.value, handler.order.value, handler.source.value, handler.plugin_id, handler.name)


MAIBOT = Family(
    name="maibot",
    sort_key=_maibot_key,
    order_reason=_maibot_reason,
    fills_var_keyword=True,
    failures=Failures.DECLARED,
    deadlines=True,
    generators=Generators.REFUSED,
)
"""The hooks of MaiBot: mode, the owner's order, slot, source, plugin id, handler name; texts in code-point order."""
