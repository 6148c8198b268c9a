"""What the command line says, in English and Chinese."""

from host.hooks.texts import TextTable

CLI_TEXTS = TextTable(
    {
        "welcome": (
            "{nickname} is here, with {active} plugin(s). Type a message and press Enter; Ctrl-C ends the program.",
            "{nickname} 已就绪，已加载 {active} 个插件。输入消息并按回车发送；按 Ctrl-C 结束程序。",
        ),
        "welcome_no_console": (
            "{nickname} is here, with {active} plugin(s). Ctrl-C ends the program.",
            "{nickname} 已就绪，已加载 {active} 个插件。按 Ctrl-C 结束程序。",
        ),
        "plugin_failed": ("Plugin {id} was not loaded: {why}", "插件 {id} 未能加载：{why}"),
        "plugin_warning": ("Plugin {id}: {why}", "插件 {id}：{why}"),
        "web": (
            "Web interface: {address}  (hook table: {address}/plugins/runtime/hooks)",
            "Web 接口：{address}（Hook 表：{address}/plugins/runtime/hooks）",
        ),
        "token_new": (
            "Access token: {token}  (told this once; it is kept in {path})",
            "访问令牌：{token}（仅显示这一次；保存在 {path}）",
        ),
        "token_kept": ("Access token: kept in {path}", "访问令牌：保存在 {path}"),
        "web_failed": ("The web interface is off: {why}", "Web 接口未启用：{why}"),
        "goodbye": ("Goodbye.", "再见。"),
        "no_plugins_folder": (
            "{path} is no folder. Name a folder that holds plugin folders.",
            "{path} 不是目录。请指定存放插件目录的目录。",
        ),
        "plugin_as_folder": (
            "{path} is a plugin itself. Name the folder that holds it: --plugins {parent}",
            "{path} 本身就是插件。请指定存放它的目录：--plugins {parent}",
        ),
        "no_input": ("{path} cannot be read: {why}.", "无法读取 {path}：{why}。"),
        "summary": ("{total} message(s): {counts}.", "共 {total} 条消息：{counts}。"),
        "bad_lines": ("{count} line(s) could not be used.", "{count} 行无法使用。"),
        "status_replied": ("{count} replied to", "已回复 {count}"),
        "status_stopped": ("{count} stopped by a plugin", "被插件拦截 {count}"),
        "status_invalid": ("{count} invalid", "无效 {count}"),
        "status_not_sent": ("{count} answered but not sent", "未能发出 {count}"),
        "status_no_reply": ("{count} without a reply", "未回复 {count}"),
        "column_hook": ("Hook, handlers in dispatch order", "Hook 及其处理器（按调度顺序）"),
        "column_allows": ("Allows", "允许"),
        "column_timeout": ("Deadline", "时限"),
        "allow_blocking": ("block", "阻塞"),
        "allow_observe": ("observe", "观察"),
        "allow_abort": ("abort", "中止"),
        "allow_kwargs_mutation": ("change", "改参"),
        "order_rule": (
            "Order: blocking before observe; then the owner's order; then early, normal, late; then built-in before third-party; then plugin id; then handler name.",
            "顺序：blocking 先于 observe；再按设置中的顺序；再按 early、normal、late；再内置先于第三方；再按插件 ID；最后按处理器名称。",
        ),
        "check_error": ("error", "错误"),
        "check_warning": ("warning", "警告"),
        "check_ok": ("{id}: fine, {handlers} hook handler(s)", "{id}：没有问题，共 {handlers} 个 Hook 处理器"),
        "check_bad": ("{id}: {errors} error(s), {warnings} warning(s)", "{id}：{errors} 个错误，{warnings} 个警告"),
        "check_nothing": (
            "{path} holds no plugin. Name a plugin's folder (with a _manifest.json and a plugin.py), or a folder of them.",
            "{path} 中没有插件。请指定插件目录（含 _manifest.json 与 plugin.py），或存放插件的目录。",
        ),
        "trace_observer": ("observer {handler}", "观察者 {handler}"),
        "trace_observers": ("observers started: {handlers}", "已启动观察者：{handlers}"),
        "trace_skipped": ("skipped: {by} ended the dispatch", "跳过：{by} 已结束本次调度"),
        "trace_aborted": ("ended the dispatch", "结束了本次调度"),
        "trace_more": ("… and {count} more changes", "……以及另外 {count} 处改动"),
        "placed": ("placed by the settings", "由设置指定"),
        "builtin": ("built-in", "内置"),
        "third_party": ("third-party", "第三方"),
    }
)
