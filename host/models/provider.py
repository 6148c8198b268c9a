"""What every provider of models is to this room: an endpoint, a plugin, or the offline model."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Protocol

from host.models.answer import Delta, Embeddings, ModelAnswer, Transcript
from host.models.request import ModelRequest
from host.models.settings import ModelEntry, ProviderEntry


class Provider(Protocol):
    """Asks models. Each call is one attempt: retries, deadlines and other models are the caller's.

    Every method raises ProviderError where the attempt fails, and closes its connection when it is cancelled.
    """

    async def generate(self, model: ModelEntry, request: ModelRequest) -> ModelAnswer:
        """The whole answer to a request whose temperature and limit are decided."""
        ...

    def stream(self, model: ModelEntry, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        """The answer in pieces, the whole of it in the last one."""
        ...

    async def embed(self, model: ModelEntry, texts: Sequence[str]) -> Embeddings:
        """A vector for each text."""
        ...

    async def transcribe(self, model: ModelEntry, audio: bytes) -> Transcript:
        """What is said in a sound file."""
        ...

    async def aclose(self) -> None:
        """Let go of connections. Nothing is asked afterwards."""
        ...


ProviderFactory = Callable[[ProviderEntry, str | None], Awaitable[Provider]]
"""Makes the provider of an entry with its key, when it is first asked; may take its time to import what it needs."""
