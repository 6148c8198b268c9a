from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import HookOrder

STAGE = "finalize"
FIRST = 100


class P(MaiBotPlugin):
    @HookHandler("send_service.before_send", order=HookOrder.EARLY)
    async def check(self, **kwargs):
        return None


def create_plugin():
    return P()
