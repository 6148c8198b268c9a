"""Plugins that have others loaded, unloaded and reloaded, or themselves."""

import asyncio

from host.capabilities.plugin_moves import MOVES
from host.runtime import PluginState
from tests.capabilities.house import MakeHouse, all_of
from tests.runtime.plugin_folders import reached


async def test_plugins_are_loaded_reloaded_and_unloaded(house: MakeHouse) -> None:
    here = await house(*all_of(MOVES))
    here.write("demo.weather")
    assert await here.ask("ctx.component.load_plugin('demo.weather')") == {"success": True, "count": 1}
    before = here.plugins["demo.weather"]
    assert await here.ask("ctx.component.reload_plugin('demo.weather')") == {"success": True}
    assert here.plugins["demo.weather"] is not before
    assert await here.ask("ctx.component.unload_plugin('demo.weather')") == {"success": True}
    assert here.plugins["demo.weather"].state is PluginState.INACTIVE


async def test_a_plugin_that_does_not_load_is_told_why(house: MakeHouse) -> None:
    here = await house(*all_of(MOVES))
    await here.load("demo.weather")
    here.write("demo.weather", more="raise LookupError('broken')")
    answer = await here.ask("ctx.component.reload_plugin('demo.weather')")
    assert answer["success"] is False
    assert "broken" in answer["error"]
    assert here.plugins["demo.weather"].state is PluginState.ACTIVE
    answer = await here.ask("ctx.component.load_plugin('no.such')")
    assert "there is no plugin 'no.such'" in answer["error"]


RELOADS_ITSELF = """
        async def on_load(self):
            __import__("logging").getLogger("journal").warning("on_load")
"""


async def test_a_plugin_can_reload_itself_and_is_there_afterwards(house: MakeHouse) -> None:
    here = await house(*all_of(MOVES), more=RELOADS_ITSELF)
    before = here.plugins["team.asker"]
    async with asyncio.TaskGroup() as group:
        group.create_task(reached("on_load"))
        group.create_task(here.tool("team.asker").invoke({"source": RELOAD}))
    await here.plugins.reconfigure("team.asker")  # Plugins are moved one at a time: the reload has ended then.
    after = here.plugins["team.asker"]
    assert after is not before
    assert after.state is PluginState.ACTIVE


RELOAD = "ctx.component.reload_plugin('team.asker')"

LOADS_IN_ON_LOAD = """
        async def on_load(self):
            answer = await self.ctx.component.load_plugin("team.asker")
            __import__("logging").getLogger("journal").warning("%s", "refused" if not answer["success"] else "loaded")
"""


async def test_a_plugin_that_is_being_loaded_cannot_load_another(house: MakeHouse) -> None:
    here = await house()
    async with asyncio.TaskGroup() as group:
        group.create_task(reached("refused"))
        group.create_task(here.load("demo.early", "component.load_plugin", more=LOADS_IN_ON_LOAD))


async def test_a_reload_that_grants_more_grants_it_to_the_new_version_at_once(house: MakeHouse) -> None:
    here = await house()
    asks = """
        async def on_load(self):
            __import__("logging").getLogger("journal").warning("%s", await self.ctx.config.get("bot.nickname"))
    """
    here.write("team.asker", "config.get", more=asks)
    async with asyncio.TaskGroup() as group:
        group.create_task(reached("Mai"))
        group.create_task(here.plugins.reload("team.asker"))
    assert here.plugins["team.asker"].reload_problem is None
