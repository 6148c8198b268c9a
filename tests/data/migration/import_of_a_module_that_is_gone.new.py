from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process")
    async def a(self, message, **kwargs):
        return {"action": "continue"}


def create_plugin():
    return P()
