"""The commands and tools of plugins, in the shape that front ends of this interface know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal

from loguru import logger
from pydantic import BaseModel, Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator
from pydantic_core import PydanticUseDefault, from_json, to_json

from host.runtime import Plugin, PluginState
from maibot_sdk.types import ComponentType, ToolComponentInfo


def _or_default(value: object, check: ValidatorFunctionWrapHandler) -> object:
    try:
        return check(value)
    except ValidationError:
        raise PydanticUseDefault from None


Forgiving: Final = WrapValidator(_or_default)
"""For what a plugin declares: a value of a wrong type counts as none, since one slip shall not hide the others."""


class Component(BaseModel):
    """A component as its plugin declares it, in values that JSON can hold.

    Attributes:
        type: in upper case.
        metadata: its fields and free keywords.
    """

    name: Annotated[str, Forgiving] = ""
    type: Annotated[str, Forgiving] = ""
    metadata: Annotated[dict[str, Any], Forgiving] = Field(default_factory=dict)


def components_of(plugin: Plugin) -> list[Component]:
    """What `plugin` declares, in its order, while it is active. What JSON cannot hold is left out, and logged."""
    found: list[Component] = []
    if plugin.state is not PluginState.ACTIVE:
        return found
    for declared in plugin.components:
        try:
            # Plugins may build these dicts themselves, of anything.
            plain = from_json(to_json(declared, inf_nan_mode="null", bytes_mode="base64", fallback=_type_name))
        except ValueError as error:
            logger.warning("plugin {}: a component cannot be written as JSON and is not shown: {}", plugin.id, error)
            continue
        component = Component.model_validate(plain)
        # Older SDKs kept free keywords one level deeper, and plugins lift them or not: both are read.
        nested = component.metadata.get("metadata")
        metadata = {**nested, **component.metadata} if isinstance(nested, dict) else component.metadata
        found.append(Component(name=component.name, type=component.type.upper(), metadata=metadata))
    return found


class _Shown(BaseModel):
    """What every component says of itself."""

    name: str
    description: Annotated[str, Forgiving] = ""
    enabled: Annotated[bool, Forgiving] = True
    plugin_name: str = Field(description="The plugin's id.")


class _Command(_Shown):
    pattern: Annotated[str, Forgiving] = Field("", description="A regular expression; empty where there is none.")
    aliases: Annotated[list[str], Forgiving] = Field(default_factory=list, description="Texts that call it too.")
    permission: Annotated[Literal["public", "operator"], Forgiving] = "public"


class CommandView(_Command):
    """A command of a plugin."""

    component_type: Literal["command"] = "command"

    @classmethod
    def of(cls, plugin_id: str, command: Component) -> CommandView:
        """The view of `command`."""
        pattern = command.metadata.get("command_pattern", "")
        told = {**command.metadata, "pattern": pattern, "name": command.name, "plugin_name": plugin_id}
        return cls.model_validate({**told, "component_type": "command"})


class ToolView(_Shown):
    """A tool of a plugin; actions of older plugins are tools."""

    component_type: Literal["tool"] = "tool"
    parameters_schema: dict[str, Any] = Field(description="JSON Schema of its arguments.")

    @classmethod
    def of(cls, plugin_id: str, tool: Component) -> ToolView:
        """The view of `tool`."""
        told = {**tool.metadata, "name": tool.name, "plugin_name": plugin_id, "component_type": "tool"}
        return cls.model_validate({**told, "parameters_schema": _parameters_schema(tool)})


class ComponentList(BaseModel):
    """A plugin's commands and tools, in the order in which it declares them."""

    success: bool = True
    components: list[CommandView | ToolView]

    @classmethod
    def of(cls, plugin: Plugin) -> ComponentList:
        """The components of `plugin`; none unless it is active."""
        views: list[CommandView | ToolView] = []
        for component in components_of(plugin):
            match component.type:
                case ComponentType.COMMAND:
                    views.append(CommandView.of(plugin.id, component))
                case ComponentType.TOOL | ComponentType.ACTION:
                    views.append(ToolView.of(plugin.id, component))
        return cls(components=views)


class RuntimeCommand(_Command):
    """A command with the id that permissions and the list of disabled commands name it by."""

    id: str = Field(description="`plugin.name`.")
    component_type: Literal["command"] | None = Field(None, description="Not there for commands of the host itself.")


CLEAR: Final = RuntimeCommand(
    id="core.clear",
    plugin_name="core",
    name="clear",
    description="清空当前聊天的上下文 / Clear the context of this chat",
    pattern="^/clear$",
    permission="operator",
)
"""The command that the host itself answers to."""


class CommandList(BaseModel):
    """All commands of active plugins and the host's own, by plugin, then by name."""

    success: bool = True
    commands: list[RuntimeCommand]

    @classmethod
    def of(cls, plugins: Iterable[Plugin]) -> CommandList:
        """The commands of those of `plugins` that are active."""
        found = [
            RuntimeCommand(**dict(view), id=f"{view.plugin_name}.{view.name}")
            for plugin in plugins
            for view in ComponentList.of(plugin).components
            if isinstance(view, CommandView)
        ]
        return cls(commands=sorted([CLEAR, *found], key=lambda command: (command.plugin_name, command.name)))


def _type_name(value: object) -> str:
    return f"<{type(value).__name__}>"


def _parameters_schema(tool: Component) -> dict[str, Any]:
    """The schema as a model is shown it: always an object with properties and a list of what is required."""
    declared = {key: tool.metadata[key] for key in ("parameters", "parameters_raw") if tool.metadata.get(key)}
    texts = tool.metadata.get("action_parameters")
    if not declared and isinstance(texts, dict):
        # Of an action that was not made by its decorator, only names and descriptions of the parameters are known.
        declared["parameters_raw"] = {name: {"type": "string", "description": text} for name, text in texts.items()}
    try:
        schema = ToolComponentInfo.model_validate({"name": tool.name, **declared}).get_parameters_schema()
    except ValidationError:
        schema = None
    return {"type": "object", "properties": {}, "required": [], **(schema or {})}
