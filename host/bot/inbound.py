"""A message that a plugin's gateway hands over: checked, and given the route by which it came."""

from dataclasses import replace
from typing import ClassVar, Final

import msgspec

from host.bot.gateway import address
from host.bot.identity import ACCOUNT_KEYS, SCOPE_KEYS, Route, older_route
from host.bot.message import SessionMessage
from host.bot.plain_text import plain_text
from host.bot.reading import InvalidMessageError
from host.bot.texts import BOT_TEXTS, Explained
from host.capabilities import RoutedMessage
from host.hooks.texts import TextTable
from host.runtime.host_methods import HostMethodError

LARGEST: Final = 16 << 20
"""Bytes that a message may have, pictures and recordings included. Authors know this limit from MaiBot."""
LONGEST_TEXT: Final = 200_000
"""Characters of its plain text."""
LONGEST_NAME: Final = 512
"""Characters of an id, or of a name of somebody."""

_encode = msgspec.msgpack.Encoder().encode


class GatewayRefusedError(HostMethodError):
    """A call of a plugin's gateway is not carried out; it raises in the plugin, with this error's text."""

    table: ClassVar[TextTable] = BOT_TEXTS


def inbound(name: str, routed: RoutedMessage, platform: str, ready: Route) -> SessionMessage:
    """The message that a gateway hands over.

    Where it has a key ``account_id``, its account and scope are final; else they are looked for where older gateways
    write them, then in the routing data given beside it, then taken from the gateway. Other routing data becomes a part
    of it.

    Args:
        name: the gateway.
        routed: what it hands over.
        platform: what the gateway is connected to.
        ready: by which account and scope.

    Raises:
        GatewayRefusedError: it is no message, is too large, or came by another way than the gateway's.
    """
    size = len(_encode([routed.message, routed.route_metadata]))
    if size > LARGEST:
        raise GatewayRefusedError("gateway_large", found=size, limit=LARGEST)
    try:
        message = SessionMessage.from_dict(routed.message)
    except InvalidMessageError as error:
        raise invalid(name, error) from None
    _check_lengths(message)
    route = Route(message.account_id, message.scope)
    if "account_id" not in routed.message:
        beside = older_route(routed.route_metadata)
        route = Route(
            route.account_id or beside.account_id or ready.account_id, route.scope or beside.scope or ready.scope
        )
    _check_route(name, message.platform, route, platform, ready)
    known = {*ACCOUNT_KEYS, *SCOPE_KEYS}
    further = {
        key: value
        for key, value in routed.route_metadata.items()
        if key not in known and value not in (None, "", [], {})
    }
    return replace(
        message,
        account_id=route.account_id,
        scope=route.scope,
        additional_config={**message.additional_config, **further},
    )


def invalid(name: str, why: Explained) -> GatewayRefusedError:
    """The refusal of what is no message.

    Args:
        name: the gateway.
        why: what is wrong with it.
    """
    return GatewayRefusedError("gateway_message", name=name, problems_en=why.text("en"), problems_zh=why.text("zh"))


def check_length(path: str, text: str) -> None:
    """Refuse an id or a name that is too long.

    Raises:
        GatewayRefusedError: it is.
    """
    if len(text) > LONGEST_NAME:
        raise GatewayRefusedError("gateway_long", path=path, found=len(text), limit=LONGEST_NAME)


def _check_lengths(message: SessionMessage) -> None:
    user, group = message.user_info, message.group_info
    check_length("message_id", message.message_id)
    check_length("message_info.user_info.user_id", user.user_id)
    check_length("message_info.user_info.user_nickname", user.user_nickname)
    check_length("message_info.user_info.user_cardname", user.user_cardname or "")
    if group is not None:
        check_length("message_info.group_info.group_id", group.group_id)
        check_length("message_info.group_info.group_name", group.group_name)
    text = plain_text(message.raw_message)
    if len(text) > LONGEST_TEXT:
        raise GatewayRefusedError("gateway_long", path="raw_message", found=len(text), limit=LONGEST_TEXT)


def _check_route(name: str, found_platform: str, found: Route, platform: str, ready: Route) -> None:
    if not found.account_id:
        raise GatewayRefusedError("gateway_no_account", name=name, address=address(platform, ready))
    if (found_platform, found) != (platform, ready):
        raise GatewayRefusedError(
            "gateway_route", name=name, found=address(found_platform, found), address=address(platform, ready)
        )
