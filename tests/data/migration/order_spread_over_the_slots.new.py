from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import HookOrder


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", name="z", order=HookOrder.EARLY)
    async def z(self, message, **kwargs):
        message["processed_plain_text"] += "z"
        return {"action": "continue", "modified_kwargs": {"message": message}}

    @HookHandler("chat.receive.after_process", name="m", order=HookOrder.NORMAL)
    async def m(self, message, **kwargs):
        message["processed_plain_text"] += "m"
        return {"action": "continue", "modified_kwargs": {"message": message}}

    @HookHandler("chat.receive.after_process", name="a", order=HookOrder.LATE)
    async def a(self, message, **kwargs):
        message["processed_plain_text"] += "a"
        return {"action": "continue", "modified_kwargs": {"message": message}}


def create_plugin():
    return P()
