"""What an agent tells while it runs. Whoever listens edits the event in place, and what it raises reaches the agent."""

from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from host.bub.payloads import LLMCallDecision, LLMCallRequest, LLMCallResult, ToolCall, ToolCallDecision, ToolCallResult


@dataclass
class LLMCallStarted:
    """A model is about to be called. Put another `request` in, or end the call with a `decision`."""

    request: LLMCallRequest
    state: dict[str, Any]
    decision: LLMCallDecision | None = None


@dataclass
class LLMCallFinished:
    """A model call ended, well or by an ordinary exception."""

    request: LLMCallRequest
    result: LLMCallResult
    state: dict[str, Any]


@dataclass
class ToolCallStarted:
    """A tool is about to be called. Put another `call` in, or a `decision` that replaces or denies it."""

    call: ToolCall
    state: dict[str, Any]
    decision: ToolCallDecision = field(default_factory=ToolCallDecision.proceed)


@dataclass
class ToolCallFinished:
    """A tool call ended: well, by an ordinary exception, denied or replaced. The one `result` may be edited."""

    call: ToolCall
    result: ToolCallResult
    state: dict[str, Any]


@dataclass
class StepFinished:
    """One step of a run ended.

    Args:
        status: ``continue`` where another step follows, else ``done``.
        prompt: what the run is about, in the older form.
        tape: where the run is recorded, or None.
        state: of the output so far, which the hook ``continue_prompt`` is given; not the state of the turn.
        next_prompt: what is said to the model before the next step; None says nothing.
    """

    status: str
    prompt: Any
    tape: Any
    state: Any
    next_prompt: str | None = None


@dataclass
class MessagesPending:
    """The run asks for messages that came in meanwhile. Put them into `messages`, the oldest first."""

    state: dict[str, Any]
    messages: list[Any] = field(default_factory=list)


E = TypeVar("E")
Listener = Callable[[Any], Any]


class EventBus:
    """Who listens to which event, in the order of registration."""

    def __init__(self) -> None:
        self._listeners: defaultdict[type, list[Listener]] = defaultdict(list)

    def on(self, kind: type[E], listener: Callable[[E], Awaitable[None] | None]) -> Callable[[], None]:
        """Have every event of a kind told to `listener`, which may be async.

        Returns:
            What ends it; ValueError when it has ended already.
        """
        listeners = self._listeners[kind]
        listeners.append(listener)
        return lambda: listeners.remove(listener)

    async def emit(self, event: E) -> E:
        """Tell an event to its listeners, one after another; the event as they leave it.

        Raises:
            Exception: whatever a listener raised; those behind it are not told.
        """
        for listener in tuple(self._listeners.get(type(event), ())):
            answer = listener(event)
            if answer is not None:
                await answer
        return event
