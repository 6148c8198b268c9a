"""Inheritance over three levels; overrides with and without a decorator; private and mangled names."""
from maibot_sdk import API, Command, MaiBotPlugin


class Root(MaiBotPlugin):
    @Command("kept")
    async def kept(self, **kwargs): ...

    @Command("hidden")
    async def hidden(self, **kwargs): ...

    @Command("replaced", "old")
    async def replaced(self, **kwargs): ...

    @API("_private")
    async def _private(self, **kwargs): ...

    @API("__mangled")
    async def __mangled(self, **kwargs): ...


class Middle(Root):
    async def hidden(self, **kwargs): ...

    @Command("replaced", "new", aliases=["/r"])
    async def replaced(self, **kwargs): ...


class Plugin(Middle):
    kept_again = Middle.kept

    @API("__mangled")
    async def __mangled(self, **kwargs): ...


def create_plugin():
    return Plugin()
