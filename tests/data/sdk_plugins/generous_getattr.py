"""Answers any attribute."""
from maibot_sdk import Command, MaiBotPlugin


class Anything:
    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self


class Plugin(MaiBotPlugin):
    anything = Anything()

    def __getattr__(self, name):
        if name.startswith("lazy_"):
            return name
        raise AttributeError(name)

    @Command("c")
    async def c(self, **kwargs): ...


def create_plugin():
    return Plugin()


async def story(plugin):
    return plugin.lazy_client
