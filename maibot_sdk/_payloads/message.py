"""A message of a chat as hooks carry it.

Only what the bot needs to take a message back is required, and extra keys are allowed everywhere. They reach the next
handlers, but a plugin's own key is gone once the bot has made a message object of the dict again.
"""

from typing import Annotated, Any, NotRequired, TypeAlias

from pydantic import StringConstraints
from typing_extensions import TypedDict

from maibot_sdk._payloads.fields import Flag, JsonObject, LooseText, OptionalText, Reference, Text

NonEmptyText: TypeAlias = Annotated[str, StringConstraints(min_length=1, strict=True)]


class MessageSegment(TypedDict):
    """One piece of a message. An unknown `type` is kept as a segment of type `dict`.

    `data` is text for `text`, and for `image`, `emoji` and `voice` the text that describes them; a dict for `at`,
    `reply`, `file` and `dict`; a list of dicts for `forward`.
    """

    type: Annotated[
        NonEmptyText,
        Text(
            "Kind: text, image, emoji, voice, file, at, reply, forward or dict.",
            "类型：text、image、emoji、voice、file、at、reply、forward 或 dict。",
        ),
    ]
    data: NotRequired[Annotated[Any, Text("Content; its shape goes by the type.", "内容，结构取决于类型。")]]
    hash: NotRequired[
        Annotated[OptionalText, Text("SHA-256 of the bytes, in hex.", "二进制内容的 SHA-256（十六进制）。")]
    ]
    binary_data_base64: NotRequired[
        Annotated[
            OptionalText, Text("The bytes in base64, where they are at hand.", "可用时为 base64 编码的二进制内容。")
        ]
    ]


class UserInfo(TypedDict):
    """Who sent a message."""

    user_id: Annotated[NonEmptyText, Text("Id on the platform.", "平台上的用户 ID。")]
    user_nickname: Annotated[NonEmptyText, Text("Nickname on the platform.", "平台昵称。")]
    user_cardname: NotRequired[Annotated[OptionalText, Text("Name within the group.", "群名片。")]]


class GroupInfo(TypedDict):
    """The group a message was sent to."""

    group_id: Annotated[NonEmptyText, Text("Id on the platform.", "平台上的群 ID。")]
    group_name: Annotated[NonEmptyText, Text("Name of the group.", "群名称。")]


class MessageInfo(TypedDict):
    """Where a message comes from."""

    user_info: Annotated[UserInfo, Text("The sender.", "发送者。")]
    group_info: NotRequired[
        Annotated[GroupInfo | None, Text("The group; null in a private chat.", "群信息，私聊为 null。")]
    ]
    additional_config: NotRequired[
        Annotated[JsonObject | None, Text("Routing data of the platform.", "平台路由等附加数据。")]
    ]


class SessionMessage(TypedDict):
    """A message as a dict. A handler that returns one without the required keys fails, and nothing changes."""

    message_id: Annotated[NonEmptyText, Text("Id of the message.", "消息 ID。")]
    platform: Annotated[NonEmptyText, Text("Name of the platform.", "平台名称。")]
    message_info: Annotated[MessageInfo, Text("Sender, group and routing.", "发送者、群与路由信息。")]
    raw_message: Annotated[list[MessageSegment], Text("The content, piece by piece.", "消息段列表。")]
    timestamp: NotRequired[
        Annotated[
            str | float | None,
            Text(
                "Seconds since 1970, as text; what is no number means now.",
                "Unix 秒数（文本）；无法解析时取当前时间。",
            ),
        ]
    ]
    session_id: NotRequired[Annotated[LooseText, Text("Id of the session.", "会话 ID。")]]
    is_mentioned: NotRequired[Annotated[Flag, Text("Whether it speaks of the bot.", "是否提及机器人。")]]
    is_at: NotRequired[Annotated[Flag, Text("Whether it addresses the bot with @.", "是否 @ 了机器人。")]]
    is_emoji: NotRequired[Annotated[Flag, Text("Whether it is a sticker.", "是否为表情包。")]]
    is_picture: NotRequired[Annotated[Flag, Text("Whether it is a picture.", "是否为图片。")]]
    is_command: NotRequired[Annotated[Flag, Text("Whether it is a command.", "是否为命令。")]]
    is_notify: NotRequired[Annotated[Flag, Text("Whether it is a notice of the platform.", "是否为平台通知。")]]
    reply_to: NotRequired[Annotated[Reference, Text("Id of the message it answers.", "所回复消息的 ID。")]]
    processed_plain_text: NotRequired[
        Annotated[OptionalText, Text("The content as text; there once processed.", "处理后的纯文本，处理完成后才有。")]
    ]
