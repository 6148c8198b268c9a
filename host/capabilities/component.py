"""``component.*``: the plugins of the host, looked at, and their components, switched."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from typing_extensions import TypedDict

from host.capabilities.api_table import API, ApiTable
from host.capabilities.arguments import Arguments, Id
from host.capabilities.capability import Capability, CapabilitySpec, NoArguments
from host.capabilities.errors import RefusalError, SaidError
from host.hooks.texts import Locale
from host.runtime import Plugin, Plugins, PluginState, UnknownPluginError
from host.runtime.components import Component, component_of
from host.runtime.config.configuration import PluginConfiguration
from maibot_sdk.hooks import Text
from maibot_sdk.types import ComponentType


class ComponentInfo(TypedDict):
    """A component as plugins know it."""

    name: str
    full_name: str
    type: str
    enabled: bool
    metadata: dict[str, Any]


class PluginInfo(TypedDict):
    """A plugin with its components; ``name`` is its id."""

    name: str
    display_name: str
    version: str
    description: str
    author: str
    enabled: bool
    components: list[ComponentInfo]


class AllPlugins(TypedDict):
    """Plugins by id."""

    success: bool
    plugins: dict[str, PluginInfo]


class ConfiguredPlugin(TypedDict):
    """A plugin with its configuration's defaults and form; ``name`` is its id."""

    name: str
    version: str
    description: str
    author: str
    enabled: bool
    default_config: dict[str, Any]
    config_schema: dict[str, Any]


class OnePlugin(TypedDict):
    """A plugin."""

    success: bool
    plugin: ConfiguredPlugin


class ConfigForm(TypedDict):
    """The form of a plugin's configuration, and its defaults."""

    success: bool
    plugin_id: str
    schema: dict[str, Any]
    default_config: dict[str, Any]


class PluginIds(TypedDict):
    """Ids of plugins."""

    success: bool
    plugins: list[str]


class Done(TypedDict):
    """It was done."""

    success: bool


class _MaybePlugin(Arguments):
    plugin_name: str = ""


class _Switch(Arguments):
    name: Id
    component_type: Id
    version: str = ""
    scope: str = "global"
    stream_id: str = ""


ALL = CapabilitySpec(
    "component.get_all_plugins",
    NoArguments,
    AllPlugins,
    Text("The active plugins with their components.", "所有活动插件及其组件。"),
)
INFO = CapabilitySpec(
    "component.get_plugin_info", _MaybePlugin, OnePlugin, Text("Describes a plugin.", "描述一个插件。")
)
FORM = CapabilitySpec(
    "component.get_plugin_config_schema",
    _MaybePlugin,
    ConfigForm,
    Text("The form of a plugin's configuration.", "某个插件的配置表单。"),
)
LOADED = CapabilitySpec(
    "component.list_loaded_plugins", NoArguments, PluginIds, Text("The ids of the active plugins.", "活动插件的 ID。")
)
REGISTERED = CapabilitySpec("component.list_registered_plugins", NoArguments, PluginIds, Text("The same.", "同上。"))
ENABLE = CapabilitySpec(
    "component.enable", _Switch, Done, Text("Switches a component on.", "启用一个组件，直到宿主结束。")
)
DISABLE = CapabilitySpec(
    "component.disable", _Switch, Done, Text("Switches a component off.", "停用一个组件，直到宿主结束。")
)
COMPONENT = (ALL, INFO, FORM, LOADED, REGISTERED, ENABLE, DISABLE)

_SWITCHED = frozenset(each.value for each in ComponentType) - {
    ComponentType.HOOK_HANDLER.value,
    ComponentType.HOME_CARD.value,
}
_ALIKE = {ComponentType.ACTION.value: (ComponentType.TOOL.value, ComponentType.ACTION.value)}
_ALIKE[ComponentType.TOOL.value] = _ALIKE[ComponentType.ACTION.value]


class ComponentFamily:
    """The plugins of the host and their components.

    Args:
        plugins: all of them.
        apis: finds APIs, which come in versions.
        locale: of notes in forms.
    """

    def __init__(self, plugins: Plugins, apis: ApiTable, locale: Locale = "en") -> None:
        self._plugins = plugins
        self._apis = apis
        self._locale = locale

    def offers(self) -> Iterable[Capability]:
        """``component.*``, but for moving plugins and changing their configurations."""
        return (
            ALL.by(self._all),
            INFO.by(self._info),
            FORM.by(self._form),
            LOADED.by(self._ids),
            REGISTERED.by(self._ids),
            ENABLE.by(lambda plugin, asked: self._switch(asked, on=True)),
            DISABLE.by(lambda plugin, asked: self._switch(asked, on=False)),
        )

    async def _all(self, plugin: Plugin, asked: NoArguments) -> AllPlugins:
        return {"success": True, "plugins": {each.id: self._described(each) for each in self._active()}}

    async def _ids(self, plugin: Plugin, asked: NoArguments) -> PluginIds:
        return {"success": True, "plugins": [each.id for each in self._active()]}

    async def _info(self, plugin: Plugin, asked: _MaybePlugin) -> OnePlugin:
        found = self._named(plugin, asked.plugin_name)
        form = await self._form_of(found)
        described: ConfiguredPlugin = {
            "name": found.id,
            "version": found.version,
            **_told(found),
            "enabled": found.state is PluginState.ACTIVE,
            "default_config": _defaults(form),
            "config_schema": form,
        }
        return {"success": True, "plugin": described}

    async def _form(self, plugin: Plugin, asked: _MaybePlugin) -> ConfigForm:
        found = self._named(plugin, asked.plugin_name)
        form = await self._form_of(found)
        return {"success": True, "plugin_id": found.id, "schema": form, "default_config": _defaults(form)}

    async def _switch(self, asked: _Switch, *, on: bool) -> Done:
        if asked.scope != "global" or asked.stream_id:
            raise RefusalError("switch_scope", scope=asked.scope, stream_id=asked.stream_id)
        self._plugins.components.switch(self._component(asked), on=on)
        return {"success": True}

    def _component(self, asked: _Switch) -> Component:
        kind = asked.component_type.upper()
        if kind not in _SWITCHED:
            raise RefusalError("switch_type", found=asked.component_type, allowed=", ".join(sorted(_SWITCHED)))
        found = [
            each
            for each in self._components(kind)
            if asked.name in (each.name, each.full_name) and (kind != API or asked.version in ("", each.version))
        ]
        if len(found) == 1:
            return found[0]
        if not found:
            raise RefusalError("no_such_component", name=asked.name, type=kind)
        raise RefusalError(
            "component_ambiguous", name=asked.name, type=kind, found=", ".join(each.full_name for each in found)
        )

    def _components(self, kind: str) -> list[Component]:
        if kind == API:
            return [entry.component for entry in self._apis.entries()]
        return self._plugins.components.of_type(*_ALIKE.get(kind, (kind,)), switched_off=True)

    def _named(self, caller: Plugin, plugin_id: str) -> Plugin:
        if plugin_id in ("", caller.id):
            return caller
        try:
            return self._plugins[plugin_id]
        except UnknownPluginError as error:
            raise SaidError(error) from None

    def _active(self) -> list[Plugin]:
        return [each for each in self._plugins if each.state is PluginState.ACTIVE]

    async def _form_of(self, plugin: Plugin) -> dict[str, Any]:
        # What is asked of a plugin in this process must be asked in its thread.
        configuration = PluginConfiguration(plugin)
        if plugin.instance is not None:
            return configuration.schema(self._locale)
        return await asyncio.to_thread(configuration.schema, self._locale)

    def _described(self, plugin: Plugin) -> PluginInfo:
        return {
            "name": plugin.id,
            "display_name": plugin.name,
            "version": plugin.version,
            **_told(plugin),
            "enabled": True,
            "components": [self._listed(plugin, each) for each in plugin.components],
        }

    def _listed(self, plugin: Plugin, declared: Mapping[str, Any]) -> ComponentInfo:
        """A component as it is declared; hook handlers and the like, which cannot be switched, are on."""
        name, metadata = str(declared.get("name")), declared.get("metadata")
        component = component_of(plugin, declared)
        return {
            "name": name,
            "full_name": f"{plugin.id}.{name}",
            "type": str(declared.get("type")).upper() if component is None else component.type,
            "enabled": component is None or self._plugins.components.is_enabled(component),
            "metadata": dict(metadata) if isinstance(metadata, Mapping) else {},
        }


class _Told(TypedDict):
    description: str
    author: str


def _told(plugin: Plugin) -> _Told:
    manifest = plugin.manifest
    return {
        "description": manifest.description if manifest else "",
        "author": manifest.author.name if manifest else "",
    }


def _defaults(form: Mapping[str, Any]) -> dict[str, Any]:
    """The defaults that a form tells, by section."""
    sections: Mapping[str, Any] = form.get("sections") or {}
    return {
        name: {key: each.get("default") for key, each in (section.get("fields") or {}).items()}
        for name, section in sections.items()
    }
