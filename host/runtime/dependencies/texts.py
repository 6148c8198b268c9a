"""What the host says to people about what plugins need: why one cannot be loaded, what to install, and the graph."""

from host.hooks.texts import TextTable

DEPENDENCY_TEXTS = TextTable(
    {
        # A plugin, and why it cannot be loaded. A reason is a predicate of the plugin, so that one can tell another.
        "blocked": (
            "plugin {plugin_id!r} cannot be loaded: it {reason}. {advice}",
            "插件 {plugin_id!r} 无法加载：它{reason}。{advice}",
        ),
        "blocked_heading": (
            "plugin {plugin_id!r} cannot be loaded, for {count} reasons:",
            "插件 {plugin_id!r} 无法加载，原因共 {count} 个：",
        ),
        "blocked_line": ("it {reason}. {advice}", "它{reason}。{advice}"),
        "host_too_old": (
            "needs {what} {needed} or newer, and this host offers {offered}",
            "需要 {what} {needed} 或更新版本，而本主程序提供 {offered}",
        ),
        "host_too_old_advice": (
            "Update the host, or install an older version of the plugin.",
            "请更新主程序，或安装该插件的较旧版本。",
        ),
        "host_too_new": (
            "needs {what} {needed} or older, this host offers {offered}, and strict_versions is on",
            "需要 {what} {needed} 或更旧版本，本主程序提供 {offered}，且 strict_versions 已开启",
        ),
        "host_too_new_advice": (
            "Install a newer version of the plugin, or turn strict_versions off.",
            "请安装该插件的较新版本，或关闭 strict_versions。",
        ),
        "dependency_missing": (
            "needs {dependency!r}, which is in no plugin folder",
            "需要 {dependency!r}，但任何插件目录中都没有它",
        ),
        "dependency_missing_advice": ("Install that plugin.", "请安装该插件。"),
        "dependency_version": (
            "needs {dependency!r} {version_spec}, and version {found} is there",
            "需要 {dependency!r} {version_spec}，但现有版本为 {found}",
        ),
        "dependency_version_advice": (
            "Install a version of that plugin that fits.",
            "请安装该插件的合适版本。",
        ),
        "dependency_cycle": ("is in the cycle {cycle}", "位于循环 {cycle} 中"),
        "dependency_cycle_advice": (
            "None of these plugins can be first: one of their authors has to drop a dependency.",
            "这些插件谁都无法先加载：其中一个插件的作者必须去掉依赖。",
        ),
        "dependency_blocked": (
            "needs {dependency!r}, which {why}",
            "需要 {dependency!r}，而后者{why}",
        ),
        "dependency_blocked_advice": ("Put {root!r} right first.", "请先解决 {root!r} 的问题。"),
        "dependency_blocked_far": (
            "needs {dependency!r}, and through it {root!r}, which {why}",
            "需要 {dependency!r}，进而需要 {root!r}，而后者{why}",
        ),
        "dependency_failed": ("cannot be loaded itself ({problem})", "自身无法加载（{problem}）"),
        "packages_missing": (
            "needs Python packages that are not installed in a version that fits: {packages}",
            "所需的 Python 包未安装或版本不符：{packages}",
        ),
        "packages_missing_advice": ("Install them: {command}", "安装命令：{command}"),
        "packages_held": (
            "needs other versions of Python packages that the host itself runs on: {packages}",
            "所需的 Python 包版本与主程序自身所用的不符：{packages}",
        ),
        "packages_held_advice": (
            "Install a version of the plugin that does with these, or a host that uses others.",
            "请安装与之兼容的插件版本，或使用其他依赖版本的主程序。",
        ),
        "package_absent": ("{requirement} (not installed)", "{requirement}（未安装）"),
        "package_other": ("{requirement} ({found} is installed)", "{requirement}（已安装 {found}）"),
        # Installing packages.
        "install_failed": (
            "the packages were not installed: `{command}` ended with code {exit_code}. What it printed says why; what "
            "the host runs on was not touched.",
            "未能安装这些包：`{command}` 以代码 {exit_code} 结束。原因见其输出；主程序自身所用的包未被改动。",
        ),
        # The graph.
        "graph_title": (
            "What the plugins need: an arrow leads from a plugin to what it needs",
            "插件依赖：箭头由插件指向其所需",
        ),
        "graph_empty": ("no plugins", "没有插件"),
        "graph_loads": ("loads", "可加载"),
        "graph_blocked": ("blocked", "已阻止"),
        "graph_cycle": ("in a cycle", "循环依赖"),
        "graph_unusable": ("not usable", "不可用"),
        "graph_missing": ("missing", "缺失"),
        "graph_above": ("see above", "见上"),
    }
)
