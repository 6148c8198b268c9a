"""A gateway as a plugin declares it, and as the bot sends through it."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from host.bot.gateway import DeliveryError, DeliveryFailure
from host.bot.identity import Route
from host.bot.message import SessionMessage
from host.runtime import Plugin
from host.runtime.components import Component, ComponentGoneError, ComponentTimeoutError, component_of
from maibot_sdk.types import ComponentType, MessageGatewayRouteType

_RECEIVE = MessageGatewayRouteType.RECEIVE.value
_ROUTE_TYPES = {each.value: each.value for each in MessageGatewayRouteType} | {"recv": _RECEIVE, "recive": _RECEIVE}
_ID_KEYS = ("external_message_id", "message_id")
"""Where a gateway says the platform's id of what it sent, the first found wins."""


@dataclass(frozen=True, slots=True)
class DeclaredGateway:
    """What a plugin declares about one of its gateways.

    Args:
        component: how it is called.
        route_type: ``send``, ``receive`` or ``duplex``; anything else passes nothing either way.
        platform: the platform, or "" where that is only said once it is connected.
        route: the account and the scope, likewise.
    """

    component: Component
    route_type: str
    platform: str
    route: Route

    @classmethod
    def of(cls, component: Component) -> "DeclaredGateway":
        """What the metadata of a component says; dicts that plugins write themselves may lack any of it."""
        said = component.metadata
        route_type = _text(said, "route_type").lower()
        route = Route(_text(said, "account_id") or None, _text(said, "scope") or None)
        return cls(component, _ROUTE_TYPES.get(route_type, route_type), _text(said, "platform"), route)

    @property
    def name(self) -> str:
        """Its name within its plugin."""
        return self.component.name

    @property
    def sends(self) -> bool:
        """Whether it brings messages to its platform."""
        return self.route_type in ("send", "duplex")

    @property
    def receives(self) -> bool:
        """Whether it brings messages in."""
        return self.route_type in ("receive", "duplex")

    def may_serve(self, platform: str, route: Route) -> bool:
        """Whether it could send on a route, once it is connected to what it declares or says only then."""
        return self.sends and self.platform in ("", platform) and self.route.fits(route)


def gateways_of(plugin: Plugin) -> dict[str, DeclaredGateway]:
    """The gateways that a plugin declares, by name, from its loading on."""
    components = filter(None, (component_of(plugin, each) for each in plugin.components))
    return {each.name: DeclaredGateway.of(each) for each in components if each.type == ComponentType.MESSAGE_GATEWAY}


class PluginGateway:
    """A gateway of a plugin that is connected: what is delivered through it, its handler brings to the platform.

    Args:
        component: how it is called.
        platform: what it is connected to.
        route: by which account and scope.
        is_enabled: whether a component is switched on.
    """

    def __init__(
        self, component: Component, platform: str, route: Route, is_enabled: Callable[[Component], bool]
    ) -> None:
        self.platform = platform
        self._component = component
        self._route = route
        self._is_enabled = is_enabled
        self._under_way: set[asyncio.Timeout] = set()

    def plugin_ends(self) -> None:
        """Let what is being delivered fail: nobody is there any more who would say how it ended."""
        for each in self._under_way:
            each.reschedule(0)

    async def deliver(self, message: SessionMessage, *, typing: bool, reply_message_id: str | None) -> str | None:
        """Call the handler.

        Raises:
            DeliveryError: it raised, was too slow, is not running or switched off, ended meanwhile, or said that the
                message was not sent.
        """
        if not self._is_enabled(self._component):
            raise self._failure("gateway_gone", "it is switched off / 已停用")
        account, scope = self._route.account_id or message.account_id, self._route.scope or message.scope
        arguments = {
            "message": {**message.to_dict(), "account_id": account, "scope": scope},
            "route": {"platform": self.platform, "account_id": account, "scope": scope},
            "metadata": {"show_log": False, "typing": typing, "reply_message_id": reply_message_id},
        }
        until = asyncio.timeout(None)
        try:
            async with until:
                self._under_way.add(until)
                invoked = await self._component.invoke(arguments)
        except TimeoutError:
            raise self._failure("gateway_gone", "its plugin ended / 插件已结束") from None
        except ComponentTimeoutError as error:
            raise self._failure("delivery_timed_out", str(error)) from None
        except ComponentGoneError as error:
            raise self._failure("gateway_gone", str(error)) from None
        finally:
            self._under_way.discard(until)
        if not invoked.success:
            raise self._failure("delivery_failed", str(invoked.result))
        returned = invoked.result
        if isinstance(returned, Mapping) and returned.get("success") is False:
            raise self._failure("delivery_refused", str(returned.get("error") or "-"))
        return _external_id(returned)

    def _failure(self, code: str, error: str) -> DeliveryError:
        gateway = f"{self._component.plugin_id}/{self._component.name}"
        return DeliveryError(DeliveryFailure(code, self.platform, self._route, gateway, error))


def _external_id(returned: Any) -> str | None:
    """The platform's id in what a handler returned: in a dict, or plain text; everything else says none."""
    found = [returned]
    if isinstance(returned, Mapping):
        numbers = (returned.get(key) for key in _ID_KEYS)
        found = [str(each) if isinstance(each, int) and not isinstance(each, bool) else each for each in numbers]
    return next((each.strip() for each in found if isinstance(each, str) and each.strip()), None)


def _text(said: Mapping[str, Any], key: str) -> str:
    value = said.get(key)
    return "" if value is None else str(value.value if isinstance(value, Enum) else value).strip()
