"""Payloads of the planner, which decides what to do about a message."""

from typing import Annotated

from typing_extensions import TypedDict

from maibot_sdk._payloads.fields import Text
from maibot_sdk._payloads.keys import ItemSchemaVersion, Response, SessionId
from maibot_sdk._payloads.prompt import Items, Messages, OutputItems, ToolCalls, ToolDefinitions


class TokenUsage(TypedDict):
    """What a model call cost, for the statistics."""

    prompt_tokens: Annotated[int, Text("Tokens of the request.", "请求的 token 数。")]
    completion_tokens: Annotated[int, Text("Tokens of the answer.", "响应的 token 数。")]
    total_tokens: Annotated[int, Text("Both together.", "token 总数。")]


class _Selection(TypedDict):
    session_id: SessionId
    selected_history_count: Annotated[int, Text("How many messages of the history were chosen.", "选入的历史消息数。")]
    built_message_count: Annotated[int, Text("How many messages were made of them.", "构造出的消息数。")]
    selection_reason: Annotated[str, Text("Why these.", "选取说明。")]


class MaisakaPlannerBeforeRequest(_Selection):
    """`maisaka.planner.before_request`: the planner is about to ask its model.

    The context stands here twice, as `messages` and as `items`: a change to either counts, and the items win where both
    are changed. No abort here.
    """

    messages: Messages
    items: Items
    item_schema_version: ItemSchemaVersion
    tool_definitions: ToolDefinitions


class MaisakaPlannerAfterResponse(_Selection, TokenUsage):
    """`maisaka.planner.after_response`: the planner has its answer.

    The answer stands here twice, as `response` with `tool_calls` and as `output_items`: a change to either counts, and
    the items win where both are changed. No abort here.
    """

    response: Response
    tool_calls: ToolCalls
    output_items: OutputItems
    item_schema_version: ItemSchemaVersion
