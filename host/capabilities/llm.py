"""``llm.*``: the models that the bot is configured with."""

import binascii
from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, NotRequired, Protocol, TypeVar

from typing_extensions import TypedDict

from host.capabilities.arguments import Arguments, Words, also
from host.capabilities.capability import Answer, Capability, CapabilitySpec, NoArguments
from host.capabilities.errors import ArgumentProblem, Explained, RefusalError, WrongArgumentsError
from host.capabilities.language_models import LanguageModels, ModelAnswer, ToolCall
from host.runtime import Plugin
from maibot_sdk.hooks import Text

Request = TypeVar("Request")
Request_co = TypeVar("Request_co", covariant=True)
DEFAULT_TASK = "utils"


class Asking(Protocol[Request_co]):
    """Makes a request to a model of what plugins write."""

    def __call__(
        self,
        prompt: str | list[dict[str, Any]],
        *,
        tools: Sequence[dict[str, Any]],
        temperature: float | None,
        max_tokens: int | None,
    ) -> Request_co:
        """Make it. What it raises is among the failures of the models."""


class Generated(TypedDict):
    """What a model answered. Of a call that failed ``response`` says why, and so does ``error``."""

    success: bool
    response: str
    reasoning: str
    model_name: str
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    prompt_cache_hit_tokens: int
    prompt_cache_miss_tokens: int
    tool_calls: NotRequired[list[dict[str, Any]]]
    error: NotRequired[str]


class Embedded(TypedDict):
    """The vector of one text, or ``results`` for several, each a dict of ``embedding`` and ``model_name``."""

    success: bool
    embedding: NotRequired[list[float]]
    model_name: NotRequired[str]
    results: NotRequired[list[dict[str, Any]]]


class Transcribed(TypedDict):
    """What was said, under two names."""

    success: bool
    text: str
    content: str


class TaskNames(TypedDict):
    """Names of tasks, in alphabetical order."""

    success: bool
    models: list[str]


class _Generate(Arguments):
    prompt: str | list[dict[str, Any]]
    task_name: str = ""
    model: str = ""
    model_name: str = ""
    temperature: float | None = None
    max_tokens: int | None = None


class _GenerateWithTools(_Generate):
    tools: list[dict[str, Any]] = also("tools", "tool_options", default=[])


class _Embed(Arguments):
    text: str | None = also("text", "input", default=None)
    texts: list[Words] | None = also("texts", "inputs", default=None)
    task_name: str = ""
    model: str = ""
    model_name: str = ""


class _Transcribe(Arguments):
    audio_base64: Words = also("audio_base64", "voice_base64", "base64")
    task_name: str = ""
    model: str = ""
    model_name: str = ""


GENERATE = CapabilitySpec("llm.generate", _Generate, Generated, Text("Lets a model answer.", "让模型回答。"))
GENERATE_WITH_TOOLS = CapabilitySpec(
    "llm.generate_with_tools",
    _GenerateWithTools,
    Generated,
    Text("Lets a model answer or call tools, which nobody runs.", "让模型回答或调用工具；不会有人替它运行。"),
)
EMBED = CapabilitySpec("llm.embed", _Embed, Embedded, Text("Turns texts into vectors.", "把文本变成向量。"))
TRANSCRIBE = CapabilitySpec(
    "llm.transcribe_audio", _Transcribe, Transcribed, Text("Turns speech into text.", "把语音变成文本。")
)


MODELS = CapabilitySpec(
    "llm.get_available_models", NoArguments, TaskNames, Text("The tasks that models are set for.", "已配置模型的任务。")
)
LLM = (GENERATE, GENERATE_WITH_TOOLS, EMBED, TRANSCRIBE, MODELS)


class LLMFamily(Generic[Request]):
    """The models of the bot.

    Args:
        models: asks them.
        request: makes a request of a prompt.
        failures: what `models` and `request` raise where a call fails; its text gets to the plugin.
    """

    def __init__(
        self,
        models: LanguageModels[Request],
        request: Asking[Request],
        failures: type[Exception] | tuple[type[Exception], ...],
    ) -> None:
        self._models = models
        self._request = request
        self._failures = failures

    def offers(self) -> Iterable[Capability]:
        """``llm.*``."""
        return (
            GENERATE.by(lambda plugin, asked: self._generate(plugin, GENERATE.name, asked, ())),
            GENERATE_WITH_TOOLS.by(
                lambda plugin, asked: self._generate(plugin, GENERATE_WITH_TOOLS.name, asked, asked.tools)
            ),
            EMBED.by(self._embed),
            TRANSCRIBE.by(self._transcribe),
            MODELS.by(self._tasks),
        )

    async def _generate(
        self, plugin: Plugin, capability: str, asked: _Generate, tools: Sequence[dict[str, Any]]
    ) -> Answer:
        if not asked.prompt or (isinstance(asked.prompt, str) and not asked.prompt.strip()):
            raise WrongArgumentsError(capability, (ArgumentProblem("prompt", "str | list[dict]"),))
        task, model = self._chosen(asked)
        try:
            request = self._request(
                asked.prompt, tools=tools, temperature=asked.temperature, max_tokens=asked.max_tokens
            )
            answer = await self._models.generate(task, request, model=model, caller=plugin.id)
        except self._failures as error:
            return {**_nothing(_told(error)), "error": _told(error)}
        return _generated(answer)

    async def _embed(self, plugin: Plugin, asked: _Embed) -> Answer:
        if (asked.text is None) == (asked.texts is None):
            raise RefusalError("text_or_texts")
        texts = asked.texts if asked.text is None else [asked.text]
        if not texts or not all(text.strip() for text in texts):
            raise RefusalError("text_or_texts")
        task = self._task(asked.task_name or asked.model or asked.model_name or "embedding")
        found = await self._asked(lambda: self._models.embed(texts, task=task, caller=plugin.id))
        results = [{"embedding": list(vector), "model_name": found.model} for vector in found.vectors]
        return {"success": True, "results": results} if asked.text is None else {"success": True, **results[0]}

    async def _transcribe(self, plugin: Plugin, asked: _Transcribe) -> Transcribed:
        encoded = asked.audio_base64.partition(",")[2] if asked.audio_base64.startswith("data:") else asked.audio_base64
        try:
            audio = b64decode(encoded, validate=True)
        except (binascii.Error, ValueError):
            raise RefusalError("not_base64", kind="voice", found=f"{encoded!r:.40}") from None
        task = self._task(asked.task_name or asked.model or asked.model_name or "voice")
        heard = await self._asked(lambda: self._models.transcribe(audio, task=task, caller=plugin.id))
        return {"success": bool(heard.text), "text": heard.text, "content": heard.text}

    async def _tasks(self, plugin: Plugin, asked: NoArguments) -> TaskNames:
        return {"success": True, "models": sorted(self._models.tasks)}

    async def _asked(self, ask: Callable[[], Any]) -> Any:
        try:
            return await ask()
        except self._failures as error:
            raise RefusalError("model_failed", why=_told(error)) from None

    def _chosen(self, asked: _Generate) -> tuple[str, str | None]:
        """The task, and the one model that is asked for, or None.

        ``model`` is the older word for either: a task where nothing else names one and there is one of that name.
        """
        names_task = "task_name" in asked.model_fields_set
        if not names_task and asked.model in self._models.tasks:
            return asked.model, asked.model_name or None
        if asked.model and asked.model_name and asked.model != asked.model_name:
            raise RefusalError("two_models", model=asked.model, model_name=asked.model_name)
        return self._task(asked.task_name or DEFAULT_TASK), asked.model_name or asked.model or None

    def _task(self, name: str) -> str:
        if name not in self._models.tasks:
            raise RefusalError("no_such_task", task=name, known=", ".join(sorted(self._models.tasks)))
        return name


def _told(error: Exception) -> str:
    """What an error says, in both languages where it knows them."""
    return f"{error.text()} / {error.text('zh')}" if isinstance(error, Explained) else str(error)


def _nothing(response: str) -> Generated:
    return {
        "success": False,
        "response": response,
        "reasoning": "",
        "model_name": "",
        "prompt_tokens": 0,
        "completion_tokens": 0,
        "total_tokens": 0,
        "prompt_cache_hit_tokens": 0,
        "prompt_cache_miss_tokens": 0,
    }


def _generated(answer: ModelAnswer) -> Generated:
    usage = answer.usage
    generated: Generated = {
        "success": True,
        "response": answer.text,
        "reasoning": answer.reasoning,
        "model_name": answer.model,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.total_tokens,
        "prompt_cache_hit_tokens": usage.cached_tokens,
        "prompt_cache_miss_tokens": usage.uncached_tokens,
    }
    if answer.tool_calls:
        generated["tool_calls"] = [_call(each) for each in answer.tool_calls]
    return generated


def _call(call: ToolCall) -> dict[str, Any]:
    shown: dict[str, Any] = {"id": call.id, "function": {"name": call.name, "arguments": dict(call.arguments)}}
    extra: Mapping[str, Any] | None = call.extra_content
    return {**shown, "extra_content": dict(extra)} if extra else shown
