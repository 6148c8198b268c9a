"""A field without a default."""
from maibot_sdk import Field, MaiBotPlugin, PluginConfigBase


class Inner(PluginConfigBase):
    needed: str


class Config(PluginConfigBase):
    inner: list[Inner] = Field(default_factory=list)
    token: str


class Plugin(MaiBotPlugin):
    config_model = Config


def create_plugin():
    return Plugin()
