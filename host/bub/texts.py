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
