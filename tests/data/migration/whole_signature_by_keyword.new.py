from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import ErrorPolicy, HookMode, HookOrder


class P(MaiBotPlugin):
    @HookHandler(
        "chat.receive.before_process",
        name="filter",
        description="drops advertisements",
        order=HookOrder.EARLY,
        timeout_ms=3000,
        mode=HookMode.BLOCKING,
        error_policy=ErrorPolicy.LOG,
        author="me",
    )
    async def check(self, message, **kwargs):
        if "buy now" in message["processed_plain_text"]:
            return {"action": "abort"}
        return {"action": "continue", "modified_kwargs": {"message": message}}


def create_plugin():
    return P()
