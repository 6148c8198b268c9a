"""Something else stands where the description of a component belongs."""
from maibot_sdk import Command, MaiBotPlugin
from maibot_sdk.components import _COMPONENT_INFO_ATTR


async def wrong(self, **kwargs): ...


setattr(wrong, _COMPONENT_INFO_ATTR, {"name": "dict"})


class Plugin(MaiBotPlugin):
    wrong = wrong

    @Command("right")
    async def right(self, **kwargs): ...


def create_plugin():
    return Plugin()
