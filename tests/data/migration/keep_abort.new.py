from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import ErrorPolicy, HookMode


class P(MaiBotPlugin):
    @HookHandler("chat.receive.before_process", mode=HookMode.BLOCKING, error_policy=ErrorPolicy.ABORT)
    async def a(self, message, **kwargs):
        if "boom" in message["processed_plain_text"]:
            raise ValueError("boom")

    @HookHandler(
        "maisaka.planner.before_request",
        name="b",
    )
    async def b(self, **kwargs):
        return None

    @HookHandler(
        name="c",
        hook="send_service.before_send",
        description="guards",  # what goes out
        error_policy=ErrorPolicy.ABORT,
    )
    async def c(self, message, **kwargs):
        if "boom" in message["processed_plain_text"]:
            raise ValueError("boom")

    @HookHandler("send_service.before_send", mode=HookMode.OBSERVE)
    async def d(self, **kwargs):
        return None

    @HookHandler("chat.receive.after_process", name="e", error_policy="skip")
    async def e(self, message, **kwargs):
        if "boom" in message["processed_plain_text"]:
            raise ValueError("boom")


def create_plugin():
    return P()
