"""Answering by a plan: rounds in which the planner's model calls tools, until it has replied or has nothing to do."""

from loguru import logger

from host.bot.answering import Answered, ReplyTool
from host.bot.bounds import AnsweringSettings
from host.bot.chat_context import ContextBuilder
from host.bot.components import Components
from host.bot.hook_site import Journal
from host.bot.message import SessionMessage
from host.bot.planning import Decision, Planner
from host.bot.replying import ReplyFailedError
from host.bot.store import MessageStore
from host.bot.turn_tools import TurnTools
from host.bot.turns import Turn
from host.catalogue.context_items import STAMP, FunctionCallOutputItem, Item
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
    """

    def __init__(
        self,
        planner: Planner,
        reply: ReplyTool,
        components: Components,
        contexts: ContextBuilder,
        store: MessageStore,
        bounds: AnsweringSettings,
    ) -> None:
        self._planner = planner
        self._reply = reply
        self._components = components
        self._contexts = contexts
        self._store = store
        self._bounds = bounds

    async def answer(self, heard: SessionMessage, turn: Turn, journal: Journal) -> Answered:
        """Plan, call, and plan again. Nothing is planned about notices, and what the bot said itself."""
        if heard.is_notify or self._contexts.is_own(heard):
            return Answered()
        history = turn.shown(await self._store.of(heard.session_id, self._bounds.context_messages))
        selected = self._contexts.select(journal.guest.told(history), self._bounds.context_messages)
        tools = TurnTools(
            heard,
            selected,
            components=self._components,
            reply=self._reply,
            turn=turn,
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
            if not decision.calls or await _ends(decision, tools, since):
                return Answered(tools.reports, tools.failure)
            since += self._contexts.told(await journal.guest.end_step())
        logger.warning("The planner did not come to an end in {} rounds", self._bounds.max_rounds)
        return Answered(tools.reports, tools.failure)


async def _ends(decision: Decision, tools: TurnTools, since: list[Item]) -> bool:
    """Run the calls of a round one after another, and add what came of each; whether the turn ends with them."""
    ends = False
    for item in decision.calls:
        call = item.tool_call
        result = await tools.run(call.func_name, call.args, decision.thought, decision.offered)
        ends = ends or result.ends
        since.append(
            FunctionCallOutputItem(
                meta=STAMP.meta(item.meta.logical_turn_id),
                call_id=call.call_id,
                output=result.output,
                tool_name=call.func_name,
                success=result.success,
            )
        )
    return ends
