"""Prompt content: text and media, and the older form that the model hooks are given."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

LegacyPrompt = str | list[dict[str, Any]]
"""Text, or blocks ``{"type", "media_type", "url"}`` with text blocks ``{"type": "text", "text"}`` among them."""


@dataclass(frozen=True)
class Media:
    """One picture, sound or film.

    Args:
        type: ``image``, ``audio`` or ``video``.
        url: where it lies; a data URL too.
        media_type: its MIME type, where known.
    """

    type: Literal["image", "audio", "video"]
    url: str
    media_type: str | None = None


UserContent = str | Media


def image(url: str, media_type: str | None = None) -> Media:
    """A picture."""
    return Media("image", url, media_type)


def audio(url: str, media_type: str | None = None) -> Media:
    """A sound."""
    return Media("audio", url, media_type)


def video(url: str, media_type: str | None = None) -> Media:
    """A film."""
    return Media("video", url, media_type)


def to_content(prompt: LegacyPrompt | Iterable[UserContent]) -> list[Any]:
    """Either form as a list of content."""
    if isinstance(prompt, str):
        return [prompt]
    return [_content(each) if isinstance(each, dict) else each for each in prompt]


def to_legacy_prompt(prompt: Any) -> LegacyPrompt:
    """Either form in the older one: text where there is no media, else a list of blocks."""
    if isinstance(prompt, str):
        return prompt
    parts = list(prompt)
    if any(isinstance(each, dict) for each in parts):
        return [each if isinstance(each, dict) else _block(each) for each in parts]
    if all(isinstance(each, str) for each in parts):
        return "\n".join(parts)
    return [_block(each) for each in parts]


def _content(block: dict[str, Any]) -> Any:
    if block.get("type") == "text":
        return block.get("text", "")
    return Media(block["type"], block["url"], block.get("media_type"))


def _block(content: Any) -> dict[str, Any]:
    if isinstance(content, str):
        return {"type": "text", "text": content}
    return {"type": content.type, "media_type": content.media_type, "url": content.url}
