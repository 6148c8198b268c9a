"""What the host says to people about manifests: what is wrong with one, and what is worth a warning."""

from host.hooks.texts import TextTable

MANIFEST_TEXTS = TextTable(
    {
        # The file as a whole.
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
        # What is wrong at one path.
        "key_missing": (
            "{path} is missing; it must be {allowed}.",
            "缺少 {path}；它必须是{allowed}。",
        ),
        "key_wrong": (
            "{path} is {found}; allowed is {allowed}.",
            "{path} 为 {found}；只允许{allowed}。",
        ),
        "half_character": (
            "{path} holds {found}; \\ud800 to \\udfff are halves of characters. Write whole pairs of them, or none.",
            "{path} 含有 {found}；\\ud800 至 \\udfff 只是半个字符。请成对书写，或全部去掉。",
        ),
        "manifest_version_1": (
            "{path} is {found}, which belongs to plugins for SDK 1; allowed is {allowed}. To bring it up: set "
            "manifest_version to 2; give the plugin an id such as 'your-name.plugin-name'; move repository_url and "
            "homepage_url to urls.repository and urls.homepage, and default_locale and locales_path into i18n; drop "
            "plugin_info, and declare handlers with the decorators of maibot_sdk (where it used WorkflowStep, with "
            "HookHandler).",
            "{path} 为 {found}，属于 SDK 1 的插件；只允许{allowed}。升级方法：将 manifest_version 设为 2；"
            "为插件指定 ID（如 'your-name.plugin-name'）；将 repository_url 与 homepage_url 移至 urls.repository 与 "
            "urls.homepage，将 default_locale 与 locales_path 移入 i18n；去掉 plugin_info，"
            "改用 maibot_sdk 的装饰器声明处理器（原先使用 WorkflowStep 之处改用 HookHandler）。",
        ),
        "min_above_max": (
            "{path} has min_version {minimum!r} above max_version {maximum!r}, which no version fits; allowed is a "
            "minimum up to the maximum.",
            "{path} 的 min_version {minimum!r} 高于 max_version {maximum!r}，没有版本符合；只允许不高于上限的下限。",
        ),
        # What may stand at a path.
        "allowed_object": ("a JSON object", " JSON 对象"),
        "allowed_text": ("text", "文本"),
        "allowed_texts": ("a list of texts", "文本列表"),
        "allowed_not_blank": ("text that is not blank", "非空白文本"),
        "allowed_manifest_version": ("the number 2", "数字 2"),
        "allowed_id": (
            "text of two or more words joined by '.' or '-', each of ASCII letters, digits and '_', as in "
            "'your-name.plugin-name', at most 128 characters, its first word before a '.' not the name of a Windows "
            "device such as 'con' or 'nul'",
            "由 '.' 或 '-' 连接的两个或更多单词组成的文本，单词只含 ASCII 字母、数字与 '_'，"
            "如 'your-name.plugin-name'，最长 128 个字符，且首个 '.' 之前不得是 'con'、'nul' 等 Windows 设备名",
        ),
        "allowed_version": ("text of three numbers, X.Y.Z, as in '1.0.0'", "三段数字 X.Y.Z 的文本，如 '1.0.0'"),
        "allowed_author": ("an object with the texts name and url", "含文本 name 与 url 的对象"),
        "allowed_urls": (
            "an object with the texts repository, homepage, documentation and issues, or some of them",
            "含文本 repository、homepage、documentation、issues（或其中一部分）的对象",
        ),
        "allowed_range": (
            "an object with the versions min_version and max_version, or one of them",
            "含版本 min_version 与 max_version（或其中之一）的对象",
        ),
        "allowed_dependencies": ("a list of objects, each a dependency", "由依赖对象组成的列表"),
        "allowed_dependency": (
            'an object such as {{"type": "plugin", "id": "your-name.plugin-name", "version_spec": ">=1.0.0"}} or '
            '{{"type": "python_package", "name": "aiohttp", "version_spec": ">=3.9,<4"}}',
            '形如 {{"type": "plugin", "id": "your-name.plugin-name", "version_spec": ">=1.0.0"}} 或 '
            '{{"type": "python_package", "name": "aiohttp", "version_spec": ">=3.9,<4"}} 的对象',
        ),
        "allowed_dependency_type": ("'plugin' or 'python_package'", " 'plugin' 或 'python_package'"),
        "allowed_package_name": (
            "the name of a Python package, as in 'aiohttp', without extras and version",
            " Python 包名，如 'aiohttp'，不含附加项与版本",
        ),
        "allowed_version_spec": (
            "text of versions as Python packages write them, as in '>=1.0.0,<2.0.0', or one version, as in '1.2.0'",
            "按 Python 包写法表示版本的文本，如 '>=1.0.0,<2.0.0'，或单个版本，如 '1.2.0'",
        ),
        "allowed_i18n": (
            "an object with the texts default_locale and locales_path and the list supported_locales, or some of them",
            "含文本 default_locale、locales_path 与列表 supported_locales（或其中一部分）的对象",
        ),
        "allowed_inner_path": (
            "a path inside the plugin's folder, relative to it, as in 'assets/icon.png'",
            "插件目录内的相对路径，如 'assets/icon.png'",
        ),
        "allowed_llm_providers": ("a list of objects, each with client_type", "由含 client_type 的对象组成的列表"),
        "allowed_llm_provider": (
            "an object with the texts client_type, name, description and version, the first required",
            "含文本 client_type、name、description、version 的对象，首项必填",
        ),
        "allowed_display": ("an object with the object icon", "含对象 icon 的对象"),
        "allowed_icon": (
            "an object with the texts type, value, background and fallback, or some of them",
            "含文本 type、value、background、fallback（或其中一部分）的对象",
        ),
        # What is worth a warning: the plugin loads.
        "unknown_key": (
            "{path} is no key of a manifest, and is ignored. Remove it.",
            "{path} 不是清单的键，将被忽略。请删除。",
        ),
        "unknown_key_nearest": (
            "{path} is no key of a manifest, and is ignored. Did you mean {nearest!r}?",
            "{path} 不是清单的键，将被忽略。您是否想用 {nearest!r}？",
        ),
        "unknown_capability": (
            "{path} is {found}, which is no capability and grants nothing. Remove it.",
            "{path} 为 {found}，它不是任何能力，不会授予任何权限。请删除。",
        ),
        "unknown_capability_nearest": (
            "{path} is {found}, which is no capability and grants nothing. Did you mean {nearest!r}?",
            "{path} 为 {found}，它不是任何能力，不会授予任何权限。您是否想用 {nearest!r}？",
        ),
        "above_maximum": (
            "{path} is {found}, and this host offers {offered}, which the plugin was not made for. It is loaded all "
            "the same; if it works, raise the maximum.",
            "{path} 为 {found}，而本主程序提供 {offered}，插件并非为其编写。插件仍会加载；若工作正常，请提高上限。",
        ),
        # What the host was told about itself.
        "host_version": (
            "{found!r} is no version of the host; allowed are three numbers X.Y.Z with or without a suffix, as in "
            "'1.3.15' and '1.3.15rc1'.",
            "{found!r} 不是有效的主程序版本；只允许三段数字 X.Y.Z，可带后缀，如 '1.3.15' 与 '1.3.15rc1'。",
        ),
    }
)
