"""Payloads of the chain that sends a message."""

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from maibot_sdk._payloads.fields import Flag, LooseText, Text
from maibot_sdk._payloads.keys import QuotedMessageId, StreamId
from maibot_sdk._payloads.message import SessionMessage


class _Sending(TypedDict):
    typing: Annotated[Flag, Text("Whether to wait as if someone were typing.", "是否模拟打字等待。")]
    set_reply: Annotated[Flag, Text("Whether to quote the message that is answered.", "是否引用回复。")]
    storage_message: Annotated[Flag, Text("Whether to store the message once it is sent.", "发送后是否存储消息。")]
    show_log: Annotated[Flag, Text("Whether to log it.", "是否输出日志。")]


class SendServiceAfterBuildMessage(_Sending):
    """`send_service.after_build_message`: the message to send is made.

    An abort keeps it from being sent, and the plugin that asked for it is told so.
    """

    message: Annotated[SessionMessage, Text("The message to be sent.", "待发送的消息。")]
    stream_id: StreamId
    processed_plain_text: Annotated[LooseText, Text("Its content as text.", "消息纯文本。")]


class SendServiceBeforeSend(_Sending):
    """`send_service.before_send`: the message is about to go to the platform.

    An abort keeps it from being sent and stored, and `send_service.after_send` does not fire.
    """

    message: Annotated[SessionMessage, Text("The message to be sent.", "待发送的消息。")]
    reply_message_id: NotRequired[QuotedMessageId]


class SendServiceAfterSend(_Sending):
    """`send_service.after_send`: sending is over. Nothing can be changed or aborted any more."""

    message: Annotated[SessionMessage, Text("The message, with the id it got on the platform.", "已发送的消息。")]
    sent: Annotated[Flag, Text("Whether the platform took it.", "是否发送成功。")]
    reply_message_id: NotRequired[QuotedMessageId]
