"""Models behind a plugin: a component declared with `@LLMProvider`, asked by operation and request."""

import base64
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from typing import Any
from uuid import uuid4

from host.models.answer import Delta, Embeddings, ModelAnswer, Transcript, Usage
from host.models.context_items import ITEM_SCHEMA_VERSION, context_items, read_output_items
from host.models.errors import ProviderError
from host.models.provider import Provider, ProviderFactory
from host.models.request import JsonAnswer, ModelRequest, ToolCall
from host.models.roles import tool_definitions
from host.models.settings import ModelEntry, ProviderEntry

Invoke = Callable[[Mapping[str, Any]], Awaitable[Any]]
"""Runs the plugin's component with `operation` and `request`, and returns what it returned; raises what it raised."""

_LONGEST_DETAIL = 300


def plugin_provider(invoke: Invoke) -> ProviderFactory:
    """What offers a plugin's component as a kind of provider, for `Models.provide`.

    The plugin gets the whole entry of the settings, its key too, since it is the one that asks the models.

    Args:
        invoke: runs the component.
    """

    async def make(entry: ProviderEntry, key: str | None) -> Provider:
        return PluginProvider(invoke, entry, key)

    return make


class PluginProvider:
    """Asks a plugin. It answers whole: a stream of it has one piece."""

    def __init__(self, invoke: Invoke, entry: ProviderEntry, key: str | None) -> None:
        self._invoke = invoke
        self._entry = entry
        self._key = key

    async def generate(self, model: ModelEntry, request: ModelRequest) -> ModelAnswer:
        """The whole answer, from items or from the older form of `content` and `tool_calls`.

        Raises:
            ProviderError: the plugin raised, or what it returned is no answer.
        """
        result = await self._run(
            "response",
            model,
            item_schema_version=ITEM_SCHEMA_VERSION,
            context_items=context_items(request.messages),
            logical_turn_id=uuid4().hex,
            max_tokens=request.max_tokens,
            temperature=request.temperature,
            response_format=_response_format(request.json),
            tool_options=tool_definitions(request.tools),
            tool_choice=request.tool_choice if request.tools else None,
        )
        usage = _read_usage(result.get("usage"))
        if "output_items" in result:
            version, status = result.get("item_schema_version"), result.get("status", "completed")
            return read_output_items(result["output_items"], version, status, usage)
        return _read_older(result, usage)

    async def stream(self, model: ModelEntry, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        """The answer as one piece.

        Raises:
            ProviderError: as in `generate`.
        """
        answer = await self.generate(model, request)
        yield Delta(answer.text, answer.reasoning, answer)

    async def embed(self, model: ModelEntry, texts: Sequence[str]) -> Embeddings:
        """A vector for each text, one after another.

        Raises:
            ProviderError: the plugin raised, or what it returned is no vector, or one of another length.
        """
        vectors: list[tuple[float, ...]] = []
        prompt_tokens = 0
        for text in texts:
            result = await self._run("embedding", model, embedding_input=text)
            vectors.append(_read_vector(result.get("embedding")))
            prompt_tokens += _read_usage(result.get("usage")).prompt_tokens
        if len({len(vector) for vector in vectors}) > 1:
            raise ProviderError("unreadable", "the vectors are not of one length")
        return Embeddings(tuple(vectors), Usage(prompt_tokens))

    async def transcribe(self, model: ModelEntry, audio: bytes) -> Transcript:
        """What is said in a sound file.

        Raises:
            ProviderError: the plugin raised, or what it returned has no text.
        """
        sound = base64.b64encode(audio).decode("ascii")
        result = await self._run("audio_transcription", model, audio_base64=sound, max_tokens=model.max_tokens)
        content = result.get("content")
        if not isinstance(content, str):
            raise ProviderError("unreadable", f"content is {type(content).__name__}; allowed is text")
        return Transcript(content, _read_usage(result.get("usage")))

    async def aclose(self) -> None:
        """Nothing to do: the plugin's scope owns what it opened."""

    async def _run(self, operation: str, model: ModelEntry, **request: Any) -> dict[str, Any]:
        whole = {
            "api_provider": self._provider_dict(),
            "model_info": _model_dict(model),
            "extra_params": dict(model.extra),
            "request_kind": operation,
            **request,
        }
        try:
            result = await self._invoke({"operation": operation, "request": whole})
        except Exception as error:
            # The border to the plugin: whatever it raises is this attempt's failure.
            raise ProviderError("plugin", self._clean(f"{type(error).__name__}: {error}")) from None
        if not isinstance(result, dict):
            raise ProviderError("unreadable", f"it returned {type(result).__name__}; allowed is a dict")
        return result

    def _clean(self, text: str) -> str:
        return (text.replace(self._key, "***") if self._key else text)[:_LONGEST_DETAIL]

    def _provider_dict(self) -> dict[str, Any]:
        entry = self._entry
        return {
            "name": entry.name,
            "base_url": entry.base_url,
            "api_key": self._key or "",
            "client_type": entry.kind,
            "auth_type": "bearer",
            "auth_header_name": "Authorization",
            "auth_header_prefix": "Bearer",
            "auth_query_name": "api_key",
            "default_headers": {name: value.get_secret_value() for name, value in entry.headers.items()},
            "default_query": {},
            "organization": None,
            "project": None,
            "model_list_endpoint": "/models",
            "reasoning_parse_mode": "auto",
            "tool_argument_parse_mode": "auto",
            "max_retry": entry.retries,
            "timeout": entry.timeout_seconds,
            "retry_interval": entry.retry_seconds,
        }


def _model_dict(model: ModelEntry) -> dict[str, Any]:
    return {
        "name": model.name,
        "api_provider": model.provider,
        "model_identifier": model.called,
        "model_type": "chat" if model.can("chat") else model.capabilities[0],
        "temperature": model.temperature,
        "max_tokens": model.max_tokens,
        "extra_params": dict(model.extra),
        "force_stream_mode": False,
        "send_temperature": True,
        "visual": model.can("vision"),
    }


def _response_format(asked: JsonAnswer | None) -> dict[str, Any] | None:
    if asked is None:
        return None
    if asked.schema is None:
        return {"format_type": "json_object", "schema": None}
    return {"format_type": "json_schema", "schema": {"name": asked.name, "schema": dict(asked.schema)}}


def _read_older(result: dict[str, Any], usage: Usage) -> ModelAnswer:
    text = result.get("content") or result.get("response") or ""
    reasoning = result.get("reasoning_content") or result.get("reasoning") or ""
    entries = result.get("tool_calls") or []
    if not (isinstance(text, str) and isinstance(reasoning, str) and isinstance(entries, list)):
        raise ProviderError("unreadable", "content and reasoning have to be text, and tool_calls a list")
    calls = tuple(_read_older_call(entry) for entry in entries)
    return ModelAnswer(text, reasoning, calls, "tool_calls" if calls else "stop", usage)


def _read_older_call(entry: object) -> ToolCall:
    match entry:
        case {"function": {"name": str(name)} as function, **others} if name:
            call_id = others.get("id") or others.get("call_id") or uuid4().hex
            arguments = function.get("arguments")
            return ToolCall(str(call_id), name, arguments if isinstance(arguments, dict) else {})
    raise ProviderError("unreadable", "a call in tool_calls has no function with a name")


def _read_vector(value: object) -> tuple[float, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise ProviderError("unreadable", f"embedding is {type(value).__name__}; allowed is a list of numbers")
    if any(isinstance(each, bool) or not isinstance(each, int | float) for each in value):
        raise ProviderError("unreadable", "embedding holds what is no number")
    return tuple(map(float, value))


def _read_usage(value: object) -> Usage:
    """The counts that are there; a plugin may leave them out, and a wrong one counts nothing."""
    told = value if isinstance(value, dict) else {}
    counts = (told.get(key) for key in ("prompt_tokens", "completion_tokens", "prompt_cache_hit_tokens"))
    return Usage(*(count if isinstance(count, int) and count > 0 else 0 for count in counts))
