"""From a plugin's folder to its instance and what that declares."""

import inspect
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from host.runtime.border import attempt
from host.runtime.components import LLM_PROVIDER
from host.runtime.discovery import ENTRY_FILE
from host.runtime.importing import PluginPackage
from host.runtime.problems import (
    AsyncCreatePluginError,
    ComponentsError,
    NoCreatePluginError,
    NoInstanceError,
    Step,
)
from host.runtime.state import Plugin
from maibot_sdk.components import collect_components, collect_llm_providers
from maibot_sdk.context import PluginContext, PluginPaths, RpcCallFn


def construct(
    plugin: Plugin,
    package: PluginPackage,
    data_dir: Path,
    configure: Callable[[], None] = lambda: None,
    rpc_call: RpcCallFn | None = None,
) -> None:
    """Import the plugin, create its instance, hand it context and configuration, and collect its components.

    All of it goes into `plugin`.

    Args:
        plugin: its record.
        package: its folder as a package.
        data_dir: the folder under which all plugins have theirs.
        configure: gives the instance its configuration.
        rpc_call: carries the plugin's calls to a host; None where there is none.

    Raises:
        PluginError: one of these steps failed.
    """
    with package.contained():
        module = attempt(plugin, Step.IMPORT, lambda: package.import_module(Path(ENTRY_FILE).stem))
        plugin.instance = _create(plugin, module)
        attempt(plugin, Step.CREATE, lambda: _give_context(plugin, data_dir, rpc_call))
        configure()
        components = attempt(plugin, Step.COMPONENTS, lambda: _components_of(plugin.instance))
    if not isinstance(components, list | tuple):
        raise ComponentsError(plugin.id, components)
    with package.contained():
        providers = attempt(plugin, Step.COMPONENTS, lambda: _providers_of(plugin.instance))
    plugin.components = [*components, *providers]


def _create(plugin: Plugin, module: ModuleType) -> object:
    file = plugin.path / ENTRY_FILE
    create = vars(module).get("create_plugin")
    if create is None:
        raise NoCreatePluginError(plugin.id, file)
    instance: object = attempt(plugin, Step.CREATE, create)
    if inspect.iscoroutine(instance):
        instance.close()
        raise AsyncCreatePluginError(plugin.id, file)
    if instance is None:
        raise NoInstanceError(plugin.id, file)
    return instance


def _give_context(plugin: Plugin, data_dir: Path, rpc_call: RpcCallFn | None) -> None:
    instance: Any = plugin.instance
    if inspect.getattr_static(instance, "_set_context", None) is None:
        return
    paths = PluginPaths(data_dir / "plugins" / plugin.id, data_dir / "temp" / "plugins" / plugin.id)
    for folder in (paths.data_dir, paths.runtime_dir):
        folder.mkdir(parents=True, exist_ok=True)
    instance._set_context(PluginContext(plugin.id, rpc_call, paths=paths))


def _components_of(instance: Any) -> object:
    """What ``get_components`` says; classes without our base class often have none, and are looked through."""
    if inspect.getattr_static(instance, "get_components", None) is None:
        return collect_components(instance)
    declared: object = instance.get_components()
    if inspect.iscoroutine(declared):
        declared.close()
    return declared


def _providers_of(instance: Any) -> list[dict[str, Any]]:
    """Its model providers as components: each is named by its client type."""
    own = inspect.getattr_static(instance, "get_llm_providers", None)
    declared = collect_llm_providers(instance) if own is None else instance.get_llm_providers()
    return [{"name": each["client_type"], "type": LLM_PROVIDER, "metadata": each["metadata"]} for each in declared]
