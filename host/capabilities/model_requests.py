"""Requests to models, made of what plugins write."""

from collections.abc import Sequence
from typing import Any

from host.models import ModelRequest, read_prompt, read_tools


def model_request(
    prompt: str | list[dict[str, Any]],
    *,
    tools: Sequence[dict[str, Any]],
    temperature: float | None,
    max_tokens: int | None,
) -> ModelRequest:
    """The request of ``llm.generate`` and ``llm.generate_with_tools``.

    Raises:
        PromptError: the prompt or a tool is not what these are.
    """
    return ModelRequest(read_prompt(prompt), read_tools(list(tools)), temperature=temperature, max_tokens=max_tokens)
