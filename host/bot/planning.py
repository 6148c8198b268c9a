"""The planner chain: a model decides what to do about a chat, between the hooks of the planner."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from loguru import logger

from host.bot.builtin_tools import ToolDefinition
from host.bot.chat_context import ContextBuilder, Selection, answer_forms
from host.bot.hook_site import Journal, consult
from host.bot.message import Clock, SessionMessage
from host.bot.model_forms import items_back, output_of, prompt_of, tokens_of
from host.bot.prompt_texts import PROMPT_TEXTS
from host.catalogue.context_items import (
    STAMP,
    AssistantMessageItem,
    FunctionCallItem,
    Item,
    ReasoningItem,
    text_of,
)
from host.hooks import Hooks
from host.models import Caller, ModelRequest, Models, PromptError, Tool, read_tools

TASK = "planner"


@dataclass(frozen=True, slots=True)
class Decision:
    """What the planner's model decided in one round.

    Args:
        items: its answer as the hooks left it.
        offered: names of the tools that it had.
    """

    items: tuple[Item, ...]
    offered: frozenset[str]

    @property
    def calls(self) -> list[FunctionCallItem]:
        """What it calls, in order."""
        return [item for item in self.items if isinstance(item, FunctionCallItem)]

    @property
    def thought(self) -> str:
        """Why: what it said beside its calls, else what it thought."""
        spoken = [part for item in self.items if isinstance(item, AssistantMessageItem) for part in item.parts]
        thoughts = (item for item in self.items if isinstance(item, ReasoningItem))
        return text_of(spoken) or "\n".join(text for item in thoughts for text in item.summary_parts or item.text_parts)


class Planner:
    """Asks the planner's model, a round at a time. Any number may be under way at once.

    Args:
        hooks: the kernel.
        models: who is asked.
        contexts: tells the chat.
        clock: what time it is.
    """

    def __init__(self, hooks: Hooks, models: Models, contexts: ContextBuilder, clock: Clock) -> None:
        self._hooks = hooks
        self._models = models
        self._contexts = contexts
        self._clock = clock

    @property
    def sees(self) -> bool:
        """Whether the model that is asked first can be shown pictures."""
        first = next(iter(self._models.pool(TASK)), None)
        return first is not None and first.can("vision")

    async def decide(
        self,
        heard: SessionMessage,
        selected: Selection,
        since: Sequence[Item],
        tools: Sequence[ToolDefinition],
        reminder: str,
        journal: Journal,
    ) -> Decision:
        """Let the model decide what to do next.

        Args:
            heard: the message that the turn is about.
            selected: the part of the chat that the model is told.
            since: what it did in this turn, with what came of it.
            tools: what it may call.
            reminder: what it is told of further tools, or "".
            journal: takes down what happens at hooks.

        Raises:
            ModelError: no model answered.
            ChainDepthError: hooks fired hooks too deep.
        """
        who = self._contexts.who(heard)
        prompt = PROMPT_TEXTS.render("planner", {"who": who}, self._contexts.profile.locale)
        parts = filter(None, (prompt, journal.guest.system_block, self._about(heard, selected), reminder))
        context = self._contexts.build("\n\n".join(parts), selected, now=self._clock(), since=since)
        common = {"session_id": heard.session_id, **context.selection()}
        payload = {**common, **context.forms(), "tool_definitions": [*tools]}
        kwargs = await consult(self._hooks, "maisaka.planner.before_request", payload, journal)
        # Without any item there is nothing to ask: then the request stays as it was.
        items = items_back(context.items, kwargs) or context.items
        offered = _read_tools(kwargs["tool_definitions"])
        request = ModelRequest(prompt_of(items), offered)
        caller = Caller(TASK, session_id=heard.session_id)
        answer = await journal.guest.generate(self._models, TASK, request, model=None, caller=caller)

        taken = {item.tool_call.call_id for item in since if isinstance(item, FunctionCallItem)}
        output = output_of(answer, STAMP.new_id(), taken)
        payload = {**common, **answer_forms(output), **tokens_of(answer)}
        kwargs = await consult(self._hooks, "maisaka.planner.after_response", payload, journal)
        logger.debug(
            "planner: {} + {} = {} tokens", *(kwargs[f"{kind}_tokens"] for kind in ("prompt", "completion", "total"))
        )
        decided = items_back(output, kwargs, "output_items")
        return Decision(tuple(decided), frozenset(tool.name for tool in offered))

    def _about(self, heard: SessionMessage, selected: Selection) -> str:
        """Which message the turn is about, where it is not the last that somebody said; else ""."""
        others = [message for message in selected.messages if not self._contexts.is_own(message)]
        if others and (others[-1].message_id, others[-1].timestamp) == (heard.message_id, heard.timestamp):
            return ""
        line = self._contexts.transcript([heard])
        return PROMPT_TEXTS.render("planner_about", {"line": line}, self._contexts.profile.locale)


def _read_tools(definitions: Sequence[Any]) -> tuple[Tool, ...]:
    """The tools of definitions as they came back; what is none is left out."""
    tools: list[Tool] = []
    for definition in definitions:
        try:
            tools += read_tools([definition])
        except PromptError as error:
            logger.warning("A tool that came back from maisaka.planner.before_request is left out: {}", error)
    return tuple(tools)
