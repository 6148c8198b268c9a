"""A kernel and the plugins of a test, which are unloaded when it ends. Plugins run here and in processes of their own.

What a plugin sees and does is the same in both, so a test that uses ``plugins_in`` runs once for each; one that looks
into the host's own process is marked `inline_only`.
"""

import logging
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from loguru import logger

from host.hooks import Hooks, HookSpec, Source
from host.runtime import Apart, Housing, Inline, Isolation, PluginRoot, Plugins, RunnerSettings
from host.runtime.runners import Launcher, launcher
from tests.runtime.plugin_folders import SAY, Say


@pytest.fixture
def hooks() -> Hooks:
    """A kernel with the one hook of these tests."""
    hooks = Hooks()
    hooks.register_spec(HookSpec(name=SAY, payload=Say))
    return hooks


@pytest.fixture(params=["inline", "process"])
def isolation(request: pytest.FixtureRequest) -> Isolation:
    """Where the plugins of a test run."""
    isolation: Isolation = request.param
    return isolation


@pytest.fixture
async def processes() -> AsyncIterator[Launcher]:
    """Makes the processes of a test's plugins."""
    made = launcher()
    yield made
    await made.aclose()


@pytest.fixture
def runner_settings() -> RunnerSettings:
    """The limits of the processes of a test's plugins; to be overridden."""
    return RunnerSettings()


@pytest.fixture
def housing(
    isolation: Isolation, processes: Launcher, runner_settings: RunnerSettings
) -> Callable[[Path, float], Housing]:
    """Makes what houses the plugins of a test: ``housing(data_dir, lifecycle_seconds)``."""

    def housing(data_dir: Path, seconds: float = 30.0) -> Housing:
        if isolation == "inline":
            return Inline(data_dir, lifecycle_seconds=seconds)
        return Apart(processes, data_dir, runner_settings, lifecycle_seconds=seconds)

    return housing


@pytest.fixture
async def plugins_in(
    hooks: Hooks, housing: Callable[[Path, float], Housing], runner_settings: RunnerSettings
) -> AsyncIterator[Callable[..., Plugins]]:
    """Makes the plugins below a folder, third-party ones unless roots are given; nothing is loaded yet."""
    made: list[Plugins] = []

    def plugins_in(folder: Path, *roots: PluginRoot, seconds: float = 30.0) -> Plugins:
        roots = roots or (PluginRoot(folder, Source.THIRD_PARTY),)
        data_dir = folder / "data"
        made.append(Plugins(hooks, roots, housing(data_dir, seconds), data_dir, restarts=runner_settings.restarts))
        return made[-1]

    yield plugins_in
    for plugins in made:
        await plugins.unload_all()


@pytest.fixture(autouse=True)
def journals() -> Iterator[None]:
    """What a plugin in another process writes into the logger ``journal`` is written into the one here too."""

    def write(message: str) -> None:
        record = message.record  # type: ignore[attr-defined]
        if record["extra"].get("origin", "").endswith(" journal"):
            logging.getLogger("journal").log(record["level"].no, "%s", record["message"])

    sink = logger.add(write, level="DEBUG", format="{message}")
    yield
    logger.remove(sink)
