"""Between a call and one of its models: what the model is asked, whether it can do that, and whether it answered."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import TypeVar

from host.models.answer import Delta, ModelAnswer
from host.models.errors import ProviderError
from host.models.request import ModelRequest
from host.models.settings import Capability, ModelEntry, TaskEntry

Number = TypeVar("Number", int, float)


def fitted(request: ModelRequest, model: ModelEntry, task: TaskEntry) -> ModelRequest:
    """The request as this model is asked: what it leaves open is filled in by the task, else by the model.

    Raises:
        ProviderError: the model cannot do what is asked; the next one may.
    """
    demand(model, "chat")
    if request.tools:
        demand(model, "tools")
    if request.has_images:
        demand(model, "vision")
    return replace(
        request,
        temperature=_first(request.temperature, task.temperature, model.temperature),
        max_tokens=_first(request.max_tokens, task.max_tokens, model.max_tokens),
    )


def demand(model: ModelEntry, what: Capability) -> None:
    """Do nothing where the model can do that.

    Raises:
        ProviderError: it cannot.
    """
    if not model.can(what):
        raise ProviderError("unsuitable", f"it needs {what!r}")


def not_empty(answer: ModelAnswer) -> ModelAnswer:
    """The answer.

    Raises:
        ProviderError: it says nothing and calls nothing.
    """
    if answer.is_empty:
        if answer.finish_reason == "content_filter":
            raise ProviderError("filtered")
        raise ProviderError("empty", f"finish reason {answer.finish_reason}")
    return answer


async def next_piece(pieces: AsyncGenerator[Delta, None]) -> Delta:
    """The next piece of a streamed answer.

    Raises:
        ProviderError: there is none though the answer did not end, or the answer is empty.
    """
    try:
        piece = await anext(pieces)
    except StopAsyncIteration:
        raise ProviderError("unreadable", "the stream ended without an answer") from None
    if piece.answer is not None:
        not_empty(piece.answer)
    return piece


def _first(*values: Number | None) -> Number | None:
    return next((value for value in values if value is not None), None)
