"""The sentences of this room."""

from host.hooks.texts import TextTable

BUB_TEXTS = TextTable(
    {
        "refused": (
            "the Bub plugin {plugin!r} was refused, {count} problem(s):",
            "Bub 插件 {plugin!r} 被拒绝，共 {count} 个问题：",
        ),
        "wrapper": (
            "{place}: {name!r} is declared with wrapper=True or hookwrapper=True; allowed are plain implementations. "
            "Remove the option, and do before and after in hooks of their own.",
            "{place}：{name!r} 声明了 wrapper=True 或 hookwrapper=True；只允许普通实现。请去掉该选项，用各自的 Hook 做前后处理。",
        ),
        "unknown_parameters": (
            "{place}: {name!r} requires {parameters}, which {hook!r} does not pass; it passes: {allowed}. "
            "Rename the parameters, or give them a default.",
            "{place}：{name!r} 要求参数 {parameters}，但 {hook!r} 不会传入；它传入：{allowed}。请改名或设默认值。",
        ),
        "unknown_hook": (
            "{place}: {name!r} implements {hook!r}, which is not a hook of Bub; it is never called.{nearest_en}",
            "{place}：{name!r} 实现了 {hook!r}，它不是 Bub 的 Hook，永远不会被调用。{nearest_zh}",
        ),
        "name_taken": (
            "there is a plugin of the name {plugin!r} already. Give one of them another name.",
            "已有名为 {plugin!r} 的插件。请为其中一个改名。",
        ),
        "twice": (
            "this very object is registered already, as {other!r}. Let each entry point give an object of its own.",
            "同一对象已以 {other!r} 注册。请让每个入口点给出各自的对象。",
        ),
        "overlapping": (
            "running() is entered already. Leave it before it is entered again, or use a second framework.",
            "running() 已进入。请先退出，或使用另一个 framework。",
        ),
    }
)

HOOK_TEXTS = TextTable(
    {
        "resolve_session": ("Which session a message belongs to.", "消息属于哪个会话。"),
        "load_state": ("Restores what the turn needs.", "恢复本轮需要的状态。"),
        "build_prompt": ("The prompt for the model.", "发给模型的提示。"),
        "run_model": ("Calls the model; the whole text.", "调用模型，返回完整文本。"),
        "run_model_stream": ("Calls the model; a stream of events.", "调用模型，返回事件流。"),
        "continue_prompt": ("A user message for the agent's next step.", "代理下一步之前追加的用户消息。"),
        "save_state": ("After the model, in any case.", "模型阶段之后保存状态，无论成败。"),
        "render_outbound": ("The messages to be sent.", "要发送的消息。"),
        "dispatch_outbound": ("Hands one message to a channel.", "把一条消息交给渠道。"),
        "register_cli_commands": ("Commands of the command line.", "命令行命令。"),
        "onboard_config": ("Configuration on the first start.", "首次启动时的配置。"),
        "provide_model_options": ("Models to choose from.", "可选的模型。"),
        "provide_runtime_options": ("The older name of the same.", "上一项的旧名称。"),
        "provide_environment": ("Where tools run.", "工具运行的环境。"),
        "on_error": ("Told of a failure.", "得知一次失败。"),
        "system_prompt": ("A block of the system prompt.", "系统提示的一段。"),
        "provide_tape_store": ("Where conversations are kept.", "对话记录的存储。"),
        "provide_lifespan": ("What lives as long as the application.", "与应用同寿命的资源。"),
        "provide_tape_sidecar": ("Tapes beside a session's tape.", "会话记录旁的附带记录。"),
        "provide_channels": ("Where messages come from.", "消息的来源渠道。"),
        "build_tape_context": ("How a tape becomes messages.", "如何由记录生成模型消息。"),
        "admit_message": ("What becomes of a new message.", "新消息如何处理。"),
        "provide_steering_inbox": ("Where steering messages wait.", "引导消息等待的地方。"),
        "provide_tools": ("Tools for the agent.", "代理可用的工具。"),
        "before_llm_call": ("Before each model call; may change or finish it.", "每次调用模型之前；可改写或结束。"),
        "after_llm_call": ("After each completed model call.", "每次完成的模型调用之后。"),
        "before_tool_call": (
            "Before each tool call; may change, replace or deny it.",
            "每次调用工具之前；可改写、替换或拒绝。",
        ),
        "after_tool_call": ("After each tool call; may edit the one result.", "每次工具调用之后；可修改同一个结果。"),
    }
)
"""What each hook is for."""
