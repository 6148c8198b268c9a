"""How messages leave: gateways to platforms, and the table of which of them serves what."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from host.bot.identity import Route
from host.bot.message import SessionMessage
from host.bot.texts import BOT_TEXTS
from host.hooks.texts import Locale

WEB_PLATFORM = "web"
"""The platform of the web page."""
EVERYWHERE = Route()
"""The route of a gateway that serves all accounts of its platform."""


class Gateway(Protocol):
    """The connection to one platform, or to one account of it."""

    @property
    def platform(self) -> str:
        """The platform as messages name it."""
        ...

    async def deliver(self, message: SessionMessage, *, typing: bool, reply_message_id: str | None) -> str | None:
        """Bring a message to its chat.

        The chat is named by ``group_info`` or, in a private chat, by ``platform_io_target_user_id`` in
        ``additional_config``.

        Args:
            message: what to deliver; its ``user_info`` is the bot.
            typing: whether to look as if someone were typing first.
            reply_message_id: the message to quote, or None.

        Returns:
            The platform's id of the message, or None when it gives none.

        Raises:
            DeliveryError: the message is not sent, and why.
            Exception: anything; the message then counts as not sent too.
        """
        ...


@runtime_checkable
class ShowsTyping(Protocol):
    """A gateway that can show that the bot is typing."""

    def show_typing(self, heard: SessionMessage, seconds: float) -> None:
        """Show it, without waiting.

        Args:
            heard: a message of the chat; what is being typed answers it.
            seconds: after how long the next message is sent.
        """
        ...


@dataclass(frozen=True, slots=True)
class DeliveryFailure:
    """Why a message did not reach its platform.

    Args:
        code: ``no_gateway`` none serves its route; ``several_gateways`` several accounts would do, and it names none;
            ``gateway_gone`` the plugin of the gateway is not running; ``delivery_timed_out``; ``delivery_failed`` the
            gateway raised; ``delivery_refused`` it said that the message was not sent.
        platform: where it should have gone.
        route: by which account and scope.
        gateway: which gateway failed, as plugin id, slash, name; "" where that is no plugin's, or there was none.
        error: what the gateway said or raised; "" when there was none.
        known: the addresses that have a gateway.
    """

    code: str
    platform: str
    route: Route = EVERYWHERE
    gateway: str = ""
    error: str = ""
    known: tuple[str, ...] = ()

    def text(self, locale: Locale = "en") -> str:
        """What happened and what to do."""
        fields = {
            "address": address(self.platform, self.route),
            "by": f" ({self.gateway})" if self.gateway else "",
            "error": self.error,
            "known": ", ".join(self.known) or "-",
        }
        return BOT_TEXTS.render(self.code, fields, locale)


class DeliveryError(Exception):
    """A message did not reach its platform.

    Args:
        failure: why.
    """

    def __init__(self, failure: DeliveryFailure) -> None:
        self.failure = failure
        super().__init__(failure.text())


def address(platform: str, route: Route) -> str:
    """Platform, account and scope as people read them: ``qq``, ``qq/10001``, ``qq/10001/main``."""
    return "/".join([platform, route.account_id or "", route.scope or ""]).rstrip("/")


class Gateways:
    """The gateways that are ready, by platform, account and scope. They come and go while the bot runs.

    Args:
        gateways: each serves all accounts of its platform.
        fallback: takes what goes where no gateway is; a replay of a recording has one to show its answers.
    """

    def __init__(self, *gateways: Gateway, fallback: Gateway | None = None) -> None:
        self._gateways = {(gateway.platform, EVERYWHERE): gateway for gateway in gateways}
        self._fallback = fallback

    def add(self, gateway: Gateway, route: Route = EVERYWHERE) -> Callable[[], None]:
        """Deliver to its platform through `gateway` from now on, in the place of one that was there.

        Args:
            gateway: the way out.
            route: the account and the scope that it serves; what is None in it is any.

        Returns:
            Its undo. It leaves a gateway alone that took the place since.
        """
        place = (gateway.platform, route)
        self._gateways[place] = gateway

        def undo() -> None:
            if self._gateways.get(place) is gateway:
                del self._gateways[place]

        return undo

    def find(self, platform: str, route: Route = EVERYWHERE) -> Gateway:
        """The gateway that serves a route: that of just this account and scope before one of any.

        A message that names no account goes by the only one of its platform.

        Args:
            platform: where a message is to go.
            route: by which account and scope; None for any.

        Raises:
            DeliveryError: there is none, or there are several that would do alike.
        """
        fitting = {own: gateway for own, gateway in self._of(platform) if own.fits(route)}
        if not fitting:
            if self._fallback is not None:
                return self._fallback
            raise DeliveryError(DeliveryFailure("no_gateway", platform, route, known=self.addresses()))
        closest = max(_closeness(own, route) for own in fitting)
        best = [own for own in fitting if _closeness(own, route) == closest]
        if len(best) > 1:
            known = tuple(sorted(address(platform, own) for own in best))
            raise DeliveryError(DeliveryFailure("several_gateways", platform, route, known=known))
        return fitting[best[0]]

    def serves(self, platform: str, route: Route) -> bool:
        """Whether there is a gateway for a route."""
        return self._fallback is not None or any(own.fits(route) for own, _ in self._of(platform))

    def of(self, platform: str) -> list[Gateway]:
        """The gateways of a platform."""
        return [gateway for _, gateway in self._of(platform)]

    def addresses(self) -> tuple[str, ...]:
        """What has a gateway, sorted."""
        return tuple(sorted(address(platform, route) for platform, route in self._gateways))

    def _of(self, platform: str) -> Sequence[tuple[Route, Gateway]]:
        return [(route, gateway) for (served, route), gateway in self._gateways.items() if served == platform]


def _closeness(own: Route, wanted: Route) -> tuple[bool, bool]:
    return own.account_id == wanted.account_id, own.scope == wanted.scope
