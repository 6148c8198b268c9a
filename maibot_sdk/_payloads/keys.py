"""Keys that several hooks share."""

from typing import Annotated, TypeAlias

from maibot_sdk._payloads.fields import JsonObject, LooseText, OptionalText, Reference, Text

SessionId: TypeAlias = Annotated[str, Text("Id of the session.", "会话 ID。")]
StreamId: TypeAlias = Annotated[
    str, Text("Id of the session; the same as session_id.", "会话 ID，与 session_id 相同。")
]
SessionName: TypeAlias = Annotated[str, Text("Name of the session, for people.", "会话显示名称。")]
AbortMessage: TypeAlias = Annotated[
    OptionalText, Text("What the tool reports when the chain is aborted.", "中止时工具返回的失败说明。")
]
REPLY_TOOL_ARGS = Text(
    "Arguments of the reply tool other than msg_id, set_quote and reference_info.",
    "reply 工具除 msg_id、set_quote、reference_info 之外的参数。",
)
ReplyToolArgs: TypeAlias = Annotated[JsonObject, REPLY_TOOL_ARGS]
ReplyMessageId: TypeAlias = Annotated[LooseText, Text("Id of the message that is answered.", "被回复消息的 ID。")]
QuotedMessageId: TypeAlias = Annotated[
    Reference, Text("Id of the message that is quoted; null quotes none.", "引用的消息 ID，null 表示不引用。")
]
Response: TypeAlias = Annotated[LooseText, Text("What the model answered, as text.", "模型响应文本。")]
ItemSchemaVersion: TypeAlias = Annotated[
    int, Text("Version of the item form; return it unchanged.", "条目格式版本，请原样返回。")
]
