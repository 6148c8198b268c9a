"""A hook handler as its author declared it, before anything is checked."""

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from maibot_sdk.types import ComponentType

_HOOK_HANDLER = frozenset({ComponentType.HOOK_HANDLER.value, ComponentType.HOOK_HANDLER.value.lower()})
_REMOVED = frozenset({"WORKFLOW_STEP", "workflow_step"})
_FIELDS = frozenset(
    {"hook", "mode", "order", "timeout_ms", "error_policy", "description", "enabled", "handler_name", "metadata"}
)


class Declaration(Struct, frozen=True, kw_only=True, eq=False):
    """One handler that somebody wants registered. Every field is what was written; registration judges it.

    What was written in another process and could not travel may be given as a `Foreign`.

    Args:
        hook: the name of the hook.
        handler: the function or method, or a `RemoteFunction` for one in another process; None when it was named but
            does not exist.
        name: the component's name; empty for the function's own.
        description: in its author's words.
        mode: ``HookMode`` or its value.
        order: ``HookOrder`` or its value.
        timeout_ms: deadline in milliseconds, 0 for the hook's default.
        error_policy: ``ErrorPolicy`` or its value.
        metadata: further keywords of the decorator; ``observe_aborted`` is one that the host reads.
        component_type: what a component dict said it was.
        handler_name: how a component dict names its method.
    """

    hook: object
    handler: object
    name: object = ""
    description: str = ""
    mode: object = "blocking"
    order: object = "normal"
    timeout_ms: object = 0
    error_policy: object = "skip"
    metadata: Mapping[str, Any] = {}
    component_type: object = ComponentType.HOOK_HANDLER.value
    handler_name: str = ""


def declarations_of(owner: object, components: Iterable[object]) -> list[Declaration]:
    """The hook handlers among a plugin's component dicts.

    Removed ``workflow_step`` components and entries that are no component at all come out too, so that registration
    refuses them. Components of other types, and those switched off by ``enabled: False``, are left out.

    Args:
        owner: the plugin; methods are looked up on it.
        components: as ``get_components()`` gives them, each ``{"name", "type", "metadata"}``.
    """
    found = []
    for component in components:
        if not isinstance(component, Mapping):
            found.append(Declaration(hook=None, handler=component, component_type=None))
            continue
        metadata = component.get("metadata")
        if not isinstance(metadata, Mapping):
            metadata = {}
        kind = getattr(component.get("type"), "value", component.get("type"))
        if kind in _REMOVED:
            found.append(
                Declaration(
                    hook=None,
                    handler=None,
                    name=component.get("name", ""),
                    metadata=dict(metadata),
                    component_type=kind,
                )
            )
        elif kind in _HOOK_HANDLER and metadata.get("enabled", True):
            found.append(_hook_handler(owner, component.get("name", ""), metadata))
    return found


def _hook_handler(owner: object, name: object, metadata: Mapping[str, Any]) -> Declaration:
    nested = metadata.get("metadata")
    free = {key: value for key, value in metadata.items() if key not in _FIELDS}
    wanted = [metadata.get("handler_name"), f"handle_{name}", name]
    return Declaration(
        hook=metadata.get("hook"),
        handler=next((method for each in wanted if (method := _method(owner, each)) is not None), None),
        name=name,
        description=str(metadata.get("description", "")),
        mode=metadata.get("mode", "blocking"),
        order=metadata.get("order", "normal"),
        timeout_ms=metadata.get("timeout_ms", 0),
        error_policy=metadata.get("error_policy", "skip"),
        # Older SDKs kept free metadata one level deeper, and plugins lift it or not: both are read.
        metadata={**nested, **free} if isinstance(nested, Mapping) else free,
        handler_name=str(metadata.get("handler_name") or name),
    )


def _method(owner: object, name: object) -> object:
    """The callable attribute `name` of `owner`, found without running a property."""
    if not isinstance(name, str) or not name:
        return None
    try:
        written = inspect.getattr_static(owner, name)
    except AttributeError:
        return None
    if isinstance(written, property):
        return None
    method = getattr(owner, name, None)
    return method if callable(method) else None
