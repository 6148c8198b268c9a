"""A kernel and the plugins of a test, which are unloaded when it ends."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from host.hooks import Hooks, HookSpec, Source
from host.runtime import Inline, PluginRoot, Plugins
from tests.runtime.plugin_folders import SAY, Say


@pytest.fixture
def hooks() -> Hooks:
    """A kernel with the one hook of these tests."""
    hooks = Hooks()
    hooks.register_spec(HookSpec(name=SAY, payload=Say))
    return hooks


@pytest.fixture
async def plugins_in(hooks: Hooks) -> AsyncIterator[Callable[..., Plugins]]:
    """Makes the plugins below a folder, third-party ones unless roots are given; nothing is loaded yet."""
    made: list[Plugins] = []

    def plugins_in(folder: Path, *roots: PluginRoot, seconds: float = 30.0) -> Plugins:
        roots = roots or (PluginRoot(folder, Source.THIRD_PARTY),)
        made.append(Plugins(hooks, roots, Inline(folder / "data", lifecycle_seconds=seconds)))
        return made[-1]

    yield plugins_in
    for plugins in made:
        await plugins.unload_all()
