"""`ctx.api`: what other plugins offer."""

from __future__ import annotations

# Inside the class, `list` is the method.
from builtins import list as builtins_list
from typing import TYPE_CHECKING, Any

from maibot_sdk._dynamic_apis import DEFAULT_OFFLINE_REASON

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class APICapability:
    """Calls the APIs of other plugins, and tells the host which dynamic ones this plugin has."""

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def call(self, api_name: str, *, version: str = "", **kwargs: Any) -> Any:
        """Call an API.

        Args:
            api_name: its full name, or the short one where only one plugin has it.
            version: the version that is meant; any when empty.
            kwargs: the arguments of the API, each as it is; `timeout_ms` is an ordinary one here.

        Returns:
            What the API returned.
        """
        return await self._ctx.call_capability("api.call", api_name=api_name, version=version, args=kwargs)

    async def get(self, api_name: str, *, version: str = "") -> Any:
        """The description of an API, or None when the name does not lead to exactly one that may be called."""
        return await self._ctx.call_capability("api.get", api_name=api_name, version=version)

    async def list(self, *, plugin_id: str = "") -> Any:
        """The descriptions of all APIs that this plugin may call, or of those of one plugin."""
        return await self._ctx.call_capability("api.list", plugin_id=plugin_id)

    async def replace_dynamic_apis(
        self, apis: builtins_list[dict[str, Any]], *, offline_reason: str = DEFAULT_OFFLINE_REASON
    ) -> bool:
        """Make these the dynamic APIs of the plugin; `MaiBotPlugin.sync_dynamic_apis` keeps the list.

        Args:
            apis: all of them, as components; one that is missing goes offline.
            offline_reason: what callers of those are told that are gone.

        Returns:
            Whether the host took the list over.
        """
        answer = await self._ctx.call_capability("api.replace_dynamic", apis=apis, offline_reason=offline_reason)
        return isinstance(answer, dict) and bool(answer.get("success"))
