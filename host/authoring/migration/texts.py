"""What is said about a migration: beside the code in comments, and to its author."""

from host.hooks.texts import TextTable

MIGRATION_TEXTS = TextTable(
    {
        # Comments in the source: what is left to do by hand.
        "todo": ("{text}", "{text}"),
        "not_called": (
            '{found} is used without being called. Write @HookHandler("<hook name>") above the handler.',
            '{found} 未被调用就使用了。请在处理器上方写 @HookHandler("<Hook 名称>")。',
        ),
        "arguments_unread": (
            "The arguments of {found} cannot be told from the source. Write them one by one, and migrate again.",
            "无法从源码得知 {found} 的参数。请逐个写出后重新迁移。",
        ),
        "stage_missing": (
            "No stage is given; allowed are {allowed}. Add it, and migrate again.",
            "没有给出阶段；只允许 {allowed}。请补上后重新迁移。",
        ),
        "stage_unread": (
            "The stage {found} cannot be told from the source; allowed are {allowed}. Write it as text, and migrate again.",
            "无法从源码得知阶段 {found}；只允许 {allowed}。请写成文本后重新迁移。",
        ),
        "stage_unknown": (
            "{found} is no stage; allowed are {allowed}. Correct it, and migrate again.",
            "{found} 不是阶段；只允许 {allowed}。请改正后重新迁移。",
        ),
        "priority_unread": (
            "The priority {found} cannot be told from the source. Choose order=HookOrder.EARLY, NORMAL or LATE.",
            "无法从源码得知优先级 {found}。请选择 order=HookOrder.EARLY、NORMAL 或 LATE。",
        ),
        "policy_unread": (
            "The error policy {found} cannot be told from the source, and {hook} allows SKIP and LOG only. Choose one.",
            "无法从源码得知异常策略 {found}，而 {hook} 只允许 SKIP 与 LOG。请选择其一。",
        ),
        "filter_dropped": (
            "filter={found} has no counterpart. Ask for the same at the top of the handler: if not ...: return None",
            "filter={found} 没有对应写法。请在处理器开头作同样的判断：if not ...: return None",
        ),
        "timeout_wrong": (
            "timeout_ms is {found}; allowed is a whole number from 0 (the hook's default) to {ceiling}. Correct it.",
            "timeout_ms 为 {found}；只允许 0（使用 Hook 默认值）到 {ceiling} 之间的整数。请改正。",
        ),
        "name_twice": (
            "Another handler of this plugin is named {name} too; names must differ. Give one of them another name=.",
            "本插件另有处理器也叫 {name}；名称不能相同。请为其中之一指定别的 name=。",
        ),
        "handler_unknown": (
            "Which function this declares cannot be told. It takes keyword arguments now, and returns action and "
            "modified_kwargs: rewrite it.",
            "无法得知此处声明的是哪个函数。它现在接收关键字参数，返回 action 与 modified_kwargs：请改写。",
        ),
        "handler_of_two": (
            "{name} is declared twice, and was rewritten for the hook of the lower declaration only. Look at the other one.",
            "{name} 被声明了两次，只按下面那个声明的 Hook 改写。请检查另一个。",
        ),
        "two_names": (
            "The class holds {name} under two names, and so declares it twice. Decorate it with @HookHandler instead.",
            "类中以两个名称持有 {name}，等于声明了两次。请改用 @HookHandler 装饰它。",
        ),
        "context_used": (
            "There is no {name} any more: use self.ctx and the keyword arguments of the hook, and take it out.",
            "{name} 已不存在：请改用 self.ctx 与 Hook 的关键字参数，并将其删除。",
        ),
        "message_absent": (
            "{hook} hands over no message, and reads none back. Use what it has: {keys}.",
            "{hook} 不传入也不读回 message。请使用它有的参数：{keys}。",
        ),
        "parameter_unfilled": (
            "{hook} does not hand over {name}. Give it a default, or take it out.",
            "{hook} 不传入 {name}。请为其设默认值，或将其删除。",
        ),
        "positional_rest": (
            "Nothing comes in *{name}: everything comes by keyword. Use the names.",
            "*{name} 收不到任何内容：一切都以关键字传入。请改用名称。",
        ),
        "name_taken": (
            "The message comes as message=, but {name} cannot be renamed safely here. Rename it by hand.",
            "消息以 message= 传入，但此处无法安全地把 {name} 改名。请手工改名。",
        ),
        "called_directly": (
            "{name} takes other arguments now. Call it with those of its new signature.",
            "{name} 的参数已改变。请按新的签名调用。",
        ),
        "return_unread": (
            "What is returned here cannot be followed: {found}. Return action and modified_kwargs.",
            "无法追踪此处的返回值：{found}。请返回 action 与 modified_kwargs。",
        ),
        "result_unread": (
            'Which result {found} is cannot be told. Make it "continue" or "abort".',
            '无法得知 {found} 是哪种结果。请改为 "continue" 或 "abort"。',
        ),
        "key_unread": (
            "Which key {found} is cannot be told. hook_result is action now, and modified_message is "
            "modified_kwargs[message].",
            "无法得知 {found} 是哪个键。hook_result 现为 action，modified_message 现为 modified_kwargs[message]。",
        ),
        "skip_stage": (
            'There is no skip_stage: "continue" lets the next handlers of {hook} run, "abort" ends what the hook is '
            "about. Choose.",
            '没有 skip_stage："continue" 让 {hook} 的后续处理器运行，"abort" 结束该 Hook 所关乎的事。请选择。',
        ),
        "abort_forbidden": (
            "{hook} cannot be aborted; the host ignores this. Change what it carries instead.",
            "{hook} 不允许中止，宿主会忽略此处。请改为修改它的参数。",
        ),
        "old_word": (
            "{word} is a word of the old result; the host does not know it. Use action and modified_kwargs.",
            "{word} 是旧返回值的用词，宿主不认识。请使用 action 与 modified_kwargs。",
        ),
        "component_type": (
            "A component of type workflow_step is refused. Declare the handler with @HookHandler.",
            "类型为 workflow_step 的组件会被拒绝。请用 @HookHandler 声明处理器。",
        ),
        "name_removed": (
            "{module} has no {name} any more. Replace what uses it.",
            "{module} 中已没有 {name}。请替换用到它的地方。",
        ),
        # What is left in a file as a whole.
        "no_python": (
            "This is no Python that can be read ({why}). Correct it, and migrate again.",
            "无法作为 Python 读取（{why}）。请改正后重新迁移。",
        ),
        "too_deep": (
            "Its expressions are nested too deep to be followed. Migrate this file by hand.",
            "表达式嵌套过深，无法追踪。请手工迁移此文件。",
        ),
        "unreadable": ("The file cannot be read: {why}.", "无法读取文件：{why}。"),
        "manifest": ("{en}", "{zh}"),
        "no_id": (
            "$.id cannot be known: give the plugin one of its own with --id, such as {example!r}.",
            "$.id 无从得知：请用 --id 为插件指定一个，例如 {example!r}。",
        ),
        "wrong_id": (
            "$.id is {found!r}, which no host takes: give the plugin another one with --id, such as {example!r}.",
            "$.id 为 {found!r}，宿主不接受：请用 --id 为插件另行指定，例如 {example!r}。",
        ),
        # Notes: done, and worth knowing.
        "abort_policy_dropped": (
            "{name}: a failure of the old step ended the stage; a failure of the new handler is skipped. "
            "--keep-abort keeps it as it was.",
            "{name}：旧步骤出错会终止该阶段；新处理器出错则会被跳过。使用 --keep-abort 可保持原样。",
        ),
        "abort_policy_not_allowed": (
            "{name}: a failure of the old step ended the stage; {hook} cannot be aborted, so a failure is skipped.",
            "{name}：旧步骤出错会终止该阶段；{hook} 不允许中止，因此出错会被跳过。",
        ),
        "order_moved": (
            "{name} goes to HookOrder.{slot}, so that the plugin's handlers of {hook} keep their order.",
            "{name} 放入 HookOrder.{slot}，使本插件在 {hook} 上的处理器保持原有顺序。",
        ),
        "order_lost": (
            "{name} ran after {others}; three slots are too few to keep that at {hook}. Within a slot the names decide: "
            "give them names in that order.",
            "{name} 原在 {others} 之后运行；三个槽位不足以在 {hook} 上保持这一点。槽位之内由名称决定：请按此顺序命名。",
        ),
        "message_shape": (
            "The message is that of SDK 2: text lies in segments, the sender in message_info. See what is read from it.",
            "消息是 SDK 2 的形式：文本在消息段里，发送者在 message_info 里。请检查从中读取的内容。",
        ),
        "edits_in_place": (
            "{name} changes its message and does not return it. Only what is returned in modified_kwargs counts.",
            "{name} 修改了消息却没有返回。只有在 modified_kwargs 中返回的改动才算数。",
        ),
        "keys_dropped": (
            "Version 2 has no {keys}; they are left out.",
            "版本 2 没有 {keys}；已略去。",
        ),
        "made_for": (
            "{found} was the MaiBot it was made for; a plugin for SDK 2 needs {minimum} at least. Set max_version once it "
            "is tested.",
            "原先面向的 MaiBot 为 {found}；SDK 2 的插件至少需要 {minimum}。测试后请设置 max_version。",
        ),
        "version_padded": ("$.version {found!r} is written as {version!r}.", "$.version {found!r} 写为 {version!r}。"),
        "capabilities_unknown": (
            "What the plugin asks of the host was not declared in version 1. These calls stand in its code: {found}.",
            "版本 1 不声明插件向宿主请求的能力。其代码中有这些调用：{found}。",
        ),
        "dependencies_dropped": (
            "{found} cannot be written as a dependency; it is left out.",
            "{found} 无法写成依赖；已略去。",
        ),
    }
)
