"""What the host says to people about runner processes: how one ended, and why one could not be made."""

from host.hooks.texts import TextTable

PROCESS_TEXTS = TextTable(
    {
        # How a process ended.
        "ended_by_itself": (
            "the process ended by itself with exit code {code}",
            "进程自行结束，退出码为 {code}",
        ),
        "ended_by_signal": (
            "the process was ended by {signal}",
            "进程被 {signal} 终止",
        ),
        "ended_by_crash": (
            "the process crashed in native code ({signal})",
            "进程在原生代码中崩溃（{signal}）",
        ),
        "ended_with_parent": (
            "the process went down with the warm parent that it was forked from, through no fault of its own",
            "进程随其所派生自的预热父进程一同终止，并非自身过错",
        ),
        # Why one could not be made.
        "closed": (
            "no process can be made for plugin {name!r}: the launcher is closed.",
            "无法为插件 {name!r} 创建进程：启动器已关闭。",
        ),
        "refused": (
            "no process could be made for plugin {name!r}: {why}.",
            "无法为插件 {name!r} 创建进程：{why}。",
        ),
        "not_warm": (
            "no process could be made for plugin {name!r}: the warm parent cannot import what runners need.\n{why}",
            "无法为插件 {name!r} 创建进程，因为预热父进程无法导入运行器所需的模块：\n{why}",
        ),
        "parent_gone": (
            "no process could be made for plugin {name!r}: the warm parent ended meanwhile. Try again.",
            "无法为插件 {name!r} 创建进程：预热父进程已在此期间终止。请重试。",
        ),
        "parent_stuck": (
            "no process could be made for plugin {name!r}: the warm parent did not answer within {seconds:g} s "
            "and was killed. Try again.",
            "无法为插件 {name!r} 创建进程：预热父进程在 {seconds:g} 秒内没有回应，已被终止。请重试。",
        ),
    }
)
