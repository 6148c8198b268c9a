"""Tasks that a plugin makes of other people's coroutines go with it; those of everybody else stay."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from host.hooks import Declaration, Hooks, HookSpec
from host.runtime import PluginState
from maibot_sdk.types import HookMode
from tests.runtime.plugin_folders import PluginsIn, Say, inline_only, said, write_plugin

pytestmark = inline_only

MAKES_TASKS = """
    import anyio
    import asyncio
    from maibot_sdk import HookHandler, MaiBotPlugin

    kept = []

    async def held_by_anyio():
        group = await anyio.create_task_group().__aenter__()
        group.start_soon(anyio.sleep, 3600)
        kept.append(group)

    class Maker(MaiBotPlugin):
        async def on_load(self):
            {on_load}

        async def on_unload(self): ...

        @HookHandler("room.say")
        async def makes(self, **kwargs):
            {handler}

    def create_plugin():
        return Maker()
"""

WAYS = {
    "create_task": "kept.append(asyncio.create_task(asyncio.sleep(3600)))",
    "loop.create_task": "kept.append(asyncio.get_running_loop().create_task(asyncio.sleep(3600)))",
    "ensure_future": "kept.append(asyncio.ensure_future(asyncio.sleep(3600)))",
    "gather": "kept.append(asyncio.gather(asyncio.sleep(3600), asyncio.sleep(3600)))",
    "shield": "kept.append(asyncio.shield(asyncio.sleep(3600)))",
    "a TaskGroup that nobody leaves": (
        "group = await asyncio.TaskGroup().__aenter__(); kept.append((group, group.create_task(asyncio.sleep(3600))))"
    ),
    "anyio": "kept.append(asyncio.create_task(held_by_anyio()))",
    "a library that makes tasks": "import made_of_tasks; kept.append(made_of_tasks.start())",
    "a library that goes on making tasks": "import made_of_tasks; kept.append(asyncio.create_task(made_of_tasks.go()))",
}

LIBRARY = """
    import asyncio

    started = []

    def start():
        return asyncio.get_running_loop().create_task(asyncio.sleep(3600))

    async def go():
        started.append(asyncio.create_task(asyncio.sleep(3600)))
        await asyncio.sleep(0)
        started.append(asyncio.create_task(asyncio.sleep(3600)))
"""


@pytest.fixture
def library(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed library, ``made_of_tasks``, that makes tasks for whoever uses it."""
    folder = tmp_path_factory.mktemp("installed")
    (folder / "made_of_tasks.py").write_text(dedent(LIBRARY), encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    yield
    sys.modules.pop("made_of_tasks", None)


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("place", ["on_load", "handler"])
@pytest.mark.parametrize("way", WAYS)
async def test_a_task_of_a_librarys_coroutine_goes_with_the_plugin_that_made_it(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, way: str, place: str
) -> None:
    write_plugin(tmp_path, "team.one", MAKES_TASKS.format(**{"on_load": "pass", "handler": "pass", place: WAYS[way]}))
    plugins = plugins_in(tmp_path)
    before = asyncio.all_tasks()
    await plugins.load_all()
    await said(hooks)
    await settled()
    assert asyncio.all_tasks() > before
    await plugins.reload("team.one")
    await said(hooks)
    await settled()
    assert asyncio.all_tasks() > before
    await plugins.unload("team.one")
    assert asyncio.all_tasks() == before


async def test_what_a_failing_plugin_had_begun_goes_too(plugins_in: PluginsIn, tmp_path: Path) -> None:
    fails = f"{WAYS['create_task']}; raise OSError"
    write_plugin(tmp_path, "team.one", MAKES_TASKS.format(on_load=fails, handler="pass"))
    write_plugin(tmp_path, "team.two", "import asyncio\nkept = asyncio.gather(asyncio.sleep(3600))\nraise OSError")
    plugins = plugins_in(tmp_path)
    before = asyncio.all_tasks()
    await plugins.load_all()
    assert {plugin.state for plugin in plugins} == {PluginState.FAILED}
    assert asyncio.all_tasks() == before


async def test_tasks_of_other_plugins_and_of_the_program_stay(plugins_in: PluginsIn, tmp_path: Path) -> None:
    source = MAKES_TASKS.format(on_load=WAYS["create_task"], handler="pass")
    write_plugin(tmp_path, "team.one", source)
    write_plugin(tmp_path, "team.two", source)
    plugins = plugins_in(tmp_path)
    before = asyncio.all_tasks()
    await plugins.load_all()
    mine = asyncio.create_task(asyncio.sleep(3600))
    await plugins.unload("team.one")
    left = asyncio.all_tasks() - before - {mine}
    assert len(left) == 1
    assert not mine.done()
    mine.cancel()


async def test_what_the_host_does_for_a_plugin_is_the_hosts(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    fires = 'await self.fire("room.heard", {"text": ""})'
    write_plugin(tmp_path, "team.one", MAKES_TASKS.format(on_load="pass", handler=fires))
    begun, heard = asyncio.Event(), asyncio.Event()

    async def hear(**_: Any) -> None:
        begun.set()
        await asyncio.sleep(0.05)
        heard.set()

    hooks.register_spec(HookSpec(name="room.heard", payload=Say))
    hooks.register("embedder.ear", [Declaration(hook="room.heard", handler=hear, mode=HookMode.OBSERVE)])
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    instance: Any = plugins["team.one"].instance
    instance.fire = hooks.invoke
    await said(hooks)
    await begun.wait()
    await plugins.unload("team.one")
    async with asyncio.timeout(5):
        await heard.wait()


async def test_the_loop_has_its_own_task_factory_again_when_no_plugin_is_left(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    asked_for: list[str] = []

    def factory(loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any) -> asyncio.Task[Any]:
        asked_for.append(coroutine.__qualname__)
        return asyncio.Task(coroutine, loop=loop, **options)

    loop = asyncio.get_running_loop()
    before = asyncio.all_tasks()
    loop.set_task_factory(factory)
    write_plugin(tmp_path / "some", "team.one", MAKES_TASKS.format(on_load="pass", handler=WAYS["create_task"]))
    write_plugin(tmp_path / "others", "team.two")
    some, others = plugins_in(tmp_path / "some"), plugins_in(tmp_path / "others")
    await some.load_all()
    await others.load_all()
    await said(hooks)
    assert "sleep" in asked_for
    await others.unload_all()
    assert loop.get_task_factory() is not factory
    await some.unload_all()
    assert asyncio.all_tasks() == before
    assert loop.get_task_factory() is factory
    loop.set_task_factory(None)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="eager tasks came with Python 3.12")
async def test_tasks_that_begin_at_once_are_the_plugins_too(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, library: None
) -> None:
    loop = asyncio.get_running_loop()
    before = asyncio.all_tasks()
    loop.set_task_factory(getattr(asyncio, "eager_task_factory"))  # noqa: B009 - unknown to 3.11
    way = WAYS["a library that goes on making tasks"] + "; kept.append(asyncio.create_task(asyncio.sleep(3600)))"
    write_plugin(tmp_path, "team.one", MAKES_TASKS.format(on_load=way, handler=way))
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    await said(hooks)
    await settled()
    await plugins.unload("team.one")
    assert asyncio.all_tasks() == before
    loop.set_task_factory(None)
