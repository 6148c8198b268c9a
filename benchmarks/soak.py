"""``make soak``: a thousand reloads of a plugin that starts tasks, timers and log handlers, while hooks are fired.

What the process holds is printed as it goes; if any of it grows with the number of reloads, the exit code is 1.
"""

import asyncio
import gc
import json
import logging
import sys
import tempfile
import threading
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from loguru import logger
from typing_extensions import TypedDict

from host.hooks import Hooks, HookSpec, Source
from host.runtime import Inline, PluginRoot, Plugins

RELOADS = 1000
EVERY = 100
SLACK_BLOCKS = 20
"""Blocks of memory that a reload may add on the average; the interpreter's own caches grow a little at first."""

PLUGIN = """
import asyncio
import logging

from maibot_sdk import HookHandler, MaiBotPlugin


class Busy(MaiBotPlugin):
    async def on_load(self):
        self.task = asyncio.create_task(self.tick())
        asyncio.get_running_loop().call_later(3600, self.due)
        logging.getLogger("soak").addHandler(logging.NullHandler())

    async def on_unload(self):
        pass

    async def tick(self):
        while True:
            await asyncio.sleep(0.01)

    def due(self): ...

    @HookHandler("room.say")
    async def speak(self, text, **kwargs):
        return {"modified_kwargs": {"text": text + "!"}}

    @HookHandler("room.say", mode="observe")
    def watch(self, **kwargs): ...


def create_plugin():
    return Busy()
"""
MANIFEST = {
    "manifest_version": 2,
    "id": "soak.busy",
    "version": "1.0.0",
    "name": "Busy",
    "description": "For the soak.",
    "author": {"name": "maibot-host", "url": "https://example.org"},
}


class Say(TypedDict):
    """The payload of the one hook."""

    text: str


@dataclass(frozen=True)
class Held:
    """What the process holds at one moment."""

    reloads: int
    memory_blocks: int
    tasks: int
    threads: int
    descriptors: int
    log_handlers: int
    modules: int

    @classmethod
    def now(cls, reloads: int) -> "Held":
        """Count it."""
        gc.collect()
        descriptors = Path("/proc/self/fd")
        return cls(
            reloads,
            sys.getallocatedblocks(),
            len(asyncio.all_tasks()),
            threading.active_count(),
            len(list(descriptors.iterdir())) if descriptors.exists() else 0,
            len(logging.getLogger("soak").handlers),
            len(sys.modules),
        )


def grown(first: Held, last: Held) -> list[str]:
    """The names of what grew with the reloads from `first` to `last`."""
    reloads = last.reloads - first.reloads
    names = [each.name for each in fields(Held)][2:]
    found = [name for name in names if getattr(last, name) > getattr(first, name)]
    if last.memory_blocks - first.memory_blocks > SLACK_BLOCKS * reloads:
        found.append("memory_blocks")
    return found


async def soak(folder: Path) -> int:
    """Run it over a plugin folder in `folder`; the exit code."""
    (folder / "busy").mkdir()
    (folder / "busy" / "plugin.py").write_text(PLUGIN, encoding="utf-8")
    (folder / "busy" / "_manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
    hooks = Hooks()
    hooks.register_spec(HookSpec(name="room.say", payload=Say))
    plugins = Plugins(hooks, [PluginRoot(folder, Source.THIRD_PARTY)], Inline(folder / "data"), folder / "data")
    await plugins.load_all()
    print("  ".join(f"{each.name:>13}" for each in fields(Held)))
    curve: list[Held] = []
    for number in range(RELOADS + 1):
        result = await hooks.invoke("room.say", {"text": "hi"})
        assert result.kwargs == {"text": "hi!"}, result
        if number % EVERY == 0:
            await hooks.drain()
            curve.append(Held.now(number))
            print("  ".join(f"{value:>13}" for value in astuple(curve[-1])), flush=True)
        await plugins.reload("soak.busy")
    await plugins.unload_all()
    await hooks.aclose()
    # The first stretch fills caches that are filled once.
    found = grown(curve[1], curve[-1])
    print(f"grows with every reload: {', '.join(found)}" if found else "flat")
    return 1 if found else 0


def main() -> None:
    """The whole soak."""
    logger.remove()
    with tempfile.TemporaryDirectory() as folder:
        raise SystemExit(asyncio.run(soak(Path(folder))))


if __name__ == "__main__":
    main()
