"""What the host says to people about plugins as things on disk: why one is blocked or failed. English and Chinese."""

from host.hooks.texts import TextTable

RUNTIME_TEXTS = TextTable(
    {
        # Folders.
        "no_manifest": (
            "{folder} has a plugin.py but no _manifest.json, so it is no plugin. "
            "Add a _manifest.json of version 2, or rename plugin.py.",
            "{folder} 中有 plugin.py，但没有 _manifest.json，因此不是插件。请添加版本 2 的 _manifest.json，或为 plugin.py 改名。",
        ),
        "no_entry": (
            "plugin {plugin_id!r} has no plugin.py in {folder}. Add one with a function create_plugin().",
            "插件 {plugin_id!r} 的目录 {folder} 中没有 plugin.py。请添加该文件并定义函数 create_plugin()。",
        ),
        "duplicate_id": (
            "the plugin id {plugin_id!r} is used in {count} places: {folders}. "
            "An id belongs to one plugin; remove all but one, or change the id of the others.",
            "插件 ID {plugin_id!r} 在 {count} 处使用：{folders}。一个 ID 只属于一个插件；请只保留一个，或修改其余插件的 ID。",
        ),
        "gone": (
            "{folder} does not hold plugin {plugin_id!r} any more. Unload it, or put its files back.",
            "{folder} 中已没有插件 {plugin_id!r}。请卸载它，或恢复其文件。",
        ),
        "bundled": (
            "plugin {plugin_id!r} comes with the host and cannot be removed. Disable it.",
            "插件 {plugin_id!r} 随宿主提供，无法移除。请停用它。",
        ),
        "not_removed": (
            "plugin {plugin_id!r} was not removed: {folder} cannot be moved to {trash} ({why}). "
            "It is as it was; see to the folders' permissions, or move it by hand while no host runs.",
            "插件 {plugin_id!r} 未被移除：无法将 {folder} 移动到 {trash}（{why}）。一切保持原样；请检查目录权限，或在宿主未运行时手动移动。",
        ),
        "switched_off": (
            "plugin {plugin_id!r} is switched off. Enable it.",
            "插件 {plugin_id!r} 已停用。请启用它。",
        ),
        "unknown_plugin": (
            "there is no plugin {plugin_id!r}; there are: {known}. Use an id from this list.",
            "没有插件 {plugin_id!r}；现有：{known}。请使用其中的 ID。",
        ),
        # The heading over the problems of a manifest, which have a table of their own.
        "manifest_invalid": (
            "{file} is no manifest of version 2, {count} problem(s):",
            "{file} 不是版本 2 的清单，共 {count} 个问题：",
        ),
        # Loading and unloading.
        "import_raised": (
            "plugin {plugin_id!r} cannot be imported{where}: {error}",
            "插件 {plugin_id!r} 无法导入{where}：{error}",
        ),
        "no_create_plugin": (
            "plugin {plugin_id!r} has no create_plugin in {file}. Define `def create_plugin()` there, returning the plugin.",
            "插件 {plugin_id!r} 的 {file} 中没有 create_plugin。请在其中定义 `def create_plugin()` 并返回插件对象。",
        ),
        "create_plugin_async": (
            "create_plugin of plugin {plugin_id!r} in {file} is async; allowed is a plain function. "
            "Write `def create_plugin()` and move what awaits into on_load.",
            "插件 {plugin_id!r} 的 create_plugin（{file}）是异步函数；只允许普通函数。"
            "请改为 `def create_plugin()`，并将需要等待的内容移到 on_load。",
        ),
        "create_plugin_none": (
            "create_plugin of plugin {plugin_id!r} in {file} returned None; it has to return the plugin. Add the `return`.",
            "插件 {plugin_id!r} 的 create_plugin（{file}）返回了 None；它必须返回插件对象。请补上 `return`。",
        ),
        "create_raised": (
            "plugin {plugin_id!r} cannot be created{where}: {error}",
            "插件 {plugin_id!r} 无法创建{where}：{error}",
        ),
        "components_not_list": (
            "get_components of plugin {plugin_id!r} returned {found}; allowed is a list of dicts with name, type and metadata.",
            "插件 {plugin_id!r} 的 get_components 返回了 {found}；只允许由含 name、type 与 metadata 的字典组成的列表。",
        ),
        "components_raised": (
            "the components of plugin {plugin_id!r} cannot be collected{where}: {error}",
            "无法收集插件 {plugin_id!r} 的组件{where}：{error}",
        ),
        "on_load_raised": (
            "on_load of plugin {plugin_id!r} failed{where}: {error}",
            "插件 {plugin_id!r} 的 on_load 失败{where}：{error}",
        ),
        "on_unload_raised": (
            "on_unload of plugin {plugin_id!r} failed{where}: {error} The plugin is unloaded all the same.",
            "插件 {plugin_id!r} 的 on_unload 失败{where}：{error} 插件仍已卸载。",
        ),
        "on_config_update_raised": (
            "on_config_update of plugin {plugin_id!r} failed{where}: {error} The new configuration counts all the same.",
            "插件 {plugin_id!r} 的 on_config_update 失败{where}：{error} 新配置仍然生效。",
        ),
        "on_config_update_timeout": (
            "on_config_update of plugin {plugin_id!r} did not end within {seconds:g} s and was cancelled. "
            "The new configuration counts all the same.",
            "插件 {plugin_id!r} 的 on_config_update 未在 {seconds:g} 秒内结束，已被取消。新配置仍然生效。",
        ),
        "on_load_timeout": (
            "on_load of plugin {plugin_id!r} did not end within {seconds:g} s and was cancelled. "
            "Start what takes long as a task there, and return.",
            "插件 {plugin_id!r} 的 on_load 未在 {seconds:g} 秒内结束，已被取消。请将耗时工作作为任务启动后返回。",
        ),
        "on_unload_timeout": (
            "on_unload of plugin {plugin_id!r} did not end within {seconds:g} s and was cancelled. "
            "The plugin is unloaded all the same.",
            "插件 {plugin_id!r} 的 on_unload 未在 {seconds:g} 秒内结束，已被取消。插件仍已卸载。",
        ),
        # Configuration. The heading stands over its problems, which have a table of their own.
        "config_raised": (
            "plugin {plugin_id!r} cannot say or take its configuration{where}: {error}",
            "插件 {plugin_id!r} 无法给出或接受其配置{where}：{error}",
        ),
        "config_invalid": (
            "the configuration of plugin {plugin_id!r} in {file} cannot be used, {count} problem(s):",
            "插件 {plugin_id!r} 的配置 {file} 无法使用，共 {count} 个问题：",
        ),
        # Processes.
        "no_process": (
            "plugin {plugin_id!r} could not be given a process of its own: {why}",
            "无法为插件 {plugin_id!r} 创建独立进程：{why}",
        ),
        "process_lost": (
            "the process of plugin {plugin_id!r} is gone: {reason}.",
            "插件 {plugin_id!r} 的进程已结束：{reason}。",
        ),
        "given_up": (
            "plugin {plugin_id!r} is not started any more: its process ended {ends} times within {seconds:g} s. "
            "Mend the plugin and reload it.",
            "插件 {plugin_id!r} 不再启动：其进程在 {seconds:g} 秒内结束了 {ends} 次。请修复插件后重新加载。",
        ),
        "lost_not_answering": (
            "it did not answer within {seconds:g} s after a call had passed its deadline, and was killed",
            "它在某次调用超过时限后 {seconds:g} 秒内没有响应，已被终止",
        ),
        "lost_unresponsive": (
            "it did not answer for {seconds:g} s, and was killed",
            "它在 {seconds:g} 秒内没有响应，已被终止",
        ),
        "lost_hung_threads": (
            "{hung} of its threads are stuck in calls that nobody waits for any more, and it was killed",
            "它有 {hung} 个线程卡在已无人等待的调用中，已被终止",
        ),
        "lost_memory": (
            "it used {used} MiB of memory, its memory_limit_mb is {limit}, and it was killed",
            "它使用了 {used} MiB 内存，而 memory_limit_mb 为 {limit}，已被终止",
        ),
        "lost_protocol": (
            "it broke the protocol between host and plugin ({what}), and was cut off",
            "它违反了主程序与插件之间的协议（{what}），连接已被切断",
        ),
        "lost_step": (
            "it did not answer within {seconds:g} s when it was asked to {step}, and was killed",
            "它在被要求执行 {step} 后 {seconds:g} 秒内没有响应，已被终止",
        ),
        # What a plugin calls on the host.
        "host_method_refused": (
            "host method {method!r} may not be called; allowed: {allowed}.",
            "不允许调用主程序方法 {method!r}；可用：{allowed}。",
        ),
        "host_method_value": (
            "a value of {method} cannot travel between plugin and host: {issue}.",
            "{method} 的某个值无法在插件与主程序之间传递：{issue}。",
        ),
        "host_method_timeout": (
            "{method} was not answered within {seconds:g} s. Pass a longer timeout_ms, or ask for less at once.",
            "{method} 未在 {seconds:g} 秒内得到回应。请传入更长的 timeout_ms，或减少一次请求的内容。",
        ),
        "host_method_raised": (
            "{method} failed in the host: {error}",
            "{method} 在主程序中失败：{error}",
        ),
    }
)
