"""Answering a message: whether, with what, and in how many pieces it is said."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from host.bot.hook_site import Journal
from host.bot.message import SessionMessage
from host.bot.outgoing import OutgoingMessages
from host.bot.post_processing import post_processed
from host.bot.reply import Replier, Reply
from host.bot.replying import Replyer, ReplyFailedError, ReplyWanted
from host.bot.segments import text_segment
from host.bot.sending import Sender, SendReport
from host.bot.splitting import Piece, SplittingSettings
from host.bot.turns import Turn
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


class Answering(Protocol):
    """Decides what is said about a message, and says it."""

    async def answer(self, heard: SessionMessage, turn: Turn, journal: Journal) -> Answered:
        """Answer a message, or stay silent.

        Args:
            heard: a message that is stored.
            turn: its turn, in which others may join.
            journal: takes down what happens at hooks.
        """
        ...


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
            await journal.guest.dispatched(report.message)
        return tuple(reports)


class RuleAnswering:
    """Answers what a replier finds, without hooks of its own.

    Args:
        replier: finds the answers.
        speaking: says them.
    """

    def __init__(self, replier: Replier, speaking: Speaking) -> None:
        self._replier = replier
        self._speaking = speaking

    async def answer(self, heard: SessionMessage, turn: Turn, journal: Journal) -> Answered:
        """The replier's answer, in one piece."""
        text = await journal.guest.answer()
        reply = await self._replier.reply(heard) if text is None else Reply(text)
        if reply is None:
            return Answered()
        pieces = [Piece(each, 0.0) for each in await journal.guest.render(reply.text)]
        return Answered(await self._speaking.say(pieces, heard, journal, quote=reply.quote))


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
        pieces = [
            piece
            for rendered in await journal.guest.render(text)
            for piece in await post_processed(self._hooks, rendered, wanted, self._splitting, journal)
        ]
        return await self._speaking.say(pieces, wanted.target, journal, quote=wanted.quote)
