"""What the bot says to people: why a message was refused, what became of it. English and Chinese."""

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
            "no gateway serves {address!r}; there are {known}. Start the plugin that connects it, or wait until it is connected.",
            "没有网关负责 {address!r}；现有 {known}。请启动连接该平台的插件，或等待其连接。",
        ),
        "several_gateways": (
            "several gateways serve {address!r} alike: {known}. Name the account that the message goes by.",
            "有多个网关同样负责 {address!r}：{known}。请指明发送所用的账号。",
        ),
        "gateway_gone": (
            "the gateway of {address!r}{by} is not running: {error}",
            "{address!r} 的网关{by}未在运行：{error}",
        ),
        "delivery_timed_out": (
            "the gateway of {address!r}{by} was too slow: {error}",
            "{address!r} 的网关{by}超时：{error}",
        ),
        "delivery_failed": (
            "the gateway of {address!r}{by} failed: {error}",
            "平台 {address!r} 的网关{by}发送失败：{error}",
        ),
        "delivery_refused": (
            "the gateway of {address!r}{by} did not send it: {error}",
            "{address!r} 的网关{by}未能发出：{error}",
        ),
        # Why a call of a plugin's gateway is refused.
        "gateway_unknown": (
            "plugin {plugin_id!r} declares no gateway {name!r}; it declares {known}.",
            "插件 {plugin_id!r} 没有声明网关 {name!r}；已声明：{known}。",
        ),
        "gateway_unnamed": (
            "gateway_name is empty, and plugin {plugin_id!r} declares {known}; it may be empty for one that declares just one gateway.",
            "gateway_name 为空，而插件 {plugin_id!r} 声明了 {known}；只有声明恰好一个网关的插件可以留空。",
        ),
        "gateway_off": (
            "gateway {name!r} of plugin {plugin_id!r} is switched off.",
            "插件 {plugin_id!r} 的网关 {name!r} 已停用。",
        ),
        "gateway_ending": (
            "plugin {plugin_id!r} is {state}; a gateway can be ready while its plugin is loading or active.",
            "插件 {plugin_id!r} 的状态为 {state}；只有正在加载或运行的插件，其网关才能就绪。",
        ),
        "gateway_no_platform": (
            "gateway {name!r} cannot be ready without a platform. Give one to update_state, or declare it.",
            "网关 {name!r} 没有平台，无法就绪。请在 update_state 中提供，或在声明中写明。",
        ),
        "gateway_own_platform": (
            "the host itself connects {platform!r}, so gateway {name!r} of a plugin cannot. Use another name for the platform.",
            "平台 {platform!r} 由宿主自己连接，插件的网关 {name!r} 不能占用。请换一个平台名称。",
        ),
        "gateway_taken": (
            "{address!r} is served by gateway {other} already, so gateway {name!r} cannot be ready for it. Give another account_id or scope, or end the other one.",
            "{address!r} 已由网关 {other} 负责，网关 {name!r} 不能就绪。请使用其他 account_id 或 scope，或先停止前者。",
        ),
        "gateway_not_receiving": (
            "gateway {name!r} is declared as {found!r}; messages can be handed over by 'receive' and 'duplex'.",
            "网关 {name!r} 声明为 {found!r}；只有 'receive' 与 'duplex' 可以交付消息。",
        ),
        "gateway_not_ready": (
            "gateway {name!r} is not ready. Call update_state(..., ready=True) first.",
            "网关 {name!r} 尚未就绪。请先调用 update_state(..., ready=True)。",
        ),
        "gateway_message": (
            "gateway {name!r}: {problems_en}",
            "网关 {name!r}：{problems_zh}",
        ),
        "gateway_large": (
            "the message has {found} bytes; allowed are {limit}. Send smaller pictures or recordings.",
            "消息有 {found} 字节；最多允许 {limit}。请发送更小的图片或语音。",
        ),
        "gateway_long": (
            "{path} has {found} characters; allowed are {limit}.",
            "{path} 有 {found} 个字符；最多允许 {limit}。",
        ),
        "gateway_no_account": (
            "gateway {name!r} is ready for {address!r}, and neither that nor the message says by which account it came. Give account_id to update_state.",
            "网关 {name!r} 就绪于 {address!r}，它与消息都没有说明收到消息的账号。请在 update_state 中提供 account_id。",
        ),
        "gateway_route": (
            "the message came by {found!r}, and gateway {name!r} is ready for {address!r}; both must be the same.",
            "消息来自 {found!r}，而网关 {name!r} 就绪于 {address!r}；两者必须一致。",
        ),
        "gateway_full": (
            "{limit} messages of gateway {name!r} are under way, and no more are taken. Hand this one over again later.",
            "网关 {name!r} 已有 {limit} 条消息正在处理，不再接收更多。请稍后重新交付。",
        ),
        "gateway_closing": (
            "the host is ending and takes no messages any more.",
            "宿主正在结束，不再接收消息。",
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
        "context_cleared": ("All right, I start afresh from here.", "好的，从这里重新开始。"),
        # Why a reply came to nothing.
        "guest_failed": ("a hook of Bub failed: {why}", "Bub 的 Hook 失败：{why}"),
        "reply_empty": ("nothing was left of the reply", "回复内容为空"),
        "reply_no_answer": ("no model answered: {why}", "没有模型给出回复：{why}"),
        "reply_stopped": ("a plugin stopped the reply: {why}", "插件阻止了回复：{why}"),
        "reply_extension_failed": ("an extension of the reply failed: {why}", "回复扩展失败：{why}"),
        "extension_schema": (
            "the reply extension {name} is not offered, its parameters are no JSON schema that can be used: {problem}",
            "回复扩展 {name} 不会提供给模型，其参数的 JSON schema 无法使用：{problem}",
        ),
        "extension_options": (
            "plugin_options is {found}; allowed is a dict of extensions, each with its parameters.",
            "plugin_options 为 {found}；只允许由扩展名到参数的字典。",
        ),
        "extension_unknown": (
            "there is no reply extension {name!r} in this chat; there are {known}.",
            "本会话没有回复扩展 {name!r}；现有 {known}。",
        ),
        "extension_parameters": (
            "the parameters of the reply extension {name} do not fit: {problem}",
            "回复扩展 {name} 的参数不符合要求：{problem}",
        ),
        "extension_gone": (
            "the reply extension {name} was switched off, unloaded or reloaded meanwhile.",
            "回复扩展 {name} 在此期间被停用、卸载或重载。",
        ),
        "extension_return": (
            "the reply extension {name} returned {found} in the phase {phase}; allowed is a dict, empty or with {allowed}.",
            "回复扩展 {name} 在 {phase} 阶段返回了 {found}；只允许空字典或含 {allowed} 的字典。",
        ),
        "want_said_messages": (
            "{path} is {found}; allowed is a list of messages that is not empty.",
            "{path} 为 {found}；只允许非空的消息列表。",
        ),
        "want_said_message": (
            "{path} is {found}; allowed is a dict with segments (a list) and quote_previous (a boolean), and nothing else.",
            "{path} 为 {found}；只允许恰好含 segments（列表）和 quote_previous（布尔值）的字典。",
        ),
        "want_content": (
            "{path} is {found}; allowed are segments of a known type that say something, made of JSON.",
            "{path} 为 {found}；只允许类型已知、内容非空且可写成 JSON 的消息段。",
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
