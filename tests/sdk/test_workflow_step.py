"""`WorkflowStep` is gone; every use of it says what to write instead."""

import json
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from maibot_sdk import WorkflowStep
from maibot_sdk.types import HookMode, HookOrder

FACTS = json.loads((Path(__file__).parents[1] / "data" / "workflow_step.json").read_text(encoding="utf-8"))


def use(*args: Any, **kwargs: Any) -> str:
    with pytest.raises(RuntimeError) as caught:
        WorkflowStep(*args, **kwargs)
    return str(caught.value)


class Stage(Enum):
    PLAN = "plan"


def test_bare_use_fails_where_the_decorator_stands() -> None:
    with pytest.raises(RuntimeError, match="HookHandler"):

        @WorkflowStep
        async def handler() -> None: ...


def test_use_without_arguments_fails() -> None:
    assert "HookHandler" in use()


@pytest.mark.parametrize(("stage", "hook"), FACTS["stages"].items())
@pytest.mark.parametrize(
    "spell",
    [
        lambda stage: use(stage=stage),
        lambda stage: use("my_step", stage),
        lambda stage: use(name="my_step", stage=f" {stage.upper()} "),
        use,
    ],
    ids=["keyword", "second positional", "blanks and capitals", "alone"],
)
def test_each_stage_names_its_hook(stage: str, hook: str, spell: Callable[[str], str]) -> None:
    assert spell(stage).count(f'@HookHandler("{hook}")') == 2, "once in English, once in Chinese"


def test_a_stage_given_as_enum_member_names_its_hook() -> None:
    assert f'"{FACTS["stages"]["plan"]}"' in use("step", Stage.PLAN)


def test_an_unknown_stage_leaves_the_name_open() -> None:
    assert '@HookHandler("<hook name>")' in use("step", "thinking")


@pytest.mark.parametrize(
    ("given", "mode"),
    [
        ({"blocking": True}, FACTS["blocking"]["blocking=True"]),
        ({"blocking": False}, FACTS["blocking"]["blocking=False"]),
        ({"observe": True}, FACTS["blocking"]["observe=True"]),
        ({"observe": False}, "HookMode.BLOCKING"),
    ],
)
def test_blocking_and_observe_name_the_mode(given: dict[str, bool], mode: str) -> None:
    assert f"mode={mode})" in use(stage="plan", **given)
    assert HookMode[mode.removeprefix("HookMode.")]


@pytest.mark.parametrize(
    ("priority", "order"),
    [
        (10, FACTS["priority"]["above 0"]),
        (0, FACTS["priority"]["0"]),
        (-1, FACTS["priority"]["below 0"]),
    ],
)
def test_priority_names_the_order(priority: int, order: str) -> None:
    assert f"order={order})" in use("step", "plan", "description", priority)
    assert HookOrder[order.removeprefix("HookOrder.")]


def test_what_was_not_given_is_not_told() -> None:
    told = use("step", "plan", filter=None)
    assert "mode=" not in told
    assert "order=" not in told
