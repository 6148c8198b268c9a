import os

from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import HookMode


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", mode=HookMode.BLOCKING if bool(os.environ.get("WAIT")) else HookMode.OBSERVE)
    async def watch(self, **kwargs):
        return None


def create_plugin():
    return P()
