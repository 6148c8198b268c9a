from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import ErrorPolicy


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", name="a", error_policy=ErrorPolicy.ABORT)
    async def a(self, message, **kwargs):
        if "boom" in message["processed_plain_text"]:
            raise ValueError("boom")

    @HookHandler("maisaka.planner.before_request", name="b")
    async def b(self, **kwargs):
        return None

    @HookHandler("maisaka.replyer.after_response", name="c", error_policy="log")
    async def c(self, **kwargs):
        return None


def create_plugin():
    return P()
