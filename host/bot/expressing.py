"""Which of the chat's ways of speaking a reply may use: a model chooses, between the hooks of the choice."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from loguru import logger

from host.bot.bounds import AnsweringSettings
from host.bot.chat_context import ContextBuilder
from host.bot.hook_site import HandlerFailure, Journal
from host.bot.prompt_texts import PROMPT_TEXTS
from host.bot.reply_wanted import ReplyWanted, is_id
from host.hooks import Hooks
from host.models import Caller, JsonAnswer, ModelError, ModelRequest, Models, user
from host.storage import Expressions, StorageError

TASK = "utility"
BEFORE = "expression.select.before_select"
AFTER = "expression.select.after_selection"
Candidate = Mapping[str, Any]
"""``{"id", "situation", "style", "count"}``."""

_HAN = re.compile(r"[\u3400-\u9fff]")
_RUN = re.compile(r"[\u3400-\u9fff]+|[^\W\u3400-\u9fff]+")
_SCHEMA = {
    "type": "object",
    "properties": {"ids": {"type": "array", "items": {"type": "integer"}}},
    "required": ["ids"],
    "additionalProperties": False,
}


class ExpressionChoice:
    """Chooses ways of speaking for replies. Any number of choices may be under way at once.

    Args:
        hooks: the kernel.
        models: choose where there are more candidates than may be used.
        contexts: tells the chat.
        expressions: what the bot learned; None where nothing is kept, then only plugins bring candidates.
        bounds: how many candidates are loaded, and how many may be used.
    """

    def __init__(
        self,
        hooks: Hooks,
        models: Models,
        contexts: ContextBuilder,
        expressions: Expressions | None,
        bounds: AnsweringSettings,
    ) -> None:
        self._hooks = hooks
        self._models = models
        self._contexts = contexts
        self._expressions = expressions
        self._bounds = bounds

    async def choose(self, wanted: ReplyWanted, journal: Journal) -> ReplyWanted:
        """The reply with the expressions that it may use, and its arguments as the hooks left them.

        Args:
            wanted: the reply.
            journal: takes down what happens at hooks.

        Raises:
            ChainDepthError: hooks fired hooks too deep.
        """
        payload = self._payload(wanted, await self._loaded(wanted.target.session_id))
        before = await self._fire(BEFORE, payload, journal)
        if before is None:
            return wanted
        wanted = replace(wanted, reply_tool_args=before["reply_tool_args"] or {})
        candidates = _usable(before["candidates"], payload["candidates"])
        # None of them is as good as no word: then all are left.
        limit = before["max_num"] or len(candidates)
        chosen = await self._chosen(candidates, limit, wanted)
        ids = [each["id"] for each in chosen]
        payload = {
            **before,
            "candidates": candidates,
            "selected_expressions": chosen,
            "selected_expression_ids": ids,
        }
        after = await self._fire(AFTER, payload, journal)
        if after is None:
            return wanted
        return replace(
            wanted,
            reply_tool_args=after["reply_tool_args"] or {},
            expressions=tuple(_settled(payload, after, candidates)),
        )

    def _payload(self, wanted: ReplyWanted, candidates: list[dict[str, Any]]) -> dict[str, Any]:
        target, messages = wanted.target, wanted.selected.messages
        return {
            "chat_id": target.session_id,
            "session_id": target.session_id,
            "chat_info": self._contexts.transcript(messages),
            "chat_history": self._contexts.history_rows(messages),
            "reply_message": {"message_id": target.message_id, "text": target.text},
            "reply_tool_args": dict(wanted.reply_tool_args),
            "target_message": target.text,
            "reply_reason": wanted.reason,
            "max_num": self._bounds.max_expressions,
            "think_level": 0,
            "candidates": candidates,
        }

    async def _loaded(self, session_id: str) -> list[dict[str, Any]]:
        if self._expressions is None:
            return []
        try:
            found = await self._expressions.of([session_id], limit=self._bounds.expression_candidates)
        except StorageError as error:
            logger.error("No expressions for a reply: {}", error)
            return []
        return [
            {"id": each.id, "situation": each.situation, "style": each.style, "count": each.count} for each in found
        ]

    async def _fire(self, hook: str, payload: Mapping[str, Any], journal: Journal) -> Mapping[str, Any] | None:
        """The payload that came back; None where a handler aborted."""
        result = await self._hooks.invoke(hook, payload)
        journal.failures += [HandlerFailure(hook, error) for error in result.errors]
        return None if result.stopped_by is not None else result.kwargs

    async def _chosen(self, candidates: list[Candidate], limit: int, wanted: ReplyWanted) -> list[Candidate]:
        """At most `limit` of the candidates, or all where it is negative: those that a model names, else the ones that
        share most with the message.
        """
        if limit < 0 or len(candidates) <= limit:
            return candidates
        named = await self._named(candidates, limit, wanted) if self._models.settings.providers else None
        return _nearest(candidates, wanted.target.text)[:limit] if named is None else named[:limit]

    async def _named(self, candidates: list[Candidate], limit: int, wanted: ReplyWanted) -> list[Candidate] | None:
        """The candidates that a model names, perhaps none; None where it gives no answer that can be used."""
        lines = (f"{each['id']}: {each['situation']} -> {each['style']}" for each in candidates)
        told = {
            "chat": self._contexts.transcript(wanted.selected.messages),
            "line": self._contexts.transcript([wanted.target]),
            "expressions": "\n".join(lines),
            "limit": limit,
        }
        prompt = PROMPT_TEXTS.render("choose_expressions", told, self._contexts.profile.locale)
        request = ModelRequest((user(prompt),), json=JsonAnswer(_SCHEMA, "expressions"))
        caller = Caller("expression.select", session_id=wanted.target.session_id)
        try:
            answer = await self._models.generate(TASK, request, caller=caller)
            ids = json.loads(answer.text)["ids"]
            by_id = {each["id"]: each for each in candidates}
            named = [by_id[number] for number in dict.fromkeys(ids) if number in by_id]
        except ModelError as error:
            logger.warning("Expressions are chosen without a model: {}", error)
            return None
        except (ValueError, TypeError, KeyError, RecursionError):
            logger.warning("Expressions are chosen without a model, whose answer names none: {}", answer.text[:200])
            return None
        return named if named or not ids else None


def _usable(returned: Sequence[Any] | None, given: list[Candidate]) -> list[Candidate]:
    """The candidates that came back, without those that are none; the ones given where nothing of use came back."""
    if returned is None:
        return given
    usable = [each for each in returned if is_id(each.get("id")) and each.get("situation") and each.get("style")]
    return usable if usable or not returned else given


def _settled(given: Mapping[str, Any], returned: Mapping[str, Any], candidates: list[Candidate]) -> list[Candidate]:
    """The choice that came back: as dicts where those were changed, else as ids of candidates."""
    chosen: list[Candidate] = given["selected_expressions"]
    dicts = [each for each in returned["selected_expressions"] if each.get("situation") and each.get("style")]
    if dicts and returned["selected_expressions"] != chosen:
        return dicts
    ids: list[int] = returned["selected_expression_ids"]
    if ids == given["selected_expression_ids"]:
        return chosen
    by_id = {each["id"]: each for each in candidates}
    known = [by_id[number] for number in ids if number in by_id]
    return known if known or not ids else chosen


def _nearest(candidates: list[Candidate], text: str) -> list[Candidate]:
    """The candidates in order of how much their situations share with a text; of those that are equal, the ones met
    more often first, as they were loaded.
    """
    said = _words(text)
    return sorted(candidates, key=lambda each: -len(said & _words(str(each["situation"]))))


def _words(text: str) -> set[str]:
    """The words of a text; in Chinese, which has no spaces, each pair of characters."""
    runs = _RUN.findall(text.casefold())
    return {
        run[at : at + 2] if _HAN.match(run) else run
        for run in runs
        for at in (range(len(run) - 1) if _HAN.match(run) else range(1))
    }
