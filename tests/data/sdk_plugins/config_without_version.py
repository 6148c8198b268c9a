"""A configuration that never says its version, and the errors of using one too early."""
from maibot_sdk import MaiBotPlugin, PluginConfigBase


class Config(PluginConfigBase):
    a: int = 1


class Plugin(MaiBotPlugin):
    config_model = Config


def create_plugin():
    return Plugin()


async def story(plugin):
    told = []
    for use in (
        lambda: plugin.config,
        lambda: plugin.normalize_plugin_config({}),
        lambda: plugin.normalize_plugin_config({"a": 2}),
        lambda: plugin.set_plugin_config({"plugin": {"config_version": "  "}}),
        lambda: plugin.set_plugin_config({"plugin": {"config_version": 1}, "a": "x"}),
        lambda: plugin.set_plugin_config({"plugin": {"config_version": 1}, "a": "5"}),
        lambda: plugin.config.a,
        lambda: plugin.get_plugin_config_data(),
        lambda: setattr(plugin.config, "a", "x"),
        lambda: setattr(plugin.config, "unknown", 1),
    ):
        try:
            told.append(use())
        except Exception as error:
            told.append(type(error).__name__)
    return told
