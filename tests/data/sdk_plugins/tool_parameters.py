"""Every shape in which tools declare their parameters."""
from maibot_sdk import MaiBotPlugin, Tool
from maibot_sdk.types import ToolParameterInfo as P
from maibot_sdk.types import ToolParamType as T


class Plugin(MaiBotPlugin):
    @Tool(
        "listed",
        "d",
        parameters=[
            P(name="s", param_type=T.STRING, description="text", enum_values=["a", 1, None]),
            P(name="i", param_type=T.INTEGER, required=False, default=0),
            P(name="n", param_type=T.FLOAT, required=False, default=False),
            P(name="b", param_type="boolean", default=""),
            P(name="l", param_type=T.ARRAY, items_schema={"type": "string"}, properties={"x": {}}),
            P(name="bare", param_type=T.ARRAY),
            P(name="o", param_type=T.OBJECT, properties={"x": {"type": "integer"}}, required_properties=["x"], additional_properties=False),
            P(name="e", param_type=T.OBJECT, additional_properties={"type": "string"}, enum_values=[]),
        ],
        platforms="QQ",
        detailed_description="  more  ",
    )
    async def listed(self, **kwargs): ...

    @Tool("mapped", "d", parameters={"q": {"type": "string", "required": True}, "n": {"type": "Integer", "required": []}, "x": "dropped", "t": {"type": None, "enum": [1], "default": None}})
    async def mapped(self, **kwargs): ...

    @Tool("schema", brief_description=" brief ", parameters={"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"], "additionalProperties": True})
    async def schema(self, **kwargs): ...

    @Tool("half schema", parameters={"properties": {"q": {}}})
    async def half(self, **kwargs): ...

    @Tool("parameter called type", parameters={"type": {"type": "string"}})
    async def called_type(self, **kwargs): ...

    @Tool("not a schema", parameters={"type": "string"})
    async def not_schema(self, **kwargs): ...

    @Tool("empty", parameters=[], detailed_description="only this")
    async def empty(self, **kwargs): ...

    @Tool("nothing")
    async def nothing(self, **kwargs): ...

    @Tool("platforms", platforms=[" QQ ", "qq", "Telegram"])
    async def platforms(self, **kwargs): ...


def create_plugin():
    return Plugin()
