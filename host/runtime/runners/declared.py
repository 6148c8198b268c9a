"""Hook handlers on their way from a runner to the host: what was declared as data, the functions left behind."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

from host.hooks import Declaration
from host.hooks.binding import examine
from host.hooks.foreign import Foreign
from host.hooks.handler import Start
from host.hooks.portable import InvalidValueError, portable
from host.hooks.remote import RemoteFunction
from host.runtime.runners.messages import DeclarationData, Judged
from maibot_sdk.types import ComponentType, ErrorPolicy, HookMode, HookOrder

_PLAIN = frozenset({type(None), bool, int, float, str})


def sent(declaration: Declaration) -> DeclarationData:
    """A declaration as data. Values that cannot travel are replaced by what a report shows of them."""
    function = declaration.handler
    is_handler = callable(function) and declaration.component_type is not None
    name = declaration.name if declaration.name != "" else getattr(function, "__name__", "")
    return DeclarationData(
        hook=_left(declaration.hook),
        name=_left(name),
        description=declaration.description,
        mode=_left(declaration.mode, HookMode),
        order=_left(declaration.order, HookOrder),
        timeout_ms=_left(declaration.timeout_ms),
        error_policy=_left(declaration.error_policy, ErrorPolicy),
        metadata=sent_mapping(declaration.metadata),
        component_type=_left(declaration.component_type, ComponentType),
        handler_name=declaration.handler_name,
        anatomy=examine(function) if is_handler else None,
        handler=None if is_handler or function is None else Foreign.of(function),
    )


def received(data: DeclarationData, start: Start) -> Declaration:
    """The declaration again, with `start` in the place of its function."""
    return Declaration(
        hook=data.hook,
        handler=data.handler if data.anatomy is None else RemoteFunction(data.anatomy, start),
        name=data.name,
        description=data.description,
        mode=data.mode,
        order=data.order,
        timeout_ms=data.timeout_ms,
        error_policy=data.error_policy,
        metadata=data.metadata,
        component_type=data.component_type,
        handler_name=data.handler_name,
    )


def sent_components(components: Sequence[object]) -> list[dict[str, Any]]:
    """Components as data, without their functions; what is no component stands as what it looks like."""
    return [sent_mapping(each) if isinstance(each, Mapping) else {"name": Foreign.of(each).text} for each in components]


def sent_mapping(values: Mapping[Any, Any]) -> dict[str, Any]:
    """A dict as data: what cannot travel becomes the name of its type."""
    return {str(key): _plain(value) for key, value in values.items()}


def _plain(value: object) -> Any:
    try:
        return portable(value, "")
    except InvalidValueError:
        if isinstance(value, Mapping):
            return sent_mapping(value)
        if isinstance(value, (list, tuple)):
            return [_plain(each) for each in value]
        return f"<{type(value).__name__}>"


def _left(value: object, kind: type[Enum] | None = None) -> Judged:
    """A value that registration judges: plain as it is, a member of `kind` as its value, all else as it looks."""
    if kind is not None and isinstance(value, kind):
        value = value.value
    if isinstance(value, str) and not isinstance(value, Enum):
        value = str.__str__(value)
    if type(value) in _PLAIN:
        try:
            plain: Judged = portable(value, "")
            return plain
        except InvalidValueError:
            """Too large an integer, or text that cannot be encoded."""
    return Foreign.of(value)
