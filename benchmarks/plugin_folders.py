"""Plugins that are measured: written as folders, and loaded into processes of their own."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from loguru import logger

from host.hooks import Hooks, Source
from host.runtime import Apart, Launcher, Plugin, PluginRoot, Plugins, PluginState, RestartSettings, launcher


def write_plugin(folder: Path, plugin_id: str, source: str) -> Path:
    """Write a plugin with this source into a folder of plugins; returns its ``plugin.py``."""
    plugin = folder / plugin_id
    plugin.mkdir(parents=True)
    manifest = {
        "manifest_version": 2,
        "id": plugin_id,
        "version": "1.0.0",
        "name": "Small",
        "description": "One of many.",
        "author": {"name": "Somebody", "url": "https://example.org"},
    }
    (plugin / "_manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    file = plugin / "plugin.py"
    file.write_text(source, encoding="utf-8")
    return file


def plugins_apart(hooks: Hooks, folder: Path, processes: Launcher, restarts: RestartSettings | None = None) -> Plugins:
    """The plugins in ``folder/plugins``, each to be in a process of its own; none is loaded yet."""
    root = PluginRoot(folder / "plugins", Source.THIRD_PARTY)
    return Plugins(hooks, (root,), Apart(processes, folder / "data"), folder / "data", restarts=restarts)


@asynccontextmanager
async def loaded_apart(hooks: Hooks, folder: Path, restarts: RestartSettings | None = None) -> AsyncIterator[Plugins]:
    """The same, all loaded. What the host writes into its log is left out."""
    logger.disable("host")
    processes = launcher()
    try:
        plugins = plugins_apart(hooks, folder, processes, restarts)
        await plugins.load_all()
        for plugin in plugins:
            check_active(plugin)
        yield plugins
        await plugins.unload_all()
    finally:
        await processes.aclose()
        logger.enable("host")


def check_active(plugin: Plugin) -> None:
    """See to it that no plugin that failed to load passes for a fast one."""
    assert plugin.state is PluginState.ACTIVE, plugin.problem
