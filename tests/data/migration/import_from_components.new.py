from maibot_sdk import MaiBotPlugin
from maibot_sdk.components import HookHandler
from maibot_sdk.types import HookMode


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", mode=HookMode.BLOCKING)
    async def a(self, message, **kwargs):
        return {"action": "continue"}


def create_plugin():
    return P()
