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
        "unknown_plugin": (
            "there is no plugin {plugin_id!r}; there are: {known}. Use an id from this list.",
            "没有插件 {plugin_id!r}；现有：{known}。请使用其中的 ID。",
        ),
        # The manifest. One heading, then a line for each problem.
        "manifest_invalid": (
            "{file} is no manifest of version 2, {count} problem(s):",
            "{file} 不是版本 2 的清单，共 {count} 个问题：",
        ),
        "manifest_unreadable": (
            "{path}: the file cannot be read ({found}). Make it a file that the host may read.",
            "{path}：无法读取文件（{found}）。请确保它是主程序可读取的文件。",
        ),
        "manifest_not_utf8": (
            "{path}: the file is not UTF-8 text ({found}). Save it as UTF-8, with or without BOM.",
            "{path}：文件不是 UTF-8 文本（{found}）。请保存为 UTF-8 编码，是否带 BOM 均可。",
        ),
        "manifest_not_json": (
            "{path}: the file is not JSON ({found}). Write one JSON object.",
            "{path}：文件不是 JSON（{found}）。请写成一个 JSON 对象。",
        ),
        "key_missing": (
            "{path} is missing; it must be {allowed}.",
            "缺少 {path}；它必须是{allowed}。",
        ),
        "key_wrong": (
            "{path} is {found}; allowed is {allowed}.",
            "{path} 为 {found}；只允许{allowed}。",
        ),
        "manifest_version_1": (
            "{path} is {found}, which belongs to plugins for SDK 1; allowed is {allowed}. To bring it up: set manifest_version "
            "to 2, give the plugin an id such as 'your-name.plugin-name', and declare its handlers with the decorators of "
            "maibot_sdk (where it used WorkflowStep, with HookHandler).",
            "{path} 为 {found}，属于 SDK 1 的插件；只允许{allowed}。升级方法：将 manifest_version 设为 2，"
            "为插件指定 ID（如 'your-name.plugin-name'），并用 maibot_sdk 的装饰器声明处理器"
            "（原先使用 WorkflowStep 之处改用 HookHandler）。",
        ),
        "allowed_object": ("a JSON object", " JSON 对象"),
        "allowed_manifest_version": ("the number 2", "数字 2"),
        "allowed_id": (
            "text of two or more words joined by '.' or '-', each of ASCII letters, digits and '_', as in "
            "'your-name.plugin-name', at most 128 characters",
            "由 '.' 或 '-' 连接的两个或更多单词组成的文本，单词只含 ASCII 字母、数字与 '_'，"
            "如 'your-name.plugin-name'，最长 128 个字符",
        ),
        "allowed_version": ("text of three numbers, X.Y.Z, as in '1.0.0'", "三段数字 X.Y.Z 的文本，如 '1.0.0'"),
        "allowed_name": ("text that is not blank", "非空白文本"),
        "allowed_description": ("text", "文本"),
        "allowed_author": ("an object with the texts name and url", "含文本 name 与 url 的对象"),
        "allowed_author_name": ("text that is not blank", "非空白文本"),
        "allowed_author_url": ("text", "文本"),
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
    }
)
