"""What a model answers, whole or piece by piece, and what that took."""

from dataclasses import dataclass, field
from typing import Literal

from host.models.request import ToolCall

FinishReason = Literal["stop", "length", "tool_calls", "content_filter", "other"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, as the provider counted them; all 0 where it did not say.

    Args:
        prompt_tokens: of what was asked, those from a cache among them.
        completion_tokens: of what was answered, reasoning among them.
        cached_tokens: of what was asked, taken from the provider's cache.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        """Asked and answered together."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def uncached_tokens(self) -> int:
        """Of what was asked, not taken from a cache."""
        return max(0, self.prompt_tokens - self.cached_tokens)


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A whole answer.

    Args:
        text: what the model says.
        reasoning: what it thought before, where the provider tells.
        tool_calls: what it wants to be run.
        finish_reason: why it ended.
        usage: tokens.
        model: the name of the model in the settings.
    """

    text: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: FinishReason = "stop"
    usage: Usage = field(default_factory=Usage)
    model: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether it neither says nor calls anything, which is no answer."""
        return not self.text.strip() and not self.tool_calls


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of an answer that is being written.

    Args:
        text: what is added to the text.
        reasoning: what is added to the reasoning.
        answer: the whole answer, in the last piece only; tool calls come with it, since a piece of one is of no use.
    """

    text: str = ""
    reasoning: str = ""
    answer: ModelAnswer | None = None


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Vectors of texts.

    Args:
        vectors: one for each text, in their order, all of one length.
        usage: tokens.
        model: the name of the model in the settings.
    """

    vectors: tuple[tuple[float, ...], ...]
    usage: Usage = field(default_factory=Usage)
    model: str = ""


@dataclass(frozen=True, slots=True)
class Transcript:
    """Speech as text.

    Args:
        text: what was said; empty where nothing was recognised.
        usage: tokens.
        model: the name of the model in the settings.
    """

    text: str
    usage: Usage = field(default_factory=Usage)
    model: str = ""
