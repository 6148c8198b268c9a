"""What gateways of plugins tell the host: that a message came, and whether they are connected."""

from typing import Any, Protocol

from pydantic import Field

from host.capabilities.arguments import Arguments, Id
from host.runtime import Plugin


class RoutedMessage(Arguments):
    """A message that a gateway hands over.

    Attributes:
        gateway_name: the component.
        message: a session message dict, unchecked.
        route_metadata: further routing data of the platform.
        external_message_id: the platform's id of the message, or "".
        dedupe_key: two messages of one gateway with the same key are one; "" where the ids say that.
    """

    gateway_name: Id
    message: dict[str, Any]
    route_metadata: dict[str, Any] = Field(default_factory=dict)
    external_message_id: str = ""
    dedupe_key: str = ""


class GatewayState(Arguments):
    """How a gateway is.

    Attributes:
        gateway_name: the component; "" for the only one of the plugin.
        ready: whether it is connected.
        platform: what it is connected to; what it declares when "", like the two that follow.
        account_id: the bot's account there.
        scope: the routing label.
        metadata: what else it says.
    """

    gateway_name: str = ""
    ready: bool
    platform: str = ""
    account_id: str = ""
    scope: str = ""
    metadata: dict[str, Any] = Field(default_factory=dict)


class PluginGateways(Protocol):
    """Takes what gateways tell. What is raised gets to the plugin as RuntimeError with the text."""

    async def route_message(self, plugin: Plugin, routed: RoutedMessage) -> dict[str, Any]:
        """Take a message: ``{"accepted": ..., "route_key": {...}}``."""

    async def update_state(self, plugin: Plugin, state: GatewayState) -> dict[str, Any]:
        """Connect or disconnect a gateway: ``{"accepted": True, "ready": ..., "route_key": {...}}``."""
