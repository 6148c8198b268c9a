"""Models behind an OpenAI-compatible endpoint. Importing this imports the client library, which takes its time."""

import json
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import mktime_tz, parsedate_tz
from typing import Any

import httpx2
import openai

from host.models.answer import Delta, Embeddings, FinishReason, ModelAnswer, Transcript, Usage
from host.models.errors import FailureKind, ProviderError
from host.models.openai_wire import (
    WireCall,
    WireMessage,
    finish_reason,
    read_chunk,
    read_completion,
    read_transcript,
    read_vectors,
)
from host.models.request import ModelRequest, ToolCall, parsed_call
from host.models.roles import role_messages, tool_definitions
from host.models.settings import ModelEntry, ProviderEntry
from host.models.thinking import ThinkingSplitter, split_thinking

_CONNECT_SECONDS = 10.0
_LONGEST_DETAIL = 300
_MAY_PASS = frozenset({408, 409, 425})


class OpenAIProvider:
    """Asks an OpenAI-compatible endpoint by its chat completions, embeddings and transcriptions.

    Args:
        entry: of the settings.
        key: sent as a bearer token; nothing is sent when None.
    """

    def __init__(self, entry: ProviderEntry, key: str | None) -> None:
        self._entry = entry
        self._secrets = [each for each in (key, *(h.get_secret_value() for h in entry.headers.values())) if each]
        headers = {name.title(): value.get_secret_value() for name, value in entry.headers.items()}
        # The library sends a key of its own making unless each request says that there is none.
        unkeyed = key is None and "Authorization" not in headers
        self._headers: dict[str, Any] = {"Authorization": openai.Omit()} if unkeyed else {}
        self._client = openai.AsyncOpenAI(
            api_key=key or "-",
            base_url=entry.base_url,
            default_headers=headers,
            # Attempts are counted by the caller, which tells them and knows the other models.
            max_retries=0,
            timeout=httpx2.Timeout(entry.timeout_seconds, connect=min(_CONNECT_SECONDS, entry.timeout_seconds)),
        )
        # The library takes these from the environment, and would tell them to every endpoint.
        self._client.organization = self._client.project = None

    async def generate(self, model: ModelEntry, request: ModelRequest) -> ModelAnswer:
        """The whole answer.

        Raises:
            ProviderError: there is none.
        """
        with self._failures_told():
            raw = await self._client.chat.completions.with_raw_response.create(**self._body(model, request))
        choice, usage = read_completion(raw.content)
        assert choice.message is not None
        text, thought = split_thinking(choice.message.content or choice.message.refusal or "")
        calls = tuple(_whole_call(call, index) for index, call in enumerate(choice.message.tool_calls or ()))
        reasoning = choice.message.thought or thought
        return ModelAnswer(text, reasoning, calls, finish_reason(choice.finish_reason), usage)

    async def stream(self, model: ModelEntry, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        """The answer in pieces.

        Raises:
            ProviderError: it does not begin, or breaks off.
        """
        body = self._body(model, request)
        if self._entry.stream_usage:
            body["stream_options"] = {"include_usage": True}
        gathered = _Gathered()
        with self._failures_told():
            async with await self._client.chat.completions.create(**body, stream=True) as chunks:
                async for chunk in chunks:
                    if piece := gathered.add(_plain(chunk)):
                        yield piece
        yield gathered.last()

    async def embed(self, model: ModelEntry, texts: Sequence[str]) -> Embeddings:
        """A vector for each text.

        Raises:
            ProviderError: there are none.
        """
        with self._failures_told():
            raw = await self._client.embeddings.with_raw_response.create(
                model=model.called,
                input=list(texts),
                encoding_format="float",
                extra_body=model.extra,
                extra_headers=self._headers,
            )
        vectors, usage = read_vectors(raw.content, len(texts))
        return Embeddings(vectors, usage)

    async def transcribe(self, model: ModelEntry, audio: bytes) -> Transcript:
        """What is said in a sound file.

        Raises:
            ProviderError: there is no answer.
        """
        with self._failures_told():
            raw = await self._client.audio.transcriptions.with_raw_response.create(
                model=model.called, file=("audio.wav", audio), extra_body=model.extra, extra_headers=self._headers
            )
        text, usage = read_transcript(raw.content)
        return Transcript(text, usage)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()

    def _body(self, model: ModelEntry, request: ModelRequest) -> dict[str, Any]:
        body: dict[str, Any] = {"model": model.called, "messages": role_messages(request.messages)}
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if request.max_tokens is not None:
            body[model.token_limit] = request.max_tokens
        if request.tools:
            body["tools"] = tool_definitions(request.tools)
            body["tool_choice"] = request.tool_choice
        if request.json is not None:
            body["response_format"] = (
                {"type": "json_object"}
                if request.json.schema is None
                else {
                    "type": "json_schema",
                    "json_schema": {"name": request.json.name, "schema": dict(request.json.schema)},
                }
            )
        return {**body, "extra_body": model.extra, "extra_headers": self._headers}

    @contextmanager
    def _failures_told(self) -> Iterator[None]:
        """Tell the library's errors in this room's words; their texts may hold what was sent, and so a secret."""
        try:
            yield
        except openai.APIStatusError as error:
            after = _retry_after(error.response.headers)
            kind = _kind(error.status_code)
            raise ProviderError(kind, self._clean(error), status=error.status_code, retry_after_seconds=after) from None
        except (openai.APITimeoutError, httpx2.TimeoutException) as error:
            raise ProviderError("timeout", self._clean(error)) from None
        except (openai.APIConnectionError, httpx2.TransportError) as error:
            raise ProviderError("connection", self._clean(error.__cause__ or error)) from None
        except openai.APIError as error:
            raise ProviderError("server", self._clean(error)) from None
        except (openai.OpenAIError, httpx2.HTTPError, ValueError, RecursionError) as error:
            raise ProviderError("unreadable", self._clean(error)) from None

    def _clean(self, error: BaseException) -> str:
        text = " ".join(str(error).split()) or type(error).__name__
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text[:_LONGEST_DETAIL]


def _plain(chunk: object) -> object:
    """A piece of a stream as it came; the library leaves alone what is no JSON object."""
    return chunk.to_dict() if isinstance(chunk, openai.BaseModel) else chunk


def _whole_call(call: WireCall, index: int) -> ToolCall:
    arguments = call.function.arguments
    written = arguments if isinstance(arguments, str) else json.dumps(arguments or {})
    return parsed_call(call.id or f"call_{index}", call.function.name or "", written, call.extra_content)


@dataclass(slots=True)
class _CallPieces:
    id: str = ""
    name: str = ""
    arguments: str = ""
    extra_content: dict[str, Any] | None = None


@dataclass(slots=True)
class _Gathered:
    """An answer as far as it has come."""

    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    calls: dict[int, _CallPieces] = field(default_factory=dict)
    reason: FinishReason | None = None
    usage: Usage = field(default_factory=Usage)
    splitter: ThinkingSplitter = field(default_factory=ThinkingSplitter)

    def add(self, chunk: object) -> Delta | None:
        """What the chunk adds, where that is anything to show."""
        choice, usage = read_chunk(chunk)
        self.usage = usage or self.usage
        if choice is None:
            return None
        if choice.finish_reason is not None:
            self.reason = finish_reason(choice.finish_reason)
        delta = choice.delta or WireMessage()
        for call in delta.tool_calls or ():
            self._add_call(call)
        text, thought = self.splitter.feed(delta.content or delta.refusal or "")
        return self._shown(text, delta.thought + thought)

    def last(self) -> Delta:
        """The last piece, with the whole answer.

        Raises:
            ProviderError: the stream ended before the answer did.
        """
        if self.reason is None:
            raise ProviderError("unreadable", "the stream ended in the middle of the answer")
        rest = self._shown(*self.splitter.end()) or Delta()
        calls = tuple(
            parsed_call(call.id or f"call_{index}", call.name, call.arguments, call.extra_content)
            for index, call in sorted(self.calls.items())
        )
        answer = ModelAnswer("".join(self.text), "".join(self.reasoning), calls, self.reason, self.usage)
        return Delta(rest.text, rest.reasoning, answer)

    def _shown(self, text: str, reasoning: str) -> Delta | None:
        self.text.append(text)
        self.reasoning.append(reasoning)
        return Delta(text, reasoning) if text or reasoning else None

    def _add_call(self, piece: WireCall) -> None:
        # Some endpoints leave the index out; there an id begins the next call.
        last = max(0, len(self.calls) - 1)
        index = piece.index if piece.index is not None else len(self.calls) if piece.id else last
        call = self.calls.setdefault(index, _CallPieces())
        arguments = piece.function.arguments
        call.id = call.id or piece.id or ""
        call.name = call.name or piece.function.name or ""
        call.arguments += arguments if isinstance(arguments, str) else json.dumps(arguments) if arguments else ""
        call.extra_content = call.extra_content or piece.extra_content


def _kind(status: int) -> FailureKind:
    if status == 429:
        return "busy"
    return "server" if status >= 500 or status in _MAY_PASS else "refused"


def _retry_after(headers: httpx2.Headers) -> float | None:
    """Seconds that the endpoint asks to wait: a number of them, or the date until when."""
    asked = headers.get("retry-after", "")
    try:
        return max(0.0, float(asked))
    except ValueError:
        until = parsedate_tz(asked)
        return None if until is None else max(0.0, mktime_tz(until) - time.time())
