from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import HookMode, HookOrder


class P(MaiBotPlugin):
    @HookHandler("send_service.before_send", name="watch", mode=HookMode.OBSERVE, order=HookOrder.LATE)
    async def watch(self, message, **kwargs):
        self.ctx.logger.info("sent %s", message["message_id"])
        return {"action": "continue"}


def create_plugin():
    return P()
