"""What plugins call on the host, carried out: the capabilities, and the two methods of gateways."""

import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pydantic import Field

from host.capabilities.arguments import Arguments, ArgumentsError, Id, read
from host.capabilities.capability import Capability, Family
from host.capabilities.errors import BadPayloadError, NoGatewaysError, UnknownCapabilityError
from host.capabilities.gateways import GatewayState, PluginGateways, RoutedMessage
from host.capabilities.grants import Denial, Grants
from host.capabilities.names import nearest, right_name
from host.capabilities.revocations import Revocations
from host.capabilities.unavailable import UNAVAILABLE
from host.runtime import Plugin

P = TypeVar("P", bound=Arguments)


class _CapabilityCall(Arguments):
    capability: Id
    args: dict[str, Any] = Field(default_factory=dict)


class Capabilities:
    """Answers the calls of plugins: the ``answer`` of what houses them.

    It is made before the plugins are; whatever needs those is added afterwards. What nobody offers is answered as not
    available.

    Args:
        gateways: takes what gateways of plugins tell; None where nobody does.
        clock: what time it is, in seconds since 1970.
        revocations: what the owner took away from plugins; nothing by default.

    Attributes:
        grants: who may call what, and did.
    """

    def __init__(
        self,
        gateways: PluginGateways | None = None,
        *,
        clock: Callable[[], float] = time.time,
        revocations: Revocations | None = None,
    ) -> None:
        self._gateways = gateways
        self.grants = Grants(clock, revocations)
        self._capabilities: dict[str, Capability] = {each.name: each for each in UNAVAILABLE}

    def add(self, *families: Family) -> None:
        """Offer the capabilities of some families.

        Raises:
            ValueError: one is offered already, or manifests know no such name.
        """
        for capability in (each for family in families for each in family.offers()):
            known = self._capabilities.get(capability.name)
            if known is None or known.available:
                raise ValueError(f"capability {capability.name!r} {'is offered twice' if known else 'has no name'}")
            self._capabilities[capability.name] = capability

    def available(self) -> Mapping[str, bool]:
        """All capabilities that there are, and whether this host can do them, by name in code-point order."""
        return {name: self._capabilities[name].available for name in sorted(self._capabilities)}

    def denials(self) -> Mapping[str, tuple[Denial, ...]]:
        """What plugins called that they may not, since the host began, by plugin id."""
        return self.grants.denials()

    async def __call__(self, plugin: Plugin, method: str, payload: Mapping[str, Any]) -> Any:
        """Carry out one call.

        Args:
            plugin: who calls.
            method: ``cap.call``, ``host.route_message`` or ``host.update_message_gateway_state``.
            payload: what the method takes, made of the types that may be in a payload.

        Raises:
            CallRefusedError: it is not carried out.
            Exception: what carrying it out raises.
        """
        if method == "cap.call":
            call = _read(method, _CapabilityCall, payload)
            return await self._capability(plugin, call.capability).call(plugin, call.args)
        if self._gateways is None:
            raise NoGatewaysError(method)
        if method == "host.route_message":
            return await self._gateways.route_message(plugin, _read(method, RoutedMessage, payload))
        return await self._gateways.update_state(plugin, _read(method, GatewayState, payload))

    def _capability(self, plugin: Plugin, called: str) -> Capability:
        name = right_name(called)
        capability = self._capabilities.get(name)
        if capability is None:
            raise UnknownCapabilityError(called, nearest(called))
        self.grants.check(plugin, name)
        return capability


def _read(method: str, kind: type[P], payload: Mapping[str, Any]) -> P:
    try:
        return read(kind, payload)
    except ArgumentsError as error:
        raise BadPayloadError(method, error.problems) from None
