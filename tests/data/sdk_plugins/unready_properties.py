"""Properties that raise before the plugin is loaded."""
from maibot_sdk import Command, MaiBotPlugin, PluginConfigBase


class Config(PluginConfigBase):
    a: int = 1


class Plugin(MaiBotPlugin):
    config_model = Config

    @property
    def client(self):
        return self._client

    @property
    def nickname(self):
        raise RuntimeError("not connected")

    @Command("c")
    async def c(self, **kwargs): ...


def create_plugin():
    return Plugin()
