from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import HookMode


class P(MaiBotPlugin):
    @HookHandler("chat.receive.before_process", mode=HookMode.BLOCKING)
    async def on_pre_process(self, **kwargs):
        ...


def create_plugin():
    return P()
