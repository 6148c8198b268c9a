"""What loading many plugins costs, against importing the files that they are made of."""

import gc
import sys
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from loguru import logger

from benchmarks.handlers import HOOK
from benchmarks.harness import Effort, Samples
from benchmarks.kernel import TenScalars
from benchmarks.plugin_folders import write_plugin
from host.hooks import Hooks, HookSpec, Source
from host.runtime import Inline, PluginRoot, Plugins, PluginState

PLUGINS = 200

_MODEL = """

class PluginSection(PluginConfigBase):
    enabled: bool = Field(default=True, description="whether it is on")
    config_version: str = Field(default="1.0.0", description="version")


class Config(PluginConfigBase):
    plugin: PluginSection = Field(default_factory=PluginSection)
    greeting: str = Field(default="Hello", description="what is said")
    times: int = Field(default=1, ge=1, description="how often")

"""
_PLUGIN = f"""
from maibot_sdk import Command, Field, HookHandler, MaiBotPlugin, PluginConfigBase
{{model}}
class Greeter(MaiBotPlugin):
    {{config_model}}

    async def on_load(self):
        self.greeted = 0

    async def on_unload(self):
        pass

    async def on_config_update(self, scope, config_data, version):
        pass

    @HookHandler("{HOOK}")
    async def watch(self, **kwargs):
        self.greeted += 1

    @Command("greet", pattern="^/greet$")
    async def greet(self, **kwargs):
        return True, "", 1


def create_plugin():
    return Greeter()
"""
CONFIGURED = _PLUGIN.format(model=_MODEL, config_model="config_model = Config")
"""A small plugin with a hook handler, a command and a configuration model."""
_PLAIN = _PLUGIN.format(model="", config_model="")


def rounds_of(effort: Effort) -> int:
    """How often the two take turns in a process: less often than others, since once takes about a second."""
    return max(2, effort.rounds // 8)


async def started(source: str, effort: Effort) -> Samples:
    """Loading so many plugins of this source, as a multiple of importing their files; the two take turns.

    As when a host is started again: the configuration files are there, and what Python compiled for the import. The
    lines of the log are left out.
    """
    with TemporaryDirectory() as folder:
        files = _write(Path(folder), source)
        _imported(files)
        await _loaded(Path(folder))
        loaded, imported = [], [_imported(files)]
        for _ in range(rounds_of(effort)):
            loaded.append(await _loaded(Path(folder)))
            imported.append(_imported(files))
    ratios = [2 * each / (before + after) for each, before, after in zip(loaded, imported, imported[1:], strict=False)]
    return Samples(values=ratios, micros=min(loaded) * 1e6, base_micros=min(imported) * 1e6)


def _write(folder: Path, source: str) -> list[Path]:
    return [write_plugin(folder / "plugins", f"bench.small-{number:03d}", source) for number in range(PLUGINS)]


def _imported(files: list[Path]) -> float:
    """Seconds that importing the files takes, each as a module."""
    gc.collect()
    begun = perf_counter()
    for file in files:
        spec = spec_from_file_location(f"small_{file.parent.name}", file)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[spec.name] = module = module_from_spec(spec)
        spec.loader.exec_module(module)
    seconds = perf_counter() - begun
    for file in files:
        del sys.modules[f"small_{file.parent.name}"]
    return seconds


async def _loaded(folder: Path) -> float:
    """Seconds from nothing to all plugins active."""
    logger.disable("host")
    hooks = Hooks()
    hooks.register_spec(HookSpec(name=HOOK, payload=TenScalars))
    gc.collect()
    begun = perf_counter()
    plugins = Plugins(
        hooks, (PluginRoot(folder / "plugins", Source.THIRD_PARTY),), Inline(folder / "data"), folder / "data"
    )
    await plugins.load_all()
    seconds = perf_counter() - begun
    assert [plugin.state for plugin in plugins] == [PluginState.ACTIVE] * PLUGINS
    await plugins.unload_all()
    logger.enable("host")
    return seconds


STARTS: Mapping[str, Callable[[Effort], Awaitable[Samples]]] = {
    "start": partial(started, CONFIGURED),
    "start-plain": partial(started, _PLAIN),
}
"""How each case is measured."""
