"""Asking both SDKs the same things, and telling how their answers differ."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.oracle.sdk import Sdk

Question = dict[str, Any]


@dataclass(frozen=True)
class Both:
    """The two SDKs."""

    published: Sdk
    ours: Sdk

    def differences(self, questions: list[Question]) -> list[list[str]]:
        """How the answers to each question differ: the places where they do, with both values."""
        theirs, ours = self.answers(questions)
        return [list(differences(shaped(one), shaped(other))) for one, other in zip(theirs, ours, strict=True)]

    def answers(self, questions: list[Question]) -> tuple[list[Any], list[Any]]:
        """What the published SDK answers, and what ours does; they think at the same time."""
        self.published.send(questions)
        self.ours.send(questions)
        return self.published.receive(), self.ours.receive()


def differences(theirs: Any, ours: Any, path: str = "") -> Iterator[str]:
    """The places where two answers differ."""
    match theirs, ours:
        case dict(), dict():
            for key in {**theirs, **ours}:
                yield from differences(theirs.get(key, "<missing>"), ours.get(key, "<missing>"), f"{path}.{key}")
        case list(), list() if len(theirs) == len(ours):
            for position, (one, other) in enumerate(zip(theirs, ours, strict=True)):
                yield from differences(one, other, f"{path}.{position}")
        case _ if theirs != ours or type(theirs) is not type(ours):
            yield f"{path}: published {theirs!r}, ours {ours!r}"


def shaped(answer: Any) -> Any:
    """An answer with generated prose reduced to its shape: how many lines each paragraph of it has."""
    match answer:
        case dict():
            return {key: _shape(value) if key in _PROSE else shaped(value) for key, value in answer.items()}
        case list():
            return [shaped(member) for member in answer]
    return answer


_PROSE = {"detailed_description"}


def _shape(text: Any) -> Any:
    return [len(paragraph.splitlines()) for paragraph in text.split("\n\n")] if isinstance(text, str) else text
