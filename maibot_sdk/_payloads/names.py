"""The names of the built-in hooks."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

CHAT_RECEIVE_BEFORE_PROCESS: Final = "chat.receive.before_process"
CHAT_RECEIVE_AFTER_PROCESS: Final = "chat.receive.after_process"
CHAT_COMMAND_BEFORE_EXECUTE: Final = "chat.command.before_execute"
CHAT_COMMAND_AFTER_EXECUTE: Final = "chat.command.after_execute"
EMOJI_MAISAKA_BEFORE_SELECT: Final = "emoji.maisaka.before_select"
EMOJI_MAISAKA_AFTER_SELECT: Final = "emoji.maisaka.after_select"
EMOJI_REGISTER_AFTER_BUILD_DESCRIPTION: Final = "emoji.register.after_build_description"
EMOJI_REGISTER_AFTER_BUILD_EMOTION: Final = "emoji.register.after_build_emotion"
JARGON_QUERY_BEFORE_SEARCH: Final = "jargon.query.before_search"
JARGON_QUERY_AFTER_SEARCH: Final = "jargon.query.after_search"
JARGON_EXTRACT_BEFORE_PERSIST: Final = "jargon.extract.before_persist"
JARGON_INFERENCE_BEFORE_FINALIZE: Final = "jargon.inference.before_finalize"
EXPRESSION_SELECT_BEFORE_SELECT: Final = "expression.select.before_select"
EXPRESSION_SELECT_AFTER_SELECTION: Final = "expression.select.after_selection"
EXPRESSION_LEARN_AFTER_EXTRACT: Final = "expression.learn.after_extract"
EXPRESSION_LEARN_BEFORE_UPSERT: Final = "expression.learn.before_upsert"
SEND_SERVICE_AFTER_BUILD_MESSAGE: Final = "send_service.after_build_message"
SEND_SERVICE_BEFORE_SEND: Final = "send_service.before_send"
SEND_SERVICE_AFTER_SEND: Final = "send_service.after_send"
MAISAKA_PLANNER_BEFORE_REQUEST: Final = "maisaka.planner.before_request"
MAISAKA_PLANNER_AFTER_RESPONSE: Final = "maisaka.planner.after_response"
MAISAKA_REPLYER_BEFORE_REQUEST: Final = "maisaka.replyer.before_request"
MAISAKA_REPLYER_BEFORE_MODEL_REQUEST: Final = "maisaka.replyer.before_model_request"
MAISAKA_REPLYER_AFTER_RESPONSE: Final = "maisaka.replyer.after_response"
MAISAKA_REPLY_BEFORE_POST_PROCESS: Final = "maisaka.reply.before_post_process"

HookName: TypeAlias = Literal[
    "chat.receive.before_process",
    "chat.receive.after_process",
    "chat.command.before_execute",
    "chat.command.after_execute",
    "emoji.maisaka.before_select",
    "emoji.maisaka.after_select",
    "emoji.register.after_build_description",
    "emoji.register.after_build_emotion",
    "jargon.query.before_search",
    "jargon.query.after_search",
    "jargon.extract.before_persist",
    "jargon.inference.before_finalize",
    "expression.select.before_select",
    "expression.select.after_selection",
    "expression.learn.after_extract",
    "expression.learn.before_upsert",
    "send_service.after_build_message",
    "send_service.before_send",
    "send_service.after_send",
    "maisaka.planner.before_request",
    "maisaka.planner.after_response",
    "maisaka.replyer.before_request",
    "maisaka.replyer.before_model_request",
    "maisaka.replyer.after_response",
    "maisaka.reply.before_post_process",
]
"""The name of a built-in hook, so that a type checker finds a misspelt one."""


class CustomHook(str):
    """A hook name that is not built in, for type checkers: `@HookHandler(CustomHook("shop.order.paid"))`.

    At run time any text names a hook, and the host decides whether there is such a hook.
    """
