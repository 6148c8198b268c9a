"""What the host says to people about the configuration files of plugins. English and Chinese."""

from host.hooks.texts import TextTable

CONFIG_TEXTS = TextTable(
    {
        # The file.
        "config_unreadable": (
            "the file cannot be read ({found}). Make it a file that the host may read.",
            "无法读取文件（{found}）。请确保它是主程序可读取的文件。",
        ),
        "config_not_utf8": (
            "line {line}, column {column} is not UTF-8 text (byte {found}). "
            "Save the file as UTF-8, with or without BOM.",
            "第 {line} 行第 {column} 列不是 UTF-8 文本（字节 {found}）。请将文件保存为 UTF-8 编码，是否带 BOM 均可。",
        ),
        "config_not_toml": (
            "line {line}, column {column} is not valid TOML: {found}. Correct it there; the file is left as it is.",
            "第 {line} 行第 {column} 列不是有效的 TOML：{found}。请在该处改正；文件保持原样。",
        ),
        "config_unusable_toml": (
            "the file is TOML that the host cannot use: {found}. Correct it; the file is left as it is.",
            "主程序无法使用此 TOML 文件：{found}。请改正；文件保持原样。",
        ),
        "config_unwritable": (
            "the file cannot be written ({found}). Let the host write in its folder.",
            "无法写入文件（{found}）。请允许主程序写入其所在目录。",
        ),
        "config_changed_meanwhile": (
            "the file was changed by somebody else just now, and was left as it is. Try again.",
            "文件刚刚被其他程序修改，因此保持原样。请重试。",
        ),
        "config_not_editable": (
            "the file is laid out in a way that the host cannot change without touching more ({found}). "
            "Change it by hand.",
            "文件的写法使主程序无法只修改所需部分（{found}）。请手动修改。",
        ),
        # Its values, by key path.
        "config_key_missing": (
            "{path} is missing; it must be {allowed}.",
            "缺少 {path}；它必须是{allowed}。",
        ),
        "config_key_wrong": (
            "{path} is {found}; allowed is {allowed}.",
            "{path} 为 {found}；只允许{allowed}。",
        ),
        "config_refused": (
            "the values do not fit together; allowed is {allowed}.",
            "这些值不能同时使用；只允许{allowed}。",
        ),
        "config_not_storable": (
            "{path} is {found}, which TOML cannot hold like that; allowed are text without lone surrogates, numbers "
            "within 64 bits, true and false, dates, lists, and tables with keys of text.",
            "{path} 为 {found}，TOML 无法这样保存；只允许不含孤立代理项的文本、64 位以内的数字、true 与 false、日期、"
            "列表，以及以文本为键的表。",
        ),
        "config_table_in_the_way": (
            "{path} is {found}, so there can be no key {key!r} in it. Change it to a table first.",
            "{path} 为 {found}，其中不能有键 {key!r}。请先将其改为表。",
        ),
        "config_key_unknown": (
            "{path} is no setting. Remove it, or see what there is: maibot-host config show",
            "没有 {path} 这一设置。请删除，或查看全部设置：maibot-host config show",
        ),
        "config_key_unknown_nearest": (
            "{path} is no setting. Did you mean {nearest}?",
            "没有 {path} 这一设置。您是否想用 {nearest}？",
        ),
        "config_variable_unset": (
            "{path} names the environment variable {found}, which is not set. Set it, or name another.",
            "{path} 指定的环境变量 {found} 未设置。请设置它，或改用其他变量。",
        ),
        "config_said": ("{path}: {message}.", "{path}：{message}。"),
        # The model.
        "config_without_version": (
            "the plugin's config_model has no plugin.config_version, which every configuration needs. "
            "The plugin's author has to add the field, with the version as its default.",
            "插件的 config_model 缺少每个配置都必需的 plugin.config_version。"
            "需由插件作者添加该字段，并以版本号为默认值。",
        ),
        # Warnings.
        "config_newer": (
            "the file is of version {found}, newer than the plugin's {known}. It is used as far as it fits and left as "
            "it is; update the plugin, or reset the configuration.",
            "文件版本为 {found}，比插件的 {known} 更新。将在适用范围内使用，并保持原样；请更新插件，或重置配置。",
        ),
        "config_default_used": (
            "{path} is {found}, which this version of the plugin does not allow ({allowed}); its default is used.",
            "{path} 为 {found}，插件的这一版本不允许（应为{allowed}）；改用默认值。",
        ),
        # What is allowed.
        "allowed_or": ("{one} or {other}", "{one}或{other}"),
        "allowed_integer": ("a whole number", "整数"),
        "allowed_number": ("a number", "数字"),
        "allowed_finite": ("a number that is neither infinite nor nan", "既非无穷大也非 nan 的数字"),
        "allowed_boolean": ("true or false", " true 或 false"),
        "allowed_text": ("text", "文本"),
        "allowed_list": ("a list", "列表"),
        "allowed_table": ("a table", "表"),
        "allowed_date": ("a date, as in 2026-01-31", "日期，如 2026-01-31"),
        "allowed_time": ("a time, as in 07:30:00", "时间，如 07:30:00"),
        "allowed_datetime": ("a date with time, as in 2026-01-31T07:30:00", "日期与时间，如 2026-01-31T07:30:00"),
        "allowed_duration": ("a number of seconds, or text such as PT1H30M", "秒数，或如 PT1H30M 的文本"),
        "allowed_choice": ("{expected}", "以下之一：{expected}"),
        "allowed_above": ("a number above {gt}", "大于 {gt} 的数字"),
        "allowed_at_least": ("a number of at least {ge}", "不小于 {ge} 的数字"),
        "allowed_below": ("a number below {lt}", "小于 {lt} 的数字"),
        "allowed_at_most": ("a number of at most {le}", "不大于 {le} 的数字"),
        "allowed_multiple": ("a multiple of {multiple_of}", " {multiple_of} 的倍数"),
        "allowed_longer_text": ("text of at least {min_length} characters", "至少 {min_length} 个字符的文本"),
        "allowed_shorter_text": ("text of at most {max_length} characters", "至多 {max_length} 个字符的文本"),
        "allowed_pattern": ("text that matches {pattern}", "匹配 {pattern} 的文本"),
        "allowed_more_members": ("at least {min_length} members", "至少 {min_length} 项"),
        "allowed_fewer_members": ("at most {max_length} members", "至多 {max_length} 项"),
        "allowed_by_model": ("what the plugin accepts: {message}", "插件接受的值：{message}"),
    }
)
