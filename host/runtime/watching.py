"""Noticing that files of plugins change: one watch over many folders, told folder by folder, in batches."""

import asyncio
import re
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Coroutine
from contextlib import aclosing, asynccontextmanager
from pathlib import Path, PurePath
from typing import Any

from watchfiles import awatch

from host.runtime.config.file import BACKUP_FOLDER

QUIET_MS = 200
"""Changes are told once nothing more has changed for this long: what an editor or an update does is one batch."""
LONGEST_MS = 3_000
"""Changes are told after this long, though there are always more."""
_LONGEST_STOP_MS = 500
"""A cancelled watch ends after this long, even where its thread learns of it last."""

_NOT_THE_PLUGINS = frozenset({"data", BACKUP_FOLDER})
_NEVER = re.compile(
    r"""
      \..*                      # hidden: also what the host itself writes before it replaces a file
    | __pycache__ | .*\.py[co]  # Python's own
    | .*~ | \#.*\# | 4913       # Vim, Emacs and others
    | .*___jb_(tmp|old)___      # JetBrains
    | .*\.(tmp|temp|swp|swx|part|crdownload)
    """,
    re.VERBOSE,
)


def concerns_plugin(path: PurePath) -> bool:
    """Whether a file that changed says something about its plugin.

    Folders ``data`` and of backups at the top do not, hidden files, bytecode and the temporary files of editors
    nowhere.

    Args:
        path: relative to the plugin's folder.
    """
    return path.parts[0] not in _NOT_THE_PLUGINS and not any(map(_NEVER.fullmatch, path.parts))


async def changes_in(folders: Collection[Path]) -> AsyncGenerator[dict[Path, frozenset[str]], None]:
    """Watch folders of plugins, until the task is cancelled or the generator closed (``contextlib.aclosing``).

    The watch begins with the first step of the generator; what changes while a batch is worked on comes in the next.

    Args:
        folders: the folders, all of which exist. Of those that lie in each other the inner one is told.

    Yields:
        By folder, as given, the relative paths with ``/`` of what was added, changed or removed in it. At least one.

    Raises:
        FileNotFoundError: a folder does not exist.
    """
    given = {folder.resolve(strict=True): folder for folder in folders}
    innermost_first = sorted(given, key=lambda folder: len(folder.parts), reverse=True)
    watch = awatch(
        *given, watch_filter=None, debounce=LONGEST_MS, step=QUIET_MS, rust_timeout=_LONGEST_STOP_MS, recursive=True
    )
    async with aclosing(watch):
        async for changes in watch:
            batch = defaultdict(set)
            for _, name in changes:
                folder = next(folder for folder in innermost_first if Path(name).is_relative_to(folder))
                path = Path(name).relative_to(folder)
                if path.parts and concerns_plugin(path):
                    batch[given[folder]].add(path.as_posix())
            if batch:
                yield {folder: frozenset(paths) for folder, paths in batch.items()}


@asynccontextmanager
async def watch_beside(watch: Coroutine[Any, Any, None], name: str) -> AsyncIterator[None]:
    """Run a watch in a task of its own until the ``async with`` ends.

    Args:
        watch: goes on until it is cancelled.
        name: of the task.
    """
    task = asyncio.create_task(watch, name=name)
    # It begins with the first step of the task: what changes from here on is noticed.
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})
