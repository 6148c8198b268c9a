"""`ctx.llm`: the models that the bot is configured with. `Dict` and `List` are passed on, as in `maibot_sdk.config`."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any
from typing import Dict as Dict  # noqa: UP035
from typing import List as List  # noqa: UP035

from maibot_sdk._results import dict_or_empty, list_or_empty

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class LLMCapability:
    """Asks language, embedding and speech models.

    Which model answers goes by `task_name`, a task of the model configuration, and `model_name`, one model of it.
    `model` is the older argument for either: a task where there is one of that name, else a model.
    """

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def generate(
        self,
        prompt: str | list[dict[str, Any]],
        model: str = "",
        temperature: float | None = None,
        max_tokens: int | None = None,
        *,
        task_name: str | None = None,
        model_name: str = "",
        **kwargs: Any,
    ) -> dict[str, Any]:
        """Let a language model answer.

        Args:
            prompt: a text, or role messages, `[{"role": "user", "content": "..."}]`.
            model: a task, or a model; see the class.
            temperature: as configured when not given.
            max_tokens: length of the answer at most; as configured when not given.
            task_name: a task; the one of the host when not given.
            model_name: one model.
            kwargs: sent along; `timeout_ms` is the deadline.

        Returns:
            A dict with `success`, `response`, `reasoning` and `model`, or with `success` False and `error`. An answer
            that is no dict becomes one that is a failure.
        """
        answer = await self._ctx.call_capability(
            "llm.generate",
            **kwargs,
            prompt=prompt,
            model=model,
            **_choices(task_name, model_name, temperature, max_tokens),
        )
        return _named(answer) if isinstance(answer, dict) else _no_response()

    async def generate_with_tools(
        self,
        prompt: str | list[dict[str, Any]],
        tools: list[dict[str, Any]],
        model: str = "",
        temperature: float | None = None,
        max_tokens: int | None = None,
        *,
        task_name: str | None = None,
        model_name: str = "",
        **kwargs: Any,
    ) -> dict[str, Any]:
        """Let a language model answer or call tools, which nobody runs for it.

        Args:
            prompt: as in `generate`, like the other arguments.
            tools: each a dict of `name`, `description` and `parameters`, or that as the `function` of another one.

        Returns:
            As `generate`, with the calls that the model makes as `tool_calls`.
        """
        answer = await self._ctx.call_capability(
            "llm.generate_with_tools",
            **kwargs,
            prompt=prompt,
            tools=tools,
            model=model,
            **_choices(task_name, model_name, temperature, max_tokens),
        )
        return _named(answer) if isinstance(answer, dict) else {**_no_response(), "tool_calls": []}

    async def embed(
        self,
        text: str | None = None,
        *,
        texts: list[str] | None = None,
        task_name: str = "embedding",
        model: str = "",
        model_name: str = "",
        max_concurrent: int | None = None,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """Turn one text, or several, into vectors.

        Args:
            text: the one text; either this or `texts`.
            texts: several texts.
            task_name: a task of the model configuration.
            model: see the class.
            model_name: one model.
            max_concurrent: how many texts at a time; one when not given.
            kwargs: sent along; `timeout_ms` is the deadline.

        Returns:
            `embedding` for one text, `results` for several; empty for any answer that is no dict.
        """
        answer = await self._ctx.call_capability(
            "llm.embed",
            **kwargs,
            text=text,
            texts=texts,
            task_name=task_name,
            model=model,
            model_name=model_name,
            max_concurrent=max_concurrent,
        )
        return dict_or_empty(answer)

    async def transcribe_audio(
        self,
        audio: bytes | str | None = None,
        *,
        audio_base64: str = "",
        voice_base64: str = "",
        task_name: str = "voice",
        model: str = "",
        model_name: str = "",
        **kwargs: Any,
    ) -> dict[str, Any]:
        """Turn speech into text.

        Args:
            audio: the sound as bytes, or in base64.
            audio_base64: the sound in base64, when `audio` is not given.
            voice_base64: the sound in base64, when neither is given.
            task_name: a task of the model configuration.
            model: see the class.
            model_name: one model.
            kwargs: sent along; `timeout_ms` is the deadline.

        Returns:
            A dict with `success` and `text`; empty for any answer that is no dict.
        """
        answer = await self._ctx.call_capability(
            "llm.transcribe_audio",
            **kwargs,
            **_sound(audio, audio_base64, voice_base64),
            task_name=task_name,
            model=model,
            model_name=model_name,
        )
        return dict_or_empty(answer)

    async def get_available_models(self) -> list[str]:
        """The tasks of the model configuration; empty for any answer that holds no list."""
        answer = await self._ctx.call_capability("llm.get_available_models")
        return list_or_empty(answer.get("models") if isinstance(answer, dict) else answer)


def _choices(
    task_name: str | None, model_name: str, temperature: float | None, max_tokens: int | None
) -> dict[str, Any]:
    choices: dict[str, Any] = {}
    if task_name:
        choices["task_name"] = task_name
    if model_name:
        choices["model_name"] = model_name
    if temperature is not None:
        choices["temperature"] = temperature
    if max_tokens is not None:
        choices["max_tokens"] = max_tokens
    return choices


def _sound(audio: bytes | str | None, audio_base64: str, voice_base64: str) -> dict[str, Any]:
    match audio:
        case bytes():
            return {"audio_base64": base64.b64encode(audio).decode("ascii")}
        case str() if text := audio.strip():
            return {"audio_base64": text}
    if audio_base64:
        return {"audio_base64": audio_base64}
    return {"voice_base64": voice_base64} if voice_base64 else {}


def _named(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer with the model under both names, `model_name` as hosts call it and `model` as plugins read it."""
    return {**answer, "model": answer["model_name"]} if "model_name" in answer and "model" not in answer else answer


def _no_response() -> dict[str, Any]:
    return {"success": False, "response": "", "reasoning": "", "model": ""}
