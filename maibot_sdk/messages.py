"""A message as an event handler gets it and may change it."""

from copy import deepcopy
from typing import Any

from pydantic import BaseModel, Field

from maibot_sdk.types import ModifyFlag


class MessageSegment(BaseModel):
    """One piece of the message: what kind it is, and its data."""

    type: str = "text"
    data: dict[str, Any] = Field(default_factory=dict)


class MaiMessages(BaseModel):
    """The message of an event, with what the model made of it so far.

    `modify_flags` says what the event allows to change. The `modify_...` methods heed it; an attribute that is set
    directly does not.
    """

    message_segments: list[MessageSegment] = Field(default_factory=list)
    plain_text: str = ""
    llm_prompt: str | None = None
    llm_response_content: str | None = None
    llm_response_reasoning: str | None = None
    llm_response_model: str | None = None
    llm_response_tool_call: list[dict[str, Any]] | None = None
    stream_id: str | None = None
    is_group_message: bool = False
    is_private_message: bool = False
    message_base_info: dict[str, Any] = Field(default_factory=dict)
    raw_message: Any | None = None
    action_usage: list[str] | None = None
    additional_data: dict[str, Any] = Field(default_factory=dict)
    modify_flags: dict[str, bool] = Field(default_factory=lambda: {flag.value: True for flag in ModifyFlag})

    def deepcopy(self) -> "MaiMessages":
        """A copy that shares nothing with this message."""
        return deepcopy(self)

    def can_modify(self, flag: ModifyFlag | str) -> bool:
        """Whether the event allows a kind of change; one that is not listed is not allowed."""
        return self.modify_flags.get(flag, False)

    def set_modify_flag(self, flag: ModifyFlag | str, value: bool) -> None:
        """Allow a kind of change, or forbid it."""
        self.modify_flags[flag.value if isinstance(flag, ModifyFlag) else flag] = value

    def modify_prompt(self, new_prompt: str) -> bool:
        """Set `llm_prompt`, where that is allowed; whether it was."""
        if not self.can_modify(ModifyFlag.CAN_MODIFY_PROMPT):
            return False
        self.llm_prompt = new_prompt
        return True

    def modify_response(self, new_content: str) -> bool:
        """Set `llm_response_content`, where that is allowed; whether it was."""
        if not self.can_modify(ModifyFlag.CAN_MODIFY_RESPONSE):
            return False
        self.llm_response_content = new_content
        return True

    def modify_plain_text(self, new_text: str) -> bool:
        """Set `plain_text`, where that is allowed; whether it was."""
        if not self.can_modify(ModifyFlag.CAN_MODIFY_MESSAGE):
            return False
        self.plain_text = new_text
        return True

    def to_rpc_dict(self) -> dict[str, Any]:
        """All fields as JSON data.

        Raises:
            pydantic_core.PydanticSerializationError: a value cannot be written as JSON.
        """
        return self.model_dump(mode="json")

    @classmethod
    def from_rpc_dict(cls, data: dict[str, Any]) -> "MaiMessages":
        """A message of what `to_rpc_dict` gave; keys that it does not know are left out.

        Raises:
            pydantic.ValidationError: a value has a wrong type.
        """
        return cls.model_validate(data)
