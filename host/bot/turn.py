"""The story of a message: it comes in, may call a command, is answered, and the answer is sent."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from loguru import logger

from host.bot.activity_log import NoteTool, forget
from host.bot.answering import Answered, Pause, ReplyTool, Speaking
from host.bot.bounds import AnsweringSettings
from host.bot.chat_context import ContextBuilder, ended_by_command
from host.bot.commanding import CommandChain, CommandRun
from host.bot.commands import CommandPolicy
from host.bot.components import Components, NoComponents, PluginConfig, no_config
from host.bot.emoji import EmojiRoom
from host.bot.events import Events
from host.bot.expressing import ExpressionChoice
from host.bot.frequency import Attention, TalkFrequency
from host.bot.gateway import Gateways
from host.bot.guest import GuestFailedError, Guests, nobody
from host.bot.hook_site import Journal
from host.bot.initiative import Initiative
from host.bot.message import Clock, SessionMessage
from host.bot.outbox import FindChat, PluginOutbox
from host.bot.outcome import Outcome, Status
from host.bot.outgoing import OutgoingMessages
from host.bot.planning import Planner
from host.bot.profile import BotProfile
from host.bot.reading import InvalidMessageError
from host.bot.receiving import ReceiveChain, checked
from host.bot.reply_extensions import ReplyExtensions
from host.bot.replying import Replyer
from host.bot.rounds import PlannedAnswering
from host.bot.sending import Sender, SendReport
from host.bot.splitting import Piece, SplittingSettings
from host.bot.store import MessageStore, RecentMessages
from host.bot.texts import BOT_TEXTS
from host.bot.turns import Place, Turn, Turns, Without
from host.hooks import ChainDepthError, Hooks, PayloadError
from host.models import Models, ModelSettings
from host.storage import Expressions, Handling
from maibot_sdk.types import EventType

_HANDLING = {
    Status.REPLIED: Handling.ANSWERED,
    Status.NOT_SENT: Handling.ANSWERED,
    Status.NO_REPLY: Handling.IGNORED,
    Status.COMMAND: Handling.ANSWERED,
    Status.STOPPED: Handling.STOPPED,
    Status.JOINED: Handling.ANSWERED,
    Status.DROPPED: Handling.IGNORED,
}
"""How a message is closed in the store, by what became of it."""


class Bot:
    """The chat bot. Any number of messages may be on their way at once; `Turns` says which of them wait for others.

    Args:
        hooks: the kernel, with the specs of the chains registered.
        gateways: the ways out.
        profile: who the bot is.
        store: keeps what was received and sent; by default the latest messages in memory.
        components: commands, tools and actions of plugins; none by default.
        plugin_config: what the configuration files of plugins say; nothing by default.
        commands: the owner's rules for commands.
        models: plan what is done, and word the replies; by default the built-in offline one.
        splitting: in which pieces replies of models are sent.
        answering: how far planner and replyer may go.
        turns: the order of turns; by default, each message of a chat has its turn after the ones before it.
        events: told what happens on a message's way; nobody is, by default.
        guests: what another family of hooks does about messages; nothing by default.
        note_tool: takes note of each call of a tool by the planner's model; by default nobody does.
        frequency: how talkative the bot is, chat by chat; by default it thinks about all messages.
        emoji: collects pictures, and has the planner's model send them; without it, neither is done.
        pause: waits while a piece is being typed, and for people to go on.
        expressions: the ways of speaking that it learned; none by default.
        clock: what time it is, in seconds since 1970.

    Attributes:
        sender: the send chain, for whoever else sends messages.
        initiative: what the bot does without being spoken to.
    """

    def __init__(
        self,
        hooks: Hooks,
        gateways: Gateways,
        *,
        profile: BotProfile | None = None,
        store: MessageStore | None = None,
        components: Components | None = None,
        plugin_config: PluginConfig = no_config,
        commands: CommandPolicy | None = None,
        models: Models | None = None,
        splitting: SplittingSettings | None = None,
        answering: AnsweringSettings | None = None,
        turns: Turns | None = None,
        events: Events | None = None,
        guests: Guests = nobody,
        note_tool: NoteTool = forget,
        frequency: TalkFrequency | None = None,
        emoji: EmojiRoom | None = None,
        pause: Pause = asyncio.sleep,
        expressions: Expressions | None = None,
        clock: Clock = time.time,
    ) -> None:
        self._profile = profile or BotProfile()
        self._hooks = hooks
        self._store = store or RecentMessages()
        self._clock = clock
        self._emoji = emoji
        self._policy = commands or CommandPolicy()
        self._commands = CommandChain(
            hooks,
            components or NoComponents(),
            plugin_config=plugin_config,
            policy=self._policy,
            clock=clock,
            locale=self._profile.locale,
        )
        self._events = events or Events(hooks, clock=clock)
        self.sender = Sender(
            hooks,
            gateways,
            store=self._store,
            clock=clock,
            locale=self._profile.locale,
            events=self._events,
            sent=self._notice,
        )
        self._outgoing = OutgoingMessages(self._profile, clock)
        self._speaking = Speaking(self._outgoing, self.sender, pause)
        self._receiving = ReceiveChain(hooks, self._events, clock, self._profile.locale)
        self._turns = turns or Turns()
        self._guests = guests
        self._attention = Attention(frequency or TalkFrequency(), self._profile)
        components = components or NoComponents()
        contexts = ContextBuilder(profile=self._profile)
        bounds = answering or AnsweringSettings()
        models = models or Models(ModelSettings())
        choice = ExpressionChoice(hooks, models, contexts, expressions, bounds)
        replyer = Replyer(hooks, models, contexts, choice, clock, bounds)
        extensions = ReplyExtensions(components)
        self._answering = PlannedAnswering(
            Planner(hooks, models, contexts, clock),
            ReplyTool(
                hooks, self._events, replyer, extensions, self._speaking, splitting or SplittingSettings(), bounds
            ),
            components,
            contexts,
            self._store,
            bounds,
            pause,
            note_tool,
            self._emoji.tool(self._outgoing, self.sender) if self._emoji else None,
        )
        self.initiative = Initiative(
            self._store, self._turns, contexts, bounds, clock, planned=self._answering, replyer=replyer
        )

    async def receive(
        self, message: Mapping[str, Any], *, stored: Callable[[], Awaitable[None]] | None = None
    ) -> Outcome:
        """Take a message through all that is done with it.

        It is stored before anything of a plugin runs on it: whatever happens then, it is not lost.

        Args:
            message: a session message dict. It is not changed.
            stored: awaited once it is stored and has its place in the order of turns; it goes on after that.

        Returns:
            What became of it. An invalid message, an abort and a failed delivery are outcomes, not errors.

        Raises:
            ChainDepthError: handlers made the bot receive messages whose handlers did so, too deep.
        """
        try:
            heard = checked(SessionMessage.from_dict(message, clock=self._clock).identified())
        except (InvalidMessageError, PayloadError) as error:
            return _invalid(error)
        with self._turns.place(heard.session_id) as place:
            number = await self._store.receive(heard)
            if stored is not None:
                await stored()
            return await self._receive(number, heard, place)

    async def resume(self, number: int, heard: SessionMessage, *, admitted: bool = True) -> Outcome:
        """Go on with a message that an earlier run of the program stored and did not finish.

        A command that it called is not run a second time.

        Args:
            number: as it is stored.
            heard: the message.
            admitted: its receive hooks were done; else they are fired now, from the first.

        Raises:
            ChainDepthError: as for `receive`.
        """
        logger.info("Taken up again: {}", " ".join([heard.message_id, *heard.text.split()]))
        with self._turns.place(heard.session_id, owed=True) as place:
            if not admitted:
                return await self._receive(number, heard, place, again=True)
            self._turns.received(place, heard, joins=False)
            return await self._take_turn(number, heard, place, Journal(self._guests()), resumed=True)

    def outbox(self, find_chat: FindChat) -> PluginOutbox:
        """The way for plugins to send messages of their own.

        Args:
            find_chat: where such a message is to go.
        """
        return PluginOutbox(self.sender, self._outgoing, find_chat, self._store)

    async def _receive(self, number: int, heard: SessionMessage, place: Place, *, again: bool = False) -> Outcome:
        """Fire the receive hooks, make the message a part of its chat, and let it have its turn."""
        journal = Journal(self._guests())
        try:
            admission = await journal.guest.admit(heard, *self._turns.in_chat(heard.session_id))
            if admission == "drop":
                await self._store.leave(number)
                return self._outcome(Status.DROPPED, heard, journal)
            place.when_busy = admission
            heard, stop = await self._receiving.run(heard, journal)
        except PayloadError as error:
            await self._store.leave(number)
            return _invalid(error)
        except GuestFailedError as failed:
            await self._store.leave(number)
            return self._outcome(Status.DROPPED, heard, journal, reason=failed)
        except ChainDepthError:
            await self._store.leave(number)
            raise
        if stop is not None:
            await self._store.leave(number)
            return self._outcome(Status.STOPPED, heard, journal, stopped=stop)
        steered = (place.when_busy or self._turns.settings.when_busy) == "steer"
        self._turns.received(place, heard, joins=steered and not await self._commands.is_called_by(heard))
        await self._store.admit(number, heard, again=again)
        self._notice(heard)
        return await self._take_turn(number, heard, place, journal)

    def _notice(self, message: SessionMessage) -> None:
        """Learn in the background from what was received or sent."""
        if self._emoji is not None:
            self._emoji.notice(message)

    async def _take_turn(
        self, number: int, heard: SessionMessage, place: Place, journal: Journal, *, resumed: bool = False
    ) -> Outcome:
        """Wait for the turn of a message, and go through with it."""
        turn = await self._turns.take(place)
        if isinstance(turn, Without):
            status = Status.JOINED if turn is Without.JOINED else Status.DROPPED
            outcome = self._outcome(status, heard, journal)
        elif resumed and ended_by_command(heard):
            outcome = self._outcome(Status.COMMAND, heard, journal)
        else:
            commands = not (resumed and heard.is_command)
            try:
                async with journal.guest.turn(heard):
                    outcome = await self._handle(number, heard, turn, journal, commands=commands)
            except GuestFailedError as failed:
                logger.opt(exception=failed).error("A hook of Bub ended the turn")
                outcome = self._outcome(Status.NO_REPLY, heard, journal, reason=failed)
        await self._store.settle(number, _HANDLING[outcome.status])
        return outcome

    async def _handle(
        self, number: int, heard: SessionMessage, turn: Turn, journal: Journal, *, commands: bool
    ) -> Outcome:
        """What is done with a message in its turn."""
        called = await self._commands.run(heard, journal) if commands else None
        if called is not None:
            heard = called.message
            await self._store.revise(number, heard)
            if not called.goes_on:
                return await self._ended_by(called, journal)
        command = called.command if called else ""
        if not self._attention.has(heard):
            return self._outcome(Status.NO_REPLY, heard, journal, command=command)
        heard, stop = await self._events.tell(EventType.ON_PLAN, heard)
        if stop is not None:
            return self._outcome(Status.STOPPED, heard, journal, command=command, stopped=stop)
        heard = await journal.guest.prompt(heard)
        answered = await self._answering.answer(heard, turn, journal)
        return self._told(heard, called, answered, journal)

    async def _ended_by(self, called: CommandRun, journal: Journal) -> Outcome:
        reports: tuple[SendReport, ...] = ()
        if called.denied and not self._policy.silent:
            refusal = BOT_TEXTS.render("command_denied", {}, self._profile.locale)
            reports = await self._speaking.say([Piece(refusal, 0.0)], called.message, journal, quote=True)
        if called.cleared:
            done = BOT_TEXTS.render("context_cleared", {}, self._profile.locale)
            reports = await self._speaking.say([Piece(done, 0.0)], called.message, journal, quote=False)
        status = Status.STOPPED if called.stopped else Status.COMMAND
        return self._outcome(status, called.message, journal, reports, command=called.command, stopped=called.stopped)

    def _told(self, heard: SessionMessage, called: CommandRun | None, answered: Answered, journal: Journal) -> Outcome:
        command = called.command if called else ""
        if not answered.reports:
            return self._outcome(Status.NO_REPLY, heard, journal, command=command, reason=answered.failure)
        last = answered.reports[-1]
        return self._outcome(
            Status.REPLIED if answered.reports[0].sent else Status.NOT_SENT,
            heard,
            journal,
            answered.reports,
            reply_text=answered.text,
            command=command,
            stopped=last.stopped,
            reason=last.failure,
        )

    def _outcome(
        self,
        status: Status,
        heard: SessionMessage,
        journal: Journal,
        reports: tuple[SendReport, ...] = (),
        **found: Any,
    ) -> Outcome:
        if heard.processed_plain_text is None:
            heard = heard.processed(self._profile.locale)
        return Outcome(
            status=status,
            message_id=heard.message_id,
            session_id=heard.session_id,
            sender=heard.user_info.shown_name,
            text=heard.text,
            failures=(*journal.failures, *(each for report in reports for each in report.failures)),
            ignored=(*journal.ignored, *(each for report in reports for each in report.ignored)),
            **found,
        )


def _invalid(error: InvalidMessageError | PayloadError) -> Outcome:
    logger.warning("A message that came in is ignored: {}", error)
    return Outcome(status=Status.INVALID, reason=error)
