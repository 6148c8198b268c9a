"""Models to choose from."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class ModelChoice:
    """One model that a session may use."""

    id: str
    name: str | None = None
    description: str | None = None
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ModelOptions:
    """The models of a session, and the one that it uses now, if that is known."""

    models: list[Any] = field(default_factory=list)
    current_model: str | None = None


def merge_options(hook: str, answers: Iterable[Any]) -> ModelOptions:
    """All lists in run order, and the first current model.

    Raises:
        TypeError: an answer of `hook` is neither None nor of the shape of `ModelOptions`.
    """
    models: list[Any] = []
    current: str | None = None
    for answer in answers:
        if answer is None:
            continue
        if not (hasattr(answer, "models") and hasattr(answer, "current_model")):
            raise TypeError(f"hook.{hook} must return ModelOptions or None")
        models.extend(answer.models)
        current = current or answer.current_model
    return ModelOptions(models, current)
