"""The context of a model request in its two forms: role messages and items.

A payload carries both. A change to either is taken over into the other before the next handler runs; where one handler
changes both, the items win.
"""

from typing import Annotated, Any, TypeAlias

from typing_extensions import TypedDict

from maibot_sdk._payloads.fields import ONLY_DICTS, JsonObject, OptionalText, Text


class FunctionCall(TypedDict, total=False):
    """Which function a model calls, and with what."""

    name: Annotated[str, Text("Name of the function.", "函数名称。")]
    arguments: Annotated[JsonObject | str | None, Text("Arguments: a dict, or JSON text.", "参数：字典或 JSON 文本。")]


class ToolCall(TypedDict, total=False):
    """A call of a tool by a model."""

    id: Annotated[str, Text("Id of the call.", "调用 ID。")]
    function: Annotated[FunctionCall, Text("The function and its arguments.", "函数及参数。")]
    extra_content: Annotated[JsonObject | None, Text("Further data of the provider.", "服务商附加数据。")]


class PromptMessage(TypedDict, total=False):
    """A message of a model request, by role."""

    role: Annotated[str, Text("system, user, assistant or tool.", "角色：system、user、assistant 或 tool。")]
    content: Annotated[Any, Text("Text, or a list of parts.", "文本或内容片段列表。")]
    reasoning_content: Annotated[OptionalText, Text("What the model thought.", "模型的思考内容。")]
    tool_call_id: Annotated[OptionalText, Text("For role tool: the call it answers.", "role 为 tool 时对应的调用 ID。")]
    tool_calls: Annotated[list[ToolCall] | None, Text("The tools an assistant calls.", "assistant 发起的工具调用。")]


class ItemMeta(TypedDict, total=False):
    """What every item says about itself."""

    item_id: Annotated[str, Text("Unique within the list.", "列表内唯一的 ID。")]
    logical_turn_id: Annotated[str | None, Text("The turn it belongs to.", "所属轮次的 ID。")]
    timestamp: Annotated[str, Text("When, in ISO 8601.", "ISO 8601 时间。")]


class ContextItem(TypedDict, total=False):
    """An item of a model request or response. Which of the further keys it has goes by its type.

    `parts` for messages, `tool_call` for a call, `call_id` and `output` for what it gave.
    """

    item_type: Annotated[str, Text("Kind of item, such as UserMessageItem.", "条目类型，例如 UserMessageItem。")]
    meta: Annotated[ItemMeta, Text("Id, turn and time.", "ID、轮次与时间。")]
    parts: Annotated[list[Any], Text("Text, image and refusal parts of a message.", "消息的文本、图片、拒答片段。")]
    tool_call: Annotated[JsonObject, Text("call_id, func_name, args.", "call_id、func_name、args。")]
    call_id: Annotated[str, Text("The call that is answered.", "对应的调用 ID。")]
    output: Annotated[str, Text("What the call gave.", "调用结果。")]


class FunctionDefinition(TypedDict, total=False):
    """A function that a model may call."""

    name: Annotated[str, Text("Name of the function.", "函数名称。")]
    description: Annotated[OptionalText, Text("What it does.", "函数说明。")]
    parameters: Annotated[JsonObject | None, Text("JSON schema of its arguments.", "参数的 JSON schema。")]


class ToolDefinition(TypedDict, total=False):
    """A tool that is offered to a model."""

    type: Annotated[str, Text("function", "function")]
    function: Annotated[FunctionDefinition, Text("The function.", "函数定义。")]


Messages: TypeAlias = Annotated[list[PromptMessage], Text("The context as role messages.", "以角色消息表示的上下文。")]
Items: TypeAlias = Annotated[list[ContextItem], Text("The context as items.", "以条目表示的上下文。")]
OutputItems: TypeAlias = Annotated[
    list[ContextItem], Text("The answer of the model as items.", "以条目表示的模型输出。")
]
ToolCalls: TypeAlias = Annotated[list[ToolCall], Text("The tools the model calls.", "模型发起的工具调用。")]
ToolDefinitions: TypeAlias = Annotated[
    list[ToolDefinition],
    ONLY_DICTS,
    Text("The tools that are offered; an empty list offers none.", "提供给模型的工具，空列表表示不提供。"),
]
