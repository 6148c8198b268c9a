"""Actions of the first version."""
from maibot_sdk import Action, MaiBotPlugin
from maibot_sdk.types import ActivationType, ChatMode


class Plugin(MaiBotPlugin):
    @Action("plain")
    async def plain(self, **kwargs): ...

    @Action(
        "full",
        " d ",
        ActivationType.KEYWORD,
        ["hi", "yo"],
        0.25,
        ChatMode.FOCUS,
        {"who": "the person", "how": None, "what": {"type": "string"}, "n": 5},
        [" when asked ", "", "when bored"],
        ["text", "emoji"],
        True,
        " be kind ",
        platforms=["qq"],
        brief_description="no effect",
        detailed_description="no effect",
        color="red",
    )
    async def full(self, **kwargs): ...

    @Action("random", activation_type=ActivationType.RANDOM, activation_probability=2.5)
    async def random(self, **kwargs): ...


def create_plugin():
    return Plugin()
