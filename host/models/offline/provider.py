"""The offline model as a provider like the others."""

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

from host.models.answer import Delta, Embeddings, ModelAnswer, Transcript, Usage
from host.models.errors import ProviderError
from host.models.offline.heard import heard
from host.models.offline.json_answers import json_answer
from host.models.offline.planning import plan
from host.models.offline.sentences import reply_to
from host.models.offline.vectors import vector_of
from host.models.request import ModelRequest
from host.models.settings import ModelEntry

_PIECE = re.compile(r"\S+\s*|\s+")
_BYTES_A_TOKEN = 4


class OfflineProvider:
    """Answers by rules, at once and without a network; see the package for which. Its tokens are estimates."""

    async def generate(self, model: ModelEntry, request: ModelRequest) -> ModelAnswer:
        """The answer; the same for the same request."""
        answer = _answer(request)
        asked = sum(_tokens(message.text) for message in request.messages)
        answered = _tokens(answer.text) + sum(_tokens(call.arguments_json()) for call in answer.tool_calls)
        return replace(answer, usage=Usage(asked, answered))

    async def stream(self, model: ModelEntry, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        """The answer word by word."""
        answer = await self.generate(model, request)
        for piece in _PIECE.findall(answer.text):
            yield Delta(text=piece)
            await asyncio.sleep(0)
        yield Delta(reasoning=answer.reasoning, answer=answer)

    async def embed(self, model: ModelEntry, texts: Sequence[str]) -> Embeddings:
        """A vector for each text, by the words in it."""
        return Embeddings(tuple(map(vector_of, texts)), Usage(sum(map(_tokens, texts))))

    async def transcribe(self, model: ModelEntry, audio: bytes) -> Transcript:
        """Nothing.

        Raises:
            ProviderError: always; nothing here can hear.
        """
        raise ProviderError("unsuitable", "the offline model cannot hear")

    async def aclose(self) -> None:
        """Nothing to do."""


def _answer(request: ModelRequest) -> ModelAnswer:
    said = heard(request)
    if (written := json_answer(request, said)) is not None and not request.tools:
        return ModelAnswer(written)
    planned = plan(request, said) if request.tools and request.tool_choice != "none" else None
    return planned or ModelAnswer(reply_to(said))


def _tokens(text: str) -> int:
    """About as many as a real model counts."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_A_TOKEN)
