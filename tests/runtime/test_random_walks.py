"""Random walks over load, unload, enable, disable, reload, remove and failing versions, with dispatches going on."""

import asyncio
import logging
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from host.hooks import Hooks, HookSettings, HookSpec, Source
from host.runtime import Inline, PluginRoot, Plugins, PluginState
from tests.runtime.plugin_folders import SAY, Say, said, write_plugin

IDS = ["team.a", "team.b", "team.c"]

GOOD = """
    import asyncio
    import logging
    from maibot_sdk import HookHandler

    journal = logging.getLogger("walk")

    class P:
        running = False

        async def on_load(self):
            await asyncio.sleep(0)
            {fails}
            self.running = True
            self.task_of_mine = asyncio.create_task(self.forever())

        async def on_unload(self):
            self.running = False
            await asyncio.sleep(0)

        async def forever(self):
            await asyncio.sleep(3600)

        @HookHandler("room.say")
        async def speak(self, text, **kwargs):
            if not self.running:
                journal.error("{id} was called while it did not run")
            return {{"modified_kwargs": {{"text": text + "{word}"}}}}

    def create_plugin():
        return P()
"""

VERSIONS = st.sampled_from(["1", "2", "3", "no import", "no on_load"])


def _source(plugin_id: str, version: str) -> str:
    if version == "no import":
        return "raise ImportError('on purpose')"
    fails = "raise OSError('on purpose')" if version == "no on_load" else ""
    return GOOD.format(id=plugin_id, word=f"{plugin_id[-1]}{version[0]}", fails=fails)


class Walk(RuleBasedStateMachine):
    """What is on disk and what should be running, beside the real thing."""

    folders = Bundle("folders")

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.hooks = Hooks(HookSettings(reload_wait_ms=60_000))
        self.hooks.register_spec(HookSpec(name=SAY, payload=Say))
        self.on_disk: dict[str, str] = {}
        self.running: dict[str, str] = {}
        self.switched_off: set[str] = set()
        self.complaints: list[str] = []
        self.log = logging.getLogger("walk")
        self.handler = logging.Handler()
        self.handler.emit = lambda record: self.complaints.append(record.getMessage())  # type: ignore[method-assign]
        self.log.addHandler(self.handler)
        self.plugins = self.runner.run(self._make())
        self.tasks_before = 0

    async def _make(self) -> Plugins:
        return Plugins(
            self.hooks, [PluginRoot(self.root, Source.THIRD_PARTY)], Inline(self.root / "data"), self.root / "data"
        )

    def _run(self, action: Coroutine[Any, Any, Any]) -> None:
        """Do it while hooks are fired side by side; each dispatch calls each plugin once at the most."""

        async def with_dispatches() -> None:
            doing = asyncio.create_task(action)
            dispatches = []
            while not doing.done():
                dispatches.append(asyncio.create_task(self._say()))
                await asyncio.sleep(0)
            await doing
            for text in await asyncio.gather(*dispatches):
                speakers = text[0::2]
                assert sorted(set(speakers)) == list(speakers), f"called twice or out of order: {text}"

        self.runner.run(with_dispatches())

    async def _say(self) -> str:
        """What is said meanwhile. A plugin that goes, or does not come up, is passed over; nothing else goes wrong."""
        result = await self.hooks.invoke(SAY, {"text": ""})
        assert {error.kind for error in result.errors} <= {"unavailable"}
        text: str = result.kwargs["text"]
        return text

    @initialize()
    def fill(self) -> None:
        for plugin_id in IDS:
            self.write(plugin_id, "1")
        self._run(self.plugins.load_all())
        self.running = dict(self.on_disk)

    @rule(plugin_id=st.sampled_from(IDS), version=VERSIONS)
    def write(self, plugin_id: str, version: str) -> None:
        write_plugin(self.root, plugin_id, _source(plugin_id, version))
        self.on_disk[plugin_id] = version

    @rule(plugin_id=st.sampled_from(IDS))
    def load(self, plugin_id: str) -> None:
        self._run(self.plugins.load(plugin_id))
        self._loads(plugin_id)

    @rule(plugin_id=st.sampled_from(IDS))
    def enable(self, plugin_id: str) -> None:
        self._run(self.plugins.enable(plugin_id))
        self.switched_off.discard(plugin_id)
        self._loads(plugin_id)

    @rule(plugin_id=st.sampled_from(IDS))
    def disable(self, plugin_id: str) -> None:
        self._run(self.plugins.disable(plugin_id))
        self.switched_off.add(plugin_id)
        self.running.pop(plugin_id, None)

    def _loads(self, plugin_id: str) -> None:
        usable = self.on_disk[plugin_id].isdigit() and plugin_id not in self.switched_off
        if usable and plugin_id not in self.running:
            self.running[plugin_id] = self.on_disk[plugin_id]

    @rule(plugin_id=st.sampled_from(IDS))
    def unload(self, plugin_id: str) -> None:
        self._run(self.plugins.unload(plugin_id))
        self.running.pop(plugin_id, None)

    @rule(plugin_id=st.sampled_from(IDS))
    def reload(self, plugin_id: str) -> None:
        self._run(self.plugins.reload(plugin_id))
        if self.on_disk[plugin_id].isdigit() and plugin_id not in self.switched_off:
            self.running[plugin_id] = self.on_disk[plugin_id]

    @rule(plugin_id=st.sampled_from(IDS), version=VERSIONS)
    def remove_and_install_again(self, plugin_id: str, version: str) -> None:
        self._run(self.plugins.remove(plugin_id))
        self.running.pop(plugin_id, None)
        self.switched_off.discard(plugin_id)
        self.what_should_run_runs_and_nothing_else()
        self.write(plugin_id, version)
        self._run(self.plugins.load(plugin_id))
        self._loads(plugin_id)

    @invariant()
    def what_should_run_runs_and_nothing_else(self) -> None:
        expected = "".join(f"{plugin_id[-1]}{self.running[plugin_id]}" for plugin_id in sorted(self.running))
        assert self.runner.run(said(self.hooks, "")) == expected
        assert self.complaints == []
        states = {plugin.id: plugin.state for plugin in self.plugins}
        assert {plugin_id for plugin_id, state in states.items() if state is PluginState.ACTIVE} == set(self.running)
        mine = [task for task in asyncio.all_tasks(self.runner.get_loop()) if "P.forever" in repr(task.get_coro())]
        assert len(mine) == len(self.running)

    def teardown(self) -> None:
        self._run(self.plugins.unload_all())
        assert self.runner.run(said(self.hooks, "")) == ""
        assert self.complaints == []
        self.log.removeHandler(self.handler)
        for task in asyncio.all_tasks(self.runner.get_loop()):
            task.cancel()
        self.runner.close()
        self.folder.cleanup()


TestRandomWalks = Walk.TestCase
TestRandomWalks.settings = settings(
    max_examples=20, stateful_step_count=15, deadline=None, phases=[Phase.explicit, Phase.generate]
)
