"""Answering by a plan: rounds in which the planner's model calls tools, until it has replied or has nothing to do."""

from loguru import logger

from host.bot.activity_log import NoteTool, ToolUse, forget
from host.bot.answering import Answered, Pause, ReplyTool
from host.bot.bounds import AnsweringSettings
from host.bot.chat_context import ContextBuilder
from host.bot.components import Components
from host.bot.emoji.tool import EmojiTool
from host.bot.hook_site import Journal
from host.bot.message import SessionMessage
from host.bot.planning import Decision, Planner
from host.bot.reply_wanted import ReplyFailedError
from host.bot.store import MessageStore
from host.bot.tool_results import Medium
from host.bot.turn_tools import TurnTools
from host.bot.turns import Turn
from host.catalogue.context_items import STAMP, FunctionCallOutputItem, Item, TextPart, UserMessageItem
from host.models import ModelError


class PlannedAnswering:
    """Does about a message what the planner's model decides.

    Args:
        planner: decides.
        reply: the way of a reply.
        components: the tools and actions of plugins.
        contexts: chooses what models are told.
        store: has the chat.
        bounds: how much models are told, and how often they are asked.
        pause: waits for people to go on.
        note_tool: takes note of each call of a tool.
        emoji: the way of an emoji, or None.
    """

    def __init__(
        self,
        planner: Planner,
        reply: ReplyTool,
        components: Components,
        contexts: ContextBuilder,
        store: MessageStore,
        bounds: AnsweringSettings,
        pause: Pause,
        note_tool: NoteTool = forget,
        emoji: EmojiTool | None = None,
    ) -> None:
        self._planner = planner
        self._reply = reply
        self._components = components
        self._contexts = contexts
        self._store = store
        self._bounds = bounds
        self._pause = pause
        self._note_tool = note_tool
        self._emoji = emoji

    async def answer(self, heard: SessionMessage, turn: Turn, journal: Journal) -> Answered:
        """Plan, call, and plan again. Nothing is planned about notices, and what the bot said itself."""
        if heard.is_notify or self._contexts.is_own(heard):
            return Answered()
        return await self.plan(heard, turn, journal)

    async def plan(self, heard: SessionMessage, turn: Turn, journal: Journal) -> Answered:
        """Plan, call, and plan again, whatever the message is."""
        # Those that wait are stored already, and not shown.
        limit = self._bounds.context_messages + turn.waiting
        history = turn.shown(await self._store.of(heard.session_id, limit))
        selected = self._contexts.select(journal.guest.told(history), self._bounds.context_messages)
        tools = TurnTools(
            heard,
            selected,
            components=self._components,
            reply=self._reply,
            emoji=self._emoji,
            turn=turn,
            pause=self._pause,
            journal=journal,
            locale=self._contexts.profile.locale,
        )
        since: list[Item] = []
        for _ in range(self._bounds.max_rounds):
            joined = turn.join()
            since += self._contexts.heard_meanwhile(joined)
            tools.joined_by(joined)
            await journal.guest.begin_step()
            try:
                decision = await self._planner.decide(
                    heard, selected, since, tools.definitions, tools.reminder, journal
                )
            except ModelError as error:
                logger.error("No plan: {}", error)
                return Answered(tools.reports, ReplyFailedError("reply_no_answer", str(error)))
            since += decision.items
            if not decision.calls or await self._ends(decision, tools, since, heard.session_id):
                return Answered(tools.reports, tools.failure)
            since += self._contexts.told(await journal.guest.end_step())
        logger.warning("The planner did not come to an end in {} rounds", self._bounds.max_rounds)
        return Answered(tools.reports, tools.failure)

    async def _ends(self, decision: Decision, tools: TurnTools, since: list[Item], session_id: str) -> bool:
        """Run the calls of a round one after another, and add what came of each; whether the turn ends with them.

        What they found beside text follows them all: nothing may stand between the outputs of one round.
        """
        ends = False
        media: list[Medium] = []
        for item in decision.calls:
            call = item.tool_call
            result = await tools.run(call, decision.thought, decision.offered)
            self._note_tool(
                ToolUse(
                    call_id=call.call_id,
                    session_id=session_id,
                    name=call.func_name,
                    thought=decision.thought,
                    arguments=call.args,
                    output=result.output,
                    success=result.success,
                )
            )
            ends = ends or result.ends
            media += result.media
            since.append(
                FunctionCallOutputItem(
                    meta=STAMP.meta(item.meta.logical_turn_id),
                    call_id=call.call_id,
                    output=result.output,
                    tool_name=call.func_name,
                    success=result.success,
                )
            )
        pictures = self._bounds.max_pictures if self._planner.sees else 0
        for medium in media:
            shown = medium.picture if pictures > 0 else None
            pictures -= shown is not None
            parts = (TextPart(medium.line), shown) if shown else (TextPart(medium.line),)
            since.append(UserMessageItem(meta=STAMP.meta(None), parts=parts))
        return ends
