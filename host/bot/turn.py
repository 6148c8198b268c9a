"""The story of a message: it comes in, may call a command, is answered, and the answer is sent."""

import time
from collections.abc import Mapping
from typing import Any

from loguru import logger

from host.bot.commanding import CommandChain, CommandRun
from host.bot.commands import CommandPolicy
from host.bot.components import Components, NoComponents, PluginConfig, no_config
from host.bot.gateway import Gateways
from host.bot.hook_site import HookAbortedError, Journal, fire, fire_heard
from host.bot.message import Clock, SessionMessage
from host.bot.outbox import FindChat, PluginOutbox
from host.bot.outcome import Outcome, Status
from host.bot.outgoing import OutgoingMessages
from host.bot.profile import BotProfile
from host.bot.reading import InvalidMessageError
from host.bot.reply import OfflineReplier, Replier, Reply
from host.bot.segments import text_segment
from host.bot.sending import Sender, SendReport
from host.bot.store import MessageStore, RecentMessages
from host.bot.texts import BOT_TEXTS
from host.hooks import Hooks, PayloadError
from host.storage import Handling

_HANDLING = {
    Status.REPLIED: Handling.ANSWERED,
    Status.NOT_SENT: Handling.ANSWERED,
    Status.NO_REPLY: Handling.IGNORED,
    Status.COMMAND: Handling.ANSWERED,
    Status.STOPPED: Handling.STOPPED,
}
"""How a message is closed in the store, by what became of it."""


class Bot:
    """The chat bot. Any number of messages may be on their way at once; none of them waits for another.

    Args:
        hooks: the kernel, with the specs of the chains registered.
        gateways: the ways out.
        profile: who the bot is.
        replier: finds the answers; by default the offline one.
        store: keeps what was received and sent; by default the latest messages in memory.
        components: the commands of plugins; none by default.
        plugin_config: what the configuration files of plugins say; nothing by default.
        commands: the owner's rules for commands.
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
        components: Components | None = None,
        plugin_config: PluginConfig = no_config,
        commands: CommandPolicy | None = None,
        clock: Clock = time.time,
    ) -> None:
        self._profile = profile or BotProfile()
        self._hooks = hooks
        self._replier = replier or OfflineReplier(self._profile)
        self._store = store or RecentMessages()
        self._clock = clock
        self._outgoing = OutgoingMessages(self._profile, clock)
        self._policy = commands or CommandPolicy()
        self._commands = CommandChain(
            hooks,
            components or NoComponents(),
            plugin_config=plugin_config,
            policy=self._policy,
            clock=clock,
            locale=self._profile.locale,
        )
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
        number = await self._store.receive(heard)
        outcome = await self._handle(number, heard, journal)
        await self._store.settle(number, _HANDLING[outcome.status])
        return outcome

    async def resume(self, number: int, heard: SessionMessage) -> Outcome:
        """Go on with a message that an earlier run of the program stored and did not finish.

        Args:
            number: its number in the store.
            heard: as it was stored last: the hooks of the receive chain were fired for it.
        """
        journal = Journal()
        outcome = await self._handle(number, heard, journal)
        await self._store.settle(number, _HANDLING[outcome.status])
        return outcome

    def outbox(self, find_chat: FindChat) -> PluginOutbox:
        """The way for plugins to send messages of their own.

        Args:
            find_chat: where such a message is to go.
        """
        return PluginOutbox(self.sender, self._outgoing, find_chat)

    async def _handle(self, number: int, heard: SessionMessage, journal: Journal) -> Outcome:
        """What is done with a message once it is stored."""
        called = await self._commands.run(heard, journal)
        if called is not None:
            heard = called.message
            await self._store.revise(number, heard)
            if not called.goes_on:
                return await self._ended_by(called, journal)
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
            command=called.command if called else "",
            stopped=report.stopped,
            reason=report.failure,
        )

    async def _ended_by(self, called: CommandRun, journal: Journal) -> Outcome:
        report = None
        if called.denied and not self._policy.silent:
            refusal = BOT_TEXTS.render("command_denied", {}, self._profile.locale)
            report = await self._answer(called.message, Reply(refusal, quote=True))
        status = Status.STOPPED if called.stopped else Status.COMMAND
        return self._outcome(status, called.message, journal, report, command=called.command, stopped=called.stopped)

    async def _before_process(self, heard: SessionMessage, journal: Journal) -> SessionMessage:
        heard, _ = await fire(self._hooks, "chat.receive.before_process", heard, journal, clock=self._clock)
        return heard.identified()

    async def _after_process(self, heard: SessionMessage, journal: Journal) -> SessionMessage:
        """What comes back decides: its plain text is what is answered, whatever its segments say."""
        heard, _ = await fire_heard(
            self._hooks,
            "chat.receive.after_process",
            heard,
            journal,
            clock=self._clock,
            locale=self._profile.locale,
        )
        return heard

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
