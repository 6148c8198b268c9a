"""A constructor that does not call that of the base."""
from maibot_sdk import Command, MaiBotPlugin


class Plugin(MaiBotPlugin):
    def __init__(self):
        self.count = 0

    @Command("c")
    async def c(self, **kwargs): ...


def create_plugin():
    return Plugin()


async def story(plugin):
    return plugin.get_plugin_config_data()
