"""A list of items that cannot be made without arguments."""
from maibot_sdk import Field, MaiBotPlugin, PluginConfigBase


class Item(PluginConfigBase):
    needed: str


class Config(PluginConfigBase):
    items: list[Item] = Field(default_factory=list)


class Plugin(MaiBotPlugin):
    config_model = Config


def create_plugin():
    return Plugin()
