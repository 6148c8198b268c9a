"""What the hooks carry. The fields are those of Bub's own hook page, so that its plugins find what they know.

Decisions are known by their shape: a plugin that imports its own package returns that package's classes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class LLMCallRequest:
    """A request about to be sent to a model; changed by ``dataclasses.replace``.

    Args:
        run_id: that of the tape's entries too.
        model: the model's name.
        messages: in the provider's form.
        tool_names: for looking only; the set of tools is not changed here.
        max_tokens: a ceiling for the answer, or None.
    """

    run_id: str
    model: str
    messages: list[Any]
    tool_names: tuple[str, ...] = ()
    max_tokens: int | None = None


@dataclass(frozen=True)
class LLMCallResult:
    """What came of one model call; of a streamed one, once the stream was read to its end."""

    run_id: str
    text: str | None = None
    tool_calls: list[dict[str, Any]] = field(default_factory=list)
    usage: dict[str, Any] | None = None
    error: Exception | None = None
    duration_ms: int = 0


@dataclass(frozen=True)
class LLMCallDecision:
    """An early end, returned by ``before_llm_call``."""

    action: Literal["finish"] = "finish"
    text: str = ""

    @classmethod
    def finish(cls, text: str) -> "LLMCallDecision":
        """Skip the provider; `text` is the model's output."""
        return cls("finish", text)


@dataclass(frozen=True)
class ToolCall:
    """A tool call about to be made. `context` is the tool's own, or None."""

    run_id: str
    tool: str
    arguments: dict[str, Any]
    context: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class ToolCallDecision:
    """What ``before_tool_call`` makes of a call."""

    action: Literal["proceed", "replace", "deny"] = "proceed"
    arguments: dict[str, Any] | None = None
    result: Any = None
    message: str | None = None

    @classmethod
    def proceed(cls, arguments: Mapping[str, Any] | None = None) -> "ToolCallDecision":
        """Go on, with other arguments where some are given."""
        return cls("proceed", None if arguments is None else dict(arguments))

    @classmethod
    def replace(cls, result: Any) -> "ToolCallDecision":
        """Skip the tool; `result` is what it would have returned."""
        return cls("replace", result=result)

    @classmethod
    def deny(cls, message: str | None = None) -> "ToolCallDecision":
        """Skip the tool; the model sees an error with `message`."""
        return cls("deny", message=message)


@dataclass
class ToolCallResult:
    """What came of one tool call. Assigning to `result` changes what the model sees; `error` stays the original one."""

    run_id: str
    tool: str
    arguments: dict[str, Any]
    result: Any = None
    error: Exception | None = None
    duration_ms: int = 0


@dataclass(frozen=True)
class AdmitDecision:
    """What is to become of a new message: ``process``, ``drop``, ``follow_up`` or ``steer``."""

    action: str
    reason: str | None = None


@dataclass(frozen=True)
class TurnSnapshot:
    """What a session is doing when a message arrives for it."""

    session_id: str
    is_running: bool
    running_count: int
    pending_count: int
    steering_count: int = 0


@dataclass(frozen=True)
class TapeContext:
    """How a session's tape becomes the messages of a request."""

    anchor: str | None = None
    state: dict[str, Any] = field(default_factory=dict)


def _has(value: object, *names: str) -> bool:
    return not isinstance(value, type) and all(hasattr(value, name) for name in names)


def is_request(value: object) -> bool:
    """Whether `value` has the shape of an `LLMCallRequest`."""
    return _has(value, "run_id", "model", "messages")


def is_finish(value: object) -> bool:
    """Whether `value` has the shape of an `LLMCallDecision`."""
    return _has(value, "action", "text") and value.action == "finish"  # type: ignore[attr-defined]


def is_tool_decision(value: object) -> bool:
    """Whether `value` has the shape of a `ToolCallDecision`."""
    return _has(value, "action", "arguments", "result", "message")


def is_admission(value: object) -> bool:
    """Whether `value` has the shape of an `AdmitDecision`."""
    return _has(value, "action", "reason")


def is_environment(value: object) -> bool:
    """Whether `value` can run commands and reach files: it has spawn, read_text, write_text and close."""
    return _has(value, "spawn", "read_text", "write_text", "close")


def is_tape_context(value: object) -> bool:
    """Whether `value` is a tape context, ours or that of a plugin's own package. Its fields are not documented."""
    return any(each.__name__ == TapeContext.__name__ for each in type(value).__mro__)
