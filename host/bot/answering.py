"""Answering a message: whether, with what, and in how many pieces it is said."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from host.bot.hook_site import Journal
from host.bot.message import SessionMessage
from host.bot.outgoing import OutgoingMessages
from host.bot.post_processing import post_processed
from host.bot.replying import Replyer, ReplyFailedError, ReplyWanted
from host.bot.segments import text_segment
from host.bot.sending import Sender, SendReport
from host.bot.splitting import Piece, SplittingSettings
from host.hooks import Hooks

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

    async def say(self, pieces: list[Piece], target: SessionMessage, *, quote: bool) -> tuple[SendReport, ...]:
        """Send pieces one after another, until one of them is not sent. The first one goes at once.

        Args:
            pieces: at least one.
            target: the message that they answer.
            quote: the first one quotes it.
        """
        reports: list[SendReport] = []
        for piece in pieces:
            if reports:
                await self._pause(piece.pause_seconds)
            quotes = quote and not reports
            report = await self._sender.send(
                self._outgoing.answering(target, [text_segment(piece.text)]),
                stream_id=target.session_id,
                typing=True,
                set_reply=quotes,
                reply_message_id=target.message_id if quotes else None,
            )
            reports.append(report)
            if not report.sent:
                break
        return tuple(reports)


class ReplyTool:
    """The whole way of a reply: worded, post-processed, said.

    Args:
        hooks: the kernel.
        replyer: words it.
        speaking: says it.
        splitting: in which pieces.
    """

    def __init__(self, hooks: Hooks, replyer: Replyer, speaking: Speaking, splitting: SplittingSettings) -> None:
        self._hooks = hooks
        self._replyer = replyer
        self._speaking = speaking
        self._splitting = splitting

    async def run(self, wanted: ReplyWanted, journal: Journal) -> tuple[SendReport, ...]:
        """Reply.

        Args:
            wanted: the reply.
            journal: takes down what happens at hooks.

        Raises:
            ReplyFailedError: no model answered, or nothing was left of the reply.
            ChainDepthError: hooks fired hooks too deep.
        """
        text, wanted = await self._replyer.word(wanted, journal)
        pieces = await post_processed(self._hooks, text, wanted, self._splitting, journal)
        return await self._speaking.say(pieces, wanted.target, quote=wanted.quote)
