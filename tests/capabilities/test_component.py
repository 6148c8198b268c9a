"""``ctx.component``: plugins and components, looked at and switched."""

from host.capabilities.component import COMPONENT
from host.runtime.config.file import CONFIG_FILE
from tests.capabilities.house import MakeHouse, all_of

OFFERS = """
        @Command("greet", pattern="^/greet")
        async def greet(self, **kwargs): ...

        @API("now", public=True)
        async def now(self, **kwargs):
            return "now"

        @HookHandler("room.say")
        async def say(self, **kwargs): ...
"""


async def test_plugins_are_listed_with_their_components(house: MakeHouse) -> None:
    here = await house(*all_of(COMPONENT))
    await here.load("demo.weather", more=OFFERS)
    plugins = await here.ask("ctx.component.get_all_plugins()")
    assert list(plugins) == ["demo.weather", "team.asker"]
    weather = plugins["demo.weather"]
    listed = {(each["type"], each["name"], each["full_name"], each["enabled"]) for each in weather.pop("components")}
    assert listed == {
        ("TOOL", "ask", "demo.weather.ask", True),
        ("COMMAND", "greet", "demo.weather.greet", True),
        ("API", "now", "demo.weather.now", True),
        ("HOOK_HANDLER", "say", "demo.weather.say", True),
    }
    assert weather == {
        "name": "demo.weather",
        "display_name": "Name of demo.weather",
        "version": "1.2.3",
        "description": "For a test.",
        "author": "Somebody",
        "enabled": True,
    }
    for call in ("list_loaded_plugins", "list_registered_plugins"):
        assert await here.ask(f"ctx.component.{call}()") == ["demo.weather", "team.asker"]


async def test_a_plugin_is_described_with_the_form_of_its_configuration(house: MakeHouse) -> None:
    here = await house(*all_of(COMPONENT))
    (here.folder / "team.asker" / CONFIG_FILE).write_text("[words]\nlimit = 3\n", encoding="utf-8")
    described = await here.ask("ctx.component.get_plugin_info('team.asker')")
    assert (described["name"], described["version"], described["author"]) == ("team.asker", "1.2.3", "Somebody")
    form = await here.ask("ctx.component.get_plugin_config_schema('')")
    assert (form["success"], form["plugin_id"]) == (True, "team.asker")
    assert form["schema"] == described["config_schema"]
    assert "words" in form["schema"]["sections"]
    assert (await here.ask("ctx.component.get_plugin_info('no.such')"))["success"] is False


async def test_components_are_switched_off_and_on_across_reloads(house: MakeHouse) -> None:
    here = await house(*all_of(COMPONENT), "api.call", "api.list")
    await here.load("demo.weather", more=OFFERS)
    assert await here.ask("ctx.component.disable_component('greet', 'command')") == {"success": True}
    assert await here.ask("ctx.component.disable_component('demo.weather.now', 'API')") == {"success": True}
    await here.plugins.reload("demo.weather")
    assert here.plugins.components.of_type("COMMAND") == []
    assert "is switched off" in (await here.ask("ctx.api.call('now')"))["error"]
    assert await here.ask("ctx.api.list()") == []
    components = (await here.ask("ctx.component.get_all_plugins()"))["demo.weather"]["components"]
    assert {each["name"]: each["enabled"] for each in components} == {
        "ask": True,
        "greet": False,
        "now": False,
        "say": True,
    }
    assert await here.ask("ctx.component.enable_component('greet', 'COMMAND')") == {"success": True}
    assert await here.ask("ctx.component.enable_component('now', 'API', version='1')") == {"success": True}
    assert [each.name for each in here.plugins.components.of_type("COMMAND")] == ["greet"]
    assert await here.ask("ctx.api.call('now')") == "now"


UNSWITCHABLE = [
    ("'greet', 'COMMAND', 'stream', 's'", "switched for all chats only"),
    ("'nothing', 'COMMAND'", "no component 'nothing'"),
    ("'ask', 'ACTION'", "several components"),
    ("'say', 'HOOK_HANDLER'", "cannot be switched"),
]


async def test_what_cannot_be_switched_is_told(house: MakeHouse) -> None:
    here = await house(*all_of(COMPONENT))
    await here.load("demo.weather", more=OFFERS)
    for call, why in UNSWITCHABLE:
        answer = await here.ask(f"ctx.component.disable_component({call})")
        assert answer["success"] is False
        assert why in answer["error"]
