"""A configuration class of the wrong kind counts as none."""
from maibot_sdk import MaiBotPlugin
from maibot_sdk.config import BaseModel, build_plugin_default_config, generate_plugin_config_schema, is_plugin_config_class


class Config(BaseModel):
    """Documented."""

    a: int = 1


class Plugin(MaiBotPlugin):
    config_model = Config


def create_plugin():
    return Plugin()


async def story(plugin):
    given = {"b": {"c": 1}}
    plugin.set_plugin_config(given)
    plugin.get_plugin_config_data()["b"]["c"] = 2
    return [
        plugin.has_config_model(),
        is_plugin_config_class(Config),
        build_plugin_default_config(Config),
        generate_plugin_config_schema(Config, plugin_id="p", plugin_author="me"),
        plugin.normalize_plugin_config(None),
        plugin.normalize_plugin_config([1]),
        given,
        plugin.get_plugin_config_data(),
    ]
