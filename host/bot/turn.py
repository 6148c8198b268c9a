"""The story of a message: it comes in, is processed, is answered, and the answer is sent."""

import time
from collections.abc import Mapping
from typing import Any

from loguru import logger

from host.bot.gateway import Gateways
from host.bot.hook_site import HookAbortedError, Journal, fire
from host.bot.message import Clock, SessionMessage
from host.bot.outcome import Outcome, Status
from host.bot.outgoing import OutgoingMessages
from host.bot.profile import BotProfile
from host.bot.reading import InvalidMessageError
from host.bot.reply import OfflineReplier, Replier, Reply
from host.bot.segments import text_segment
from host.bot.sending import Sender, SendReport
from host.bot.store import MessageStore, RecentMessages
from host.hooks import Hooks, PayloadError


class Bot:
    """The chat bot. Any number of messages may be on their way at once; none of them waits for another.

    Args:
        hooks: the kernel, with the specs of the receive and the send chain registered.
        gateways: the ways out.
        profile: who the bot is.
        replier: finds the answers; by default the offline one.
        store: keeps what was received and sent; by default the latest messages in memory.
        clock: what time it is, in seconds since 1970.

    Attributes:
        sender: the send chain, for whoever else sends messages.
    """

    def __init__(
        self,
        hooks: Hooks,
        gateways: Gateways,
        *,
        profile: BotProfile | None = None,
        replier: Replier | None = None,
        store: MessageStore | None = None,
        clock: Clock = time.time,
    ) -> None:
        self._profile = profile or BotProfile()
        self._hooks = hooks
        self._replier = replier or OfflineReplier(self._profile)
        self._store = store or RecentMessages()
        self._clock = clock
        self._outgoing = OutgoingMessages(self._profile, clock)
        self.sender = Sender(hooks, gateways, store=self._store, clock=clock, locale=self._profile.locale)

    async def receive(self, message: Mapping[str, Any]) -> Outcome:
        """Take a message through all that is done with it.

        Args:
            message: a session message dict. It is not changed.

        Returns:
            What became of it. An invalid message, an abort and a failed delivery are outcomes, not errors.

        Raises:
            ChainDepthError: handlers made the bot receive messages whose handlers did so, too deep.
        """
        journal = Journal()
        try:
            heard = SessionMessage.from_dict(message, clock=self._clock).identified()
        except InvalidMessageError as error:
            return _invalid(error)
        try:
            heard = await self._before_process(heard, journal)
            heard = heard.processed(self._profile.locale)
            heard = await self._after_process(heard, journal)
        except PayloadError as error:
            return _invalid(error)
        except HookAbortedError as aborted:
            return self._outcome(Status.STOPPED, heard, journal, stopped=aborted.stop)
        await self._store.add(heard)

        reply = await self._replier.reply(heard)
        if reply is None:
            return self._outcome(Status.NO_REPLY, heard, journal)
        report = await self._answer(heard, reply)
        return self._outcome(
            Status.REPLIED if report.sent else Status.NOT_SENT,
            heard,
            journal,
            report,
            reply_text=report.message.text,
            stopped=report.stopped,
            reason=report.failure,
        )

    async def _before_process(self, heard: SessionMessage, journal: Journal) -> SessionMessage:
        heard, _ = await fire(self._hooks, "chat.receive.before_process", heard, journal, clock=self._clock)
        return heard.identified()

    async def _after_process(self, heard: SessionMessage, journal: Journal) -> SessionMessage:
        """What comes back decides: its plain text is what is answered, whatever its segments say."""
        heard, _ = await fire(self._hooks, "chat.receive.after_process", heard, journal, clock=self._clock)
        if heard.processed_plain_text is None:
            heard = heard.processed(self._profile.locale)
        return heard.identified()

    async def _answer(self, heard: SessionMessage, reply: Reply) -> SendReport:
        answer = self._outgoing.answering(heard, [text_segment(reply.text)])
        return await self.sender.send(
            answer,
            stream_id=heard.session_id,
            typing=True,
            set_reply=reply.quote,
            reply_message_id=heard.message_id if reply.quote else None,
        )

    def _outcome(
        self, status: Status, heard: SessionMessage, journal: Journal, report: SendReport | None = None, **found: Any
    ) -> Outcome:
        if heard.processed_plain_text is None:
            heard = heard.processed(self._profile.locale)
        return Outcome(
            status=status,
            message_id=heard.message_id,
            session_id=heard.session_id,
            sender=heard.user_info.shown_name,
            text=heard.text,
            failures=(*journal.failures, *(report.failures if report else ())),
            ignored=(*journal.ignored, *(report.ignored if report else ())),
            **found,
        )


def _invalid(error: InvalidMessageError | PayloadError) -> Outcome:
    logger.warning("A message that came in is ignored: {}", error)
    return Outcome(status=Status.INVALID, reason=error)
