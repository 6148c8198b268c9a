from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import ErrorPolicy


class P(MaiBotPlugin):
    # TODO(migrate): filter=lambda message: message["platform"] == "qq" has no counterpart. Ask for the same at the top of the handler: if not ...: return None
    # TODO(migrate): timeout_ms is 3600000; allowed is a whole number from 0 (the hook's default) to 600000. Correct it.
    @HookHandler("chat.receive.after_process", name="a", timeout_ms=3_600_000)
    async def a(self, message, **kwargs):
        return {"action": "continue"}

    # TODO(migrate): The priority len("abc") cannot be told from the source. Choose order=HookOrder.EARLY, NORMAL or LATE.
    @HookHandler("chat.receive.after_process", name="b", error_policy=ErrorPolicy.LOG)
    async def b(self, message, **kwargs):
        return {"action": "continue"}


def create_plugin():
    return P()
