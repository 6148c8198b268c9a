"""What is left of `WorkflowStep`: it says what to write instead.

The stages, and the hooks that took their place, are those of the migration from version 1 of the SDK.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

from typing_extensions import deprecated

from maibot_sdk._components.marking import F
from maibot_sdk._payloads import names
from maibot_sdk.types import HookMode, HookOrder

HOOK_OF_STAGE = {
    "ingress": names.CHAT_RECEIVE_BEFORE_PROCESS,
    "pre_process": names.CHAT_RECEIVE_BEFORE_PROCESS,
    "process": names.CHAT_RECEIVE_AFTER_PROCESS,
    "plan": names.MAISAKA_PLANNER_BEFORE_REQUEST,
    "tool_execute": names.CHAT_COMMAND_BEFORE_EXECUTE,
    "post_process": names.MAISAKA_REPLYER_AFTER_RESPONSE,
    "egress": names.SEND_SERVICE_BEFORE_SEND,
    "finalize": names.SEND_SERVICE_BEFORE_SEND,
}
"""The hook to subscribe to instead of each stage."""

OLD_PARAMETERS = ("name", "stage", "description", "priority", "timeout_ms", "blocking", "error_policy", "filter")


@deprecated("removed: declare the method with HookHandler", category=None)
def WorkflowStep(*args: Any, **kwargs: Any) -> Callable[[F], F]:
    """Removed: `HookHandler` took its place, and there is no compatibility mapping.

    Takes anything that the old decorator took, so that the message can name the very replacement.

    Raises:
        RuntimeError: always, the moment it is used, with or without arguments.
    """
    given = dict(zip(OLD_PARAMETERS, args, strict=False)) | kwargs
    example = replacement(given)
    raise RuntimeError(
        "WorkflowStep was removed in SDK 2 and has no compatible form. "
        f"Declare the method with {example} (names of hooks: maibot_sdk.hooks; HookMode and HookOrder: "
        "maibot_sdk.types); it takes **kwargs and returns "
        '{"action": "continue" or "abort", "modified_kwargs": {...}}.\n'
        "WorkflowStep 已在 SDK 2 中移除，且不提供兼容映射。"
        f"请改用 {example} 声明该方法（Hook 名称见 maibot_sdk.hooks，"
        "HookMode 与 HookOrder 见 maibot_sdk.types）；方法接收 **kwargs，返回 "
        '{"action": "continue" 或 "abort", "modified_kwargs": {...}}。'
    )


def replacement(given: dict[str, Any]) -> str:
    """The decorator to write instead of a `WorkflowStep` with these arguments, by the names of its old signature."""
    arguments = [_hook(given.get("stage", given.get("name")))]
    if "blocking" in given or "observe" in given:
        observes = given.get("observe") is True or given.get("blocking") is False
        arguments.append(f"mode=HookMode.{(HookMode.OBSERVE if observes else HookMode.BLOCKING).name}")
    if isinstance(priority := given.get("priority"), int | float):
        arguments.append(f"order=HookOrder.{_order(priority).name}")
    return f"@HookHandler({', '.join(arguments)})"


def _hook(stage: object) -> str:
    name = str(stage.value if isinstance(stage, Enum) else stage).strip().lower()
    return f'"{HOOK_OF_STAGE[name]}"' if name in HOOK_OF_STAGE else '"<hook name>"'


def _order(priority: float) -> HookOrder:
    if priority > 0:
        return HookOrder.EARLY
    return HookOrder.LATE if priority < 0 else HookOrder.NORMAL
