"""The sentences of `host.storage.errors`: code -> (English, Chinese), with ``{field}`` places."""

from collections.abc import Mapping

STORAGE_TEXTS: Mapping[str, tuple[str, str]] = {
    "bad_place": (
        "{found!r} names no database that can be used; allowed are the path of a file, sqlite:///<path> and postgresql://<user>@<host>/<database>.",
        "{found!r} 不是可用的数据库；只允许文件路径、sqlite:///<路径> 或 postgresql://<用户>@<主机>/<数据库>。",
    ),
    "unavailable": (
        "The database {place} cannot be opened: {why}. Check that it is there, that it may be written to, and that nothing else is in its place.",
        "无法打开数据库 {place}：{why}。请检查它是否存在、是否可写，以及该位置是否被其他内容占用。",
    ),
    "newer": (
        "The database {place} has version {found}, and this program knows versions up to {known}. Install a later release, or put back the copy that was made before the database was changed.",
        "数据库 {place} 的版本为 {found}，而本程序只支持到版本 {known}。请安装更新的版本，或恢复升级之前的备份。",
    ),
    "foreign": (
        "The database {place} already has tables that another program made: {tables}. Choose another file or database.",
        "数据库 {place} 中已有其他程序创建的表：{tables}。请改用其他文件或数据库。",
    ),
    "failed": (
        "The database refused: {why}.",
        "数据库拒绝了操作：{why}。",
    ),
    "closed": (
        "The storage is closed; nothing more can be written.",
        "存储已关闭，无法再写入。",
    ),
}
