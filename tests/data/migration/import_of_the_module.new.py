import maibot_sdk as sdk
from maibot_sdk import MaiBotPlugin
from maibot_sdk.types import HookOrder


class P(MaiBotPlugin):
    @sdk.HookHandler("chat.receive.after_process", order=HookOrder.EARLY)
    async def a(self, message, **kwargs):
        return {"action": "continue"}


def create_plugin():
    return P()
