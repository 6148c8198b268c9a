from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    @HookHandler("chat.receive.before_process")
    async def check(self, **kwargs):
        return None


def create_plugin():
    return P()
