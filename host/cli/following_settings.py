"""Following the settings file while the host runs."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loguru import logger
from watchfiles import awatch

from host.app import Host
from host.runtime.watching import watch_beside
from host.settings import Settings, SettingsError


@dataclass(frozen=True, slots=True)
class SettingsSource:
    """Where settings come from.

    Args:
        path: the settings file; None when there is none.
        laid_over: what the command line says, by the names of settings; it wins.
    """

    path: Path | None
    laid_over: dict[str, Any]

    def read(self) -> Settings:
        """The settings as they stand. Raises `SettingsError` as `Settings.load` does."""
        settings = Settings.load(self.path, os.environ)
        folders = (*settings.plugin_dirs, *self.laid_over.get("plugin_dirs", ()))
        web = settings.web.model_copy(update=self.laid_over.get("web", {}))
        return settings.model_copy(update={**self.laid_over, "plugin_dirs": folders, "web": web})


@asynccontextmanager
async def following_settings(host: Host, source: SettingsSource) -> AsyncIterator[None]:
    """Take over changes of the settings file as they are made. A wrong file is told in the log and changes nothing."""
    if source.path is None:
        yield
        return
    async with watch_beside(_follow(host, source, source.path.absolute()), "changes of the settings"):
        yield


async def _follow(host: Host, source: SettingsSource, file: Path) -> None:
    # The folder is watched, since editors put a new file in the place of the old one.
    async for changes in awatch(file.parent, recursive=False, rust_timeout=500):
        if not any(Path(name) == file for _, name in changes):
            continue
        try:
            settings = source.read()
        except SettingsError as error:
            logger.error("The settings stay as they were: {}", error.text())
            continue
        later = await host.take_over(settings)
        logger.info("The settings were read again")
        if later:
            logger.warning("Changes in {} count from the next start", ", ".join(later))
