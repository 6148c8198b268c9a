"""The family as a host has it: the defaults first, then the plugins of installed packages, then those in folders."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from loguru import logger

from host.bub.builtin import NAME, Builtin
from host.bub.folders import plugins_in
from host.bub.framework import Framework
from host.bub.settings import BubSettings

TAPES_FILE = "bub_tapes.db"
WORKSPACE = "bub_workspace"


def assembled(settings: BubSettings, folders: Iterable[Path], data_dir: Path) -> Framework:
    """A framework with all plugins that the owner has. One that cannot be loaded is told, and leaves the others.

    Args:
        settings: what the owner wants.
        folders: of plugin folders.
        data_dir: where tapes are kept, and what tools work in.
    """
    framework = Framework(data_dir / WORKSPACE, selection=settings.model_selection)
    framework.plugins.register(Builtin(framework, data_dir / TAPES_FILE), NAME)
    if settings.installed:
        framework.plugins.load(framework)
    framework.plugins.load(framework, plugins_in(folders))
    return framework


def has_guests(framework: Framework) -> bool:
    """Whether there is any plugin beside the defaults."""
    return any(name != NAME for name, _ in framework.plugins.in_order())


@asynccontextmanager
async def serving(framework: Framework) -> AsyncIterator[bool]:
    """Hold what the plugins provide, where there are any.

    Yields:
        Whether they take part: not where nobody is there, nor where one of them could not start what it holds.
    """
    if not has_guests(framework):
        yield False
        return
    scope = framework.running()
    try:
        await scope.__aenter__()
    except Exception:
        logger.exception("Plugins of Bub take no part: what one of them holds could not be started")
        yield False
        return
    try:
        yield True
    finally:
        try:
            await scope.__aexit__(None, None, None)
        except Exception:
            logger.exception("What plugins of Bub held was not left in order")
