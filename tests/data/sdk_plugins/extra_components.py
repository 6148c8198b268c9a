"""Adds components as dicts, drops one by its name, renames another."""
from maibot_sdk import Command, MaiBotPlugin


class Plugin(MaiBotPlugin):
    @Command("one")
    async def one(self, **kwargs): ...

    @Command("two")
    async def two(self, **kwargs): ...

    async def made(self, **kwargs): ...

    def get_components(self):
        kept = [dict(component, name=f"{component['name']}!") for component in super().get_components()]
        kept = [component for component in kept if component["name"] != "two!"]
        return [*kept, {"name": "made", "type": "TOOL", "metadata": {"handler_name": "made", "description": "d"}}]


def create_plugin():
    return Plugin()
