"""Changes messages on their way out: an example of a blocking handler that returns what it changed."""

import re
from typing import Any

from maibot_sdk import HookHandler, MaiBotPlugin
from maibot_sdk.hooks import SEND_SERVICE_BEFORE_SEND, MessageSegment, SessionMessage
from maibot_sdk.types import HookMode

BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")
"""Two blank lines or more."""


class SendModifier(MaiBotPlugin):
    """Turns the typing pause off, and leaves at most one blank line in a row."""

    @HookHandler(
        SEND_SERVICE_BEFORE_SEND,
        description="关闭打字等待并整理空行 / Turns the typing pause off and tidies blank lines",
        mode=HookMode.BLOCKING,  # An observer could not change anything.
        timeout_ms=2000,
    )
    async def modify(self, message: SessionMessage, typing: bool, **_: Any) -> dict[str, Any] | None:
        """Return the keys of the payload that are to be different; all others stay as they are.

        The arguments are a copy: to change them in place has no effect, only what is returned counts.
        """
        changes: dict[str, Any] = {}
        if typing:
            changes["typing"] = False
        segments = tidied(message["raw_message"])
        if segments != message["raw_message"]:
            # Keys are merged at the top of the payload, so a changed message is returned whole.
            changes["message"] = {**message, "raw_message": segments}
        return {"modified_kwargs": changes} if changes else None


def tidied(segments: list[MessageSegment]) -> list[MessageSegment]:
    """The segments with at most one blank line in a row, and none where the message begins and ends."""
    last = len(segments) - 1
    result: list[MessageSegment] = []
    for index, segment in enumerate(segments):
        text = segment.get("data")
        # Only text has text in it; whatever else there is, known or not, passes as it is.
        if segment["type"] == "text" and isinstance(text, str):
            text = BLANK_LINES.sub("\n\n", text)
            text = re.sub(r"\A(?:[ \t]*\n)+", "", text) if index == 0 else text
            text = text.rstrip() if index == last else text
            result.append(MessageSegment({**segment, "data": text}))
        else:
            result.append(segment)
    return result


def create_plugin() -> SendModifier:
    """What the host calls to get the plugin."""
    return SendModifier()
