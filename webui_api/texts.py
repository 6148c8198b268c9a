"""What the web room says to people, in English and Chinese."""

from __future__ import annotations

from typing import Final

from host.hooks.texts import TextTable

WEB_TEXTS: Final = TextTable(
    {
        # Answers of the server.
        "unauthorized": (
            "Not authorised: the access token is missing or wrong. "
            "Send it as 'Authorization: Bearer <token>' or in the cookie {cookie!r}.",
            "未授权：访问令牌缺失或无效。请通过 'Authorization: Bearer <令牌>' 或 Cookie {cookie!r} 发送。",
        ),
        "foreign_host": (
            "This server does not go by the host name {found!r}; allowed are {allowed}. "
            "If the name is yours, add it to allowed_hosts in the section [web] of the settings.",
            "本服务器不使用主机名 {found!r}；只允许 {allowed}。如果这是您的域名，请将其加入设置 [web] 中的 allowed_hosts。",
        ),
        "foreign_origin": (
            "Requests from the origin {found!r} are refused; allowed is {allowed!r}.",
            "拒绝来自 {found!r} 的请求；只允许 {allowed!r}。",
        ),
        "capability_not_listed": (
            "The manifest of plugin {plugin_id!r} lists no capability {capability!r}; it lists: {known}.",
            "插件 {plugin_id!r} 的清单没有列出能力 {capability!r}；它列出了：{known}。",
        ),
        "impossible_id": (
            "{found!r} cannot be the id of a plugin. Allowed is text without slashes, control characters, "
            "or a full stop at its beginning or end.",
            "{found!r} 不可能是插件 ID。不允许斜杠、控制字符，也不能以句点开头或结尾。",
        ),
        "reload_refused": (
            "The new version was not taken; the old one serves on. {problem}",
            "新版本未被采用，旧版本继续运行。{problem}",
        ),
        "not_reached": (
            "After {action!r}, plugin {plugin_id!r} is {state}. One that is switched off has to be enabled first.",
            "执行 {action!r} 后，插件 {plugin_id!r} 的状态为 {state}。已停用的插件需要先启用。",
        ),
        "wants_websocket": (
            "This address is a WebSocket; open it as one, as ws:// or wss://.",
            "此地址是 WebSocket；请以 ws:// 或 wss:// 打开。",
        ),
        # Errors at the start.
        "token_file_unreadable": (
            "The token file {path} cannot be read or written ({reason}). Give this user the right to do so.",
            "无法读取或写入令牌文件 {path}（{reason}）。请为当前用户授予权限。",
        ),
        "token_file_not_json": (
            "The token file {path} holds no JSON object. Restore it, or delete it and start again to get a new token.",
            "令牌文件 {path} 的内容不是 JSON 对象。请恢复该文件，或将其删除后重新启动以生成新令牌。",
        ),
        "token_file_no_token": (
            "The token file {path} holds no usable 'access_token': allowed is a text of at least {shortest} visible "
            "ASCII characters without spaces. Correct it, or delete the file and start again to get a new token.",
            "令牌文件 {path} 中没有可用的 'access_token'：只允许至少 {shortest} 个不含空格的可见 ASCII 字符。"
            "请更正，或删除该文件后重新启动以生成新令牌。",
        ),
        "cannot_listen": (
            "Cannot listen on {host}, port {port} ({reason}). Choose another port (0 takes any free one), "
            "or stop the program that uses this one.",
            "无法监听 {host} 的端口 {port}（{reason}）。请换一个端口（0 表示任意空闲端口），或停止占用该端口的程序。",
        ),
    }
)
