"""Asks the context what it can do."""
from maibot_sdk import MaiBotPlugin


class Plugin(MaiBotPlugin):
    async def on_load(self):
        names = ("send", "tts", "maisaka", "workflow", "db", "database", "storage", "statistics", "logging", "__dict__")
        self.found = {name: getattr(self.ctx, name, None) is not None for name in names}
        self.deeper = [
            hasattr(self.ctx.send, "voice"),
            hasattr(self.ctx.maisaka, "reply"),
            hasattr(self.ctx.message, "get_by_id"),
            hasattr(self.ctx.statistics, "remote"),
        ]


def create_plugin():
    return Plugin()


async def story(plugin):
    await plugin.on_load()
    told = [plugin.found, plugin.deeper, plugin.ctx.plugin_id, plugin.ctx.logger.name, plugin.ctx.paths]
    for method in (plugin.on_unload(), plugin.on_config_update("self", {}, "1")):
        try:
            told.append(await method)
        except NotImplementedError:
            told.append("NotImplementedError")
    return told
