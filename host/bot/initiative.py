"""What the bot does without being spoken to: it takes note of something, speaks up by itself, words a text."""

from dataclasses import replace

from loguru import logger

from host.bot.bounds import AnsweringSettings
from host.bot.chat_context import ContextBuilder
from host.bot.hook_site import Journal
from host.bot.message import Clock, GroupInfo, SessionMessage, UserInfo
from host.bot.prompt_texts import PROMPT_TEXTS
from host.bot.reading import InvalidMessageError, Reading
from host.bot.reply_wanted import ReplyFailedError, ReplyWanted
from host.bot.replying import Replyer
from host.bot.rounds import PlannedAnswering
from host.bot.segments import read_segments, text_segment
from host.bot.store import MessageStore
from host.bot.turns import Turns, Without
from host.capabilities import Chat, Intent, Note, Noted, SaidError, Wording


class Initiative:
    """Acts for plugins in the bot's chats. What it takes note of is kept with the messages of the chat.

    Args:
        store: keeps it.
        turns: whose turn is when.
        contexts: tells models of the chat.
        bounds: how much they are told.
        clock: what time it is.
        planned: does what is planned.
        replyer: words texts.
    """

    def __init__(
        self,
        store: MessageStore,
        turns: Turns,
        contexts: ContextBuilder,
        bounds: AnsweringSettings,
        clock: Clock,
        *,
        planned: PlannedAnswering,
        replyer: Replyer,
    ) -> None:
        self._store = store
        self._turns = turns
        self._contexts = contexts
        self._bounds = bounds
        self._clock = clock
        self._planned = planned
        self._replyer = replyer
        self._last_note = 0

    async def note(self, chat: Chat, note: Note) -> Noted:
        """Put something into the context of a chat.

        Raises:
            RefusalError: the segments are none.
            DatabaseFailedError: the database refused.
        """
        reading = Reading()
        segments = read_segments(note.segments, reading, "segments")
        try:
            reading.finish()
        except InvalidMessageError as error:
            raise SaidError(error) from None
        noticed = self._notice(chat, note.message_id or self._note_id(), note.source_kind)
        message = replace(noticed, raw_message=segments).processed(self._contexts.profile.locale)
        if note.text:
            message = replace(message, processed_plain_text=note.text)
        if note.user is not None:
            user_id, nickname = note.user["user_id"], note.user.get("user_nickname") or note.user["user_id"]
            message = replace(
                message, is_notify=False, user_info=UserInfo(user_id, nickname, note.user.get("user_cardname"))
            )
        await self._store.add(message)
        told = await self._store.of(chat.session_id, self._bounds.context_messages)
        return Noted(len(told) - 1, message.text)

    async def speak_up(self, chat: Chat, intent: Intent) -> None:
        """Have the planner think about saying something, in a turn of its own after those that wait.

        Raises:
            DatabaseFailedError: the database refused.
        """
        with self._turns.place(chat.session_id) as place:
            message = self._wish(chat, intent)
            self._turns.received(place, message, joins=False)
            await self._store.add(message)
            turn = await self._turns.take(place)
            if isinstance(turn, Without):
                logger.info("{} has no turn: {}", intent.task_id, turn.value)
            else:
                await self._planned.plan(message, turn, Journal())

    async def word(self, chat: Chat, wording: Wording) -> str:
        """Have the replyer word a text, with its hooks; nothing is sent.

        Raises:
            RefusalError: no model did.
            DatabaseFailedError: the database refused.
        """
        history = await self._store.of(chat.session_id, self._bounds.context_messages)
        selected = self._contexts.select(history, self._bounds.context_messages)
        task = self._text("word_reference")
        target = replace(
            self._notice(chat, self._note_id(), "reply.generate"),
            raw_message=[text_segment(task)],
            processed_plain_text=task,
        )
        wanted = ReplyWanted(
            target=target,
            selected=selected,
            reference_info=wording.reference,
            extra_prompt=wording.format_instruction,
            model=wording.model,
        )
        try:
            text, _ = await self._replyer.word(wanted, Journal())
        except ReplyFailedError as error:
            raise SaidError(error) from None
        return text

    def _wish(self, chat: Chat, intent: Intent) -> SessionMessage:
        told = [self._text("speak_up", plugin_id=intent.plugin_id, about=intent.about)]
        further = {"speak_up_reason": intent.reason, "speak_up_priority": intent.priority}
        told += [self._text(code, word=word) for code, word in further.items() if word]
        text = "\n".join(told)
        message = self._notice(chat, intent.task_id, f"plugin:{intent.plugin_id}")
        return replace(
            message,
            raw_message=[text_segment(text)],
            processed_plain_text=text,
            additional_config={**message.additional_config, "proactive_metadata": intent.metadata},
        )

    def _notice(self, chat: Chat, message_id: str, source_kind: str) -> SessionMessage:
        """A message of the chat that nobody said. In a private chat it stands under the partner's id, by which answers
        find their way."""
        private = not chat.group_id
        user = UserInfo(chat.user_id or "", chat.user_nickname or "", chat.user_cardname) if private else None
        return SessionMessage(
            message_id=message_id,
            timestamp=self._clock(),
            platform=chat.platform,
            user_info=user or UserInfo(source_kind, source_kind),
            group_info=GroupInfo(chat.group_id, chat.group_name or chat.group_id) if chat.group_id else None,
            additional_config={"source_kind": source_kind},
            session_id=chat.session_id,
            is_notify=True,
            account_id=chat.account_id,
            scope=chat.scope,
        )

    def _note_id(self) -> str:
        self._last_note = max(int(self._clock() * 1000), self._last_note + 1)
        return f"note_{self._last_note}"

    def _text(self, code: str, **fields: object) -> str:
        return PROMPT_TEXTS.render(code, fields, self._contexts.profile.locale)
