"""The reply chain: what the bot says is worded by a model, between the hooks of the replyer."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from loguru import logger

from host.bot.bounds import AnsweringSettings
from host.bot.chat_context import ChatContext, ContextBuilder, answer_forms
from host.bot.expressing import ExpressionChoice
from host.bot.hook_site import Journal, consult
from host.bot.message import Clock
from host.bot.model_forms import items_back, output_of, prompt_of, tokens_of
from host.bot.prompt_texts import PROMPT_TEXTS
from host.bot.reply_wanted import ReplyFailedError, ReplyWanted
from host.catalogue.context_items import STAMP
from host.hooks import Hooks
from host.models import Caller, ModelAnswer, ModelEntry, ModelError, ModelRequest, Models

TASK = "replyer"
_YES = frozenset({"1", "true", "yes", "on", "retry"})


@dataclass(frozen=True, slots=True)
class _Demands:
    """What one attempt is to keep to, as `maisaka.replyer.before_request` leaves it."""

    task: str
    model: str
    extra_prompt: str


class Replyer:
    """Words replies. Any number may be under way at once.

    Args:
        hooks: the kernel.
        models: who is asked.
        contexts: tells the chat.
        choice: of ways of speaking.
        clock: what time it is.
        bounds: how many attempts and pictures there may be.
    """

    def __init__(
        self,
        hooks: Hooks,
        models: Models,
        contexts: ContextBuilder,
        choice: ExpressionChoice,
        clock: Clock,
        bounds: AnsweringSettings,
    ) -> None:
        self._hooks = hooks
        self._models = models
        self._contexts = contexts
        self._choice = choice
        self._clock = clock
        self._bounds = bounds

    async def word(self, wanted: ReplyWanted, journal: Journal) -> tuple[str, ReplyWanted]:
        """Let a model word a reply, again where a plugin asks for it.

        Args:
            wanted: the reply.
            journal: takes down what happens at hooks.

        Returns:
            The text, and the reply as the hooks changed it.

        Raises:
            ReplyFailedError: no model answered, or nothing was left of the answer.
            ChainDepthError: hooks fired hooks too deep.
        """
        wanted = await self._choice.choose(wanted, journal)
        complaint = ""
        most = self._bounds.reply_retries
        for retries in range(most + 1):
            count = {
                "request_type": TASK,
                "attempt": retries + 1,
                "retry_count": retries,
                "max_retries": most,
                "selected_expression_ids": wanted.expression_ids,
            }
            wanted, demands = await self._before_request(wanted, count, journal)
            try:
                answer, wanted = await self._answer(wanted, demands, complaint, count, journal)
            except ModelError as error:
                logger.error("No reply: {}", error)
                raise ReplyFailedError("reply_no_answer", str(error)) from error
            kwargs = await self._after_response(answer, wanted, demands, count, journal)
            wanted = replace(wanted, reply_tool_args=kwargs["reply_tool_args"])
            text = str(kwargs["response"]).strip()
            if str(kwargs["retry"]).strip().lower() in _YES and retries < most:
                complaint = str(kwargs["retry_reason"] or "")
                rule = [kwargs[f"matched_regex{part}"] for part in ("", "_pattern", "_description")]
                logger.info("A new reply is asked for: {} (rule {})", complaint, " | ".join(filter(None, rule)) or "-")
                continue
            break
        if not text:
            raise ReplyFailedError("reply_empty")
        return text, wanted

    async def _before_request(
        self, wanted: ReplyWanted, count: Mapping[str, Any], journal: Journal
    ) -> tuple[ReplyWanted, _Demands]:
        payload = {
            **wanted.place,
            **count,
            "task_name": TASK,
            "model_name": wanted.model,
            "extra_prompt": wanted.extra_prompt,
            "reply_reason": wanted.reason,
            "reference_info": wanted.reference_info,
        }
        kwargs = await consult(self._hooks, "maisaka.replyer.before_request", payload, journal)
        task, model, extra = (str(kwargs[key] or "").strip() for key in ("task_name", "model_name", "extra_prompt"))
        changed = replace(
            wanted,
            reply_tool_args=kwargs["reply_tool_args"],
            reference_info=str(kwargs["reference_info"] or ""),
        )
        return changed, _Demands(task or TASK, model, extra)

    async def _answer(
        self, wanted: ReplyWanted, demands: _Demands, complaint: str, count: Mapping[str, Any], journal: Journal
    ) -> tuple[ModelAnswer, ReplyWanted]:
        chosen = self._chosen(demands)
        sees = chosen is not None and chosen.can("vision")
        context = self._context(wanted, demands, complaint, sees, journal.guest.system_block)
        payload = {
            **wanted.place,
            **count,
            **context.forms(),
            "task_name": demands.task,
            "requested_model_name": demands.model,
            "selected_model_name": chosen.name if chosen else "",
            "selected_model_visual": sees,
            "reply_reason": wanted.reason,
        }
        kwargs = await consult(self._hooks, "maisaka.replyer.before_model_request", payload, journal)
        # Without any item there is nothing to ask: then the request stays as it was.
        items = items_back(context.items, kwargs) or context.items
        answer = await journal.guest.generate(
            self._models,
            demands.task,
            ModelRequest(prompt_of(items)),
            model=demands.model or None,
            caller=Caller(TASK, session_id=wanted.target.session_id),
        )
        return answer, replace(wanted, reply_tool_args=kwargs["reply_tool_args"])

    def _chosen(self, demands: _Demands) -> ModelEntry | None:
        """The model that is asked first, or None where there is none."""
        if demands.model:
            return self._models.model(demands.model)
        return next(iter(self._models.pool(demands.task)), None)

    def _context(self, wanted: ReplyWanted, demands: _Demands, complaint: str, sees: bool, block: str) -> ChatContext:
        contexts, locale = self._contexts, self._contexts.profile.locale
        told = {
            "who": contexts.who(wanted.target),
            "line": contexts.transcript([wanted.target]),
            "style": contexts.profile.reply_style,
            "reason": wanted.reason,
            "reference": wanted.reference_info,
            "expressions": "\n".join(PROMPT_TEXTS.render("expression", each, locale) for each in wanted.expressions),
            "extension": wanted.extension_prompt,
            "extra": demands.extra_prompt,
            "complaint": complaint,
        }
        optional = ("style", "expressions", "reason", "reference", "extension", "extra", "complaint")
        parts = ["replyer", *(f"replyer_{key}" for key in optional if told[key])]
        rendered = [PROMPT_TEXTS.render(part, told, locale) for part in parts]
        prompt = "\n\n".join([*rendered, block] if block else rendered)
        pictures = self._bounds.max_pictures if sees else 0
        return contexts.build(prompt, wanted.selected, now=self._clock(), max_pictures=pictures)

    async def _after_response(
        self,
        answer: ModelAnswer,
        wanted: ReplyWanted,
        demands: _Demands,
        count: Mapping[str, Any],
        journal: Journal,
    ) -> Mapping[str, Any]:
        forms = answer_forms(output_of(answer, STAMP.new_id()))
        payload = {
            **wanted.place,
            **count,
            **{key: forms[key] for key in ("response", "output_items", "item_schema_version")},
            **tokens_of(answer),
            "task_name": demands.task,
            "requested_model_name": demands.model,
            "retry": False,
            "retry_reason": "",
            "matched_regex": "",
            "matched_regex_pattern": "",
            "matched_regex_description": "",
        }
        return await consult(self._hooks, "maisaka.replyer.after_response", payload, journal)
