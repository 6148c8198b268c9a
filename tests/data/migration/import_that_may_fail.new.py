try:
    from maibot_sdk import MaiBotPlugin, HookHandler
    from maibot_sdk.types import HookOrder
except ImportError:
    MaiBotPlugin = object

    def HookHandler(*args, **kwargs):
        return lambda function: function


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", order=HookOrder.EARLY)
    async def a(self, message, **kwargs):
        return {"action": "continue"}


def create_plugin():
    return P()
