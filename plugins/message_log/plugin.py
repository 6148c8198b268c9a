"""Logs what is said to the bot and by it: an example of observers, handlers that run beside and hold nothing up."""

from typing import Any

from maibot_sdk import HookHandler, MaiBotPlugin
from maibot_sdk.hooks import CHAT_RECEIVE_AFTER_PROCESS, SEND_SERVICE_AFTER_SEND, SessionMessage
from maibot_sdk.types import HookMode, HookOrder


class MessageLog(MaiBotPlugin):
    """Writes every message to the log of the plugin."""

    # An observer gets a copy of the payload as it is after all blocking handlers. What it returns is ignored, and the
    # bot does not wait for it.
    @HookHandler(
        CHAT_RECEIVE_AFTER_PROCESS,
        description="记录收到的消息 / Logs messages that came in",
        mode=HookMode.OBSERVE,
        order=HookOrder.LATE,
    )
    async def log_received(self, message: SessionMessage, **_: Any) -> None:
        """Log who said what."""
        self.ctx.logger.info("[%s] %s: %s", chat_of(message), speaker_of(message), text_of(message))

    # A handler names the keys of the payload that it needs; **_ takes the others, now and in later versions.
    @HookHandler(
        SEND_SERVICE_AFTER_SEND,
        description="记录发出的消息 / Logs messages that went out",
        mode=HookMode.OBSERVE,
        order=HookOrder.LATE,
    )
    async def log_sent(self, message: SessionMessage, sent: bool, **_: Any) -> None:
        """Log what the bot said, or could not say."""
        if sent:
            self.ctx.logger.info("[%s] %s: %s", chat_of(message), speaker_of(message), text_of(message))
        else:
            self.ctx.logger.warning("[%s] %s (not sent): %s", chat_of(message), speaker_of(message), text_of(message))


def chat_of(message: SessionMessage) -> str:
    """The name of the group, or "private"."""
    group = message["message_info"].get("group_info")
    return one_line(group["group_name"]) if group else "private"


def speaker_of(message: SessionMessage) -> str:
    """The name that the chat shows: the name within the group, else the nickname."""
    user = message["message_info"]["user_info"]
    return one_line(user.get("user_cardname") or user["user_nickname"])


def text_of(message: SessionMessage) -> str:
    """The message as text. Once it was processed, that is all of it: pictures and the like are markers there."""
    return one_line(message.get("processed_plain_text") or "")


def one_line(text: str) -> str:
    """Without line breaks: nobody in a chat should be able to forge lines of a log."""
    return " ".join(text.split())


def create_plugin() -> MessageLog:
    """What the host calls to get the plugin."""
    return MessageLog()
