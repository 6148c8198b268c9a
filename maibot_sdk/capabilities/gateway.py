"""`ctx.gateway`: what a message gateway tells the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class GatewayCapability:
    """Hands over messages that arrived, and says whether the connection stands.

    Each method returns whether the host accepted it.
    """

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def route_message(
        self,
        gateway_name: str,
        message: dict[str, Any],
        *,
        route_metadata: dict[str, Any] | None = None,
        external_message_id: str = "",
        dedupe_key: str = "",
    ) -> bool:
        """Hand over a message from the platform.

        Args:
            gateway_name: the name of the plugin's gateway that it came through.
            message: the message, shaped as `maibot_sdk.hooks.SessionMessage`.
            route_metadata: what the host needs to answer the same way.
            external_message_id: the id of the message on the platform.
            dedupe_key: two messages with the same key are one.
        """
        payload = {
            "gateway_name": gateway_name,
            "message": message,
            "route_metadata": route_metadata or {},
            "external_message_id": external_message_id,
            "dedupe_key": dedupe_key,
        }
        return _accepted(await self._ctx.call_host_method("host.route_message", payload=payload))

    async def update_state(
        self,
        gateway_name: str,
        *,
        ready: bool,
        platform: str = "",
        account_id: str = "",
        scope: str = "",
        metadata: dict[str, Any] | None = None,
    ) -> bool:
        """Say whether messages can be sent and received.

        Args:
            gateway_name: the name of the plugin's gateway.
            ready: whether it is connected.
            platform: the platform it is connected to.
            account_id: the account that the bot has there.
            scope: a further word to tell routes of one account apart.
            metadata: further data for the host.
        """
        payload = {
            "gateway_name": gateway_name,
            "ready": ready,
            "platform": platform,
            "account_id": account_id,
            "scope": scope,
            "metadata": metadata or {},
        }
        return _accepted(await self._ctx.call_host_method("host.update_message_gateway_state", payload=payload))

    async def receive_external_message(
        self,
        message: dict[str, Any],
        *,
        gateway_name: str,
        route_metadata: dict[str, Any] | None = None,
        external_message_id: str = "",
        dedupe_key: str = "",
    ) -> bool:
        """`route_message` under its older name, with the message first."""
        return await self.route_message(
            gateway_name,
            message,
            route_metadata=route_metadata,
            external_message_id=external_message_id,
            dedupe_key=dedupe_key,
        )

    async def update_runtime_state(
        self,
        *,
        gateway_name: str,
        connected: bool,
        platform: str = "",
        account_id: str = "",
        scope: str = "",
        metadata: dict[str, Any] | None = None,
    ) -> bool:
        """`update_state` under its older name; `connected` is what is `ready` there."""
        return await self.update_state(
            gateway_name, ready=connected, platform=platform, account_id=account_id, scope=scope, metadata=metadata
        )


def _accepted(answer: Any) -> bool:
    return isinstance(answer, dict) and bool(answer.get("accepted"))
