from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import HookOrder


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", name="d", order=HookOrder.EARLY)
    async def d(self, message, **kwargs):
        message["processed_plain_text"] += "d"
        return {"action": "continue", "modified_kwargs": {"message": message}}

    @HookHandler("chat.receive.after_process", name="c", order=HookOrder.EARLY)
    async def c(self, message, **kwargs):
        message["processed_plain_text"] += "c"
        return {"action": "continue", "modified_kwargs": {"message": message}}

    @HookHandler("chat.receive.after_process", name="b", order=HookOrder.NORMAL)
    async def b(self, message, **kwargs):
        message["processed_plain_text"] += "b"
        return {"action": "continue", "modified_kwargs": {"message": message}}

    @HookHandler("chat.receive.after_process", name="a", order=HookOrder.LATE)
    async def a(self, message, **kwargs):
        message["processed_plain_text"] += "a"
        return {"action": "continue", "modified_kwargs": {"message": message}}


def create_plugin():
    return P()
