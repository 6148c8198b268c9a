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
        "revoked": (
            "plugin {plugin_id!r} may not call {capability}: the owner of this host took it away. "
            "It is given back with: maibot-host plugins caps {plugin_id} --grant {capability}",
            "插件 {plugin_id!r} 不能调用 {capability}：宿主所有者已撤销该能力。"
            "可用 maibot-host plugins caps {plugin_id} --grant {capability} 恢复。",
        ),
        "revocations_file": (
            "{path}, which says what plugins may not call, cannot be used: {why}. Mend it, or delete it to allow all that "
            "manifests list.",
            "无法使用 {path}（记录插件不能调用的能力）：{why}。请修复；或删除它，以允许清单列出的全部能力。",
        ),
        "raised": ("{en}", "{zh}"),
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
        # Persons.
        "no_such_field": (
            "nothing is known under {name!r} of person {person_id!r}; there are: {known}.",
            "人物 {person_id!r} 没有名为 {name!r} 的信息；可用的有：{known}。",
        ),
        "stranger": ("Stranger {digits}", "陌生人{digits}"),
        # The database.
        "no_such_model": (
            "there is no model {name!r}; there are: {known}.",
            "没有模型 {name!r}；现有：{known}。",
        ),
        "no_such_column": (
            "model {model} has no column {name!r}; it has: {known}.",
            "模型 {model} 没有列 {name!r}；它有：{known}。",
        ),
        "column_value": (
            "column {name!r} cannot hold {found}; allowed is {allowed}.",
            "列 {name!r} 不能为 {found}；只允许 {allowed}。",
        ),
        "column_no_filter": (
            "rows cannot be filtered by column {name!r}.",
            "不能按列 {name!r} 过滤。",
        ),
        "columns_missing": (
            "a new row of {model} needs these columns too: {names}.",
            "{model} 的新行还需要这些列：{names}。",
        ),
        "no_filters": (
            "{capability} needs filters. To touch all rows, say so with database.query.",
            "{capability} 需要过滤条件。如要作用于所有行，请使用 database.query。",
        ),
        "query_type": (
            "query_type is {found!r}; allowed are {allowed}.",
            "query_type 为 {found!r}；只允许 {allowed}。",
        ),
        # The bot's own thinking.
        "no_such_chat": (
            "there is no chat {stream_id!r}. chat.open_session makes one known.",
            "没有会话 {stream_id!r}。可用 chat.open_session 建立。",
        ),
        "no_such_message": (
            "chat {stream_id!r} has no message {message_id!r}.",
            "会话 {stream_id!r} 中没有消息 {message_id!r}。",
        ),
        "no_such_picture": (
            "message {message_id!r} has {count} picture(s); there is none at index {index}.",
            "消息 {message_id!r} 有 {count} 张图片；索引 {index} 处没有。",
        ),
        "picture_gone": (
            "the bytes of the picture in message {message_id!r} are no longer kept. Ask while the bot is at work on it.",
            "消息 {message_id!r} 中图片的内容已不再保存。请在机器人处理该消息期间获取。",
        ),
        "picture_too_large": (
            "the picture has {found} characters in base64; an answer holds {allowed}.",
            "图片的 base64 有 {found} 个字符；一次回答最多 {allowed}。",
        ),
        "too_long": (
            "argument {name!r} has {found} characters; allowed are {allowed}.",
            "参数 {name!r} 有 {found} 个字符；最多 {allowed}。",
        ),
        # Pictures of HTML.
        "render_disabled": (
            "this host draws no HTML: its owner switched that off, in [render].",
            "此宿主不绘制 HTML：所有者在 [render] 中关闭了该功能。",
        ),
        "render_no_network": (
            "pages may load nothing on this host: its owner switched that off, in [render]. Leave out allow_network.",
            "此宿主上的页面不能加载任何内容：所有者在 [render] 中关闭了该功能。请不要设置 allow_network。",
        ),
        "render_no_playwright": (
            "drawing HTML needs Playwright, which is not installed. The host's owner installs it with: "
            "pip install 'maibot-host[render]'",
            "绘制 HTML 需要 Playwright，但未安装。请宿主所有者执行：pip install 'maibot-host[render]'",
        ),
        "render_no_browser": (
            "drawing HTML needs a Chromium, and there is none. The host's owner installs one with: "
            "playwright install chromium",
            "绘制 HTML 需要 Chromium，但没有找到。请宿主所有者执行：playwright install chromium",
        ),
        "render_no_start": (
            "the Chromium that draws HTML does not start: {why}",
            "用于绘制 HTML 的 Chromium 无法启动：{why}",
        ),
        "render_too_long": (
            "drawing took longer than {seconds} s, or nothing of {selector!r} can be seen on the page.",
            "绘制超过了 {seconds} 秒，或页面上看不到 {selector!r}。",
        ),
        "render_failed": ("the page cannot be drawn: {why}", "页面无法绘制：{why}"),
        # What the bot knows.
        "known": ("Known about {query!r}:", "关于“{query}”已知："),
        "nothing_known": ("Nothing is known about {query!r}.", "没有关于“{query}”的已知信息。"),
        "known_said": ("[{time}] {name}: {text}", "[{time}] {name}：{text}"),
        "known_of": ("Of {name}: {text}", "{name}：{text}"),
        # Statistics.
        "one_of": (
            "argument {name!r} is {found!r}; allowed are {allowed}.",
            "参数 {name!r} 为 {found!r}；只允许 {allowed}。",
        ),
        "statistics_tokens": ("tokens", "token"),
        "statistics_requests": ("requests", "请求"),
        "statistics_the_rest": ("the rest", "其他"),
        "statistics_total_tokens": ("all tokens", "全部 token"),
        "statistics_prompt_tokens": ("tokens asked", "输入 token"),
        "statistics_completion_tokens": ("tokens answered", "输出 token"),
        "statistics_request_count": ("requests", "请求数"),
        "statistics_online_hours": ("hours online", "在线小时"),
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
        "avatar_answer": (
            "API {name!r} answers with {found}; allowed is a dict with status available, missing or unsupported and, where "
            "available, a url of http or https without credentials.",
            "API {name!r} 返回 {found}；只允许 status 为 available、missing 或 unsupported 的字典，available 时还须有不含凭据的 "
            "http 或 https url。",
        ),
        # Published plugins.
        "market_missing": (
            "there is no index of published plugins here. The host's owner puts one at {path}.",
            "此处没有已发布插件的索引。请宿主所有者将其放在 {path}。",
        ),
        "market_broken": (
            "{path} is no index of published plugins: {why}.",
            "{path} 不是已发布插件的索引：{why}。",
        ),
        "market_no_stats": (
            "{path} tells no statistics. Leave out include_stats, and sort by name.",
            "{path} 没有统计信息。请不要使用 include_stats，并按 name 排序。",
        ),
        "market_none": (
            "no published plugin is called {name!r}; nearest: {nearest}.",
            "没有名为 {name!r} 的已发布插件；相近的有：{nearest}。",
        ),
        "market_several": (
            "several published plugins are like {name!r}: {found}. Give the id.",
            "有多个已发布插件与 {name!r} 相符：{found}。请给出 ID。",
        ),
        # Plugins and components.
        "not_managing": (
            "plugin {plugin_id!r} may not change configurations; only {allowed} may.",
            "插件 {plugin_id!r} 不能修改配置；只有 {allowed} 可以。",
        ),
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
