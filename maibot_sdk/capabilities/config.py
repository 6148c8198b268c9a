"""`ctx.config`: the configuration of the bot, and of plugins as the host keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from maibot_sdk._results import dict_or_empty

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class ConfigCapability:
    """Reads configurations. The plugin's own one is at hand as `self.config`, without a call."""

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def get(self, key: str, default: Any = None) -> Any:
        """A value of the bot's configuration.

        Args:
            key: its path, such as `bot.nickname`.
            default: what to return where there is no value, or None.
        """
        value = await self._ctx.call_capability("config.get", key=key, default=default)
        return default if value is None else value

    async def get_plugin(self, plugin_name: str | None = None) -> dict[str, Any]:
        """The configuration of a plugin by id, by default of this one; empty for any answer that is no dict."""
        return dict_or_empty(await self._ctx.call_capability("config.get_plugin", plugin_name=plugin_name))

    async def get_all(self) -> dict[str, Any]:
        """The whole configuration that this plugin may read; empty for any answer that is no dict."""
        return dict_or_empty(await self._ctx.call_capability("config.get_all"))
