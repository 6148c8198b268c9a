"""Rows to store."""

from typing import Any

from host.storage import Direction, Handling, Message, ModelUsage


def message(text: str = "hello", **changes: Any) -> Message:
    """What Lin says in the group "Tea room", with columns changed."""
    values: dict[str, Any] = {
        "message_id": "771",
        "timestamp": 1790000000.25,
        "platform": "qq",
        "session_id": "tea",
        "user_id": "555",
        "user_nickname": "Lin",
        "group_id": "123456",
        "group_name": "Tea room",
        "direction": Direction.IN,
        "handling": Handling.RECEIVED,
        "raw_message": [{"type": "text", "data": text}],
        "processed_plain_text": text,
    }
    return Message(**{**values, **changes})


def private(text: str = "hello", **changes: Any) -> Message:
    """What Lin says to the bot alone."""
    return message(text, **{"session_id": "lin", "group_id": None, "group_name": None, **changes})


def usage(**changes: Any) -> ModelUsage:
    """A request of the planner, with columns changed."""
    values: dict[str, Any] = {
        "timestamp": 1790000000.0,
        "model_name": "chat-small",
        "model_api_provider_name": "provider",
        "task_name": "planner",
        "request_type": "planner",
        "time_cost": 0.5,
        "prompt_tokens": 100,
        "completion_tokens": 10,
        "total_tokens": 110,
        "cost": 0.25,
    }
    return ModelUsage(**{**values, **changes})
