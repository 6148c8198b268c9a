"""The built-in hooks for plugin authors: their names, and the type of what each hands over.

    from typing import Unpack

    @HookHandler(hooks.SEND_SERVICE_BEFORE_SEND)
    async def quiet(self, **kwargs: Unpack[hooks.SendServiceBeforeSend]) -> hooks.HookReturn:
        kwargs["typing"] = False
        return {"modified_kwargs": kwargs}

The payload of a hook is named after it: `send_service.before_send` hands over a `SendServiceBeforeSend`. A key that
is `NotRequired` may be missing or None. Return a value in any form that its type (`Flag`, `Words`, ...) allows.

With these types mypy and pyright, in strict mode too, find a misspelt hook or key and a value of a wrong type. The name
of a hook that is not built in is written `CustomHook("shop.order.paid")`.
"""

from maibot_sdk._payloads.chat import ChatReceiveAfterProcess, ChatReceiveBeforeProcess
from maibot_sdk._payloads.command import ChatCommandAfterExecute, ChatCommandBeforeExecute
from maibot_sdk._payloads.emoji import (
    EmojiInfo,
    EmojiMaisakaAfterSelect,
    EmojiMaisakaBeforeSelect,
    EmojiRegisterAfterBuildDescription,
    EmojiRegisterAfterBuildEmotion,
)
from maibot_sdk._payloads.expression import (
    ChatHistoryItem,
    ExpressionCandidate,
    ExpressionLearnAfterExtract,
    ExpressionLearnBeforeUpsert,
    ExpressionSelectAfterSelection,
    ExpressionSelectBeforeSelect,
    LearnedExpression,
    RepliedMessage,
)
from maibot_sdk._payloads.fields import (
    Flag,
    JsonObject,
    Limit,
    LooseText,
    OptionalText,
    RealFlag,
    Reference,
    Request,
    Text,
    Texts,
    Words,
)
from maibot_sdk._payloads.jargon import (
    JargonEntry,
    JargonExtractBeforePersist,
    JargonInferenceBeforeFinalize,
    JargonQueryAfterSearch,
    JargonQueryBeforeSearch,
    JargonResult,
)
from maibot_sdk._payloads.message import GroupInfo, MessageInfo, MessageSegment, SessionMessage, UserInfo
from maibot_sdk._payloads.names import (
    CHAT_COMMAND_AFTER_EXECUTE,
    CHAT_COMMAND_BEFORE_EXECUTE,
    CHAT_RECEIVE_AFTER_PROCESS,
    CHAT_RECEIVE_BEFORE_PROCESS,
    EMOJI_MAISAKA_AFTER_SELECT,
    EMOJI_MAISAKA_BEFORE_SELECT,
    EMOJI_REGISTER_AFTER_BUILD_DESCRIPTION,
    EMOJI_REGISTER_AFTER_BUILD_EMOTION,
    EXPRESSION_LEARN_AFTER_EXTRACT,
    EXPRESSION_LEARN_BEFORE_UPSERT,
    EXPRESSION_SELECT_AFTER_SELECTION,
    EXPRESSION_SELECT_BEFORE_SELECT,
    JARGON_EXTRACT_BEFORE_PERSIST,
    JARGON_INFERENCE_BEFORE_FINALIZE,
    JARGON_QUERY_AFTER_SEARCH,
    JARGON_QUERY_BEFORE_SEARCH,
    MAISAKA_PLANNER_AFTER_RESPONSE,
    MAISAKA_PLANNER_BEFORE_REQUEST,
    MAISAKA_REPLY_BEFORE_POST_PROCESS,
    MAISAKA_REPLYER_AFTER_RESPONSE,
    MAISAKA_REPLYER_BEFORE_MODEL_REQUEST,
    MAISAKA_REPLYER_BEFORE_REQUEST,
    SEND_SERVICE_AFTER_BUILD_MESSAGE,
    SEND_SERVICE_AFTER_SEND,
    SEND_SERVICE_BEFORE_SEND,
    CustomHook,
    HookName,
)
from maibot_sdk._payloads.planner import MaisakaPlannerAfterResponse, MaisakaPlannerBeforeRequest, TokenUsage
from maibot_sdk._payloads.prompt import (
    ContextItem,
    FunctionCall,
    FunctionDefinition,
    ItemMeta,
    PromptMessage,
    ToolCall,
    ToolDefinition,
)
from maibot_sdk._payloads.replyer import (
    MaisakaReplyBeforePostProcess,
    MaisakaReplyerAfterResponse,
    MaisakaReplyerBeforeModelRequest,
    MaisakaReplyerBeforeRequest,
)
from maibot_sdk._payloads.returned import HookReturn
from maibot_sdk._payloads.send import SendServiceAfterBuildMessage, SendServiceAfterSend, SendServiceBeforeSend

__all__ = [
    "CHAT_COMMAND_AFTER_EXECUTE",
    "CHAT_COMMAND_BEFORE_EXECUTE",
    "CHAT_RECEIVE_AFTER_PROCESS",
    "CHAT_RECEIVE_BEFORE_PROCESS",
    "EMOJI_MAISAKA_AFTER_SELECT",
    "EMOJI_MAISAKA_BEFORE_SELECT",
    "EMOJI_REGISTER_AFTER_BUILD_DESCRIPTION",
    "EMOJI_REGISTER_AFTER_BUILD_EMOTION",
    "EXPRESSION_LEARN_AFTER_EXTRACT",
    "EXPRESSION_LEARN_BEFORE_UPSERT",
    "EXPRESSION_SELECT_AFTER_SELECTION",
    "EXPRESSION_SELECT_BEFORE_SELECT",
    "JARGON_EXTRACT_BEFORE_PERSIST",
    "JARGON_INFERENCE_BEFORE_FINALIZE",
    "JARGON_QUERY_AFTER_SEARCH",
    "JARGON_QUERY_BEFORE_SEARCH",
    "MAISAKA_PLANNER_AFTER_RESPONSE",
    "MAISAKA_PLANNER_BEFORE_REQUEST",
    "MAISAKA_REPLYER_AFTER_RESPONSE",
    "MAISAKA_REPLYER_BEFORE_MODEL_REQUEST",
    "MAISAKA_REPLYER_BEFORE_REQUEST",
    "MAISAKA_REPLY_BEFORE_POST_PROCESS",
    "SEND_SERVICE_AFTER_BUILD_MESSAGE",
    "SEND_SERVICE_AFTER_SEND",
    "SEND_SERVICE_BEFORE_SEND",
    "ChatCommandAfterExecute",
    "ChatCommandBeforeExecute",
    "ChatHistoryItem",
    "ChatReceiveAfterProcess",
    "ChatReceiveBeforeProcess",
    "ContextItem",
    "CustomHook",
    "EmojiInfo",
    "EmojiMaisakaAfterSelect",
    "EmojiMaisakaBeforeSelect",
    "EmojiRegisterAfterBuildDescription",
    "EmojiRegisterAfterBuildEmotion",
    "ExpressionCandidate",
    "ExpressionLearnAfterExtract",
    "ExpressionLearnBeforeUpsert",
    "ExpressionSelectAfterSelection",
    "ExpressionSelectBeforeSelect",
    "Flag",
    "FunctionCall",
    "FunctionDefinition",
    "GroupInfo",
    "HookName",
    "HookReturn",
    "ItemMeta",
    "JargonEntry",
    "JargonExtractBeforePersist",
    "JargonInferenceBeforeFinalize",
    "JargonQueryAfterSearch",
    "JargonQueryBeforeSearch",
    "JargonResult",
    "JsonObject",
    "LearnedExpression",
    "Limit",
    "LooseText",
    "MaisakaPlannerAfterResponse",
    "MaisakaPlannerBeforeRequest",
    "MaisakaReplyBeforePostProcess",
    "MaisakaReplyerAfterResponse",
    "MaisakaReplyerBeforeModelRequest",
    "MaisakaReplyerBeforeRequest",
    "MessageInfo",
    "MessageSegment",
    "OptionalText",
    "PromptMessage",
    "RealFlag",
    "Reference",
    "RepliedMessage",
    "Request",
    "SendServiceAfterBuildMessage",
    "SendServiceAfterSend",
    "SendServiceBeforeSend",
    "SessionMessage",
    "Text",
    "Texts",
    "TokenUsage",
    "ToolCall",
    "ToolDefinition",
    "UserInfo",
    "Words",
]
