"""Plugins whose components the bot calls: real ones, loaded from folders into this process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from host.hooks import Hooks, Source
from host.runtime import Inline, PluginRoot, Plugins
from host.runtime.components import Components
from tests.runtime.plugin_folders import write_plugin


@asynccontextmanager
async def components_of(folder: Path, **sources: str) -> AsyncIterator[Components]:
    """The components of plugins; those of ``tea`` are of the plugin ``team.tea``.

    Args:
        folder: where the plugins are written.
        sources: what stands in the ``plugin.py`` of each.
    """
    for name, source in sources.items():
        write_plugin(folder / "plugins", f"team.{name}", source)
    roots = [PluginRoot(folder / "plugins", Source.THIRD_PARTY)]
    plugins = Plugins(Hooks(), roots, Inline(folder / "data", lifecycle_seconds=10), folder / "data")
    await plugins.load_all()
    assert [plugin.problem for plugin in plugins] == [None] * len(sources)
    try:
        yield plugins.components
    finally:
        await plugins.unload_all()
