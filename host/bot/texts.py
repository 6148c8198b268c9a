"""What the bot says to people: why a message was refused, what became of it, what it answers offline. English and Chinese."""

from typing import Protocol

from host.hooks.texts import Locale, TextTable


class Explained(Protocol):
    """Anything that can say itself in either language: this room's errors and the kernel's."""

    def text(self, locale: Locale = "en") -> str:
        """What was found, what is allowed, what to do."""
        ...


BOT_TEXTS = TextTable(
    {
        # Why a dict is no message.
        "invalid_message": (
            "this is no valid message, {count} problem(s): {problems}",
            "消息无效，共 {count} 个问题：{problems}",
        ),
        "missing": (
            "{path} is missing; it must be there.",
            "缺少 {path}；必须提供。",
        ),
        "want_text": (
            "{path} is {found}; allowed is non-empty text.",
            "{path} 为 {found}；只允许非空文本。",
        ),
        "want_any_text": (
            "{path} is {found}; allowed is text, which may be empty.",
            "{path} 为 {found}；只允许文本，可以为空。",
        ),
        "want_text_or_none": (
            "{path} is {found}; allowed is text or null.",
            "{path} 为 {found}；只允许文本或 null。",
        ),
        "want_dict": (
            "{path} is {found}; allowed is a dict.",
            "{path} 为 {found}；只允许字典。",
        ),
        "want_dict_or_none": (
            "{path} is {found}; allowed is a dict, or null in a private chat.",
            "{path} 为 {found}；只允许字典，私聊中为 null。",
        ),
        "want_list": (
            "{path} is {found}; allowed is a list.",
            "{path} 为 {found}；只允许列表。",
        ),
        "want_segments": (
            "{path} is {found}; allowed is a list of segments. Write text as [{{'type': 'text', 'data': '...'}}].",
            "{path} 为 {found}；只允许消息段列表。文本应写成 [{{'type': 'text', 'data': '...'}}]。",
        ),
        "want_reply_target": (
            "{path} is {found}; allowed is a dict with target_message_id, or the id of a message as text.",
            "{path} 为 {found}；只允许含 target_message_id 的字典，或消息 ID 文本。",
        ),
        "too_deep": (
            "{path} lies more than {limit} forwards deep; allowed are {limit}.",
            "{path} 的转发嵌套超过 {limit} 层；最多允许 {limit} 层。",
        ),
        "no_chat": (
            "a chat is named by a group id or a user id, and neither is given. Give one of them.",
            "会话由群 ID 或用户 ID 确定，但两者都没有提供。请提供其中之一。",
        ),
        # Why a line of a recording is not used.
        "line_not_json": (
            "line {line} is not JSON: {why}. Write one message as a JSON object on each line.",
            "第 {line} 行不是 JSON：{why}。每行应写一条 JSON 对象形式的消息。",
        ),
        "line_not_object": (
            "line {line} holds {found}; allowed is a JSON object, one message.",
            "第 {line} 行为 {found}；只允许一个 JSON 对象，即一条消息。",
        ),
        # Why a message was not delivered.
        "unknown_chat": (
            "there is no chat {stream_id!r}. Open it with chat.open_session first.",
            "没有会话 {stream_id!r}。请先用 chat.open_session 打开它。",
        ),
        "no_gateway": (
            "no gateway serves the platform {platform!r}; there are {known}. Start the plugin that connects it.",
            "没有网关负责平台 {platform!r}；现有 {known}。请启动连接该平台的插件。",
        ),
        "delivery_failed": (
            "the gateway of {platform!r} failed: {error}",
            "平台 {platform!r} 的网关发送失败：{error}",
        ),
        # How a message reads as plain text.
        "says": ("{name}: {text}", "{name}：{text}"),
        "marker_image": ("[image]", "[图片]"),
        "marker_emoji": ("[sticker]", "[表情包]"),
        "marker_voice": ("[voice]", "[语音]"),
        "marker_file": ("[file]", "[文件]"),
        "marker_other": ("[other content]", "[其他内容]"),
        "marker_image_of": ("[image: {content}]", "[图片：{content}]"),
        "marker_emoji_of": ("[sticker: {content}]", "[表情包：{content}]"),
        "marker_voice_of": ("[voice: {content}]", "[语音：{content}]"),
        "marker_file_of": ("[file: {content}]", "[文件：{content}]"),
        "marker_other_of": ("[other content: {content}]", "[其他内容：{content}]"),
        "marker_reply": ("[reply to message {target}]", "[回复消息 {target}]"),
        "marker_reply_of": ("[reply to {name}: {content}]", "[回复 {name}：{content}]"),
        "marker_forward": ("[forwarded messages:\n{content}\n]", "[转发的消息：\n{content}\n]"),
        # What is wrong with a command.
        "bad_pattern": (
            "the command {name!r} of plugin {plugin_id!r} has the pattern {pattern!r}, which is no regular expression: {why}. Only its aliases call it.",
            "插件 {plugin_id!r} 的命令 {name!r} 的 pattern {pattern!r} 不是有效的正则表达式：{why}。只有别名能触发它。",
        ),
        "command_denied": ("You may not use this command.", "你没有使用这个命令的权限。"),
        # Why a reply came to nothing.
        "guest_failed": ("a hook of Bub failed: {why}", "Bub 的 Hook 失败：{why}"),
        "reply_empty": ("nothing was left of the reply", "回复内容为空"),
        "reply_no_answer": ("no model answered: {why}", "没有模型给出回复：{why}"),
        # What the offline replier answers.
        "reply_greeting": ("Hello, {name}! I am {nickname}.", "你好，{name}！我是{nickname}。"),
        "reply_thanks": ("You are welcome, {name}.", "不客气，{name}。"),
        "reply_farewell": ("See you, {name}!", "再见，{name}！"),
        "reply_question": (
            'Good question, {name}. I am only a small offline model, so I cannot answer "{gist}" yet; connect a language model and ask again.',
            "好问题，{name}。我只是一个离线小模型，还答不了“{gist}”；接入语言模型后再问我吧。",
        ),
        "reply_statement": ('Got it, {name}: "{gist}".', "收到，{name}：“{gist}”。"),
        "reply_no_words": (
            "I received that, {name}, but without a language model I only read text.",
            "收到了，{name}，不过没有接入语言模型时我只看得懂文字。",
        ),
        # What the console shows.
        "console_typing": ("{name} is typing…", "{name} 正在输入…"),
        "console_says": ("{name}: {text}", "{name}：{text}"),
        "console_quotes": ("{name} (to message {target}): {text}", "{name}（回复消息 {target}）：{text}"),
        "operator": ("Operator", "操作员"),
        # What became of a message.
        "outcome_replied": ("replied | {heard} -> {reply}", "已回复 | {heard} -> {reply}"),
        "outcome_command": ("command {command} | {heard}", "命令 {command} | {heard}"),
        "outcome_stopped": ("stopped at {stop} | {heard}", "已拦截，{stop} | {heard}"),
        "outcome_invalid": ("invalid | {reason}", "无效 | {reason}"),
        "outcome_not_sent_stopped": ("not sent, stopped at {stop} | {heard}", "未发送，{stop} | {heard}"),
        "outcome_not_sent": ("not sent, {reason} | {heard}", "未发送，{reason} | {heard}"),
        "outcome_no_reply_because": ("no reply, {reason} | {heard}", "未回复，{reason} | {heard}"),
        "outcome_no_reply": ("no reply | {heard}", "不回复 | {heard}"),
        "outcome_joined": ("joined the turn before | {heard}", "并入上一轮 | {heard}"),
        "outcome_dropped": ("dropped, the bot was busy | {heard}", "忙碌中，未处理 | {heard}"),
        "stopped_by": ("{hook} by {handler} of {plugin_id}", "{hook} 处由 {plugin_id} 的 {handler} 中止"),
        "outcome_failures": (" ({count} handler error(s): {handlers})", "（{count} 个处理器错误：{handlers}）"),
        "outcome_ignored": (" (unusable message ignored after {hooks})", "（已忽略 {hooks} 返回的不可用消息）"),
    }
)
