"""Every shape in which reply extensions declare their parameters."""
from maibot_sdk import MaiBotPlugin, ReplyExtension
from maibot_sdk.types import ToolParameterInfo


class Plugin(MaiBotPlugin):
    @ReplyExtension("none")
    async def none(self, **kwargs): ...

    @ReplyExtension("listed", "d", [ToolParameterInfo(name="x"), ToolParameterInfo(name="y", required=False, default=1)], platforms=["QQ"], priority=-3)
    async def listed(self, **kwargs): ...

    @ReplyExtension("mapped", parameters={"x": {"type": "string", "required": True}}, allowed_session=("s1", "s1"), chat_scope="private")
    async def mapped(self, **kwargs): ...

    @ReplyExtension("schema", parameters={"type": "object", "additionalProperties": True, "properties": "unchecked"}, enabled=False)
    async def schema(self, **kwargs): ...

    @ReplyExtension("bare schema", parameters={"type": "object"}, timeout_ms=1)
    async def bare(self, **kwargs): ...


def create_plugin():
    return Plugin()
