"""The chain that chooses and registers emoji."""

from host.hooks import HookSpec
from maibot_sdk import hooks

EMOJI_HOOKS = (
    HookSpec(
        name=hooks.EMOJI_MAISAKA_BEFORE_SELECT,
        payload=hooks.EmojiMaisakaBeforeSelect,
        description="Fires before the bot chooses an emoji. Emotion, reasoning, context and number of candidates may "
        "be changed. An abort fails the tool with abort_message; nothing is sent.",
        translations={
            "zh": "Maisaka 选择表情之前触发。可改写情绪、理由、上下文和候选数量；"
            "中止则表情工具以 abort_message 失败，不发送表情。"
        },
        default_timeout_ms=5000,
    ),
    HookSpec(
        name=hooks.EMOJI_MAISAKA_AFTER_SELECT,
        payload=hooks.EmojiMaisakaAfterSelect,
        description="Fires when an emoji was chosen, or none was found. Another registered one may be put in its "
        "place, by hash first. An abort fails the tool with abort_message; nothing is sent.",
        translations={
            "zh": "Maisaka 选出表情之后触发。可换成另一个已注册的表情（优先按哈希）；"
            "中止则表情工具以 abort_message 失败，不发送表情。"
        },
        default_timeout_ms=5000,
    ),
    HookSpec(
        name=hooks.EMOJI_REGISTER_AFTER_BUILD_DESCRIPTION,
        payload=hooks.EmojiRegisterAfterBuildDescription,
        description="Fires when a new emoji got its description, which may be rewritten and is then split into tags. "
        "An abort or an empty description refuses the emoji.",
        translations={
            "zh": "新表情的描述生成之后触发。可改写描述，随后会被拆分为标签；中止或描述为空则拒绝注册该表情。"
        },
        default_timeout_ms=5000,
    ),
    HookSpec(
        name=hooks.EMOJI_REGISTER_AFTER_BUILD_EMOTION,
        payload=hooks.EmojiRegisterAfterBuildEmotion,
        description="Fires when a new emoji got its emotions, which may be changed. An abort or an empty list refuses "
        "the emoji.",
        translations={"zh": "新表情的情绪标签生成之后触发。可改写标签；中止或标签为空则拒绝注册该表情。"},
        default_timeout_ms=5000,
    ),
)
