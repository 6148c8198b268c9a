"""`ctx.send`: what the bot says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict, cast

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class SendResult(TypedDict):
    """What became of a message: whether it was sent, and its id on the platform where that is known."""

    sent: bool
    message_id: str | None


class SendCapability:
    """Sends messages into a chat.

    Every method takes the content, the session id of the chat as `stream_id`, and:

    - `return_details`: return a `SendResult` instead of only whether the message was sent;
    - further keywords that hosts know: `typing`, `set_reply`, `reply_message_id`, `storage_message`,
      `sync_to_maisaka_history`, `processed_plain_text` and more. `timeout_ms` is the deadline in milliseconds.
    """

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def text(
        self, text: str, stream_id: str, *, return_details: bool = False, **kwargs: Any
    ) -> bool | SendResult:
        """Send a text."""
        return await self._send("send.text", text=text, stream_id=stream_id, return_details=return_details, **kwargs)

    async def emoji(
        self, emoji_data: str, stream_id: str, *, return_details: bool = False, **kwargs: Any
    ) -> bool | SendResult:
        """Send a sticker, in base64."""
        return await self._send(
            "send.emoji", emoji_base64=emoji_data, stream_id=stream_id, return_details=return_details, **kwargs
        )

    async def image(
        self, image_data: str, stream_id: str, *, return_details: bool = False, **kwargs: Any
    ) -> bool | SendResult:
        """Send a picture, in base64."""
        return await self._send(
            "send.image", image_base64=image_data, stream_id=stream_id, return_details=return_details, **kwargs
        )

    async def forward(
        self, messages: list[dict[str, Any]], stream_id: str, *, return_details: bool = False, **kwargs: Any
    ) -> bool | SendResult:
        """Send several messages as one that can be opened."""
        return await self._send(
            "send.forward", messages=messages, stream_id=stream_id, return_details=return_details, **kwargs
        )

    async def hybrid(
        self, segments: list[dict[str, Any]], stream_id: str, *, return_details: bool = False, **kwargs: Any
    ) -> bool | SendResult:
        """Send one message of several segments, each shaped as `maibot_sdk.hooks.MessageSegment`."""
        return await self._send(
            "send.hybrid", segments=segments, stream_id=stream_id, return_details=return_details, **kwargs
        )

    async def command(
        self, command: str, stream_id: str, *, return_details: bool = False, **kwargs: Any
    ) -> bool | SendResult:
        """Send a command to the platform."""
        return await self._send(
            "send.command", command=command, stream_id=stream_id, return_details=return_details, **kwargs
        )

    async def custom(
        self, custom_type: str, data: Any, stream_id: str, *, return_details: bool = False, **kwargs: Any
    ) -> bool | SendResult:
        """Send a message of a kind that only the platform knows, with the content that this kind has."""
        return await self._send(
            "send.custom",
            message_type=custom_type,
            content=data,
            custom_type=custom_type,
            data=data,
            stream_id=stream_id,
            return_details=return_details,
            **kwargs,
        )

    async def _send(self, capability: str, **arguments: Any) -> bool | SendResult:
        return cast("bool | SendResult", await self._ctx.call_capability(capability, **arguments))
