"""`ctx.tool`: the tools that the model is offered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class ToolCapability:
    """Looks at the tools of all plugins."""

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def get_definitions(self) -> Any:
        """Every tool: its `name`, and its `definition` with description and JSON schema."""
        return await self._ctx.call_capability("tool.get_definitions")
