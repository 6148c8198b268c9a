"""``ctx.api``: plugins calling one another, each in its own process or not."""

import asyncio

from host.runtime import PluginState
from tests.capabilities.house import House, MakeHouse
from tests.runtime.plugin_folders import process_only, reached

OFFERS = """
        @API("now", description="the time", public=True)
        async def now(self, place="here", **kwargs):
            return {"place": place, "names": sorted(kwargs)}

        @API("now", version="2", public=True)
        async def now_2(self, **kwargs):
            return "second"

        @API("天气.today", public=True)
        async def today(self, **kwargs):
            return "sunny"

        @API("own")
        async def own(self, **kwargs):
            return "own"

        @API("fails", public=True)
        async def fails(self, **kwargs):
            raise LookupError("no such place")

        @API("hangs", public=True, timeout_ms=50)
        async def hangs(self, **kwargs):
            await asyncio.Event().wait()

        async def offer(self, *names, reason="gone fishing"):
            self.clear_dynamic_apis()
            for name in names:
                self.register_dynamic_api(name, self.dynamic, public=True)
            return await self.sync_dynamic_apis(offline_reason=reason)

        async def dynamic(self, **kwargs):
            return kwargs
"""


async def two(house: MakeHouse) -> House:
    """A plugin that offers APIs, and one that calls them."""
    here = await house("api.call", "api.get", "api.list")
    await here.load("demo.weather", more=OFFERS)
    return here


async def test_an_api_is_called_by_its_full_or_its_short_name(house: MakeHouse) -> None:
    here = await two(house)
    result = {"place": "Oslo", "names": ["timeout_ms"]}
    assert await here.ask("ctx.api.call('now', version='1', place='Oslo', timeout_ms=5)") == result
    assert await here.ask("ctx.api.call('demo.weather.now@1')") == {"place": "here", "names": []}
    assert await here.ask("ctx.api.call('demo.weather.now@2')") == "second"
    assert await here.ask("ctx.api.call('天气.today')") == "sunny"
    assert await here.ask("ctx.api.call('demo.weather.天气.today')") == "sunny"


UNCALLABLE = [
    ("'now'", "several APIs are called 'now': demo.weather.now@1, demo.weather.now@2"),
    ("'own'", "is not public"),
    ("'nwo'", "nearest: demo.weather.now"),
    ("'now', version='3'", "no API 'now@3'"),
    ("'fails'", "no such place"),
    ("'hangs'", "0.05 s"),
    ("''", "'api_name' is missing"),
]


async def test_what_cannot_be_called_is_told(house: MakeHouse) -> None:
    here = await two(house)
    for call, why in UNCALLABLE:
        answer = await here.ask(f"ctx.api.call({call})")
        assert answer["success"] is False
        assert why in answer["error"]


async def test_apis_are_listed_and_described_as_far_as_they_may_be_called(house: MakeHouse) -> None:
    here = await two(house)
    listed = await here.ask("ctx.api.list(plugin_id='demo.weather')")
    names = [(each["name"], each["version"]) for each in listed]
    assert names == [("fails", "1"), ("hangs", "1"), ("now", "1"), ("now", "2"), ("天气.today", "1")]
    described = await here.ask("ctx.api.get('now@1')")
    assert described.pop("metadata")["handler_name"] == "now"
    assert described == {
        "name": "now",
        "full_name": "demo.weather.now",
        "plugin_id": "demo.weather",
        "description": "the time",
        "version": "1",
        "public": True,
        "enabled": True,
        "dynamic": False,
        "offline_reason": "",
    }
    assert await here.ask("ctx.api.get('now')") is None
    assert await here.ask("ctx.api.get('own')") is None
    assert await here.ask("ctx.api.list(plugin_id='no.such')") == []


async def test_apis_are_there_while_their_plugin_is_active(house: MakeHouse) -> None:
    here = await two(house)
    await here.plugins.unload("demo.weather")
    assert await here.ask("ctx.api.list()") == []


async def test_dynamic_apis_come_and_go_and_say_why(house: MakeHouse) -> None:
    here = await two(house)
    assert await here.ask("plugin.offer('tide', 'moon')", "demo.weather") is True
    assert await here.ask("ctx.api.call('tide', place='Oslo')") == {
        "place": "Oslo",
        "__maibot_api_name__": "tide",
        "__maibot_api_full_name__": "demo.weather.tide",
        "__maibot_api_version__": "1",
    }
    assert (await here.ask("ctx.api.get('moon')"))["dynamic"] is True
    assert await here.ask("plugin.offer('moon')", "demo.weather") is True
    assert (await here.ask("ctx.api.call('tide')"))["error"].startswith("API 'tide' is offline: gone fishing")
    assert (await here.ask("ctx.api.call('moon')"))["__maibot_api_name__"] == "moon"
    await here.plugins.reload("demo.weather")
    assert "no API 'moon'" in (await here.ask("ctx.api.call('moon')"))["error"]


REFUSED = [
    ("[{'name': 'a'}, {'name': 'a'}]", "twice"),
    ("[{'name': 'now', 'metadata': {'version': '2'}}]", "would hide"),
    ("[{'name': ' '}]", "has no name"),
    ("[{'name': 'a', 'type': 'TOOL'}]", "allowed is 'API'"),
    ("'none'", "'apis' is 'none'"),
]


async def test_a_refused_list_of_dynamic_apis_changes_nothing(house: MakeHouse) -> None:
    here = await two(house)
    await here.ask("plugin.offer('tide')", "demo.weather")
    for apis, why in REFUSED:
        answer = await here.ask(f"ctx.call_capability('api.replace_dynamic', apis={apis})", "demo.weather")
        assert answer["success"] is False
        assert why in answer["error"]
    assert (await here.ask("ctx.api.call('tide')"))["__maibot_api_name__"] == "tide"


IN_ON_LOAD = """
        async def on_load(self):
            self.register_dynamic_api("early", self.dynamic, public=True)
            await self.sync_dynamic_apis()

        async def dynamic(self, **kwargs):
            return "early"
"""


async def test_dynamic_apis_may_be_told_in_on_load(house: MakeHouse) -> None:
    here = await house("api.call")
    await here.load("demo.early", more=IN_ON_LOAD)
    assert await here.ask("ctx.api.call('early')") == "early"


ON_DEMAND = """
        async def on_load(self):
            __import__("logging").getLogger("journal").warning("on_load")

        async def offer(self):
            self.register_dynamic_api("brief", self.dynamic, public=True)
            return await self.sync_dynamic_apis()

        async def dynamic(self, **kwargs):
            return "brief"
"""


@process_only
async def test_dynamic_apis_end_with_the_process_that_told_of_them(house: MakeHouse) -> None:
    here = await house("api.call")
    await here.load("demo.brief", more=ON_DEMAND)
    assert await here.ask("plugin.offer()", "demo.brief") is True
    assert await here.ask("ctx.api.call('brief')") == "brief"
    async with asyncio.TaskGroup() as group:
        group.create_task(reached("on_load"))
        group.create_task(here.tool("demo.brief").invoke({"source": "__import__('os')._exit(3)"}))
    await here.plugins.reconfigure("demo.brief")  # Plugins are moved one at a time: the restart has ended then.
    assert here.plugins["demo.brief"].state is PluginState.ACTIVE
    assert "no API 'brief'" in (await here.ask("ctx.api.call('brief')"))["error"]


IN_INIT = """
        def __init__(self):
            super().__init__()
            self.register_dynamic_api("born", self.dynamic, public=True)

        async def dynamic(self, **kwargs):
            return "born"
"""


async def test_dynamic_apis_of_a_constructor_can_be_told_again_and_withdrawn(house: MakeHouse) -> None:
    here = await house("api.call", "api.get")
    await here.load("demo.born", more=IN_INIT)
    assert await here.ask("ctx.api.call('born')") == "born"
    assert await here.ask("plugin.sync_dynamic_apis()", "demo.born") is True
    assert await here.ask("ctx.api.call('born')") == "born"
    await here.ask("plugin.ctx.api.replace_dynamic_apis([], offline_reason='asleep')", "demo.born")
    assert "asleep" in (await here.ask("ctx.api.call('born')"))["error"]
