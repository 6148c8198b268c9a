"""What a plugin gets of the host's answer to a capability call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RESULT_KEYS = {
    "api.call": "result",
    "api.get": "api",
    "api.list": "apis",
    "chat.get_all_streams": "streams",
    "chat.get_avatar": "avatar",
    "chat.get_group_streams": "streams",
    "chat.get_private_streams": "streams",
    "chat.get_stream_by_group_id": "stream",
    "chat.get_stream_by_user_id": "stream",
    "component.get_all_plugins": "plugins",
    "component.get_plugin_info": "plugin",
    "component.list_loaded_plugins": "plugins",
    "component.list_registered_plugins": "plugins",
    "config.get": "value",
    "config.get_all": "value",
    "config.get_plugin": "value",
    "database.count": "count",
    "database.delete": "result",
    "database.get": "result",
    "database.query": "result",
    "database.save": "result",
    "emoji.get_all": "emojis",
    "emoji.get_by_description": "emoji",
    "emoji.get_count": "count",
    "emoji.get_emotions": "emotions",
    "emoji.get_info": "info",
    "emoji.get_random": "emojis",
    "frequency.get_adjust": "value",
    "frequency.get_current_talk_value": "value",
    "knowledge.search": "content",
    "llm.get_available_models": "models",
    "market.get_detail": "result",
    "market.get_readme": "result",
    "market.search": "result",
    "message.build_readable": "text",
    "message.count_new": "count",
    "message.get_by_id": "message",
    "message.get_by_time": "messages",
    "message.get_by_time_in_chat": "messages",
    "message.get_recent": "messages",
    "person.get_id": "person_id",
    "person.get_id_by_name": "person_id",
    "person.get_value": "value",
    "render.html2png": "result",
    "statistics.local.message_trend": "series",
    "statistics.local.model_trend": "series",
    "statistics.local.models": "models",
    "statistics.local.online_time_trend": "series",
    "statistics.local.token_distribution": "distribution",
    "statistics.local.token_trend": "series",
    "statistics.local.tool_trend": "series",
    "tool.get_definitions": "tools",
    "webui.claim_upload": "upload",
}
"""The key of an answer that holds what was asked for, by capability."""

SENDING = frozenset(
    {
        "send.command",
        "send.custom",
        "send.emoji",
        "send.forward",
        "send.hybrid",
        "send.image",
        "send.text",
    }
)
"""Capabilities that send a message: the answer is whether it was sent, or the details where these were asked for."""

YES_OR_NO = SENDING | {"frequency.set_adjust"}
"""Capabilities whose answer is only whether they succeeded."""


def unwrap(capability: str, arguments: Mapping[str, Any], answer: Any) -> Any:
    """The useful part of `answer`, the host's reply to `capability` called with `arguments`.

    Only a dict with a key `success` is looked into; anything else is returned as it is.
    """
    if not isinstance(answer, dict) or "success" not in answer:
        return answer
    key = RESULT_KEYS.get(capability)
    if key is not None and key in answer:
        return answer[key]
    if capability in SENDING and arguments.get("return_details"):
        return {"sent": bool(answer.get("sent", answer["success"])), "message_id": answer.get("message_id")}
    return bool(answer["success"]) if capability in YES_OR_NO else answer


def dict_or_empty(answer: Any) -> dict[str, Any]:
    """`answer` where it is a dict, else an empty one."""
    return answer if isinstance(answer, dict) else {}


def list_or_empty(answer: Any) -> list[Any]:
    """`answer` where it is a list, else an empty one."""
    return answer if isinstance(answer, list) else []
