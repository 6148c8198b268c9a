"""``component.update_plugin_config``: for the plugin that manages plugins, and no other."""

import json
from pathlib import Path

from tests.capabilities.home import home
from tests.capabilities.house import ASKER
from tests.runtime.plugin_folders import manifest, write_plugin

UPDATE = "ctx.call_capability('component.update_plugin_config',"
MANAGER = "builtin.plugin-management"
TEA = """
    from maibot_sdk import Field, MaiBotPlugin, PluginConfigBase

    class Pot(PluginConfigBase):
        cups: int = Field(default=2)

    class About(PluginConfigBase):
        config_version: str = "1.0.0"
        enabled: bool = True

    class Config(PluginConfigBase):
        plugin: About = Field(default_factory=About)
        pot: Pot = Field(default_factory=Pot)

    class Tea(MaiBotPlugin):
        config_model = Config

        async def on_load(self): ...
        async def on_unload(self): ...
        async def on_config_update(self, scope, config_data, version): ...

    create_plugin = Tea
"""


async def test_a_key_of_another_plugin_is_changed_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "plugins"
    about = json.dumps(manifest(MANAGER, capabilities=["component.update_plugin_config"]))
    write_plugin(folder, MANAGER, ASKER, {"_manifest.json": about})
    write_plugin(folder, "demo.tea", TEA)
    async with home(tmp_path, "component.update_plugin_config", "config.get_plugin") as here:
        tea = f"{UPDATE} plugin_name='demo.tea', key='pot.cups',"
        assert "only builtin.plugin-management may" in await here.refused(f"{tea} value=5)")
        done = await here.ask(f"{tea} value=5)", MANAGER)
        assert done == {"success": True, "plugin_name": "demo.tea", "key": "pot.cups", "hot_updated": True}
        assert (await here.ask("ctx.config.get_plugin('demo.tea')"))["pot"] == {"cups": 5}
        for call, why in {
            f"{tea} value='many')": "cups",
            f"{UPDATE} plugin_name='demo.coffee', key='x', value=1)": "demo.coffee",
            f"{UPDATE} plugin_name='demo.tea', key='')": "'key' is missing",
        }.items():
            answer = await here.ask(call, MANAGER)
            assert (answer["success"], why in answer["error"]) == (False, True), answer
        assert (await here.ask("ctx.config.get_plugin('demo.tea')"))["pot"] == {"cups": 5}
