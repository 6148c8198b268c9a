"""The tools of one turn: what the planner may call in a chat, and what comes of its calls."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from loguru import logger

from host.bot.answering import Pause, ReplyTool
from host.bot.builtin_tools import (
    NO_REPLY,
    REPLY,
    SEND_EMOJI,
    TOOL_SEARCH,
    WAIT,
    ReplyArguments,
    ToolDefinition,
    no_reply_tool,
    reply_tool,
    send_emoji_tool,
    tool_search_tool,
    wait_tool,
)
from host.bot.chat_context import Selection
from host.bot.chat_place import ChatPlace
from host.bot.components import Components, declaration
from host.bot.emoji.tool import EmojiTool
from host.bot.hook_site import Journal
from host.bot.message import SessionMessage
from host.bot.prompt_texts import PROMPT_TEXTS
from host.bot.reply_wanted import ReplyFailedError, ReplyWanted
from host.bot.sending import SendReport
from host.bot.tool_definitions import PluginTool, plugin_tools, reminder
from host.bot.tool_results import ToolResult, result_of
from host.bot.turns import Turn
from host.catalogue.context_items import ToolCall
from host.hooks.texts import Locale
from host.runtime.components import ComponentGoneError

BUILTIN = (REPLY, WAIT, NO_REPLY, TOOL_SEARCH)
LONGEST_WAIT_SECONDS = 60.0


class TurnTools:
    """What may be called in one turn.

    Args:
        heard: the message that the turn is about.
        selected: the part of the chat that models are told.
        components: the tools and actions of plugins.
        reply: the way of a reply.
        emoji: the way of an emoji, or None; offered where there is one to send.
        turn: tells when something more is said in the chat.
        pause: waits for that, while nothing is.
        journal: takes down what happens at hooks.
        locale: the language in which models are told of tools.

    Attributes:
        reports: of all that was said in this turn.
        failure: why the last reply came to nothing, or None.
    """

    def __init__(
        self,
        heard: SessionMessage,
        selected: Selection,
        *,
        components: Components,
        reply: ReplyTool,
        emoji: EmojiTool | None,
        turn: Turn,
        pause: Pause,
        journal: Journal,
        locale: Locale,
    ) -> None:
        self.reports: tuple[SendReport, ...] = ()
        self.failure: ReplyFailedError | None = None
        self._heard = heard
        self._selected = selected
        self._reply = reply
        self._emoji = emoji if emoji is not None and emoji.offered else None
        self._turn = turn
        self._pause = pause
        self._journal = journal
        self._locale = locale
        self._place = ChatPlace.of(heard)
        self._options = reply.options(self._place)
        self._components = [(each, declaration(each)) for each in components.of_type("TOOL", "ACTION")]
        declared = [(component.plugin_id, declared) for component, declared in self._components]
        self._plugins = plugin_tools(declared, self._place, (*BUILTIN, SEND_EMOJI) if self._emoji else BUILTIN, locale)
        self._found: set[str] = set()
        for dropped in self._plugins.dropped:
            logger.warning(
                "The tool {} of {} is not offered: {} has one of that name",
                dropped.name,
                dropped.plugin_id,
                dropped.kept_plugin_id,
            )

    def joined_by(self, messages: Sequence[SessionMessage]) -> None:
        """Further messages are part of the turn: they may be answered, and models that word replies are told of them.

        Args:
            messages: in the order in which they came in.
        """
        self._selected = replace(self._selected, messages=(*self._selected.messages, *messages))

    @property
    def definitions(self) -> list[ToolDefinition]:
        """What the model is offered in full."""
        own = [reply_tool(self._options, self._locale), wait_tool(self._locale), no_reply_tool(self._locale)]
        if self._emoji is not None:
            own.append(send_emoji_tool(self._locale))
        if self._plugins.deferred(self._found):
            own.append(tool_search_tool(self._locale))
        return [*own, *self._plugins.definitions(self._found), *self._journal.guest.tools]

    @property
    def reminder(self) -> str:
        """What the model is told of tools that it has to find first."""
        return reminder(self._plugins.deferred(self._found), self._locale)

    async def run(self, call: ToolCall, thought: str, offered: frozenset[str]) -> ToolResult:
        """Run a call of the model.

        Args:
            call: which tool, with what.
            thought: why it calls.
            offered: names of the tools that it had; of others only those run that it could have found.
        """

        async def run(given: Mapping[str, Any]) -> ToolResult:
            return await self._run(replace(call, args=given), thought, offered)

        return await self._journal.guest.call_tool(call.func_name, call.args, run)

    async def _run(self, call: ToolCall, thought: str, offered: frozenset[str]) -> ToolResult:
        name, arguments = call.func_name, call.args
        tool = self._plugins.by_name.get(name)
        hidden = tool is not None and tool.deferred and name not in self._found
        if name not in offered and not hidden:
            return ToolResult.failed(self._text("unknown_tool", name=name))
        if arguments.keys() == {"raw_arguments"}:
            return ToolResult.failed(self._text("bad_arguments"))
        if tool is not None:
            result = await self._call_plugin(tool, call, thought)
            if hidden and not result.success:
                return ToolResult.failed(f"{result.output}\n{self._text('search_first')}")
            return result
        if name == SEND_EMOJI and self._emoji is not None:
            return await self._send_emoji(self._emoji, arguments, thought)
        match name:
            case "reply":
                return await self._answer(ReplyArguments.of(arguments), thought, call.call_id)
            case "wait":
                return await self._wait(arguments.get("seconds"))
            case "no_reply":
                return ToolResult(self._text("tool_worked"), ends=True)
            case "tool_search":
                return self._search(str(arguments.get("query") or ""))
        return ToolResult.failed(self._text("unknown_tool", name=name))

    async def _call_plugin(self, tool: PluginTool, call: ToolCall, thought: str) -> ToolResult:
        component = next(each for each, declared in self._components if declared is tool.component)
        try:
            invoked = await component.invoke(tool.arguments(call.args, self._place, thought))
        except ComponentGoneError as lost:
            return ToolResult.failed(str(lost))
        if invoked.success:
            return result_of(invoked.result, self._locale, call.call_id)
        logger.error("The tool {} of {} failed: {}\n{}", tool.name, tool.plugin_id, invoked.result, invoked.traceback)
        return ToolResult.failed(str(invoked.result))

    async def _answer(self, asked: ReplyArguments, thought: str, call_id: str) -> ToolResult:
        # Platforms repeat their ids.
        latest = (self._heard, *reversed(self._selected.messages))
        target = next((each for each in latest if each.message_id == asked.msg_id), self._heard)
        wanted = ReplyWanted(
            target=target,
            selected=self._selected,
            call_id=call_id,
            reason=thought,
            reference_info=asked.reference_info,
            reply_tool_args=asked.reply_tool_args,
            # There is no such message on the platform.
            quote=asked.set_quote and not target.is_notify,
        )
        try:
            reports = await self._reply.run(wanted, self._journal)
        except ReplyFailedError as failure:
            self.failure = failure
            return ToolResult(failure.text(self._locale), success=False, ends=failure.code == "reply_stopped")
        self.reports += reports
        text = "\n".join(report.message.text for report in reports)
        if reports[0].sent:
            return ToolResult(self._text("replied", text=text), ends=True)
        # Whatever kept it from being sent would keep another one too.
        return ToolResult(self._text("not_replied", text=text), success=False, ends=True)

    async def _send_emoji(self, emoji: EmojiTool, arguments: Mapping[str, Any], thought: str) -> ToolResult:
        result, reports = await emoji.run(arguments, thought, self._heard, self._selected.messages, self._journal)
        self.reports += reports
        return result

    async def _wait(self, seconds: object) -> ToolResult:
        """Where something more is said, this turn goes on with it, or else ends, and the turn of what was said does."""
        asked = float(seconds) if isinstance(seconds, int | float) else LONGEST_WAIT_SECONDS
        pause = asyncio.ensure_future(self._pause(min(max(asked, 0.0), LONGEST_WAIT_SECONDS)))
        more = asyncio.ensure_future(self._turn.more.wait())
        try:
            await asyncio.wait((pause, more), return_when=asyncio.FIRST_COMPLETED)
        finally:
            pause.cancel()
            more.cancel()
        if self._turn.more.is_set():
            return ToolResult(self._text("went_on"), ends=not self._turn.can_join)
        return ToolResult(self._text("waited"))

    def _search(self, query: str) -> ToolResult:
        tools: Sequence[PluginTool] = self._plugins.search(query)
        self._found.update(tool.offered_as for tool in tools)
        if not tools:
            return ToolResult.failed(self._text("nothing_found"))
        return ToolResult("\n".join(f"{tool.offered_as}: {tool.description}" for tool in tools))

    def _text(self, code: str, **fields: object) -> str:
        return PROMPT_TEXTS.render(code, fields, self._locale)
