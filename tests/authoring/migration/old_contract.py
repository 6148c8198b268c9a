"""A small interpreter of the old contract: what `WorkflowStep` declared, and what became of a message.

By the facts on the old declaration: stages in their order; within one, the higher priority first; a handler gets a
context and the message; it returns a hook result and a modified message; a failure ends the stage unless its policy
says otherwise. What observers return counts for nothing. A handler got a copy of the message, as its process did.
"""

import inspect
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import maibot_sdk
import maibot_sdk.components
import maibot_sdk.types

FACTS = json.loads((Path(__file__).parents[2] / "data" / "workflow_step.json").read_text(encoding="utf-8"))
STAGES: dict[str, str] = FACTS["stages"]
_PARAMETERS = ("name", "stage", "description", "priority", "timeout_ms", "blocking", "error_policy", "filter")


class HookResult(Enum):
    """The words of a result, as an enum."""

    CONTINUE = "continue"
    SKIP_STAGE = "skip_stage"
    ABORT = "abort"


class WorkflowStage(Enum):
    """The words of the stages, as an enum; those that the inputs use."""

    PRE_PROCESS = "pre_process"


@dataclass
class Ran:
    """What became of a message.

    Attributes:
        message: as it is in the end.
        aborted: whether its way ended.
        failed: the handlers that raised.
    """

    message: dict[str, Any]
    aborted: bool = False
    failed: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Step:
    given: dict[str, Any]
    function: Callable[..., Any]

    @property
    def name(self) -> str:
        return self.given.get("name") or self.function.__name__

    @property
    def stage(self) -> str:
        return str(_word(self.given["stage"])).strip().lower()

    @property
    def observes(self) -> bool:
        return self.given.get("observe") is True or not self.given.get("blocking", True)

    @property
    def ends_on_failure(self) -> bool:
        return bool(_word(self.given.get("error_policy", "abort")) == "abort")


def workflow_step(*args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    """The old decorator, in all its spellings."""
    given = dict(zip(_PARAMETERS, args, strict=False)) | kwargs
    if "stage" not in given:
        given["stage"] = given.pop("name")

    def mark(function: Any) -> Any:
        function.old_steps = [*getattr(function, "old_steps", ()), _Step(given, function)]
        return function

    return mark


@contextmanager
def old_sdk() -> Iterator[None]:
    """The SDK with what it has no more."""
    gone = ModuleType("maibot_sdk.workflow")
    vars(gone).update(WorkflowStep=workflow_step, WorkflowContext=object)
    with (
        mock.patch.object(maibot_sdk, "WorkflowStep", workflow_step),
        mock.patch.object(maibot_sdk.components, "WorkflowStep", workflow_step),
        mock.patch.object(maibot_sdk.types, "HookResult", HookResult, create=True),
        mock.patch.object(maibot_sdk.types, "WorkflowStage", WorkflowStage, create=True),
        mock.patch.dict(sys.modules, {"maibot_sdk.workflow": gone}),
    ):
        yield


def plugin_of(code: bytes) -> Any:
    """The plugin that a plugin.py creates."""
    names: dict[str, Any] = {"__name__": "plugin"}
    exec(compile(code, "plugin.py", "exec"), names)
    return names["create_plugin"]()


async def run_old(plugin: Any, hook: str, message: dict[str, Any]) -> Ran:
    """Send a message through the stages that a hook took the place of."""
    ran = Ran(deepcopy(message))
    steps = _steps(plugin)
    for stage in (stage for stage, its in STAGES.items() if its == hook):
        mine = [step for step in steps if step.stage == stage and not step.observes]
        for step in sorted(mine, key=lambda step: (-step.given.get("priority", 0), step.name)):
            try:
                result = await _call(plugin, step, deepcopy(ran.message))
            except Exception:
                ran.failed.append(step.name)
                if step.ends_on_failure:
                    ran.aborted = True
                    return ran
                continue
            changed = result.get("modified_message")
            ran.message = ran.message if changed is None else changed
            word = _word(result.get("hook_result", "continue"))
            if word == "abort":
                ran.aborted = True
                return ran
            if word == "skip_stage":
                break
    return ran


def _steps(plugin: Any) -> list[_Step]:
    functions = {
        id(function): function
        for attribute in vars(type(plugin)).values()
        if hasattr(function := getattr(attribute, "__func__", attribute), "old_steps")
    }
    return [step for function in functions.values() for step in function.old_steps]


async def _call(plugin: Any, step: _Step, message: dict[str, Any]) -> dict[str, Any]:
    static = isinstance(inspect.getattr_static(plugin, step.function.__name__), staticmethod)
    owner = () if static else (plugin,)
    parameters = list(inspect.signature(step.function).parameters.values())[len(owner) :]
    places = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    if len(places) > 1:
        returned = step.function(*owner, object(), message)
    else:
        takes_all = any(each.kind is each.VAR_KEYWORD for each in parameters)
        offered = {"context": object(), "message": message}
        named = {each.name for each in parameters}
        returned = step.function(
            *owner, **{name: value for name, value in offered.items() if takes_all or name in named}
        )
    return (await returned if inspect.isawaitable(returned) else returned) or {}


def _word(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value
