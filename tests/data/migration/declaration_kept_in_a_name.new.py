from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import HookOrder


class P(MaiBotPlugin):
    early = HookHandler("chat.receive.after_process", name="early", order=HookOrder.EARLY)

    @early
    async def a(self, message, **kwargs):
        return {"action": "continue"}


def create_plugin():
    return P()
