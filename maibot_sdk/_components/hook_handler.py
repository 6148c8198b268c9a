"""The `HookHandler` decorator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from maibot_sdk._components.explanation import describing
from maibot_sdk._components.marking import F, mark, required_text_of
from maibot_sdk._components.target import name_of, refuse_generator, shown
from maibot_sdk._payloads.names import CustomHook, HookName
from maibot_sdk.types import ErrorPolicy, HookHandlerComponentInfo, HookMode, HookOrder


def HookHandler(
    hook: HookName | CustomHook,
    *,
    name: str = "",
    description: str = "",
    mode: HookMode | Literal["blocking", "observe"] = HookMode.BLOCKING,
    order: HookOrder | Literal["early", "normal", "late"] = HookOrder.NORMAL,
    timeout_ms: int = 0,
    error_policy: ErrorPolicy | Literal["abort", "skip", "log"] = ErrorPolicy.SKIP,
    **metadata: Any,
) -> Callable[[F], F]:
    """Subscribe a method to a named hook.

    The method gets the payload of the hook as keyword arguments: those that its signature names, or all of them with
    `**kwargs: Unpack[PayloadOfTheHook]` (the payload types stand in `maibot_sdk.hooks`). A blocking handler may return
    `{"action": "continue" | "abort", "modified_kwargs": {...}}` (`maibot_sdk.hooks.HookReturn`); what an observer
    returns is ignored.

    Args:
        hook: the name of the hook. Any text works at run time; for a type checker a name that is not built in is
            written `CustomHook("my.hook")`. Whether the hook exists is checked by the host when the plugin loads.
        name: the name of the handler, unique within the plugin; the name of the method when not given.
        description: shown beside the handler on the web page.
        mode: in turn, with a say (`blocking`), or beside, without one (`observe`).
        order: the slot among the handlers of the same mode.
        timeout_ms: deadline of one call in milliseconds; 0 takes the default of the hook.
        error_policy: what a failure means for the rest of the chain.
        metadata: free keywords, handed to the host as they are.

    Raises:
        TypeError: used bare, as `@HookHandler` without parentheses; or put on something that is no method, or on a
            generator, whose body would never run.
        ValueError: `hook` or `name` is blank.
        pydantic.ValidationError: mode, order, timeout or policy is none of the allowed values.
    """
    if callable(hook):
        raise TypeError(
            f"@HookHandler takes the name of a hook, got {shown(hook)}; "
            'write @HookHandler("chat.receive.before_process") above the method / '
            f"@HookHandler 需要 Hook 名称，收到 {shown(hook)}；"
            '请在方法之上写 @HookHandler("chat.receive.before_process")'
        )
    hook_name = required_text_of(hook, "HookHandler", "hook")

    def declare(function: F) -> F:
        with describing(function, "HookHandler", HookHandlerComponentInfo):
            refuse_generator(function, "HookHandler")
            declared = {
                "name": required_text_of(name or name_of(function, "HookHandler"), "HookHandler", "name"),
                "description": description,
                "metadata": metadata,
                "hook": hook_name,
                "mode": mode,
                "order": order,
                "timeout_ms": timeout_ms,
                "error_policy": error_policy,
            }
            info = HookHandlerComponentInfo.model_validate(declared)
        return mark(function, info)

    return declare
