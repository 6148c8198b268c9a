from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import HookOrder


class P(MaiBotPlugin):
    @HookHandler(
        "maisaka.replyer.after_response",
        name="shout",
        order=HookOrder.NORMAL
    )
    async def shout(self, **kwargs):
        return None


def create_plugin():
    return P()
