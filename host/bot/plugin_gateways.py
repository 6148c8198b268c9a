"""What gateways of plugins tell: that they are connected, and what came in. Here it is checked, and taken up."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol

from loguru import logger

from host.bot.console import CONSOLE_PLATFORM
from host.bot.declared_gateway import DeclaredGateway, PluginGateway, gateways_of
from host.bot.gateway import WEB_PLATFORM, Gateways, address
from host.bot.identity import Route
from host.bot.inbound import GatewayRefusedError, check_length, inbound, invalid
from host.bot.message import SessionMessage
from host.bot.outcome import Outcome, Status
from host.bot.seen_keys import SeenKeys
from host.capabilities import GatewayState, RoutedMessage
from host.runtime import Plugin
from host.runtime.components import Component, Components
from maibot_sdk.types import ComponentType

OWN_PLATFORMS: Final = frozenset({CONSOLE_PLATFORM, WEB_PLATFORM})
"""Platforms that the host connects itself: who writes there is trusted as the owner."""
MOST_UNDER_WAY: Final = 1_000
"""How many messages of one gateway may be on their way through the bot."""
GRACE_SECONDS: Final = 5.0
"""How long the messages that are under way may go on when the host ends."""

CONNECT_SECONDS: Final = 20.0
"""How long what an earlier run left open waits for a gateway that is not connected yet."""

_Key = tuple[Plugin, str]


class Receives(Protocol):
    """The bot, as far as it is needed here."""

    async def receive(
        self, message: Mapping[str, Any], *, stored: Callable[[], Awaitable[None]] | None = None
    ) -> Outcome:
        """Take a message through all that is done with it."""
        ...


@dataclass(frozen=True, slots=True)
class _Connected:
    """A gateway that said that it is ready."""

    declared: DeclaredGateway
    platform: str
    route: Route
    end: Callable[[], None]

    def collides(self, other: DeclaredGateway, platform: str, route: Route) -> bool:
        """Whether `other` would pass messages the same way for the same route."""
        same_way = (self.declared.sends and other.sends) or (self.declared.receives and other.receives)
        return same_way and (self.platform, self.route) == (platform, route)


class PluginGateways:
    """The gateways of plugins. A plugin speaks for those only that it declares.

    A gateway is there from its plugin's saying so until that says otherwise, ends or is reloaded, or its process ends;
    whatever of these comes first. What it is connected to belongs to it alone.

    A message is stored when its gateway gets the answer; all else is done with it in the background, in the order in
    which messages were handed over. While the host loads its plugins, messages are stored and wait for `open`.

    Args:
        gateways: the table of ways out.
        bot: takes messages, as it is now.
        components: those of the plugins, which know what is switched on.
    """

    def __init__(self, gateways: Gateways, bot: Callable[[], Receives], components: Callable[[], Components]) -> None:
        self._gateways = gateways
        self._bot = bot
        self._components = components
        self._connected: dict[_Key, _Connected] = {}
        self._seen: dict[tuple[str, str], SeenKeys] = {}
        self._under_way: dict[tuple[str, str], set[asyncio.Task[None]]] = {}
        self._opened = asyncio.Event()
        self._connects = asyncio.Event()
        self._closing = False

    def open(self) -> None:
        """Let the messages go on that came in so far, and all later ones: the plugins that want to see them are
        there."""
        self._opened.set()

    async def aclose(self) -> None:
        """Take no more messages; let those under way end, or be taken up at the next start, where they take long."""
        self._closing = True
        tasks = [task for tasks in self._under_way.values() for task in tasks]
        if tasks and self._opened.is_set():
            await asyncio.wait(tasks, timeout=GRACE_SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def served(self, platform: str, route: Route) -> None:
        """Wait until a gateway serves a route, or none that would is still to connect, or too much time has passed.

        Args:
            platform: where something is to be sent.
            route: by which account and scope.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(CONNECT_SECONDS):
                while not self._gateways.serves(platform, route) and self._may_connect(platform, route):
                    await self._connects.wait()

    async def update_state(self, plugin: Plugin, state: GatewayState) -> dict[str, Any]:
        """Connect or disconnect a gateway.

        Raises:
            GatewayRefusedError: it is not the plugin's, or cannot be ready so; one that was ready stays so.
        """
        declared = _declared(plugin, state.gateway_name)
        key = (plugin, declared.name)
        if not state.ready:
            self._disconnect(key)
            return {"accepted": True, "ready": False, "route_key": {}}
        platform = state.platform.strip() or declared.platform
        own = declared.route
        route = Route(state.account_id.strip() or own.account_id, state.scope.strip() or own.scope)
        self._check(key, declared, platform, route)
        before = self._connected.get(key)
        if before is None or (before.platform, before.route) != (platform, route):
            self._disconnect(key)
            self._connect(key, declared, platform, route)
        return {"accepted": True, "ready": True, "route_key": _route_key(platform, route)}

    async def route_message(self, plugin: Plugin, routed: RoutedMessage) -> dict[str, Any]:
        """Take a message. It is stored when this returns, and handled after that.

        Raises:
            GatewayRefusedError: the gateway may not hand it over, or it is no message.
        """
        declared = _declared(plugin, routed.gateway_name)
        name, owner = declared.name, (plugin.id, declared.name)
        connected = self._connected.get((plugin, name))
        if not declared.receives:
            raise GatewayRefusedError("gateway_not_receiving", name=name, found=declared.route_type)
        if connected is None:
            raise GatewayRefusedError("gateway_not_ready", name=name)
        self._check_enabled(declared)
        message = inbound(name, routed, connected.platform, connected.route)
        if self._closing:
            raise GatewayRefusedError("gateway_closing")
        if len(self._under_way.get(owner, ())) >= MOST_UNDER_WAY:
            raise GatewayRefusedError("gateway_full", name=name, limit=MOST_UNDER_WAY)
        seen = self._seen.setdefault(owner, SeenKeys())
        key = routed.dedupe_key or routed.external_message_id or message.message_id
        accepted = seen.add(key)
        if accepted:
            await self._hand_over(owner, message, partial(seen.forget, key))
        return {"accepted": accepted, "route_key": _route_key(connected.platform, connected.route)}

    def _may_connect(self, platform: str, route: Route) -> bool:
        """Whether an active plugin has a gateway that may still be ready for a route."""
        components = self._components().of_type(ComponentType.MESSAGE_GATEWAY.value)
        to_come = [each for each in components if (each.plugin, each.name) not in self._connected]
        return any(DeclaredGateway.of(each).may_serve(platform, route) for each in to_come)

    def _check(self, key: _Key, declared: DeclaredGateway, platform: str, route: Route) -> None:
        """Whether a gateway may be ready for a route."""
        plugin, name = key
        self._check_enabled(declared)
        if plugin.asked is None:
            raise GatewayRefusedError("gateway_ending", plugin_id=plugin.id, state=plugin.state.value)
        if not platform:
            raise GatewayRefusedError("gateway_no_platform", name=name)
        for path, text in (("platform", platform), ("account_id", route.account_id), ("scope", route.scope)):
            check_length(path, text or "")
        others = self._gateways.of(platform)
        if platform in OWN_PLATFORMS or any(not isinstance(other, PluginGateway) for other in others):
            raise GatewayRefusedError("gateway_own_platform", platform=platform, name=name)
        for (owner, other), connected in self._connected.items():
            if (owner, other) != key and connected.collides(declared, platform, route):
                taken_by = f"{owner.id}/{other}"
                raise GatewayRefusedError("gateway_taken", address=address(platform, route), other=taken_by, name=name)

    def _is_enabled(self, component: Component) -> bool:
        return self._components().is_enabled(component)

    def _check_enabled(self, declared: DeclaredGateway) -> None:
        if not self._is_enabled(declared.component):
            plugin_id = declared.component.plugin_id
            raise GatewayRefusedError("gateway_off", name=declared.name, plugin_id=plugin_id)

    def _connect(self, key: _Key, declared: DeclaredGateway, platform: str, route: Route) -> None:
        plugin, name = key
        assert plugin.asked is not None, "that was checked"
        asked, effect = plugin.asked, f"gateway {name}"
        gateway = PluginGateway(declared.component, platform, route, self._is_enabled)
        leave = self._gateways.add(gateway, route) if declared.sends else _nothing

        def end() -> None:
            asked.forget(effect)
            leave()

        def plugin_ends() -> None:
            self._disconnect(key)
            gateway.plugin_ends()

        asked.effect(effect, plugin_ends)
        self._connected[key] = _Connected(declared, platform, route, end)
        self._connects.set()
        self._connects = asyncio.Event()
        logger.info("Gateway {} of plugin {} is connected to {}", name, plugin.id, address(platform, route))

    def _disconnect(self, key: _Key) -> None:
        connected = self._connected.pop(key, None)
        if connected is not None:
            connected.end()
            plugin, name = key
            where = address(connected.platform, connected.route)
            logger.info("Gateway {} of plugin {} is no longer connected to {}", name, plugin.id, where)

    async def _hand_over(self, owner: tuple[str, str], message: SessionMessage, forget: Callable[[], None]) -> None:
        """Have the bot receive a message, and wait until it is stored.

        Args:
            owner: whose it is.
            message: it.
            forget: is called when it could not be stored, so that it can be handed over again.
        """
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # Nobody waits for what becomes of it: it is part of no turn and no dispatch from which it may have come.
        task = asyncio.create_task(self._take(owner[1], message, stored, forget), context=Context())
        tasks = self._under_way.setdefault(owner, set())
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        await asyncio.shield(stored)

    async def _take(
        self, name: str, message: SessionMessage, stored: asyncio.Future[None], forget: Callable[[], None]
    ) -> None:
        async def go_on() -> None:
            stored.set_result(None)
            await self._opened.wait()

        refused: Exception | None = None
        try:
            outcome = await self._bot().receive(message.to_dict(), stored=go_on)
            if outcome.status is Status.INVALID and outcome.reason is not None:
                refused = invalid(name, outcome.reason)
            logger.debug("{}", outcome.line())
        except asyncio.CancelledError:
            refused = GatewayRefusedError("gateway_closing")
            raise
        except Exception as error:  # A border: of one message the others know nothing.
            refused = error
            if stored.done():
                logger.opt(exception=error).error("A message of the gateway {} was not handled to its end", name)
        finally:
            if refused is not None and not stored.done():
                forget()
                stored.set_exception(refused)
                stored.exception()  # Where the plugin did not wait, nobody asks for it.


def _declared(plugin: Plugin, name: str) -> DeclaredGateway:
    """The gateway of a plugin that is meant; no name means its only one.

    Raises:
        GatewayRefusedError: it declares none of that name.
    """
    known = gateways_of(plugin)
    name = name.strip()
    if not name and len(known) == 1:
        return next(iter(known.values()))
    if name not in known:
        listed = ", ".join(map(repr, known)) or "-"
        raise GatewayRefusedError(
            "gateway_unknown" if name else "gateway_unnamed", plugin_id=plugin.id, name=name, known=listed
        )
    return known[name]


def _nothing() -> None:
    """The undo of nothing."""


def _route_key(platform: str, route: Route) -> dict[str, str | None]:
    return {"platform": platform, "account_id": route.account_id, "scope": route.scope}
