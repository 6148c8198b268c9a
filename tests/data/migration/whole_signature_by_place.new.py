from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import ErrorPolicy, HookMode, HookOrder


class P(MaiBotPlugin):
    @HookHandler("send_service.before_send", name="filter", description="adds a mark", order=HookOrder.LATE, timeout_ms=2000, mode=HookMode.BLOCKING, error_policy=ErrorPolicy.SKIP)
    async def mark(self, message, **kwargs):
        message["processed_plain_text"] += "!"
        return {"action": "continue", "modified_kwargs": {"message": message}}


def create_plugin():
    return P()
