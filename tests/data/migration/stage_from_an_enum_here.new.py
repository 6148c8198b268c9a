from enum import Enum

from maibot_sdk import MaiBotPlugin, HookHandler


class Stage(Enum):
    IN = "ingress"


class P(MaiBotPlugin):
    @HookHandler("chat.receive.before_process", name="check")
    async def check(self, **kwargs):
        return None


def create_plugin():
    return P()
