"""The section `[models]`: providers, their models, and which of them serve which task.

[[models.providers]]
name = "main"
base_url = "https://api.example.com/v1"
api_key_env = "EXAMPLE_KEY"

[[models.models]]
name = "chat-small"
provider = "main"
identifier = "small-2026-09"
price_in = 0.15

[models.tasks.replyer]
models = ["chat-small"]
temperature = 0.8
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

TaskName = Literal[
    "planner", "replyer", "utility", "vision", "embedding",
    "emoji", "fast_model", "image_embedding", "learner", "memory", "voice",
]  # fmt: skip
"""What the bot and plugins use models for. The first five are the bot's; plugins ask for all of them."""

PUBLISHED_NAMES: Mapping[str, str] = {"utility": "utils", "vision": "vlm"}
"""Tasks that public plugins know by another name; both are understood in a call."""

Capability = Literal["chat", "tools", "vision", "embedding", "audio"]

NEEDED: Mapping[str, Capability] = {
    "embedding": "embedding", "image_embedding": "embedding", "vision": "vision", "voice": "audio",
}  # fmt: skip
"""What a model has to be able to do for a task; `chat` for those that are not named here."""

OFFLINE_KIND = "offline"
_KEY_VARIABLE = "MAIBOT_KEY_"


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class ProviderEntry(_Section):
    """One of `[[models.providers]]`: where models are asked."""

    name: str = Field(min_length=1, description="By which models name it.")
    kind: str = Field(
        "openai",
        min_length=1,
        description="openai for an OpenAI-compatible endpoint, offline for the built-in model, or a plugin's kind.",
    )
    base_url: str = Field(
        "https://api.openai.com/v1", description="Address of the endpoint, up to and with its version."
    )
    api_key: SecretStr | None = Field(None, description="The key. Better kept in the environment; see api_key_env.")
    api_key_env: str = Field("", description="Environment variable that holds the key.")
    headers: dict[str, SecretStr] = Field(default_factory=dict, description="Further headers of each request.")
    timeout_seconds: float = Field(
        120.0, gt=0, le=3600, description="How long one attempt, or one piece of it, may take."
    )
    retries: int = Field(2, ge=0, le=10, description="Further attempts after a fault that may pass, for each model.")
    retry_seconds: float = Field(1.0, ge=0, le=60, description="Pause before the first further attempt; then doubled.")
    longest_pause_seconds: float = Field(
        30.0, ge=0, le=600, description="Where a provider asks for a longer pause, the next model is asked instead."
    )
    stream_usage: bool = Field(True, description="Ask for token counts of streams; some endpoints refuse to be asked.")

    @field_validator("base_url")
    @classmethod
    def _is_plain_address(cls, value: str) -> str:
        address = urlsplit(value)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError("allowed is an address that starts with http:// or https://")
        if address.username or address.password or address.query:
            raise ValueError(
                "allowed is an address without user, password and query; give secrets as api_key or headers"
            )
        return value

    @model_validator(mode="after")
    def _has_one_key(self) -> Self:
        if self.api_key is not None and self.api_key_env:
            raise ValueError("give api_key or api_key_env, not both")
        return self

    @property
    def key_variable(self) -> str:
        """The environment variable that overrides the key: `MAIBOT_KEY_` and the name, what is no letter as `_`."""
        return _KEY_VARIABLE + "".join(sign if sign.isalnum() else "_" for sign in self.name).upper()

    def key(self, environ: Mapping[str, str]) -> str | None:
        """The key to be used: the override, else the one given, else that of `api_key_env`; None without any.

        Raises:
            KeyError: `api_key_env` names a variable that is not set.
        """
        if override := environ.get(self.key_variable):
            return override
        if self.api_key is not None:
            return self.api_key.get_secret_value() or None
        return environ[self.api_key_env] if self.api_key_env else None


class ModelEntry(_Section):
    """One of `[[models.models]]`: a model of a provider."""

    name: str = Field(min_length=1, description="By which tasks and plugins name it.")
    provider: str = Field(description="Name of its provider.")
    identifier: str = Field("", description="What the provider calls it; the name when empty.")
    capabilities: tuple[Capability, ...] = Field(
        ("chat", "tools"), min_length=1, description="What it can do; tools and vision include chat."
    )
    price_in: float = Field(0.0, ge=0, description="Price of a million tokens asked.")
    price_out: float = Field(0.0, ge=0, description="Price of a million tokens answered.")
    price_cached: float | None = Field(None, ge=0, description="Price of a million tokens from the provider's cache.")
    temperature: float | None = Field(None, ge=0, le=2, description="For this model, where the task says nothing.")
    max_tokens: int | None = Field(None, gt=0, description="For this model, where the task says nothing.")
    token_limit: Literal["max_tokens", "max_completion_tokens"] = Field(
        "max_tokens", description="What the endpoint calls the limit of an answer."
    )
    extra: dict[str, Any] = Field(default_factory=dict, description="Further keys of each request's body.")

    @property
    def called(self) -> str:
        """What the provider calls it."""
        return self.identifier or self.name

    def can(self, what: Capability) -> bool:
        """Whether the model can do that."""
        return what in self.capabilities or (what == "chat" and not {"tools", "vision"}.isdisjoint(self.capabilities))


class TaskEntry(_Section):
    """One of `[models.tasks.*]`: the pool of a task, and how its models are asked."""

    models: tuple[str, ...] = Field((), description="Names of models: the first is asked, the next ones if it fails.")
    temperature: float | None = Field(None, ge=0, le=2, description="How freely the models answer.")
    max_tokens: int | None = Field(None, gt=0, description="Length of an answer at most, in tokens.")
    timeout_seconds: float = Field(300.0, gt=0, le=3600, description="How long a call with all its attempts may take.")


class ModelSettings(_Section):
    """The section `[models]`. A task without a pool uses every model that can do it, in the order of the settings."""

    providers: tuple[ProviderEntry, ...] = Field((), description="Without any, the built-in offline model does all.")
    models: tuple[ModelEntry, ...] = Field((), description="The models of the providers.")
    tasks: dict[TaskName, TaskEntry] = Field(default_factory=dict, description="Pool and parameters of each task.")

    @model_validator(mode="after")
    def _names_fit(self) -> Self:
        problems = [
            *_doubles("provider", (entry.name for entry in self.providers)),
            *_doubles("model", (entry.name for entry in self.models)),
            *self._unknown_names(),
        ]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def _unknown_names(self) -> Iterable[str]:
        providers = {entry.name for entry in self.providers}
        models = {entry.name: entry for entry in self.models}
        for entry in self.models:
            if entry.provider not in providers:
                yield f"model {entry.name!r} names the provider {entry.provider!r}; there are {sorted(providers)}"
        for task, settings in self.tasks.items():
            for name in settings.models:
                if name not in models:
                    yield f"task {task!r} names the model {name!r}; there are {sorted(models)}"
                elif not models[name].can(needed_for(task)):
                    yield f"task {task!r} needs the capability {needed_for(task)!r}, which model {name!r} does not have"

    def pool(self, task: TaskName) -> tuple[ModelEntry, ...]:
        """The models of a task in the order in which they are asked; none where no model can do it."""
        if not self.providers:
            return (OFFLINE_MODEL,)
        models = {entry.name: entry for entry in self.models}
        if names := self.task(task).models:
            return tuple(models[name] for name in names)
        return tuple(entry for entry in self.models if entry.can(needed_for(task)))

    def task(self, task: TaskName) -> TaskEntry:
        """How the models of a task are asked."""
        return self.tasks.get(task, _DEFAULT_TASK)


def needed_for(task: str) -> Capability:
    """What a model has to be able to do for a task."""
    return NEEDED.get(task, "chat")


def _doubles(what: str, names: Iterable[str]) -> Iterable[str]:
    return (
        f"{what} {name!r} is there {count} times; a name belongs to one"
        for name, count in Counter(names).items()
        if count > 1
    )


_DEFAULT_TASK = TaskEntry()
OFFLINE_PROVIDER = ProviderEntry(name="offline", kind=OFFLINE_KIND, retries=0)
OFFLINE_MODEL = ModelEntry(
    name="offline", provider="offline", capabilities=("chat", "tools", "vision", "embedding", "audio")
)
"""Serves every task where the settings name no provider."""
