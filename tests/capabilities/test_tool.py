"""``ctx.tool``: what plugins offer to the model."""

from pathlib import Path

from tests.capabilities.home import home

MORE = """
        @Tool("pour", description="pours tea", visibility="hidden",
              parameters={"cups": {"type": "integer", "required": True}})
        async def pour(self, **kwargs): ...
"""


async def test_tools_are_listed_with_the_schema_of_their_arguments(tmp_path: Path) -> None:
    async with home(tmp_path, "tool.get_definitions", "component.disable", more=MORE) as here:
        tools = {each["name"]: each["definition"] for each in await here.ask("ctx.tool.get_definitions()")}
        assert list(tools) == ["ask", "pour"]
        assert tools["pour"] == {
            "name": "pour",
            "description": "pours tea",
            "parameters_schema": {
                "type": "object",
                "properties": {"cups": {"type": "integer"}},
                "required": ["cups"],
            },
        }
        await here.ask("ctx.component.disable_component('pour', 'tool')")
        assert [each["name"] for each in await here.ask("ctx.tool.get_definitions()")] == ["ask"]
