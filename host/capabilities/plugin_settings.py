"""``component.update_plugin_config``: the one plugin that manages plugins changes their configurations."""

from collections.abc import Iterable
from typing import Any

from typing_extensions import TypedDict

from host.capabilities.arguments import Arguments, Id
from host.capabilities.capability import Capability, CapabilitySpec
from host.capabilities.errors import RefusalError, SaidError
from host.capabilities.host_tasks import HostTasks
from host.runtime import Plugin, PluginError, Plugins, PluginState
from host.runtime.config.configuration import PluginConfiguration
from maibot_sdk.hooks import Text

MANAGING_PLUGIN = "builtin.plugin-management"


class Updated(TypedDict):
    """What was changed, and whether the plugin goes by it already."""

    success: bool
    plugin_name: str
    key: str
    hot_updated: bool


class _Update(Arguments):
    plugin_name: Id
    key: Id
    value: Any = None


UPDATE = CapabilitySpec(
    "component.update_plugin_config",
    _Update,
    Updated,
    Text(
        f"Changes a key of a plugin's configuration file; for {MANAGING_PLUGIN} alone.",
        f"修改某个插件配置文件中的一个键；仅限 {MANAGING_PLUGIN}。",
    ),
)
PLUGIN_SETTINGS = (UPDATE,)


class PluginSettingsFamily:
    """Changes configurations of plugins.

    Args:
        plugins: all of them.
        tasks: where it goes on, whatever happens to the one that asked.
    """

    def __init__(self, plugins: Plugins, tasks: HostTasks) -> None:
        self._plugins = plugins
        self._tasks = tasks

    def offers(self) -> Iterable[Capability]:
        """``component.update_plugin_config``."""
        return (UPDATE.by(self._update),)

    async def _update(self, plugin: Plugin, asked: _Update) -> Updated:
        if plugin.id != MANAGING_PLUGIN:
            raise RefusalError("not_managing", plugin_id=plugin.id, allowed=MANAGING_PLUGIN)
        try:
            PluginConfiguration(self._plugins[asked.plugin_name]).write({asked.key: asked.value})
            now = await self._tasks.run(self._plugins.reconfigure(asked.plugin_name))
        except PluginError as error:
            raise SaidError(error) from None
        updated = now.state is PluginState.ACTIVE and now.config_problem is None
        return {"success": True, "plugin_name": asked.plugin_name, "key": asked.key, "hot_updated": updated}
