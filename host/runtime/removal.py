"""Removing a plugin: its folder goes into the trash of the data folder, where its owner can take it back from."""

import errno
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from host.hooks import Source
from host.runtime.problems import BundledPluginError, DuplicatePluginError, NotRemovedError
from host.runtime.records import Records
from host.runtime.state import Plugin


@dataclass(frozen=True, slots=True)
class Removed:
    """A plugin that was removed.

    Args:
        id: which.
        trash: where its folder lies now; nobody deletes it there but the owner.
        data: the folder of its data, which stays; None where it has none.
        unloaded: ids of the plugins that had to be unloaded before it since they need it, in that order.
    """

    id: str
    trash: Path
    data: Path | None
    unloaded: tuple[str, ...] = ()


def removable(records: Records, plugin_id: str) -> Plugin:
    """The plugin of this id, which may be removed. The id is only compared, and is part of no path.

    Raises:
        UnknownPluginError: none has it.
        DuplicatePluginError: several folders claim it, so it is not said which one is meant.
        BundledPluginError: it comes with the host.
    """
    plugin = records[plugin_id]
    claiming = [each.path for each in records if each.id == plugin_id]
    if len(claiming) > 1:
        raise DuplicatePluginError(plugin_id, claiming)
    if plugin.source is Source.BUILTIN:
        raise BundledPluginError(plugin_id)
    return plugin


def move_to_trash(plugin: Plugin, data_dir: Path, unloaded: Sequence[str] = ()) -> Removed:
    """Move the folder of a plugin that does not run into the trash; of a link, the link.

    Args:
        plugin: whose.
        data_dir: the data folder, absolute.
        unloaded: ids of the plugins that were unloaded for it.

    Raises:
        NotRemovedError: it cannot be moved. It lies where it lay.
    """
    trash = data_dir / "trash" / "plugins" / f"{_name_of(plugin)}-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}"
    try:
        trash.parent.mkdir(parents=True, exist_ok=True)
        _move(plugin.path, trash)
    except OSError as error:
        raise NotRemovedError(plugin.id, plugin.path, trash, _reason(error)) from error
    return Removed(plugin.id, trash, _data_of(plugin, data_dir), tuple(unloaded))


def _reason(error: OSError) -> str:
    # Copying a folder tells all that went wrong in it at once.
    return str(error.args[0][0][2]) if isinstance(error, shutil.Error) else error.strerror or str(error)


def _name_of(plugin: Plugin) -> str:
    # Without a manifest that can be used, the id is whatever the folder is called.
    return plugin.id if plugin.manifest else re.sub(r"[^A-Za-z0-9_.-]", "_", plugin.id)[:128]


def _data_of(plugin: Plugin, data_dir: Path) -> Path | None:
    data = data_dir / "plugins" / plugin.id
    return data if plugin.manifest and data.is_dir() else None


def _move(folder: Path, trash: Path) -> None:
    if folder.is_symlink():
        # Moved as it is, a relative link would lead elsewhere.
        trash.symlink_to(folder.resolve(), target_is_directory=True)
        folder.unlink()
        return
    try:
        folder.rename(trash)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _move_across(folder, trash)


def _move_across(folder: Path, trash: Path) -> None:
    """Move a folder to another file system: it is copied as a whole before anything of it is deleted."""
    hidden = folder.rename(folder.with_name(f".{trash.name}"))
    try:
        shutil.copytree(hidden, trash, symlinks=True)
    except BaseException:
        shutil.rmtree(trash, ignore_errors=True)
        hidden.rename(folder)
        raise
    # What cannot be deleted is out of everybody's sight, and in the trash all the same.
    shutil.rmtree(hidden, ignore_errors=True)
