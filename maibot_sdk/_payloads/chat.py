"""Payloads of the chain that takes a message in."""

from typing import Annotated

from typing_extensions import TypedDict

from maibot_sdk._payloads.fields import Text
from maibot_sdk._payloads.message import SessionMessage


class ChatReceiveBeforeProcess(TypedDict):
    """`chat.receive.before_process`: a message came in and nothing has looked at it yet.

    An abort drops it: it is neither processed nor stored, and no command and no model sees it.
    """

    message: Annotated[SessionMessage, Text("The message as the platform sent it.", "平台送达的原始消息。")]


class ChatReceiveAfterProcess(TypedDict):
    """`chat.receive.after_process`: the message has its plain text, and nothing has acted on it yet.

    `processed_plain_text` of what comes back drives word filters, commands and the planner. An abort ends the turn
    before all of these.
    """

    message: Annotated[SessionMessage, Text("The message with its plain text.", "已生成纯文本的消息。")]
