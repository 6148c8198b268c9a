"""What the host says about calls of plugins: why one is refused or fails, and the words in what it makes of messages."""

from host.hooks.texts import TextTable

CAPABILITY_TEXTS = TextTable(
    {
        # Calls that raise in the plugin.
        "unknown_capability": (
            "there is no capability {capability!r}. Use a name from the guide's chapter on capabilities.",
            "没有名为 {capability!r} 的能力。请使用指南“能力”一章中的名称。",
        ),
        "unknown_capability_nearest": (
            "there is no capability {capability!r}. Did you mean {nearest!r}?",
            "没有名为 {capability!r} 的能力。是否想用 {nearest!r}？",
        ),
        "denied": (
            "plugin {plugin_id!r} may not call {capability}: its manifest does not list it. "
            'Add "{capability}" to "capabilities" in _manifest.json.',
            '插件 {plugin_id!r} 不能调用 {capability}：其清单没有列出。请在 _manifest.json 的 capabilities 中加入 "{capability}"。',
        ),
        "bad_payload": (
            "{method} cannot be called so: {problems_en}",
            "{method} 不能这样调用：{problems_zh}",
        ),
        "no_gateways": (
            "{method}: this host takes nothing from gateways of plugins.",
            "{method}：此宿主不接收插件网关的消息。",
        ),
        # Answers with success false.
        "unavailable": (
            "{capability} is not available on this host yet.",
            "此宿主尚不提供 {capability}。",
        ),
        "bad_arguments": (
            "{capability} cannot be called so: {problems}",
            "{capability} 不能这样调用：{problems}",
        ),
        "argument_missing": (
            "argument {name!r} is missing or empty; it must be there ({allowed}).",
            "缺少参数 {name!r} 或其为空；必须提供（{allowed}）。",
        ),
        "argument_wrong": (
            "argument {name!r} is {found}; allowed is {allowed}.",
            "参数 {name!r} 为 {found}；只允许 {allowed}。",
        ),
        "not_base64": (
            "the bytes of the {kind} are {found}, which is no base64.",
            "{kind} 的内容 {found} 不是 base64。",
        ),
        # Sending.
        "no_segments": (
            "none of the segments is a dict. Write text as {{'type': 'text', 'data': '...'}}.",
            "消息段中没有任何字典。文本应写成 {{'type': 'text', 'data': '...'}}。",
        ),
        "no_nodes": (
            "none of the messages to forward has segments. Give each a list under 'segments'.",
            "要转发的消息都没有消息段。请在每条的 'segments' 中提供列表。",
        ),
        "nothing_to_quote": (
            "set_reply needs reply_message_id, the message to quote. Give it, or use send.hybrid with a reply segment.",
            "set_reply 需要 reply_message_id，即要引用的消息。请提供，或在 send.hybrid 中使用 reply 消息段。",
        ),
        "custom_content": (
            "the content of a custom message of type {kind!r} is a {found}, which this type does not take.",
            "类型 {kind!r} 的自定义消息内容为 {found}，该类型不接受。",
        ),
        "somebody": ("Somebody", "某人"),
        # Messages as text.
        "timestamp_mode": (
            "timestamp_mode is {found}; allowed are {allowed}.",
            "timestamp_mode 为 {found}；只允许 {allowed}。",
        ),
        "readable_line": ("{name}: {text}", "{name}说：{text}"),
        "you": ("you", "你"),
        "just_now": ("just now", "刚刚"),
        "minutes_ago": ("{number} min ago", "{number}分钟前"),
        "hours_ago": ("{number} h ago", "{number}小时前"),
        "days_ago": ("{number} d ago", "{number}天前"),
        # Models.
        "no_such_task": (
            "there is no model task {task!r}; there are: {known}.",
            "没有模型任务 {task!r}；现有：{known}。",
        ),
        "two_models": (
            "model says {model!r} and model_name says {model_name!r}. Give one of them.",
            "model 为 {model!r}，而 model_name 为 {model_name!r}。请只给出其中之一。",
        ),
        "text_or_texts": (
            "give either text or texts, and nothing blank in it.",
            "请只提供 text 或 texts 之一，且其中不能有空白文本。",
        ),
        "model_failed": ("the model gave no answer: {why}", "模型没有给出回答：{why}"),
        # Emoji.
        "no_such_emoji": (
            "there is no emoji {hash!r} in the library.",
            "表情库中没有表情 {hash!r}。",
        ),
        "emoji_deleted": ("Deleted.", "已删除。"),
        "no_emotion": ("random", "随机表情"),
        # APIs.
        "no_such_api": (
            "there is no API {name!r} that can be called; nearest: {known}.",
            "没有可调用的 API {name!r}；相近的有：{known}。",
        ),
        "api_ambiguous": (
            "several APIs are called {name!r}: {found}. Give the full name and the version.",
            "有多个名为 {name!r} 的 API：{found}。请给出完整名称与版本。",
        ),
        "api_offline": ("API {name!r} is offline: {reason}", "API {name!r} 已下线：{reason}"),
        "api_disabled": ("API {name!r} is switched off.", "API {name!r} 已停用。"),
        "api_not_public": (
            "API {name!r} of plugin {plugin_id!r} is not public, so only that plugin may call it.",
            "插件 {plugin_id!r} 的 API {name!r} 未公开，只有该插件自己可以调用。",
        ),
        "api_failed": ("API {name!r} failed: {why}", "API {name!r} 失败：{why}"),
        "dynamic_no_name": (
            "apis[{number}] has no name.",
            "apis[{number}] 没有名称。",
        ),
        "dynamic_no_api": (
            "{name!r} in apis has type {found}; allowed is 'API'.",
            "apis 中 {name!r} 的类型为 {found}；只允许 'API'。",
        ),
        "dynamic_twice": (
            "{name} is in apis twice.",
            "{name} 在 apis 中出现了两次。",
        ),
        "dynamic_hides": (
            "{name} would hide an API that the plugin declares. Give it another name or version.",
            "{name} 会遮蔽该插件声明的 API。请使用其他名称或版本。",
        ),
        # Plugins and components.
        "switch_scope": (
            "components are switched for all chats only; found scope {scope!r}, stream_id {stream_id!r}. "
            "Leave both out.",
            "组件只能对所有会话统一开关；收到 scope {scope!r}、stream_id {stream_id!r}。请都不要提供。",
        ),
        "switch_type": (
            "components of type {found!r} cannot be switched; allowed are {allowed}.",
            "类型为 {found!r} 的组件不能开关；只允许 {allowed}。",
        ),
        "no_such_component": (
            "there is no component {name!r} of type {type}.",
            "没有类型为 {type} 的组件 {name!r}。",
        ),
        "component_ambiguous": (
            "several components of type {type} are called {name!r}: {found}. Give the full name.",
            "有多个类型为 {type} 的组件名为 {name!r}：{found}。请给出完整名称。",
        ),
        "not_while_moving": (
            "plugins cannot be loaded, unloaded or reloaded by one that is itself {state}. "
            "Start a task in on_load that does it later.",
            "正处于 {state} 状态的插件不能加载、卸载或重新加载插件。请在 on_load 中启动任务稍后进行。",
        ),
        "plugin_state": (
            "plugin {plugin_id!r} is {state} now.",
            "插件 {plugin_id!r} 现在的状态为 {state}。",
        ),
    }
)
