"""Components stand on mixins that know nothing of the base class."""
from maibot_sdk import API, Command, MaiBotPlugin, Tool


class Commands:
    @Command("hello", "says hello", pattern=r"^/hello$")
    async def handle_hello(self, **kwargs):
        return True, "hello", 2


class Tools:
    @Tool("dice", "rolls", parameters=None)
    async def roll(self, **kwargs):
        return {"content": "4"}


class Plugin(Commands, Tools, MaiBotPlugin):
    @API("state")
    async def state(self, **kwargs):
        return {}


def create_plugin():
    return Plugin()
