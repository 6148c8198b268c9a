# the old one
from maibot_sdk import (
    HookHandler,  # the new one
    MaiBotPlugin,
)
from maibot_sdk.types import (
    ErrorPolicy,
    HookMode,
    HookOrder,
)


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", name="new", mode=HookMode.BLOCKING)
    async def new(self, message, **kwargs):
        return {"action": "continue"}

    @HookHandler("chat.receive.after_process", order=HookOrder.LATE)
    async def old(self, message, **kwargs):
        return {"action": "continue"}


def create_plugin():
    return P()
