"""The chain that chooses and learns expressions."""

from host.hooks import HookSpec
from maibot_sdk import hooks

EXPRESSION_HOOKS = (
    HookSpec(
        name=hooks.EXPRESSION_SELECT_BEFORE_SELECT,
        payload=hooks.ExpressionSelectBeforeSelect,
        description="Fires when the candidates are loaded, before expressions are chosen. The candidates and how many "
        "to choose may be changed. An abort lets the reply go on without expressions.",
        translations={
            "zh": "表达方式候选载入后、选择之前触发。可改写候选和选择数量；中止则本次回复不使用任何表达方式。"
        },
        default_timeout_ms=5000,
    ),
    HookSpec(
        name=hooks.EXPRESSION_SELECT_AFTER_SELECTION,
        payload=hooks.ExpressionSelectAfterSelection,
        description="Fires when expressions were chosen. Others may be put in their place, as dicts or as ids of "
        "candidates. An abort lets the reply go on without expressions.",
        translations={
            "zh": "表达方式选择完成之后触发。可用字典或候选 ID 替换选择结果；中止则本次回复不使用任何表达方式。"
        },
        default_timeout_ms=5000,
    ),
    HookSpec(
        name=hooks.EXPRESSION_LEARN_AFTER_EXTRACT,
        payload=hooks.ExpressionLearnAfterExtract,
        description="Fires when expressions were read out of a batch of messages. They may be changed. An abort drops "
        "the batch.",
        translations={"zh": "从一批消息中提取出表达方式之后触发。可改写提取结果；中止则放弃这一批。"},
        default_timeout_ms=5000,
    ),
    HookSpec(
        name=hooks.EXPRESSION_LEARN_BEFORE_UPSERT,
        payload=hooks.ExpressionLearnBeforeUpsert,
        description="Fires before each expression is stored. Situation and style may be changed. An abort, or one of "
        "them empty, skips this expression only.",
        translations={"zh": "每条表达方式写库之前触发。可改写情境与风格；中止或其中一项为空则只跳过这一条。"},
        default_timeout_ms=5000,
    ),
)
