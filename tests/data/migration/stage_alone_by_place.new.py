from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process")
    async def look(self, message, **kwargs):
        return None


def create_plugin():
    return P()
