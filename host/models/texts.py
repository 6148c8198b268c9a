"""What the host says to people about models: why none answered, what a prompt gets wrong, what the offline model says."""

from host.hooks.texts import TextTable

MODEL_TEXTS = TextTable(
    {
        # What a caller got wrong.
        "unknown_task": (
            "there is no model task {task!r}; there are {known}. Name one of them.",
            "没有名为 {task!r} 的模型任务；现有 {known}。请使用其中之一。",
        ),
        "unknown_model": (
            "there is no model {model!r} in the settings; there are {known}. Name one of them.",
            "设置中没有名为 {model!r} 的模型；现有 {known}。请使用其中之一。",
        ),
        "no_model": (
            "no model in the settings can do the task {task!r}. Add one with the capability {needs!r} to [[models.models]].",
            "设置中没有能承担任务 {task!r} 的模型。请在 [[models.models]] 中添加带 {needs!r} 能力的模型。",
        ),
        "kind_taken": (
            "the kind of provider {kind!r} is offered already. Choose another client type.",
            "提供方类型 {kind!r} 已被占用。请换用其他 client type。",
        ),
        "bad_prompt": (
            "{path} is {found}; allowed is {allowed}.",
            "{path} 为 {found}；只允许{allowed}。",
        ),
        "want_prompt": (
            "text that is not empty, or a list of messages that is not empty",
            "非空文本，或非空的消息列表",
        ),
        "want_message": ("a dict, one message", "字典，即一条消息"),
        "want_role": ("system, user, assistant or tool", " system、user、assistant 或 tool"),
        "want_content": ("text or parts, and some of it", "非空的文本或片段"),
        "want_some_answer": (
            "content, reasoning_content or tool_calls, at least one of them",
            " content、reasoning_content 与 tool_calls，至少其一",
        ),
        "want_part": (
            "text, a part {{'type': 'text', 'text': ...}}, a picture part, or a pair [format, base64]",
            "文本、{{'type': 'text', 'text': ...}} 片段、图片片段或 [格式, base64]",
        ),
        "want_image": (
            "a picture as data:image/<format>;base64,<data>, or as image_format (jpg, jpeg, png, webp, gif) and image_base64",
            "形如 data:image/<格式>;base64,<数据> 的图片，或 image_format（jpg、jpeg、png、webp、gif）与 image_base64",
        ),
        "want_no_image": ("text; a tool's output holds no picture", "文本；工具输出不含图片"),
        "want_call_id": (
            "the id of a call that an earlier assistant message made",
            "此前 assistant 消息中某次调用的 id",
        ),
        "want_tool_calls": ("a list of calls, each with an id and a name", "调用列表，每项含 id 与名称"),
        "want_tools": ("a list of tools", "工具列表"),
        "want_tool": (
            "a dict with a name and with parameters that are a JSON schema",
            "含名称与 parameters（JSON schema）的字典",
        ),
        # That none answered.
        "no_answer": (
            "no model of the task {task!r} answered, {count} attempt(s): {attempts}",
            "任务 {task!r} 的模型均未作答，共尝试 {count} 次：{attempts}",
        ),
        "no_answer_in_time": (
            "no model of the task {task!r} answered in time, {count} attempt(s): {attempts}",
            "任务 {task!r} 的模型未能及时作答，共尝试 {count} 次：{attempts}",
        ),
        "broken_stream": (
            "the answer for the task {task!r} broke off: {attempt}",
            "任务 {task!r} 的回答中断：{attempt}",
        ),
        "failure_timeout": ("too slow", "超时"),
        "failure_connection": ("no connection", "连接失败"),
        "failure_busy": ("too many requests", "请求过多"),
        "failure_server": ("fault of the server", "服务端故障"),
        "failure_refused": ("refused", "请求被拒绝"),
        "failure_no_key": ("no key", "缺少密钥"),
        "failure_no_kind": ("nobody provides it", "没有对应的提供方"),
        "failure_unsuitable": ("cannot do that", "能力不符"),
        "failure_unreadable": ("unreadable answer", "回答无法解析"),
        "failure_empty": ("empty answer", "空回答"),
        "failure_filtered": ("answer kept back by a filter", "回答被内容过滤"),
        "failure_plugin": ("the plugin failed", "插件出错"),
    }
)
