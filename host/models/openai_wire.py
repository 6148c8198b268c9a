"""What OpenAI-compatible endpoints answer, read into types as leniently as those endpoints differ."""

from typing import Any

import msgspec

from host.models.answer import FinishReason, Usage
from host.models.errors import ProviderError


class WireFunction(msgspec.Struct):
    """The function of a call; in a stream, a piece of it."""

    name: str | None = None
    arguments: str | dict[str, Any] | None = None


class WireCall(msgspec.Struct):
    """A call, or a piece of one."""

    id: str | None = None
    index: int | None = None
    function: WireFunction = msgspec.field(default_factory=WireFunction)
    extra_content: dict[str, Any] | None = None


class WireMessage(msgspec.Struct):
    """A message, or the piece of one that a stream calls its delta."""

    content: str | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: list[WireCall] | None = None

    @property
    def thought(self) -> str:
        """The reasoning, under either of the names in use."""
        return self.reasoning_content or self.reasoning or ""


class WireChoice(msgspec.Struct):
    """The answer; in a stream, its next piece."""

    message: WireMessage | None = None
    delta: WireMessage | None = None
    finish_reason: str | None = None


class WirePromptDetails(msgspec.Struct):
    """What the tokens asked were made of."""

    cached_tokens: int | None = None


class WireUsage(msgspec.Struct):
    """Tokens; the cache's under either of the names in use."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: WirePromptDetails | None = None
    prompt_cache_hit_tokens: int | None = None

    def usage(self) -> Usage:
        """The same as this room counts."""
        details = self.prompt_tokens_details
        cached = (details.cached_tokens if details else None) or self.prompt_cache_hit_tokens or 0
        return Usage(self.prompt_tokens or 0, self.completion_tokens or 0, cached)


class WireCompletion(msgspec.Struct):
    """A whole answer, or a piece of a stream."""

    choices: list[WireChoice]
    usage: WireUsage | None = None


class WireVector(msgspec.Struct):
    """One vector."""

    embedding: list[float]
    index: int = 0


class WireVectors(msgspec.Struct):
    """Vectors of several texts."""

    data: list[WireVector]
    usage: WireUsage | None = None


class WireTranscript(msgspec.Struct):
    """Speech as text."""

    text: str
    usage: WireUsage | None = None


_COMPLETION = msgspec.json.Decoder(WireCompletion)
_VECTORS = msgspec.json.Decoder(WireVectors)
_TRANSCRIPT = msgspec.json.Decoder(WireTranscript)
_REASONS: dict[str | None, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
    None: "stop",
}


def finish_reason(word: str | None) -> FinishReason:
    """Why an answer ended, in this room's words."""
    return _REASONS.get(word, "other")


def read_completion(body: bytes) -> tuple[WireChoice, Usage]:
    """The answer in a body.

    Raises:
        ProviderError: it is no answer.
    """
    try:
        completion = _COMPLETION.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _unreadable(error, body) from None
    if not completion.choices or completion.choices[0].message is None:
        raise ProviderError("unreadable", "no choices")
    return completion.choices[0], _usage(completion.usage)


def read_chunk(value: object) -> tuple[WireChoice | None, Usage | None]:
    """A piece of a stream: what it adds, and the tokens where it tells them.

    Raises:
        ProviderError: it is no such piece.
    """
    try:
        chunk = msgspec.convert(value, WireCompletion)
    except msgspec.ValidationError as error:
        raise ProviderError("unreadable", str(error)) from None
    choice = chunk.choices[0] if chunk.choices else None
    return choice, chunk.usage.usage() if chunk.usage else None


def read_vectors(body: bytes, count: int) -> tuple[tuple[tuple[float, ...], ...], Usage]:
    """The vectors in a body, in the order of the texts.

    Raises:
        ProviderError: there are not as many as texts, not of one length, or none at all.
    """
    try:
        found = _VECTORS.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _unreadable(error, body) from None
    vectors = tuple(tuple(each.embedding) for each in sorted(found.data, key=lambda each: each.index))
    if len(vectors) != count or len({len(vector) for vector in vectors}) != 1 or not vectors[0]:
        raise ProviderError(
            "unreadable", f"{len(vectors)} vectors for {count} texts, of {set(map(len, vectors))} numbers"
        )
    return vectors, _usage(found.usage)


def read_transcript(body: bytes) -> tuple[str, Usage]:
    """The text in a body.

    Raises:
        ProviderError: there is none.
    """
    try:
        found = _TRANSCRIPT.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _unreadable(error, body) from None
    return found.text, _usage(found.usage)


def _usage(told: WireUsage | None) -> Usage:
    return told.usage() if told else Usage()


def _unreadable(error: Exception, body: bytes) -> ProviderError:
    return ProviderError("unreadable", f"{error}; {len(body)} bytes, the first {body[:1]!r}")
