"""Following what changes in the plugins' folders while they run."""

from collections.abc import AsyncIterator, Set
from contextlib import aclosing, asynccontextmanager

from loguru import logger

from host.runtime.config.file import CONFIG_FILE
from host.runtime.plugins import Plugins
from host.runtime.problems import PluginError, UnknownPluginError
from host.runtime.watching import changes_in, watch_beside


@asynccontextmanager
async def following(plugins: Plugins, *, code: bool) -> AsyncIterator[None]:
    """Take over changes of configuration files as they are made, until the ``async with`` ends.

    Args:
        plugins: whose folders are watched.
        code: whether a plugin whose other files change is reloaded, and those that need it with it.
    """
    async with watch_beside(_follow(plugins, code=code), "changes of plugins"):
        yield


async def _follow(plugins: Plugins, *, code: bool) -> None:
    while True:
        folders = {plugin.path: plugin.id for plugin in plugins if plugin.path.is_dir()}
        if not folders:
            return
        async with aclosing(changes_in(folders)) as batches:
            async for batch in batches:
                for folder, paths in batch.items():
                    await _take_over(plugins, folders[folder], paths, code=code)
                known = {plugin.path for plugin in plugins}
                if known != folders.keys():
                    # Other plugins than were watched: begin anew, with those that there are.
                    break


async def _take_over(plugins: Plugins, plugin_id: str, paths: Set[str], *, code: bool) -> None:
    try:
        if paths == {CONFIG_FILE}:
            await plugins.reconfigure(plugin_id)
        elif code:
            await plugins.reload(plugin_id)
    except UnknownPluginError:
        """It was removed."""
    except PluginError as problem:
        # The plugin's folder is gone, or its manifest has another id now.
        logger.warning("plugin {}: what changed in its folder is not taken over: {}", plugin_id, problem.text())
