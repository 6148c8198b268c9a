"""A house whose plugins can ask the host for things, once with the plugins here, once in processes of their own."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from host.capabilities import Capabilities
from host.catalogue.send import SEND_HOOKS
from host.hooks import Hooks, HookSpec, Source
from host.runtime import Apart, Inline, Isolation, Launcher, PluginRoot, Plugins, RunnerSettings
from tests.capabilities.house import House, MakeHouse
from tests.runtime.conftest import isolation, journals, processes, runner_settings
from tests.runtime.plugin_folders import SAY, Say

__all__ = ["isolation", "journals", "processes", "runner_settings"]


@pytest.fixture
def hooks() -> Hooks:
    """A kernel with the hooks of the send chain, and one that only these tests fire."""
    hooks = Hooks()
    for spec in (*SEND_HOOKS, HookSpec(name=SAY, payload=Say)):
        hooks.register_spec(spec)
    return hooks


@pytest.fixture
async def bare_house(
    hooks: Hooks, isolation: Isolation, processes: Launcher, runner_settings: RunnerSettings, tmp_path: Path
) -> AsyncIterator[Callable[[], House]]:
    """Makes a house that offers nothing yet."""
    made: list[House] = []

    def plugins(folder: Path, capabilities: Capabilities) -> Plugins:
        data = tmp_path / "data"
        housing = (
            Inline(data, answer=capabilities)
            if isolation == "inline"
            else Apart(processes, data, runner_settings, answer=capabilities)
        )
        return Plugins(hooks, (PluginRoot(folder, Source.THIRD_PARTY),), housing, data)

    def make() -> House:
        folder = tmp_path / "plugins"
        folder.mkdir()
        made.append(House(hooks, folder, plugins))
        return made[-1]

    yield make
    for each in made:
        await each.moves.aclose()
        await each.plugins.unload_all()


@pytest.fixture
def house(bare_house: Callable[[], House]) -> MakeHouse:
    """Makes a house that offers all: ``await house("send.text", more="...")``."""

    async def make(*granted: str, more: str = "") -> House:
        here = bare_house()
        here.offer_all()
        await here.load("team.asker", *granted, more=more)
        return here

    return make
