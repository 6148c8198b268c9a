"""``tool.*``: what plugins offer to the bot's model."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from typing_extensions import TypedDict

from host.capabilities.capability import Capability, CapabilitySpec, NoArguments
from host.runtime import Plugin
from maibot_sdk.hooks import Text


class OfferedTool(Protocol):
    """A tool, or an action, of a plugin."""

    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def parameters(self) -> Mapping[str, Any]: ...


class ToolDefinition(TypedDict):
    """What a tool does, and the JSON schema of its arguments."""

    name: str
    description: str
    parameters_schema: dict[str, Any]


class NamedTool(TypedDict):
    """A tool by its name."""

    name: str
    definition: ToolDefinition


class Tools(TypedDict):
    """Some tools."""

    success: bool
    tools: list[NamedTool]


DEFINITIONS = CapabilitySpec(
    "tool.get_definitions",
    NoArguments,
    Tools,
    Text(
        "The tools and actions of plugins that are switched on, hidden ones included.",
        "插件中已启用的工具和动作，包括隐藏的。",
    ),
)
TOOL = (DEFINITIONS,)


class ToolFamily:
    """The tools of plugins.

    Args:
        tools: those that can be called now.
    """

    def __init__(self, tools: Callable[[], Iterable[OfferedTool]]) -> None:
        self._tools = tools

    def offers(self) -> Iterable[Capability]:
        """``tool.*``."""
        return (DEFINITIONS.by(self._definitions),)

    async def _definitions(self, plugin: Plugin, asked: NoArguments) -> Tools:
        return {"success": True, "tools": [_named(tool) for tool in self._tools()]}


def _named(tool: OfferedTool) -> NamedTool:
    definition: ToolDefinition = {
        "name": tool.name,
        "description": tool.description,
        "parameters_schema": dict(tool.parameters),
    }
    return {"name": tool.name, "definition": definition}
