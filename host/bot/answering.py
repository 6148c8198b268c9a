"""Answering a message: whether, with what, and in how many pieces it is said."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from host.bot.bounds import AnsweringSettings
from host.bot.builtin_tools import ReplyOption
from host.bot.chat_place import ChatPlace
from host.bot.events import Events
from host.bot.extension_messages import SaidMessage
from host.bot.hook_site import Journal
from host.bot.message import SessionMessage
from host.bot.outgoing import OutgoingMessages
from host.bot.plain_text import plain_text
from host.bot.post_processing import post_processed
from host.bot.reply_extensions import ReplyExtensions
from host.bot.reply_wanted import ReplyFailedError, ReplyWanted
from host.bot.replying import Replyer
from host.bot.segments import text_segment
from host.bot.sending import Sender, SendReport
from host.bot.splitting import Piece, SplittingSettings, typing_seconds
from host.hooks import Hooks
from maibot_sdk.types import EventType

Pause = Callable[[float], Awaitable[None]]
"""Waits as many seconds."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What was said about a message.

    Args:
        reports: of each piece that was to be sent, in order; none where the bot had nothing to say.
        failure: why a reply came to nothing, or None.
    """

    reports: tuple[SendReport, ...] = ()
    failure: ReplyFailedError | None = None

    @property
    def text(self) -> str:
        """All that was said or would have been."""
        return "\n".join(report.message.text for report in self.reports)


class Speaking:
    """Says things in the chat that a message came from, piece by piece.

    Args:
        outgoing: makes the messages.
        sender: sends them.
        pause: waits while a piece is being typed.
    """

    def __init__(self, outgoing: OutgoingMessages, sender: Sender, pause: Pause = asyncio.sleep) -> None:
        self._outgoing = outgoing
        self._sender = sender
        self._pause = pause

    async def say(
        self, pieces: list[Piece], target: SessionMessage, journal: Journal, *, quote: bool
    ) -> tuple[SendReport, ...]:
        """Send pieces one after another, until one of them is not sent. The first one goes at once.

        Args:
            pieces: at least one.
            target: the message that they answer.
            journal: whose guest is told what was sent.
            quote: the first one quotes it.
        """
        messages = said_in(pieces, quote=quote)
        return await self.send(messages, target, [piece.pause_seconds for piece in pieces], journal)

    async def send(
        self, messages: Sequence[SaidMessage], target: SessionMessage, pauses: Sequence[float], journal: Journal
    ) -> tuple[SendReport, ...]:
        """Send messages one after another, until one of them is not sent. The first one goes at once.

        Args:
            messages: at least one.
            target: the message that they answer.
            pauses: how long typing each takes, in seconds.
            journal: whose guest is told what was sent.
        """
        reports: list[SendReport] = []
        for message, seconds in zip(messages, pauses, strict=True):
            if reports:
                self._sender.show_typing(target, seconds)
                await self._pause(seconds)
            report = await self._sender.send(
                self._outgoing.answering(target, message.segments),
                stream_id=target.session_id,
                typing=True,
                set_reply=message.quotes,
                reply_message_id=target.message_id if message.quotes else None,
            )
            reports.append(report)
            if not report.sent:
                break
            await journal.guest.dispatched(report.message)
        return tuple(reports)


def said_in(pieces: Sequence[Piece], *, quote: bool) -> list[SaidMessage]:
    """Pieces of a reply as messages, of which the first one may quote."""
    return [SaidMessage([text_segment(piece.text)], quote and not index) for index, piece in enumerate(pieces)]


class ReplyTool:
    """The whole way of a reply: prepared by its extensions, worded, post-processed, said.

    Args:
        hooks: the kernel.
        events: told before it is worded, and after.
        replyer: words it.
        extensions: those that plugins declare.
        speaking: says it.
        splitting: in which pieces.
        bounds: whether it has typing errors.
    """

    def __init__(
        self,
        hooks: Hooks,
        events: Events,
        replyer: Replyer,
        extensions: ReplyExtensions,
        speaking: Speaking,
        splitting: SplittingSettings,
        bounds: AnsweringSettings,
    ) -> None:
        self._hooks = hooks
        self._events = events
        self._replyer = replyer
        self._extensions = extensions
        self._speaking = speaking
        self._splitting = splitting
        self._bounds = bounds

    def options(self, place: ChatPlace) -> list[ReplyOption]:
        """The extensions that may be asked for in a chat."""
        return self._extensions.options(place)

    async def run(self, wanted: ReplyWanted, journal: Journal) -> tuple[SendReport, ...]:
        """Reply.

        Args:
            wanted: the reply.
            journal: takes down what happens at hooks.

        Raises:
            ReplyFailedError: an extension failed, no model answered, nothing was left of the reply, or an event was
                stopped.
            ChainDepthError: hooks fired hooks too deep.
        """
        asked = self._extensions.asked(wanted)
        wanted = replace(wanted, extension_prompt=await asked.prepare())
        wanted = replace(wanted, target=await self._tell(EventType.POST_LLM, wanted.target))
        worded, wanted = await self._replyer.word(wanted, journal)
        await self._tell(EventType.AFTER_LLM, wanted.target)
        text, pieces = await self._in_pieces(worded, wanted, journal)
        given = said_in(pieces, quote=wanted.quote)
        messages = await asked.before_send(text, given)
        if messages == given:
            pauses = [piece.pause_seconds for piece in pieces]
        else:
            pauses = [typing_seconds(plain_text(each.segments), self._splitting) for each in messages]
        return await self._speaking.send(messages, wanted.target, pauses, journal)

    async def _in_pieces(self, worded: str, wanted: ReplyWanted, journal: Journal) -> tuple[str, list[Piece]]:
        """The whole reply as it is said, and its pieces: those of each text that the guest makes of it."""
        texts: list[str] = []
        pieces: list[Piece] = []
        for rendered in await journal.guest.render(worded):
            text, split = await post_processed(self._hooks, rendered, wanted, self._splitting, self._bounds, journal)
            texts.append(text)
            pieces += split
        if not pieces:
            raise ReplyFailedError("reply_empty")
        return "\n".join(texts), pieces

    async def _tell(self, event: EventType, target: SessionMessage) -> SessionMessage:
        target, stop = await self._events.tell(event, target)
        if stop is not None:
            raise ReplyFailedError("reply_stopped", stop.text())
        return target
