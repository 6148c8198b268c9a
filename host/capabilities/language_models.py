"""What `llm.*` needs of the models; the room of the models has just this."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

Request_contra = TypeVar("Request_contra", contravariant=True)


class TokenUsage(Protocol):
    """Tokens of one call."""

    @property
    def prompt_tokens(self) -> int:
        """Of what was asked."""

    @property
    def completion_tokens(self) -> int:
        """Of what was answered."""

    @property
    def total_tokens(self) -> int:
        """Both."""

    @property
    def cached_tokens(self) -> int:
        """Of what was asked, taken from a cache."""

    @property
    def uncached_tokens(self) -> int:
        """Of what was asked, not taken from one."""


class ToolCall(Protocol):
    """A model's wish that a tool be run."""

    @property
    def id(self) -> str:
        """By which the output is matched."""

    @property
    def name(self) -> str:
        """The tool."""

    @property
    def arguments(self) -> Mapping[str, Any]:
        """As parsed."""

    @property
    def extra_content(self) -> Mapping[str, Any] | None:
        """What the provider wants back."""


class ModelAnswer(Protocol):
    """A whole answer."""

    @property
    def text(self) -> str:
        """What the model says."""

    @property
    def reasoning(self) -> str:
        """What it thought before."""

    @property
    def tool_calls(self) -> Sequence[ToolCall]:
        """What it wants to be run."""

    @property
    def usage(self) -> TokenUsage:
        """Tokens."""

    @property
    def model(self) -> str:
        """Which model answered."""


class Embeddings(Protocol):
    """Vectors of texts."""

    @property
    def vectors(self) -> Sequence[Sequence[float]]:
        """One for each text, in their order."""

    @property
    def model(self) -> str:
        """Which model made them."""


class Transcript(Protocol):
    """Speech as text."""

    @property
    def text(self) -> str:
        """What was said; empty where nothing was recognised."""


class LanguageModels(Protocol[Request_contra]):
    """Asks the models that the settings give to each task."""

    @property
    def tasks(self) -> Sequence[str]:
        """The names of all tasks, as plugins know them."""

    async def generate(
        self, task: str, request: Request_contra, *, model: str | None = None, caller: str = ""
    ) -> ModelAnswer:
        """Let a model answer."""

    async def embed(self, texts: Sequence[str], *, task: str = "embedding", caller: str = "") -> Embeddings:
        """Turn texts into vectors."""

    async def transcribe(self, audio: bytes, *, task: str = "voice", caller: str = "") -> Transcript:
        """Turn speech into text."""
