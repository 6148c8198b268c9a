"""The words for what lies inside payloads: the dicts, and the types that accept more than one form.

`maibot_sdk.hooks` declares them; what they are for is told here in both languages, for the guide.
"""

from collections.abc import Mapping
from typing import Any

from maibot_sdk import hooks
from maibot_sdk.hooks import Text

FORGIVING: Mapping[str, tuple[Any, Text]] = {
    "Flag": (
        hooks.Flag,
        Text(
            "a boolean; numbers and None count by their truth; of text, `0`, `false`, `no`, `off` and nothing mean no",
            "布尔值；数字与 None 按真假计；文本 `0`、`false`、`no`、`off` 与空文本表示否，其余为是",
        ),
    ),
    "RealFlag": (hooks.RealFlag, Text("`True` or `False`, nothing else", "只能是 `True` 或 `False`")),
    "Request": (
        hooks.Request,
        Text(
            "a boolean; of text only `1`, `true`, `yes`, `on` and `retry` mean yes",
            "布尔值；文本中只有 `1`、`true`、`yes`、`on`、`retry` 表示是",
        ),
    ),
    "LooseText": (
        hooks.LooseText,
        Text("text; a number is its digits, None is empty", "文本；数字取其写法，None 为空文本"),
    ),
    "OptionalText": (hooks.OptionalText, Text("text or None; a number is its digits", "文本或 None；数字取其写法")),
    "Reference": (
        hooks.Reference,
        Text("an id as text, or None; an empty text is None", "ID 文本或 None；空文本视为 None"),
    ),
    "Texts": (hooks.Texts, Text("a list of texts; numbers in it are their digits", "文本列表；其中的数字取其写法")),
    "Words": (
        hooks.Words,
        Text(
            "a list of words, or one text, split at commas, semicolons and line ends of either script",
            "词语列表，或一段按中英文逗号、顿号、分号与换行拆分的文本",
        ),
    ),
    "Limit": (
        hooks.Limit,
        Text(
            "an integer; None and an empty text are 0, fractions are cut off", "整数；None 与空文本为 0，小数部分舍去"
        ),
    ),
}
"""The types of `maibot_sdk.hooks` that accept more than one form, by name: the type, and what it accepts."""

DICTS: Mapping[type[Any], Text] = {
    hooks.SessionMessage: Text("A message of a chat, in or out.", "聊天消息，入站或出站。"),
    hooks.MessageInfo: Text("Where a message comes from.", "消息来自哪里。"),
    hooks.UserInfo: Text("Who sent a message.", "谁发送了消息。"),
    hooks.GroupInfo: Text("The group a message was sent to.", "消息所在的群。"),
    hooks.MessageSegment: Text(
        "One piece of a message; [Messages as they are](messages.md#segments) shows each kind.",
        "消息的一段；各种类型见[真实的消息](messages.md#消息段)。",
    ),
    hooks.EmojiInfo: Text("A registered emoji.", "一个已注册的表情。"),
    hooks.JargonResult: Text("What was found for one word.", "一个词的查询结果。"),
    hooks.JargonEntry: Text("A new piece of jargon.", "一条新的黑话。"),
    hooks.ChatHistoryItem: Text("One of the last messages of a chat.", "会话最近的一条消息。"),
    hooks.RepliedMessage: Text("The message that is about to be answered.", "即将回复的消息。"),
    hooks.ExpressionCandidate: Text("An expression that can be used in a reply.", "可用于回复的表达方式。"),
    hooks.LearnedExpression: Text("An expression read out of a chat.", "从聊天中学到的表达方式。"),
    hooks.PromptMessage: Text("A message of a model request, by role.", "模型请求中按角色的一条消息。"),
    hooks.ToolCall: Text("A call of a tool by a model.", "模型发起的一次工具调用。"),
    hooks.FunctionCall: Text("Which function a model calls, and with what.", "模型调用的函数及参数。"),
    hooks.ContextItem: Text(
        "An item of a model request or answer; its further keys go by `item_type`.",
        "模型请求或回答中的一个条目；其余的键取决于 `item_type`。",
    ),
    hooks.ItemMeta: Text("What every item says about itself.", "每个条目的自述信息。"),
    hooks.ToolDefinition: Text("A tool that is offered to a model.", "提供给模型的工具。"),
    hooks.FunctionDefinition: Text("A function that a model may call.", "模型可以调用的函数。"),
}
"""The dicts that lie inside payloads, by type."""
