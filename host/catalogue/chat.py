"""The chain that takes a message in."""

from host.hooks import HookSpec
from maibot_sdk import hooks

CHAT_HOOKS = (
    HookSpec(
        name=hooks.CHAT_RECEIVE_BEFORE_PROCESS,
        payload=hooks.ChatReceiveBeforeProcess,
        description="Fires when a message came in, before anything is made of it. The message may be rewritten. An "
        "abort drops it: not processed, not stored, seen by no command and no model.",
        translations={
            "zh": "收到入站消息、尚未做任何处理时触发。可改写消息；中止则丢弃该消息：不处理、不入库，"
            "也不会进入命令和模型。"
        },
    ),
    HookSpec(
        name=hooks.CHAT_RECEIVE_AFTER_PROCESS,
        payload=hooks.ChatReceiveAfterProcess,
        description="Fires when the message has its plain text, before word filters, commands and the planner, which "
        "all go by the text that comes back. The message may be rewritten. An abort ends the turn before "
        "them.",
        translations={
            "zh": "消息完成轻量预处理后触发，先于屏蔽词、命令和规划器，它们均以返回的纯文本为准。可改写消息；"
            "中止则本轮到此结束。"
        },
    ),
)
