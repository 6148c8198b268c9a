"""Payloads of the chain that chooses and learns expressions: how people of a chat say things."""

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from maibot_sdk._payloads.fields import NONE_IS_EMPTY, JsonObject, Limit, LooseText, OptionalText, Text
from maibot_sdk._payloads.jargon import JargonEntry
from maibot_sdk._payloads.keys import REPLY_TOOL_ARGS, SessionId


class ExpressionCandidate(TypedDict, total=False):
    """An expression that can be used in a reply."""

    id: Annotated[int, Text("Id of the stored expression.", "表达方式的 ID。")]
    situation: Annotated[LooseText, Text("When it is said.", "适用情境。")]
    style: Annotated[LooseText, Text("How it is said.", "表达风格。")]
    count: Annotated[int, Text("How often it was met.", "出现次数。")]


class LearnedExpression(TypedDict, total=False):
    """An expression read out of a chat."""

    situation: Annotated[LooseText, Text("When it is said.", "适用情境。")]
    style: Annotated[LooseText, Text("How it is said.", "表达风格。")]
    source_id: Annotated[LooseText, Text("Number of the message it was read from.", "来源消息的编号。")]


class ChatHistoryItem(TypedDict, total=False):
    """One of the last messages of a chat."""

    role: Annotated[LooseText, Text("Who spoke: user or assistant.", "发言角色。")]
    text: Annotated[LooseText, Text("What was said.", "内容。")]
    timestamp: Annotated[OptionalText, Text("When, in ISO 8601.", "ISO 8601 时间。")]
    source_kind: Annotated[OptionalText, Text("Where the entry comes from.", "来源类别。")]


class RepliedMessage(TypedDict, total=False):
    """The message that is about to be answered."""

    message_id: Annotated[LooseText, Text("Id of the message.", "消息 ID。")]
    text: Annotated[LooseText, Text("Its text.", "消息文本。")]


class ExpressionSelectBeforeSelect(TypedDict):
    """`expression.select.before_select`: the candidates are loaded and none is chosen.

    An abort goes on without any expression.
    """

    chat_id: Annotated[str, Text("Id of the session; the same as session_id.", "会话 ID，与 session_id 相同。")]
    chat_info: Annotated[LooseText, Text("The chat so far, as text.", "聊天上下文文本。")]
    max_num: Annotated[Limit, Text("How many to choose at most; 0 or less leaves them all.", "最多选择的数量。")]
    target_message: NotRequired[Annotated[OptionalText, Text("Text of the message to answer.", "要回复的消息文本。")]]
    reply_reason: NotRequired[Annotated[OptionalText, Text("Why the bot answers.", "回复理由。")]]
    think_level: Annotated[int, Text("How hard to think; 0 today.", "思考等级，目前为 0。")]
    session_id: NotRequired[Annotated[OptionalText, Text("Id of the session.", "会话 ID。")]]
    chat_history: NotRequired[
        Annotated[list[ChatHistoryItem] | None, Text("The last messages, at most 10.", "最近的消息，至多 10 条。")]
    ]
    reply_message: NotRequired[
        Annotated[
            RepliedMessage | None, Text("The message to answer, where there is one.", "要回复的消息，可为 null。")
        ]
    ]
    reply_tool_args: NotRequired[Annotated[JsonObject | None, REPLY_TOOL_ARGS]]
    candidates: NotRequired[
        Annotated[list[ExpressionCandidate] | None, Text("The expressions to choose from.", "候选表达方式。")]
    ]


class ExpressionSelectAfterSelection(ExpressionSelectBeforeSelect):
    """`expression.select.after_selection`: expressions were chosen.

    `selected_expressions` counts when it was changed and is not empty, otherwise `selected_expression_ids`, whose
    members must be ids of candidates. An abort goes on without any expression.
    """

    selected_expressions: Annotated[list[ExpressionCandidate], Text("The chosen expressions.", "已选表达方式。")]
    selected_expression_ids: Annotated[list[int], Text("Their ids.", "已选表达方式的 ID。")]


class ExpressionLearnAfterExtract(TypedDict):
    """`expression.learn.after_extract`: expressions were read out of a batch of messages. An abort drops the batch."""

    session_id: SessionId
    message_count: Annotated[int, Text("How many messages were read.", "本批消息数量。")]
    expressions: Annotated[
        list[LearnedExpression], NONE_IS_EMPTY, Text("The expressions that were found.", "提取到的表达方式。")
    ]
    jargon_entries: Annotated[
        list[JargonEntry], NONE_IS_EMPTY, Text("The jargon that was found beside.", "同时提取到的黑话条目。")
    ]


class ExpressionLearnBeforeUpsert(TypedDict):
    """`expression.learn.before_upsert`: one expression is about to be stored.

    An abort, or an empty situation or style, skips this one.
    """

    session_id: SessionId
    situation: Annotated[LooseText, Text("When it is said.", "适用情境。")]
    style: Annotated[LooseText, Text("How it is said.", "表达风格。")]
