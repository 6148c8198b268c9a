"""Whole plugins: their files are read together, since their steps share three slots, and rewritten one by one."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from host.authoring.migration.files import FileChange
from host.authoring.migration.manifests import bring_up
from host.authoring.migration.modules import Module, Rewritten, read_module, rewrite_module, too_deep
from host.authoring.migration.placing import place
from host.authoring.migration.remarks import Remark
from host.hooks.texts import Locale
from host.runtime import ENTRY_FILE, MANIFEST_FILE

_PASSED_OVER = frozenset({"__pycache__", "node_modules", "site-packages", "venv"})


def migrate(
    paths: Iterable[Path], *, keep_abort: bool = False, plugin_id: str | None = None, locale: Locale = "en"
) -> list[FileChange]:
    """Bring plugins for SDK 1 to SDK 2: `WorkflowStep` becomes `HookHandler`, manifests get version 2. Writes nothing.

    Args:
        paths: Python files, manifests, or folders; in a folder everything is looked through but hidden folders, caches
            and installed packages.
        keep_abort: write the old default error policy out, where the hook may be aborted.
        plugin_id: the id for manifests that have none that a host takes.
        locale: the language of the comments on what is left to do.

    Returns:
        Every file that was looked at, by path; none where there is nothing to look at.
    """
    plugins: dict[Path, list[Path]] = defaultdict(list)
    for file in sorted({each for path in paths for each in _files(path)}):
        plugins[_plugin_of(file)].append(file)
    changes = [
        change for folder, files in plugins.items() for change in _migrate(folder, files, keep_abort, plugin_id, locale)
    ]
    return sorted(changes, key=lambda change: change.path)


def _migrate(
    folder: Path, files: Sequence[Path], keep_abort: bool, plugin_id: str | None, locale: Locale
) -> Iterator[FileChange]:
    contents: dict[Path, bytes] = {}
    for file in files:
        try:
            contents[file] = file.read_bytes()
        except OSError as error:
            yield FileChange(file, b"", b"", left=[Remark("unreadable", fields={"why": error.strerror})])
    modules = {file: read_module(content, locale) for file, content in contents.items() if file.name != MANIFEST_FILE}
    places = place(step for module in modules.values() for step in module.steps)
    _tell_twins(modules.values())
    for file, content in contents.items():
        if file in modules:
            try:
                rewritten = rewrite_module(modules[file], places, keep_abort)
            except RecursionError:
                rewritten = Rewritten(content, left=[too_deep()])
        else:
            code = (each.content.decode("utf-8", "replace") for each in modules.values())
            rewritten = bring_up(content, folder.name, plugin_id, code)
        yield _change(file, content, rewritten)


def _change(file: Path, content: bytes, rewritten: Rewritten) -> FileChange:
    return FileChange(file, content, rewritten.content, rewritten.notes, rewritten.left)


def _tell_twins(modules: Iterable[Module]) -> None:
    """Two handlers of a plugin cannot share a name any more."""
    seen: set[str] = set()
    for module in modules:
        for step in module.steps:
            if step.name in seen and module.source is not None:
                module.source.todo(step.call, "name_twice", name=step.name)
            seen.add(step.name)


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    for folder, names, files in os.walk(path):
        names[:] = sorted(name for name in names if name not in _PASSED_OVER and not name.startswith("."))
        yield from (Path(folder, name) for name in files if name.endswith(".py") or name == MANIFEST_FILE)


def _plugin_of(file: Path) -> Path:
    """The folder of the plugin that a file belongs to."""
    for folder in file.absolute().parents:
        if (folder / MANIFEST_FILE).exists() or (folder / ENTRY_FILE).exists():
            return folder
    return file.absolute().parent
