"""Settings and requests that the tests of models share."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from host.models import ModelRequest, Models, ModelSettings, Tool, UsageRecord, user

KEY = "sk-very-secret-0123456789"
HELLO = ModelRequest((user("Hello?"),))
WEATHER = Tool(
    "weather",
    "Tells the weather of a city.",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)


def provider(name: str, url: str, **changes: Any) -> dict[str, Any]:
    """An entry of `[[models.providers]]` that is quick to try again."""
    return {"name": name, "base_url": url, "api_key": KEY, "retries": 0, "retry_seconds": 0.01, **changes}


def settings(*providers: dict[str, Any], tasks: dict[str, Any] | None = None, **model: Any) -> ModelSettings:
    """A model `<provider>-model` for each provider; `model` has further keys of each."""
    models = [{"name": f"{each['name']}-model", "provider": each["name"], **model} for each in providers]
    return ModelSettings.model_validate({"providers": providers, "models": models, "tasks": tasks or {}})


@asynccontextmanager
async def asking(
    models: ModelSettings, used: list[UsageRecord] | None = None, environ: Mapping[str, str] | None = None
) -> AsyncIterator[Models]:
    """Models by these settings, closed at the end."""
    opened = Models(models, usage=None if used is None else used.append, environ=environ or {})
    try:
        yield opened
    finally:
        await opened.aclose()
