"""Enum members as their plain values."""
from maibot_sdk import EventHandler, HookHandler, MaiBotPlugin, ReplyExtension, Tool
from maibot_sdk.types import ToolParameterInfo, ToolParamType


class Plugin(MaiBotPlugin):
    @HookHandler(hook="send_service.before_send", mode="blocking", order="late", error_policy="abort", timeout_ms="15000")
    async def h(self, **kwargs): ...

    @EventHandler("e", event_type="on_message_pre_process", intercept_message="true", weight="3")
    async def e(self, **kwargs): ...

    @Tool("t", parameters=[ToolParameterInfo(name="n", param_type="float", default=0), ToolParameterInfo(name="f", param_type=ToolParamType.FLOAT)])
    async def t(self, **kwargs): ...

    @ReplyExtension("r", chat_scope="group", priority="4", timeout_ms="10", enabled="no")
    async def r(self, **kwargs): ...


def create_plugin():
    return Plugin()
