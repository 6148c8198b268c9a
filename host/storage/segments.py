"""The bytes within messages: large, needed while a message is handled, and no part of the history."""

from typing import Any

from host.storage.models import Segment

BYTES = "binary_data_base64"
"""The key of a picture's, sticker's or recording's bytes."""


def without_bytes(segments: list[Segment]) -> list[Segment]:
    """The segments without bytes, forwarded ones likewise. Those that have none are the same objects."""
    return [_without(segment) for segment in segments]


def has_bytes(segments: list[Segment]) -> bool:
    """Whether a segment has bytes, or a forwarded one."""
    return any(segment.get(BYTES) or any(has_bytes(_content(node)) for node in _nodes(segment)) for segment in segments)


def _without(segment: Segment) -> Segment:
    if BYTES in segment:
        segment = {key: value for key, value in segment.items() if key != BYTES}
    nodes = _nodes(segment)
    if any(has_bytes(_content(node)) for node in nodes):
        segment = {**segment, "data": [{**node, "content": without_bytes(_content(node))} for node in nodes]}
    return segment


def _nodes(segment: Segment) -> list[dict[str, Any]]:
    data = segment.get("data")
    return data if segment.get("type") == "forward" and isinstance(data, list) else []


def _content(node: dict[str, Any]) -> list[Segment]:
    return node.get("content") or []
