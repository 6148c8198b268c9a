"""What a *collect* hook makes of its answers, by name. Answers come in run order: the highest priority first."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

Answers = Sequence[Any]


def merge(answers: Answers) -> dict[str, Any]:
    """One dict out of all, from low to high priority, so that the highest wins. What is no dict is left out."""
    merged: dict[str, Any] = {}
    for answer in reversed(answers):
        if isinstance(answer, dict):
            merged.update(answer)
    return merged


def concatenate(answers: Answers) -> list[Any]:
    """One list, in run order: None adds nothing, a list or tuple its items, anything else itself."""
    together: list[Any] = []
    for answer in answers:
        if isinstance(answer, list | tuple):
            together.extend(answer)
        elif answer is not None:
            together.append(answer)
    return together


def join(answers: Answers) -> str:
    """One text, from the lowest to the highest priority, with blank lines between; empty answers are left out."""
    return "\n\n".join(answer for answer in reversed(answers) if answer)


def dedupe_by_name(answers: Iterable[Any]) -> dict[str, Any]:
    """By their ``name``, the first of each. Raises AttributeError for what has none."""
    named: dict[str, Any] = {}
    for each in answers:
        named.setdefault(each.name, each)
    return named


def ignore(answers: Answers) -> None:
    """Nothing: only that it was called counts."""


REDUCERS: Mapping[str, Callable[..., Any]] = {
    each.__name__: each for each in (merge, concatenate, join, dedupe_by_name, ignore)
}
"""By the name that a hook gives."""
