from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import HookOrder


class P(MaiBotPlugin):
    @HookHandler("chat.receive.before_process", name="z")
    async def z(self, message, **kwargs):
        message["processed_plain_text"] += "z"
        return {"action": "continue", "modified_kwargs": {"message": message}}

    @HookHandler("chat.receive.before_process", name="a", order=HookOrder.LATE)
    async def a(self, message, **kwargs):
        message["processed_plain_text"] += "a"
        return {"action": "continue", "modified_kwargs": {"message": message}}


def create_plugin():
    return P()
