"""The chain that looks up and learns jargon."""

from host.hooks import HookSpec
from maibot_sdk import hooks

JARGON_HOOKS = (
    HookSpec(
        name=hooks.JARGON_QUERY_BEFORE_SEARCH,
        payload=hooks.JargonQueryBeforeSearch,
        description="Fires before jargon is looked up. The words and how they are searched may be changed. An abort "
        "fails the tool with abort_message, and so does an empty list of words.",
        translations={
            "zh": "查询黑话之前触发。可改写要查的词和检索方式；中止则查询工具以 abort_message 失败，"
            "词表为空同样视为失败。"
        },
        default_timeout_ms=5000,
    ),
    HookSpec(
        name=hooks.JARGON_QUERY_AFTER_SEARCH,
        payload=hooks.JargonQueryAfterSearch,
        description="Fires when jargon was looked up. The results, which become the answer of the tool, may be "
        "replaced. An abort fails the tool with abort_message.",
        translations={
            "zh": "黑话查询完成之后触发。可替换作为工具返回的查询结果；中止则查询工具以 abort_message 失败。"
        },
        default_timeout_ms=5000,
    ),
    HookSpec(
        name=hooks.JARGON_EXTRACT_BEFORE_PERSIST,
        payload=hooks.JargonExtractBeforePersist,
        description="Fires before new jargon is stored. The entries may be changed. An abort or an empty list stores "
        "nothing.",
        translations={"zh": "新黑话写库之前触发。可改写条目；中止或条目为空则不写入任何内容。"},
        default_timeout_ms=5000,
    ),
    HookSpec(
        name=hooks.JARGON_INFERENCE_BEFORE_FINALIZE,
        payload=hooks.JargonInferenceBeforeFinalize,
        description="Fires before an inferred meaning is stored. Meaning and verdict may be changed. An abort throws "
        "the result away and leaves what is stored as it was.",
        translations={
            "zh": "推断出的黑话含义写回之前触发。可改写含义与判定；中止则丢弃本次结果，已存储的内容保持不变。"
        },
        default_timeout_ms=5000,
    ),
)
