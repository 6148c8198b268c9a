from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import HookOrder


class P(MaiBotPlugin):
    @HookHandler("chat.receive.before_process", name="second", order=HookOrder.NORMAL)
    async def second(self, message, **kwargs):
        message["processed_plain_text"] += "second"
        return {"action": "continue", "modified_kwargs": {"message": message}}

    @HookHandler("chat.receive.before_process", name="first", order=HookOrder.NORMAL)
    async def first(self, message, **kwargs):
        message["processed_plain_text"] += "first"
        return {"action": "continue", "modified_kwargs": {"message": message}}


def create_plugin():
    return P()
