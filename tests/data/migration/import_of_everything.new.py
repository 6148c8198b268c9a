from maibot_sdk import *  # noqa: F403
from maibot_sdk.types import HookOrder


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", order=HookOrder.EARLY)
    async def a(self, message, **kwargs):
        return {"action": "continue"}


def create_plugin():
    return P()
