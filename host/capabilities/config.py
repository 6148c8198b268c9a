"""``config.*``: the configuration of the bot, and of plugins as their files say it."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from typing_extensions import TypedDict

from host.capabilities.arguments import Arguments, Id
from host.capabilities.capability import Answer, Capability, CapabilitySpec
from host.capabilities.errors import SaidError
from host.runtime import Plugin, Plugins, UnknownPluginError
from host.runtime.config.file import ConfigFile
from host.runtime.config.problems import ConfigError
from maibot_sdk.hooks import Text


class AnyValue(TypedDict):
    """A value of a configuration."""

    success: bool
    value: Any


class WholeConfig(TypedDict):
    """A configuration."""

    success: bool
    value: dict[str, Any]


class _Get(Arguments):
    key: Id
    default: Any = None


class _GetPlugin(Arguments):
    plugin_name: str = ""
    key: str = ""
    default: Any = None


class _GetAll(Arguments):
    plugin_name: str = ""


GET = CapabilitySpec(
    "config.get",
    _Get,
    AnyValue,
    Text("A value of the bot's configuration, by dotted key.", "机器人配置中的一个值，用点分键。"),
    failing={"value": None},
)
GET_PLUGIN = CapabilitySpec(
    "config.get_plugin",
    _GetPlugin,
    AnyValue,
    Text("The configuration of a plugin, by default of the one that asks.", "某个插件的配置，默认是调用者自己的。"),
    failing={"value": {}},
)
GET_ALL = CapabilitySpec(
    "config.get_all",
    _GetAll,
    WholeConfig,
    Text("The whole configuration of a plugin.", "某个插件的全部配置。"),
    failing={"value": {}},
)
CONFIG = (GET, GET_PLUGIN, GET_ALL)

_MISSING = object()


class ConfigFamily:
    """Configurations.

    Args:
        bot: reads the bot's configuration as it is now, under its published names; see `published`.
        plugins: whose files are read.
    """

    def __init__(self, bot: Callable[[], Mapping[str, Any]], plugins: Plugins) -> None:
        self._bot = bot
        self._plugins = plugins

    def offers(self) -> Iterable[Capability]:
        """``config.*``."""
        return GET.by(self._get), GET_PLUGIN.by(self._get_plugin), GET_ALL.by(self._get_all)

    async def _get(self, plugin: Plugin, asked: _Get) -> AnyValue:
        found = _at(self._bot(), asked.key)
        return {"success": True, "value": asked.default if found is _MISSING else found}

    async def _get_plugin(self, plugin: Plugin, asked: _GetPlugin) -> Answer:
        try:
            whole = await self._of(plugin, asked.plugin_name)
        except SaidError as refusal:
            if asked.default is None:
                raise
            return {**refusal.answer(), "value": asked.default}
        found = _at(whole, asked.key) if asked.key else whole
        return {"success": True, "value": asked.default if found is _MISSING else found}

    async def _get_all(self, plugin: Plugin, asked: _GetAll) -> WholeConfig:
        return {"success": True, "value": await self._of(plugin, asked.plugin_name)}

    async def _of(self, caller: Plugin, plugin_id: str) -> dict[str, Any]:
        """What the file of a plugin says; empty where it has none."""
        plugin = caller if plugin_id in ("", caller.id) else self._other(plugin_id)
        try:
            read = await asyncio.to_thread(ConfigFile(plugin.id, plugin.path).read)
        except ConfigError as error:
            raise SaidError(error) from None
        return dict(read.data) if read else {}

    def _other(self, plugin_id: str) -> Plugin:
        try:
            return self._plugins[plugin_id]
        except UnknownPluginError as error:
            raise SaidError(error) from None


def _at(data: Mapping[str, Any], key: str) -> Any:
    """The value at a dotted key, or `_MISSING`."""
    value: Any = data
    for step in key.split("."):
        if not isinstance(value, Mapping) or step not in value:
            return _MISSING
        value = value[step]
    return value
