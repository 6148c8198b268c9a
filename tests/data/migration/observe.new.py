from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import HookMode


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", mode=HookMode.OBSERVE)
    async def watch(self, message, **kwargs):
        self.ctx.logger.info("seen %s", message["message_id"])


def create_plugin():
    return P()
