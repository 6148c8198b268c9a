"""The planner's tool ``send_emoji``: an emoji is chosen, and sent through the send chain."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from host.bot.emoji.choosing import EmojiChoice, EmojiChooser, EmojiWanted, NoEmojiError
from host.bot.emoji.library import EmojiLibrary
from host.bot.emoji.texts import EMOJI_TEXTS
from host.bot.hook_site import Journal
from host.bot.message import SessionMessage
from host.bot.outgoing import OutgoingMessages
from host.bot.sending import Sender, SendReport
from host.bot.tool_results import ToolResult
from host.hooks.texts import Locale

_CONTEXT_MESSAGES = 10


class EmojiTool:
    """Sends emoji into chats.

    Args:
        library: has them.
        chooser: chooses them.
        outgoing: makes the messages.
        sender: sends them.
        locale: the language in which the planner is told.
    """

    def __init__(
        self,
        library: EmojiLibrary,
        chooser: EmojiChooser,
        outgoing: OutgoingMessages,
        sender: Sender,
        locale: Locale,
    ) -> None:
        self._library = library
        self._chooser = chooser
        self._outgoing = outgoing
        self._sender = sender
        self._locale = locale

    @property
    def offered(self) -> bool:
        """Whether there is anything to be sent."""
        return len(self._library.index) > 0

    async def run(
        self,
        arguments: Mapping[str, Any],
        thought: str,
        heard: SessionMessage,
        said: Sequence[SessionMessage],
        journal: Journal,
    ) -> tuple[ToolResult, tuple[SendReport, ...]]:
        """Send an emoji.

        Args:
            arguments: as the planner's model gave them: ``emotion``, and ``reason`` where it said one.
            thought: what it thought, where it did not.
            heard: a message of the chat.
            said: what was said there, the oldest first.
            journal: takes down what happens at hooks.

        Raises:
            PayloadError: the emoji cannot be in a payload.
            ChainDepthError: hooks fired hooks too deep.
        """
        wanted = EmojiWanted(
            stream_id=heard.session_id,
            emotion=str(arguments.get("emotion") or "").strip(),
            reasoning=str(arguments.get("reason") or thought),
            context_texts=tuple(
                f"{message.user_info.shown_name}: {message.text}" for message in said[-_CONTEXT_MESSAGES:]
            ),
        )
        try:
            choice = await self._chooser.choose(wanted, journal)
        except NoEmojiError as none:
            return ToolResult.failed(str(none)), ()
        try:
            content = await self._library.read(choice.emoji)
        except OSError as error:
            return ToolResult.failed(self._say("unreadable", why=error)), ()
        report = await self._send(choice, content, heard)
        if not report.sent:
            why = report.stopped or report.failure
            return ToolResult.failed(self._say("not_sent", why=why.text(self._locale) if why else "")), (report,)
        await self._library.used(choice.emoji)
        told = self._say(
            "sent", requested=choice.requested, matched=choice.matched, description=choice.emoji.description
        )
        return ToolResult(told), (report,)

    async def _send(self, choice: EmojiChoice, content: bytes, heard: SessionMessage) -> SendReport:
        segment = {
            "type": "emoji",
            "data": choice.emoji.description,
            "hash": choice.emoji.image_hash,
            "binary_data_base64": b64encode(content).decode(),
        }
        message = replace(self._outgoing.answering(heard, [segment]), is_emoji=True)
        return await self._sender.send(message, stream_id=heard.session_id)

    def _say(self, code: str, **fields: object) -> str:
        return EMOJI_TEXTS.render(code, fields, self._locale)
