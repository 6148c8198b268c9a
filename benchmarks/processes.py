"""What a plugin's own process costs: the time until it is ready, and memory."""

import gc
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from loguru import logger

from benchmarks.handlers import HOOK
from benchmarks.harness import Effort, Samples
from benchmarks.kernel import TenScalars
from benchmarks.plugin_folders import check_active, loaded_apart, plugins_apart, write_plugin
from benchmarks.startup import CONFIGURED
from host.hooks import Hooks, HookSpec
from host.runtime import launcher
from host.runtime.runners.memory_limit import proportional_bytes

TOGETHER = 50
FURTHER = 20
_ROOT = Path(__file__).parents[1]
_IMPORTS = "from maibot_sdk import Field, HookHandler, MaiBotPlugin, PluginConfigBase"
_FIRST = "bench.first"


async def one_started(effort: Effort) -> Samples:
    """One plugin loaded beside another one, so that all that is made once is there; unloaded again in between."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_plugin(folder / "plugins", _FIRST, CONFIGURED)
        write_plugin(folder / "plugins", "bench.small", CONFIGURED)
        async with loaded_apart(_hooks(), folder) as plugins:
            _fresh_python()
            started, bases = [], [_fresh_python()]
            for _ in range(max(1, effort.rounds // 3)):
                await plugins.unload("bench.small")
                gc.collect()
                begun = perf_counter()
                check_active(await plugins.load("bench.small"))
                started.append(perf_counter() - begun)
                bases.append(_fresh_python())
    return _samples(started, bases)


async def many_started(warm: bool, effort: Effort) -> Samples:
    """So many plugins loaded at once.

    Args:
        warm: whether what makes the processes is running already, since another plugin was loaded before.
        effort: how much.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(TOGETHER):
            write_plugin(folder / "plugins", f"bench.small-{number:03d}", CONFIGURED)
        await _many(folder, warm)  # writes the bytecode and the configuration files
        started, bases = [], [_fresh_python()]
        for _ in range(max(1, effort.rounds // 8)):
            started.append(await _many(folder, warm))
            bases.append(_fresh_python())
    return _samples(started, bases)


async def memory(effort: Effort) -> Samples:
    """What each of so many further plugins adds to all processes together, the host's own included; in 2**20 bytes."""
    added = []
    for _ in range(max(1, effort.rounds // 12)):
        with TemporaryDirectory() as name:
            folder = Path(name)
            write_plugin(folder / "plugins", _FIRST, CONFIGURED)
            async with loaded_apart(_hooks(), folder) as plugins:
                before = _all_bytes()
                for number in range(FURTHER):
                    write_plugin(folder / "plugins", f"bench.small-{number:03d}", CONFIGURED)
                await plugins.load_all()
                for plugin in plugins:
                    check_active(plugin)
                added.append((_all_bytes() - before) / FURTHER / 2**20)
    return Samples(values=added)


def _hooks() -> Hooks:
    hooks = Hooks()
    hooks.register_spec(HookSpec(name=HOOK, payload=TenScalars))
    return hooks


async def _many(folder: Path, warm: bool) -> float:
    """Seconds until all plugins of the folder are active."""
    logger.disable("host")
    processes = launcher()
    if warm:
        await (await processes.launch("bench.warming")).kill()
    plugins = plugins_apart(_hooks(), folder, processes)
    gc.collect()
    begun = perf_counter()
    await plugins.load_all()
    seconds = perf_counter() - begun
    for plugin in plugins:
        check_active(plugin)
    await plugins.unload_all()
    await processes.aclose()
    logger.enable("host")
    return seconds


def _fresh_python() -> float:
    """Seconds that a fresh interpreter takes to import what plugins do, and to end."""
    begun = perf_counter()
    subprocess.run([sys.executable, "-c", _IMPORTS], cwd=_ROOT, check=True)
    return perf_counter() - begun


def _samples(started: list[float], bases: list[float]) -> Samples:
    ratios = [2 * each / (before + after) for each, before, after in zip(started, bases, bases[1:], strict=False)]
    return Samples(values=ratios, micros=min(started) * 1e6, base_micros=min(bases) * 1e6)


def _all_bytes() -> int:
    """The memory of this process and all that descend from it, each with its share of what is shared (PSS)."""
    gc.collect()
    parents = {pid: parent for pid in _pids() if (parent := _parent(pid)) is not None}
    ours = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(proportional_bytes(pid) or 0 for pid in ours)


def _pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _parent(pid: int) -> int | None:
    try:
        # The name of the program, in brackets, may hold anything.
        return int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
    except OSError:
        return None


PROCESSES: Mapping[str, Callable[[Effort], Awaitable[Samples]]] = {
    "process-one": one_started,
    "process-many": partial(many_started, False),
    "process-many-warm": partial(many_started, True),
    **({"process-memory": memory} if sys.platform == "linux" else {}),
}
"""How each case is measured."""
