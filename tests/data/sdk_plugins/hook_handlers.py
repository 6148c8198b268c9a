"""Handlers as public plugins write them."""
from maibot_sdk import HookHandler, MaiBotPlugin
from maibot_sdk.types import ErrorPolicy, HookMode, HookOrder


class Plugin(MaiBotPlugin):
    @HookHandler("chat.receive.after_process")
    async def plain(self, **kwargs): ...

    @HookHandler(
        hook="maisaka.planner.before_request",
        name="planner",
        description="d",
        mode=HookMode.BLOCKING,
        order=HookOrder.EARLY,
        timeout_ms=120_000,
        error_policy=ErrorPolicy.SKIP,
    )
    async def planner(self, messages, hook_name, **kwargs): ...

    @HookHandler("not.a.hook", mode=HookMode.OBSERVE, timeout_ms=-5)
    def sync(self, **kwargs): ...


def create_plugin():
    return Plugin()
