"""What the pages that are made for authors say, in English and Chinese."""

from host.hooks.texts import TextTable

PAGE_TEXTS = TextTable(
    {
        "generated": (
            "<!-- Written by python -m host.authoring.hook_pages. Change the catalogue or the payload types instead. -->",
            "<!-- 由 python -m host.authoring.hook_pages 生成。请修改 Hook 目录或参数类型，不要直接改本页。 -->",
        ),
        "title": ("Each hook and its payload", "每个 Hook 及其参数"),
        "intro": (
            "What each built-in hook hands over, what may be changed, and what the bot makes of it. How handlers run, "
            "return and fail is the same for all of them: see [Handlers in depth](handlers.md).",
            "每个内置 Hook 传入什么、可以改什么、机器人如何采用改动。处理器如何运行、返回与失败对所有 Hook 都相同，"
            "见[深入处理器](handlers.md)。",
        ),
        "intro_fired": (
            "**Fired today** marks the hooks that the bot of this version fires. The others are registered with their "
            "payload types, so that a plugin that subscribes to them loads; for these, the page says what a bot that "
            "fires them is to do.",
            "**现已触发**标出本版本的机器人会触发的 Hook。其余的也已连同参数类型注册，订阅它们的插件可以加载；"
            "对于这些 Hook，本页说明触发它们的机器人应当怎样做。",
        ),
        "intro_change": (
            'The column "A change" says what the bot does with a value that comes back. Where it shows –, a change '
            "reaches the handlers that run later in the same dispatch and goes no further. A key marked *optional* may "
            "be missing or None.",
            "“改动的作用”一栏说明机器人如何采用返回的值。标为 – 的键，改动只传到同一次分发中后面的处理器，"
            "不再往后。标为*可缺省*的键可能不存在，也可能为 None。",
        ),
        "fires": ("hook", "Hook"),
        "fired_today": ("fired today", "现已触发"),
        "chain_chat": ("Taking a message in", "接收消息"),
        "chain_command": ("Running a command", "执行命令"),
        "chain_planner": ("The planner", "规划器"),
        "chain_expression": ("Expressions", "表达方式"),
        "chain_jargon": ("Jargon", "黑话"),
        "chain_emoji": ("Emoji", "表情包"),
        "chain_replyer": ("The replyer", "回复器"),
        "chain_send": ("Sending a message", "发送消息"),
        "rules": (
            "Payload type `{payload}`. {allows}. Deadline {deadline}.",
            "参数类型 `{payload}`。{allows}。期限 {deadline}。",
        ),
        "allow_abort": ("Abort: yes", "允许中止"),
        "no_abort": ("Abort: no", "不允许中止"),
        "allow_change": ("change: yes", "允许改参"),
        "no_change": ("change: no", "不允许改参"),
        "comma": (", ", "，"),
        "seconds": ("{number:g} s", "{number:g} 秒"),
        "default_seconds": ("{number:g} s (the host's default)", "{number:g} 秒（宿主默认值）"),
        "key": ("Key", "键"),
        "type": ("Type", "类型"),
        "meaning": ("Meaning", "含义"),
        "change": ("A change", "改动的作用"),
        "optional": ("*optional*", "*可缺省*"),
        "not_empty": (" (not empty)", "（不为空）"),
        "abort_does": ("**An abort:** {text}", "**中止：**{text}"),
        "dicts": ("Dicts inside payloads", "参数中的字典"),
        "dicts_intro": (
            "Extra keys are allowed in all of them, and travel on to the next handlers.",
            "它们都允许额外的键，额外的键会传给后面的处理器。",
        ),
        "any_missing": (" Any key may be missing.", "任何键都可能缺省。"),
        "forgiving": ("Types that forgive", "宽容的类型"),
        "forgiving_intro": (
            "A value under such a key is understood in each of the forms here, and brought to the plain form before the next "
            "handler sees it; what lies inside lists and dicts stays as it was given. They are types of `maibot_sdk.hooks`; "
            "a type checker sees the plain type.",
            "这些键的值可用下列各种写法，并会在下一个处理器看到之前转成规范形式；列表与字典内部的值则保持原样。"
            "它们是 `maibot_sdk.hooks` 中的类型；类型检查器看到的是规范类型。",
        ),
        "accepts": ("Accepts", "接受"),
    }
)
