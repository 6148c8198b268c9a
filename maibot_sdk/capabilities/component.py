"""`ctx.component`: plugins, and switching their components."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from maibot_sdk.types import normalize_component_type_name as normalize_component_type_name

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class ComponentCapability:
    """Looks at the plugins of the host and switches components and plugins.

    Without a word on it, a method returns the whole answer of the host, a dict with `success`.
    """

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def get_all_plugins(self) -> Any:
        """Every plugin with its components: a dict, by plugin id."""
        return await self._ctx.call_capability("component.get_all_plugins")

    async def get_plugin_info(self, plugin_name: str) -> Any:
        """One plugin, by id: its version, default configuration and the form of it."""
        return await self._ctx.call_capability("component.get_plugin_info", plugin_name=plugin_name)

    async def get_plugin_config_schema(self, plugin_name: str) -> Any:
        """The form of a plugin's configuration, under `schema`, and its defaults, under `default_config`."""
        return await self._ctx.call_capability("component.get_plugin_config_schema", plugin_name=plugin_name)

    async def list_loaded_plugins(self) -> Any:
        """The ids of the plugins that are loaded."""
        return await self._ctx.call_capability("component.list_loaded_plugins")

    async def list_registered_plugins(self) -> Any:
        """The ids of the plugins that are registered."""
        return await self._ctx.call_capability("component.list_registered_plugins")

    async def enable_component(
        self, name: str, component_type: str, scope: str = "global", stream_id: str = "", version: str = ""
    ) -> Any:
        """Switch a component on, until the host ends.

        Args:
            name: its full name, or the short one where it is the only one of its type.
            component_type: the type, in all upper or all lower case, or a `ComponentType`.
            scope: where; hosts know `global`.
            stream_id: in which chat, for a scope that needs one.
            version: which version, of an API.

        Raises:
            ValueError: `component_type` names no type. Nothing is sent then.
        """
        return await self._switch("component.enable", name, component_type, scope, stream_id, version)

    async def disable_component(
        self, name: str, component_type: str, scope: str = "global", stream_id: str = "", version: str = ""
    ) -> Any:
        """Switch a component off, until the host ends; arguments and errors are those of `enable_component`."""
        return await self._switch("component.disable", name, component_type, scope, stream_id, version)

    async def load_plugin(self, plugin_name: str) -> Any:
        """Load a plugin by id."""
        return await self._ctx.call_capability("component.load_plugin", plugin_name=plugin_name)

    async def unload_plugin(self, plugin_name: str) -> Any:
        """Unload a plugin by id, where the host allows it."""
        return await self._ctx.call_capability("component.unload_plugin", plugin_name=plugin_name)

    async def reload_plugin(self, plugin_name: str) -> Any:
        """Load a plugin afresh by id. A plugin that reloads itself ends the call it is in."""
        return await self._ctx.call_capability("component.reload_plugin", plugin_name=plugin_name)

    async def _switch(
        self, capability: str, name: str, component_type: str, scope: str, stream_id: str, version: str
    ) -> Any:
        return await self._ctx.call_capability(
            capability,
            name=name,
            component_type=normalize_component_type_name(component_type),
            scope=scope,
            stream_id=stream_id,
            version=version,
        )
