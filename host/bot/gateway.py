"""How messages leave: a gateway for each platform, and the table of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from host.bot.message import SessionMessage
from host.bot.texts import BOT_TEXTS
from host.hooks.texts import Locale


class Gateway(Protocol):
    """The connection to one platform."""

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
            Exception: anything; the message then counts as not sent.
        """
        ...


@dataclass(frozen=True, slots=True)
class DeliveryFailure:
    """Why a message did not reach its platform.

    Args:
        code: ``no_gateway`` or ``delivery_failed``.
        platform: where it should have gone.
        error: what the gateway raised; "" when there was none.
        known: the platforms that have a gateway.
    """

    code: str
    platform: str
    error: str = ""
    known: tuple[str, ...] = ()

    def text(self, locale: Locale = "en") -> str:
        """What happened and what to do."""
        known = ", ".join(self.known) or "-"
        return BOT_TEXTS.render(self.code, {"platform": self.platform, "error": self.error, "known": known}, locale)


class Gateways:
    """The gateways that are ready, by platform. They come and go while the bot runs.

    Args:
        fallback: takes what goes to platforms without a gateway; a replay of a recording has one to show its answers.
    """

    def __init__(self, *gateways: Gateway, fallback: Gateway | None = None) -> None:
        self._gateways = {gateway.platform: gateway for gateway in gateways}
        self._fallback = fallback

    def add(self, gateway: Gateway) -> Callable[[], None]:
        """Deliver to its platform through `gateway` from now on, in the place of one that was there.

        Returns:
            Its undo. It leaves a gateway alone that took the place since.
        """
        self._gateways[gateway.platform] = gateway

        def undo() -> None:
            if self._gateways.get(gateway.platform) is gateway:
                del self._gateways[gateway.platform]

        return undo

    def find(self, platform: str) -> Gateway | None:
        """The gateway that serves a platform."""
        return self._gateways.get(platform, self._fallback)

    def platforms(self) -> tuple[str, ...]:
        """The platforms that have a gateway, sorted."""
        return tuple(sorted(self._gateways))
