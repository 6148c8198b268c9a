"""The replyer, which words what the bot says, up to the reply that people will see."""

from host.catalogue.reconciling import reconcile_context, reconcile_reply
from host.hooks import HookSpec
from maibot_sdk import hooks

REPLYER_HOOKS = (
    HookSpec(
        name=hooks.MAISAKA_REPLYER_BEFORE_REQUEST,
        payload=hooks.MaisakaReplyerBeforeRequest,
        description="Fires before the replyer builds its request. Task, model, further demands, reference material and "
        "the arguments of the reply tool may be changed. Cannot be aborted.",
        translations={
            "zh": "回复器构造请求之前触发。可改写任务、模型、额外要求、参考信息和 reply 工具参数；不可中止。"
        },
        allow_abort=False,
        default_timeout_ms=6000,
    ),
    HookSpec(
        name=hooks.MAISAKA_REPLYER_BEFORE_MODEL_REQUEST,
        payload=hooks.MaisakaReplyerBeforeModelRequest,
        description="Fires when the request of the replyer is built, before it goes to the model. Its messages or "
        "items may be changed, for this one call; history and memory stay. Cannot be aborted.",
        translations={
            "zh": "回复器构造好最终请求、调用模型之前触发。可改写本次请求的 messages 或 items，"
            "不影响聊天历史和记忆；不可中止。"
        },
        allow_abort=False,
        default_timeout_ms=6000,
        reconcile=reconcile_context,
    ),
    HookSpec(
        name=hooks.MAISAKA_REPLYER_AFTER_RESPONSE,
        payload=hooks.MaisakaReplyerAfterResponse,
        description="Fires when the replyer has its answer. It may be rewritten, or a new one asked for with retry. "
        "Cannot be aborted; an empty response fails the reply.",
        translations={
            "zh": "回复器收到模型响应之后触发。可改写回复，或用 retry 要求重新生成；不可中止，回复为空则本次回复失败。"
        },
        allow_abort=False,
        default_timeout_ms=6000,
        reconcile=reconcile_reply,
    ),
    HookSpec(
        name=hooks.MAISAKA_REPLY_BEFORE_POST_PROCESS,
        payload=hooks.MaisakaReplyBeforePostProcess,
        description="Fires when the visible reply is settled, before it is split and given typing errors. The reply "
        "and these switches may be changed. Cannot be aborted; an empty response fails the reply.",
        translations={
            "zh": "最终可见回复确定后、分段和错别字等后处理之前触发。可改写回复和后处理开关；不可中止，"
            "回复为空则本次回复失败。"
        },
        allow_abort=False,
        default_timeout_ms=6000,
    ),
)
