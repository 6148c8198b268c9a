"""Which chat a message belongs to. ``session_id``, ``stream_id`` and ``chat_id`` are one string, made here."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import md5
from typing import Any

from host.bot.reading import is_text
from host.bot.texts import BOT_TEXTS
from host.hooks.texts import Locale

ACCOUNT_KEYS = ("platform_io_account_id", "account_id", "self_id", "bot_account")
"""Where older gateways write the bot account that a message came in on, the first found wins."""

SCOPE_KEYS = ("platform_io_scope", "route_scope", "adapter_scope", "connection_id")
"""Where older gateways write the routing label, the first found wins."""


class NoChatError(ValueError):
    """Neither a group nor a user was given, so there is no chat to name."""

    def __init__(self) -> None:
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """What is missing."""
        return BOT_TEXTS.render("no_chat", {}, locale)


@dataclass(frozen=True, slots=True)
class Route:
    """The way a message came in, beside its platform.

    Args:
        account_id: the bot account that received it, or None.
        scope: an optional routing label, or None.
    """

    account_id: str | None = None
    scope: str | None = None

    def fits(self, wanted: "Route") -> bool:
        """Whether what is to go by `wanted` may go this way; what either leaves open is no obstacle."""
        pairs = ((self.account_id, wanted.account_id), (self.scope, wanted.scope))
        return all(ours is None or theirs is None or ours == theirs for ours, theirs in pairs)


def session_id(
    platform: str,
    *,
    group_id: str | None = None,
    user_id: str | None = None,
    account_id: str | None = None,
    scope: str | None = None,
) -> str:
    """The name of a chat: 32 lower-case hex digits, the same for the same chat on every machine.

    The parts are used as given, nothing is trimmed or lower-cased; a group wins where both ids are given.

    Args:
        platform: as in messages, such as ``"qq"``.
        group_id: the platform's id of the group, for a group chat.
        user_id: the platform's id of the partner, for a private chat.
        account_id: the bot account, where the platform serves several.
        scope: the routing label, where there is one.

    Raises:
        NoChatError: neither `group_id` nor `user_id` is given.
    """
    parts = [platform]
    if account_id:
        parts.append(f"account:{account_id}")
    if scope:
        parts.append(f"scope:{scope}")
    if group_id:
        parts.append(group_id)
    elif user_id:
        parts += [user_id, "private"]
    else:
        raise NoChatError
    # A name, not a secret: the ids that exist in the field are MD5.
    return md5("_".join(parts).encode(), usedforsecurity=False).hexdigest()


def older_route(message: Mapping[str, Any]) -> Route:
    """The route of a message that has no key ``account_id``: looked for where older gateways write it.

    First at the top of the message, then in ``message_info``, then in its ``additional_config``; account and scope
    each by themselves. Numbers count as their digits, blank text and everything else as absent.
    """
    places = list(_places(message))
    return Route(_first(places, ACCOUNT_KEYS), _first(places, SCOPE_KEYS))


def _places(message: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield message
    info = message.get("message_info")
    if isinstance(info, Mapping):
        yield info
        config = info.get("additional_config")
        if isinstance(config, Mapping):
            yield config


def _first(places: list[Mapping[str, Any]], keys: tuple[str, ...]) -> str | None:
    found = (_id_text(place.get(key)) for place in places for key in keys)
    return next((text for text in found if text), None)


def _id_text(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value.strip() if is_text(value) else ""
