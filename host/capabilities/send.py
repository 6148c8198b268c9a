"""``send.*``: what plugins let the bot say."""

from collections.abc import Iterable
from typing import Annotated, Any, NotRequired

from pydantic import BeforeValidator, Field
from typing_extensions import TypedDict

from host.capabilities import segments
from host.capabilities.arguments import Arguments, Id, Words, also
from host.capabilities.capability import Answer, Capability, CapabilitySpec
from host.capabilities.errors import RefusalError
from host.capabilities.outbox import Outbox, Outgoing
from host.capabilities.segments import Segment
from host.hooks.texts import Locale
from host.runtime import Plugin
from maibot_sdk.hooks import Text


class SendAnswer(TypedDict):
    """Whether it was sent; the id and ``sent`` only where details were asked for."""

    success: bool
    sent: NotRequired[bool]
    message_id: NotRequired[str | None]
    error: NotRequired[str]


class _Sending(Arguments):
    stream_id: Id
    return_details: bool = False
    storage_message: bool = True
    typing: bool = False
    set_reply: bool = False
    reply_message_id: str = ""
    processed_plain_text: str = also("processed_plain_text", "display_message", default="")
    sync_to_maisaka_history: bool = False
    maisaka_source_kind: str = "plugin_send"
    show_log: bool = True


class _Text(_Sending):
    text: Words


class _Emoji(_Sending):
    emoji_base64: Words


class _Image(_Sending):
    image_base64: Words


class _Hybrid(_Sending):
    segments: Annotated[list[Any], Field(min_length=1)] = also("segments", "parts")


class _Forward(_Sending):
    messages: Annotated[list[dict[str, Any]], Field(min_length=1)]


class _Command(_Sending):
    command: Annotated[str, BeforeValidator(str), Field(min_length=1)]


class _Custom(_Sending):
    message_type: Id = also("message_type", "custom_type")
    content: Any = also("content", "data", default="")


TEXT = CapabilitySpec("send.text", _Text, SendAnswer, Text("Sends a text.", "发送文本。"))
EMOJI = CapabilitySpec("send.emoji", _Emoji, SendAnswer, Text("Sends a sticker.", "发送表情。"))
IMAGE = CapabilitySpec("send.image", _Image, SendAnswer, Text("Sends a picture.", "发送图片。"))
HYBRID = CapabilitySpec(
    "send.hybrid",
    _Hybrid,
    SendAnswer,
    Text("Sends one message of several segments.", "发送由多个消息段组成的一条消息。"),
)
FORWARD = CapabilitySpec(
    "send.forward", _Forward, SendAnswer, Text("Sends several messages as one.", "将多条消息合并为一条发送。")
)
COMMAND = CapabilitySpec(
    "send.command", _Command, SendAnswer, Text("Sends a command to the platform.", "向平台发送指令。")
)
CUSTOM = CapabilitySpec(
    "send.custom",
    _Custom,
    SendAnswer,
    Text("Sends content of a kind that only the platform knows.", "发送只有平台认识的内容。"),
)
SEND = (TEXT, EMOJI, IMAGE, HYBRID, FORWARD, COMMAND, CUSTOM)


class SendFamily:
    """What plugins let the bot say, over the bot's send chain.

    Args:
        outbox: sends it.
        locale: of words that stand in for missing ones.
    """

    def __init__(self, outbox: Outbox, locale: Locale = "en") -> None:
        self._outbox = outbox
        self._locale = locale

    def offers(self) -> Iterable[Capability]:
        """``send.*``."""
        return (
            TEXT.by(self._text),
            EMOJI.by(self._emoji),
            IMAGE.by(self._image),
            HYBRID.by(self._hybrid),
            FORWARD.by(self._forward),
            COMMAND.by(self._command),
            CUSTOM.by(self._custom),
        )

    async def _text(self, plugin: Plugin, asked: _Text) -> Answer:
        return await self._send(plugin, asked, [segments.text(asked.text)])

    async def _emoji(self, plugin: Plugin, asked: _Emoji) -> Answer:
        return await self._send(plugin, asked, [segments.media("emoji", asked.emoji_base64)])

    async def _image(self, plugin: Plugin, asked: _Image) -> Answer:
        return await self._send(plugin, asked, [segments.media("image", asked.image_base64)])

    async def _hybrid(self, plugin: Plugin, asked: _Hybrid) -> Answer:
        content = segments.of_parts(asked.segments)
        if not content:
            raise RefusalError("no_segments")
        return await self._send(plugin, asked, content)

    async def _forward(self, plugin: Plugin, asked: _Forward) -> Answer:
        nodes = segments.nodes(asked.messages, self._locale)
        if not nodes:
            raise RefusalError("no_nodes")
        return await self._send(plugin, asked, [{"type": "forward", "data": nodes}])

    async def _command(self, plugin: Plugin, asked: _Command) -> Answer:
        return await self._send(plugin, asked, [segments.custom("command", asked.command)])

    async def _custom(self, plugin: Plugin, asked: _Custom) -> Answer:
        return await self._send(plugin, asked, [segments.custom(asked.message_type, asked.content)])

    async def _send(self, plugin: Plugin, asked: _Sending, content: list[Segment]) -> SendAnswer:
        if asked.set_reply and not asked.reply_message_id:
            raise RefusalError("nothing_to_quote")
        sent = await self._outbox.send(
            Outgoing(
                plugin_id=plugin.id,
                stream_id=asked.stream_id,
                segments=content,
                plain_text=asked.processed_plain_text,
                typing=asked.typing,
                reply_message_id=asked.reply_message_id if asked.set_reply else None,
                keep=asked.storage_message,
                log=asked.show_log,
                in_context=asked.sync_to_maisaka_history,
                source_kind=asked.maisaka_source_kind,
            )
        )
        answer: SendAnswer = {"success": sent.sent}
        if asked.return_details:
            answer |= {"sent": sent.sent, "message_id": sent.message_id}
        if not sent.sent:
            answer["error"] = sent.why_not
        return answer
