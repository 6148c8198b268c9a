"""The planner, which decides what to do about a message."""

from host.catalogue.reconciling import reconcile_answer, reconcile_context
from host.hooks import HookSpec
from maibot_sdk import hooks

PLANNER_HOOKS = (
    HookSpec(
        name=hooks.MAISAKA_PLANNER_BEFORE_REQUEST,
        payload=hooks.MaisakaPlannerBeforeRequest,
        description="Fires before the planner asks its model. Context (as messages or as items) and tools may be "
        "changed. Cannot be aborted.",
        translations={"zh": "规划器请求模型之前触发。可改写上下文（messages 或 items）和工具定义；不可中止。"},
        allow_abort=False,
        default_timeout_ms=6000,
        reconcile=reconcile_context,
    ),
    HookSpec(
        name=hooks.MAISAKA_PLANNER_AFTER_RESPONSE,
        payload=hooks.MaisakaPlannerAfterResponse,
        description="Fires when the planner has its answer. Text, tool calls or output items may be changed. Cannot be "
        "aborted.",
        translations={"zh": "规划器收到模型响应之后触发。可改写文本、工具调用或输出条目；不可中止。"},
        allow_abort=False,
        default_timeout_ms=6000,
        reconcile=reconcile_answer,
    ),
)
