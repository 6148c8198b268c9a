"""What becomes of the built-in hooks' payloads, in words: which keys the bot reads back, and what an abort does.

The catalogue says what a hook carries and allows; here stands what the place that fires it makes of what comes back.
`hook_pages` puts both on one page. A key that is not named here is not read back: a change to it reaches the handlers
that run later in the same dispatch, and goes no further.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from maibot_sdk import hooks
from maibot_sdk.hooks import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class HookFacts:
    """What the place that fires a hook makes of the result.

    Args:
        read_back: what a change to a key does, by key.
        abort: what an abort does; None for a hook that allows none.
        fired: whether the bot of this version fires the hook.
        notes: what else an author should know.
    """

    read_back: Mapping[str, Text] = field(default_factory=dict)
    abort: Text | None = None
    fired: bool = False
    notes: tuple[Text, ...] = ()


_REBUILT = Text(
    "Taken whole: the bot makes its message of the dict that comes back. Keys that it does not know are dropped.",
    "整条采用：机器人用返回的字典重建消息，不认识的键会被丢弃。",
)
_UNUSABLE = Text(
    "A message that lacks a required key fails the handler that returned it, and nothing of its return counts. One "
    "that passes this check and still cannot be used (say, a mention without a user id) is ignored and recorded.",
    "缺少必需键的消息会让返回它的处理器失败，其返回全部不生效。通过了这项检查却仍无法使用的消息"
    "（例如没有用户 ID 的 @）会被忽略并留下记录。",
)
_REAL_FLAGS = Text(
    "Inside `message`, flags such as `is_at` count only as real booleans; anything else reads as false.",
    "`message` 内部的 `is_at` 等标志只认真正的布尔值，其他值一律视为 false。",
)
_TYPING = Text("Whether the gateway pauses as if someone were typing.", "网关是否模拟打字停顿。")
_QUOTES = Text("Whether `reply_message_id` is quoted.", "是否引用 `reply_message_id`。")
_STORED = Text("Whether the message is kept once it is sent.", "发送后是否保存消息。")
_LOGGED = Text("Whether the sent message goes to the log.", "发送后是否写入日志。")
_SEND_OPTIONS = {"typing": _TYPING, "set_reply": _QUOTES, "storage_message": _STORED, "show_log": _LOGGED}
_TEXT_FOLLOWS = Text(
    "Where you change the segments and leave the message's `processed_plain_text` alone, it is made anew of them.",
    "若只改消息段而不动消息的 `processed_plain_text`，纯文本会按新的消息段重新生成。",
)
_FAILURE_TEXT = Text("What the tool reports when you abort.", "中止时工具报告的失败说明。")
_FAILS_THE_TOOL = Text(
    "The tool fails with `abort_message`, or with a text of the bot where there is none.",
    "工具以 `abort_message` 失败；没有给出时使用机器人自带的说明。",
)
_NO_EXPRESSIONS = Text("The reply goes on without any expression.", "回复照常进行，但不使用任何表达方式。")
_ITEMS_WIN = Text(
    "Both forms of the context are there; where one handler changes both, the items win.",
    "上下文的两种形式并存；同一处理器两者都改时，以条目为准。",
)
_MESSAGES = Text("The context of this one request.", "本次请求的上下文。")
_ITEMS = Text(
    "The context of this one request. Items that break the rules of the item form are refused, and the request stays "
    "as it was.",
    "本次请求的上下文。不合条目规则的条目会被拒绝，请求保持原样。",
)
_OUTPUT_ITEMS = Text(
    "The answer to go on with. Items that break the rules of a model's answer are refused.",
    "后续采用的回答。不合模型输出规则的条目会被拒绝。",
)
_STATISTICS = Text("Counted in the statistics, nothing else.", "只计入统计。")
_RULE_NAME = Text("Goes to the log and the record of retries.", "写入日志与重试记录。")
_EMPTY_REPLY_FAILS = Text("The reply. An empty one fails the reply.", "回复内容。为空则本次回复失败。")
_SWITCH = Text("The switch. Only a real boolean counts.", "该开关。只认真正的布尔值。")

HOOK_FACTS: Mapping[str, HookFacts] = {
    hooks.CHAT_RECEIVE_BEFORE_PROCESS: HookFacts(
        read_back={"message": _REBUILT},
        abort=Text(
            "The message ends here: it is neither processed nor stored, and no command and no model sees it.",
            "消息到此为止：不处理、不入库，命令与模型都看不到它。",
        ),
        fired=True,
        notes=(
            Text(
                "`processed_plain_text` and `session_id` are made anew after this hook; to change the text, change the "
                "segments.",
                "`processed_plain_text` 与 `session_id` 会在此 Hook 之后重新生成；要改文本，请改消息段。",
            ),
            _UNUSABLE,
            _REAL_FLAGS,
        ),
    ),
    hooks.CHAT_RECEIVE_AFTER_PROCESS: HookFacts(
        read_back={"message": _REBUILT},
        abort=Text(
            "The message ends here: it is not stored, and no command and no model sees it.",
            "消息到此为止：不入库，命令与模型都看不到它。",
        ),
        fired=True,
        notes=(
            Text(
                "`processed_plain_text` decides from here on: the bot answers what it says, whatever the segments say. "
                "Change both, or drop the key to have it made of the segments.",
                "此后以 `processed_plain_text` 为准：无论消息段写了什么，机器人都按它作答。"
                "请两者一起改，或去掉该键让它按消息段重新生成。",
            ),
            _UNUSABLE,
            _REAL_FLAGS,
        ),
    ),
    hooks.CHAT_COMMAND_BEFORE_EXECUTE: HookFacts(
        fired=True,
        read_back={
            "message": _REBUILT,
            "command_name": Text(
                "Shown in the log and to the hook afterwards. Which command runs is settled already.",
                "用于日志和之后的 Hook。运行哪条命令此时已确定。",
            ),
            "plugin_id": Text("Whose configuration the command is given.", "决定把哪个插件的配置交给命令。"),
            "matched_groups": Text("What the command is given.", "交给命令的分组内容。"),
        },
        abort=Text(
            "The command does not run. The message counts as handled, without an answer.",
            "命令不执行。消息视为已处理，没有回复。",
        ),
    ),
    hooks.CHAT_COMMAND_AFTER_EXECUTE: HookFacts(
        fired=True,
        read_back={
            "message": _REBUILT,
            "success": Text("Whether the command counts as successful.", "命令是否算作成功。"),
            "response": Text("The answer that is recorded.", "记录下来的回答。"),
            "intercept_message_level": Text("Kept with the message.", "随消息保存。"),
            "continue_process": Text(
                "Decides whether planner and replyer still run.", "决定是否继续进入规划器与回复器。"
            ),
        },
    ),
    hooks.EMOJI_MAISAKA_BEFORE_SELECT: HookFacts(
        read_back={
            "requested_emotion": Text("The emotion that is looked for.", "要找的情绪。"),
            "reasoning": Text("The reason that the choice goes by.", "挑选时参考的理由。"),
            "context_texts": Text("The context that the choice goes by.", "挑选时参考的上下文。"),
            "sample_size": Text("How many are looked at; below 1 it stays as it was.", "候选数量；小于 1 时保持原值。"),
            "abort_message": _FAILURE_TEXT,
        },
        abort=_FAILS_THE_TOOL,
    ),
    hooks.EMOJI_MAISAKA_AFTER_SELECT: HookFacts(
        read_back={
            "requested_emotion": Text("The emotion that is told in the answer.", "写入结果的情绪。"),
            "matched_emotion": Text("The emotion that the answer names as the match.", "结果中记为匹配的情绪。"),
            "selected_emoji_hash": Text(
                "The emoji to send, looked up among the registered ones; wins over `selected_emoji`.",
                "要发送的表情，在已注册的表情中查找；优先于 `selected_emoji`。",
            ),
            "selected_emoji": Text(
                "The emoji to send, found by its `file_hash`. One that is not registered changes nothing.",
                "要发送的表情，按其 `file_hash` 查找；未注册的不起作用。",
            ),
            "abort_message": _FAILURE_TEXT,
        },
        abort=_FAILS_THE_TOOL,
    ),
    hooks.EMOJI_REGISTER_AFTER_BUILD_DESCRIPTION: HookFacts(
        read_back={
            "description": Text(
                "Split into tags at commas, semicolons and line ends. Empty refuses the emoji.",
                "按逗号、分号与换行拆成标签。为空则拒绝注册。",
            )
        },
        abort=Text("The emoji is not registered.", "不注册该表情。"),
    ),
    hooks.EMOJI_REGISTER_AFTER_BUILD_EMOTION: HookFacts(
        read_back={"emotions": Text("The tags to store. Empty refuses the emoji.", "要保存的标签。为空则拒绝注册。")},
        abort=Text("The emoji is not registered.", "不注册该表情。"),
    ),
    hooks.JARGON_QUERY_BEFORE_SEARCH: HookFacts(
        read_back={
            "words": Text("The words that are looked up. Empty fails the tool.", "要查的词。为空则工具失败。"),
            "limit": Text("Entries for each word; below 1 it is 5.", "每个词的条目数；小于 1 时取 5。"),
            "case_sensitive": Text("How words are compared.", "比较时是否区分大小写。"),
            "enable_fuzzy_fallback": Text("Whether similar words are tried.", "是否尝试相近的词。"),
            "abort_message": _FAILURE_TEXT,
        },
        abort=_FAILS_THE_TOOL,
    ),
    hooks.JARGON_QUERY_AFTER_SEARCH: HookFacts(
        read_back={
            "results": Text("Becomes the answer of the tool.", "作为工具的返回结果。"),
            "abort_message": _FAILURE_TEXT,
        },
        abort=_FAILS_THE_TOOL,
    ),
    hooks.JARGON_EXTRACT_BEFORE_PERSIST: HookFacts(
        read_back={"entries": Text("What is stored. Empty stores nothing.", "要写入的条目。为空则什么都不写。")},
        abort=Text("Nothing of this batch is stored.", "这一批什么都不写入。"),
    ),
    hooks.JARGON_INFERENCE_BEFORE_FINALIZE: HookFacts(
        read_back={
            "is_jargon": Text("The verdict that is stored.", "要保存的判定。"),
            "meaning": Text("The meaning that is stored.", "要保存的含义。"),
            "is_complete": Text("Whether the word is never inferred again.", "该词是否不再推断。"),
            "last_inference_count": Text("The count that the next inference waits from.", "下一次推断据以计数的起点。"),
        },
        abort=Text("The result is thrown away; what is stored stays as it was.", "丢弃结果；已存储的内容不变。"),
    ),
    hooks.EXPRESSION_SELECT_BEFORE_SELECT: HookFacts(
        read_back={
            "candidates": Text(
                "The expressions to choose from: dicts with an integer `id`, `situation` and `style`.",
                "可供选择的表达方式：含整数 `id`、`situation` 与 `style` 的字典。",
            ),
            "max_num": Text("How many are chosen; nothing, 0 and less choose all.", "选择数量；不给、0 或更小时全选。"),
        },
        abort=_NO_EXPRESSIONS,
        fired=True,
    ),
    hooks.EXPRESSION_SELECT_AFTER_SELECTION: HookFacts(
        read_back={
            "selected_expressions": Text(
                "The expressions to use, where you changed it and it is not empty.",
                "要使用的表达方式；改动过且不为空时采用。",
            ),
            "selected_expression_ids": Text(
                "Otherwise these, which must be ids of candidates; an empty list uses none.",
                "否则采用这些 ID，必须属于候选；空列表表示不使用。",
            ),
        },
        abort=_NO_EXPRESSIONS,
        fired=True,
    ),
    hooks.EXPRESSION_LEARN_AFTER_EXTRACT: HookFacts(
        read_back={"expressions": Text("What is learnt. Empty learns nothing.", "要学习的内容。为空则什么都不学。")},
        abort=Text("The batch is dropped.", "放弃这一批。"),
    ),
    hooks.EXPRESSION_LEARN_BEFORE_UPSERT: HookFacts(
        read_back={
            "situation": Text("What is stored. Empty skips this expression.", "要保存的情境。为空则跳过这一条。"),
            "style": Text("What is stored. Empty skips this expression.", "要保存的风格。为空则跳过这一条。"),
        },
        abort=Text("This expression is skipped; the next ones are stored.", "跳过这一条；其余照常保存。"),
    ),
    hooks.SEND_SERVICE_AFTER_BUILD_MESSAGE: HookFacts(
        read_back={"message": _REBUILT, **_SEND_OPTIONS},
        abort=Text(
            "The message is not sent, and whoever wanted it sent is told so. No later send hook fires.",
            "消息不发送，发起方会得知未发送；后续发送 Hook 不再触发。",
        ),
        fired=True,
        notes=(_TEXT_FOLLOWS, _UNUSABLE),
    ),
    hooks.SEND_SERVICE_BEFORE_SEND: HookFacts(
        read_back={
            "message": _REBUILT,
            **_SEND_OPTIONS,
            "reply_message_id": Text(
                "The message to quote, while `set_reply` is on. None or an empty text quotes none.",
                "`set_reply` 开启时要引用的消息。None 或空文本表示不引用。",
            ),
        },
        abort=Text(
            "The message is neither sent nor stored, and `send_service.after_send` does not fire.",
            "消息既不发送也不保存，`send_service.after_send` 不触发。",
        ),
        fired=True,
        notes=(_TEXT_FOLLOWS, _UNUSABLE),
    ),
    hooks.SEND_SERVICE_AFTER_SEND: HookFacts(
        fired=True,
        notes=(
            Text(
                "Nothing is left to change or stop, so observe this hook: a blocking handler only holds up the bot.",
                "此时已没有可改可停之事，请用观察模式：阻塞处理器只会拖慢机器人。",
            ),
        ),
    ),
    hooks.MAISAKA_PLANNER_BEFORE_REQUEST: HookFacts(
        fired=True,
        read_back={
            "messages": _MESSAGES,
            "items": _ITEMS,
            "item_schema_version": Text("Has to stay as it is.", "必须保持不变。"),
            "tool_definitions": Text(
                "The tools that are offered; members that are no dicts drop out, an empty list offers none.",
                "提供给模型的工具；非字典成员会被剔除，空列表表示不提供。",
            ),
        },
        notes=(_ITEMS_WIN,),
    ),
    hooks.MAISAKA_PLANNER_AFTER_RESPONSE: HookFacts(
        fired=True,
        read_back={
            "response": Text("The text to go on with.", "后续采用的文本。"),
            "tool_calls": Text("The calls that are carried out.", "要执行的工具调用。"),
            "output_items": _OUTPUT_ITEMS,
            "prompt_tokens": _STATISTICS,
            "completion_tokens": _STATISTICS,
            "total_tokens": _STATISTICS,
        },
        notes=(_ITEMS_WIN,),
    ),
    hooks.MAISAKA_REPLYER_BEFORE_REQUEST: HookFacts(
        fired=True,
        read_back={
            "task_name": Text("Uses the models and parameters of that task.", "改用该任务的模型池与参数。"),
            "model_name": Text(
                "Pins one model of the settings, tried once. A name that is not there is an error that lists the known "
                "ones.",
                "指定设置中的一个模型，只尝试一次。未知名称会报错并列出可用名称。",
            ),
            "extra_prompt": Text("Added to the prompt as further demands.", "作为额外要求追加到提示词。"),
            "reference_info": Text("The reference material of this reply.", "本次回复的参考信息。"),
            "reply_tool_args": Text("Carried to the later hooks of this reply.", "传给本次回复后续的 Hook。"),
        },
        notes=(
            Text(
                "With both `task_name` and `model_name`, the task gives the parameters and the name the model.",
                "同时给出 `task_name` 与 `model_name` 时，任务决定参数，名称决定模型。",
            ),
        ),
    ),
    hooks.MAISAKA_REPLYER_BEFORE_MODEL_REQUEST: HookFacts(
        fired=True,
        read_back={"messages": _MESSAGES, "items": _ITEMS},
        notes=(
            _ITEMS_WIN,
            Text("History and memory stay as they are.", "聊天历史与记忆保持不变。"),
        ),
    ),
    hooks.MAISAKA_REPLYER_AFTER_RESPONSE: HookFacts(
        fired=True,
        read_back={
            "response": _EMPTY_REPLY_FAILS,
            "output_items": Text(
                "The answer to go on with; once changed, it wins over `response`.",
                "后续采用的回答；改动后优先于 `response`。",
            ),
            "retry": Text("Asks for a new answer.", "要求重新生成。"),
            "retry_reason": Text("Told to the model in the next attempt.", "在下一次尝试中告知模型。"),
            "matched_regex": _RULE_NAME,
            "matched_regex_pattern": _RULE_NAME,
            "matched_regex_description": _RULE_NAME,
        },
    ),
    hooks.MAISAKA_REPLY_BEFORE_POST_PROCESS: HookFacts(
        fired=True,
        read_back={
            "response": _EMPTY_REPLY_FAILS,
            "skip_post_process": _SWITCH,
            "enable_splitter": _SWITCH,
            "enable_chinese_typo": _SWITCH,
        },
    ),
}
"""The facts of every built-in hook, by name."""
