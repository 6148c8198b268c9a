"""Keywords that decorators do not declare."""
from maibot_sdk import API, Command, EventHandler, HomeCard, HookHandler, LLMProvider, MaiBotPlugin, MessageGateway, ReplyExtension, Tool
from maibot_sdk.types import ActivationType, EventType


class Plugin(MaiBotPlugin):
    @Command("c", timeout_ms=5, intercept_message_level=1, enabled=False, command_pattern="x", handler_name="y", type="TOOL", plugin_id="p")
    async def c(self, **kwargs): ...

    @Tool("t", visibility="visible", core_tool=True, activation_type=ActivationType.KEYWORD, enabled=False, timeout_ms=9, invoke_method="z")
    async def t(self, **kwargs): ...

    @HookHandler("chat.receive.before_process", include_binary_data=True, weight=3, enabled=False, payload={"a": (1, 2)})
    async def h(self, **kwargs): ...

    @API("a", deprecated=True, public_to=["x"], enabled=False)
    async def a(self, **kwargs): ...

    @EventHandler("e", event_type="on_stop", priority=5, enabled=False)
    async def e(self, **kwargs): ...

    @HomeCard("hc", "title", {"kind": "chart", "rows": [1]}, badge="new", enabled=False)
    async def hc(self, **kwargs): ...

    @MessageGateway("duplex", supports=["image"], enabled=False)
    async def gw(self, **kwargs): ...

    @LLMProvider("x", region="eu", enabled=False)
    async def p(self, **kwargs): ...

    @ReplyExtension("r", tone="kind", parameters_schema={"x": 1}, type="TOOL")
    async def r(self, **kwargs): ...


def create_plugin():
    return Plugin()
