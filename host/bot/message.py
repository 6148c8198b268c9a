"""A message of a chat, inbound or outbound: a dict where it meets plugins and platforms, this type everywhere else."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from host.bot.identity import Route, older_route, session_id
from host.bot.plain_text import plain_text
from host.bot.reading import Reading
from host.bot.segments import Segment, read_segments
from host.hooks.texts import Locale

Clock = Callable[[], float]
"""Seconds since 1970, as `time.time` gives them."""


@dataclass(frozen=True, slots=True)
class UserInfo:
    """Who sent a message.

    Args:
        user_id: the platform's id.
        user_nickname: the name on the platform.
        user_cardname: the name within the group, or None.
    """

    user_id: str
    user_nickname: str
    user_cardname: str | None = None

    @property
    def shown_name(self) -> str:
        """The name that the chat shows."""
        return self.user_cardname or self.user_nickname


@dataclass(frozen=True, slots=True)
class GroupInfo:
    """The group that a message was sent to.

    Args:
        group_id: the platform's id.
        group_name: its name; its id where the platform did not say.
    """

    group_id: str
    group_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionMessage:
    """One message. Its segments and routing data are dicts, never changed in place.

    Args:
        message_id: the platform's id; of an outbound message ``send_api_<milliseconds>`` until the platform gave it
            one.
        timestamp: seconds since 1970.
        platform: where it comes from or goes to.
        user_info: who sent it; of an outbound message the bot.
        group_info: the group, or None in a private chat.
        additional_config: routing data of the platform.
        raw_message: the content, segment by segment, as `read_segments` gives them.
        is_mentioned: it speaks of the bot.
        is_at: it addresses the bot with @.
        is_emoji: it is a sticker.
        is_picture: it is a picture.
        is_command: it is a command.
        is_notify: it is a notice of the platform, nobody said it.
        session_id: the chat.
        reply_to: the id of the message that it answers, or None.
        processed_plain_text: the content as text, or None before it was processed.
        account_id: the bot account that it came in on or goes out by, or None.
        scope: the routing label, or None.
    """

    message_id: str
    timestamp: float
    platform: str
    user_info: UserInfo
    group_info: GroupInfo | None = None
    additional_config: dict[str, Any] = field(default_factory=dict)
    raw_message: list[Segment] = field(default_factory=list)
    is_mentioned: bool = False
    is_at: bool = False
    is_emoji: bool = False
    is_picture: bool = False
    is_command: bool = False
    is_notify: bool = False
    session_id: str = ""
    reply_to: str | None = None
    processed_plain_text: str | None = None
    account_id: str | None = None
    scope: str | None = None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, clock: Clock = time.time) -> Self:
        """Make a message of a session message dict. Keys at its top that nobody knows are dropped.

        A timestamp that is no number of seconds becomes now, a flag that is no bool False, a blank group name the
        group's id. Account and scope are final when the key ``account_id`` is there; else they are looked for where
        older gateways write them.

        Args:
            data: the dict.
            clock: what time it is.

        Raises:
            InvalidMessageError: with every problem and its path.
        """
        reading = Reading()
        info = reading.mapping(data, "message_info", "message_info")
        route = _route(data, reading)
        message = cls(
            message_id=reading.text(data, "message_id", "message_id"),
            timestamp=_seconds(data.get("timestamp"), clock),
            platform=reading.text(data, "platform", "platform"),
            user_info=_user(info, reading) if info is not None else UserInfo("", ""),
            group_info=_group(info or {}, reading),
            additional_config=_config(info or {}, reading),
            raw_message=_content(data, reading),
            is_mentioned=data.get("is_mentioned") is True,
            is_at=data.get("is_at") is True,
            is_emoji=data.get("is_emoji") is True,
            is_picture=data.get("is_picture") is True,
            is_command=data.get("is_command") is True,
            is_notify=data.get("is_notify") is True,
            session_id=reading.reference(data, "session_id", "session_id") or "",
            reply_to=reading.reference(data, "reply_to", "reply_to"),
            processed_plain_text=reading.text_or_none(data, "processed_plain_text", "processed_plain_text"),
            account_id=route.account_id,
            scope=route.scope,
        )
        reading.finish()
        return message

    def to_dict(self) -> dict[str, Any]:
        """The session message dict. Segments and routing data are the message's own: hooks copy what they get."""
        group = self.group_info
        data: dict[str, Any] = {
            "message_id": self.message_id,
            "timestamp": str(self.timestamp),
            "platform": self.platform,
            "account_id": self.account_id,
            "scope": self.scope,
            "message_info": {
                "user_info": {
                    "user_id": self.user_info.user_id,
                    "user_nickname": self.user_info.user_nickname,
                    "user_cardname": self.user_info.user_cardname,
                },
                "group_info": {"group_id": group.group_id, "group_name": group.group_name} if group else None,
                "additional_config": self.additional_config,
            },
            "raw_message": self.raw_message,
            "is_mentioned": self.is_mentioned,
            "is_at": self.is_at,
            "is_emoji": self.is_emoji,
            "is_picture": self.is_picture,
            "is_command": self.is_command,
            "is_notify": self.is_notify,
            "session_id": self.session_id,
        }
        if self.reply_to is not None:
            data["reply_to"] = self.reply_to
        if self.processed_plain_text is not None:
            data["processed_plain_text"] = self.processed_plain_text
        return data

    def identified(self) -> Self:
        """With the ``session_id`` of the chat that it was sent to."""
        chat = session_id(
            self.platform,
            group_id=self.group_info.group_id if self.group_info else None,
            user_id=self.user_info.user_id,
            account_id=self.account_id,
            scope=self.scope,
        )
        return replace(self, session_id=chat)

    def processed(self, locale: Locale = "en") -> Self:
        """With its segments as ``processed_plain_text``, markers in the given language."""
        return replace(self, processed_plain_text=plain_text(self.raw_message, locale))

    @property
    def text(self) -> str:
        """The plain text; "" before the message was processed."""
        return self.processed_plain_text or ""


def _seconds(value: object, clock: Clock) -> float:
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        try:
            seconds = float(value)
        except (ValueError, OverflowError):
            return clock()
        if math.isfinite(seconds):
            return seconds
    return clock()


def _user(info: Mapping[str, Any], reading: Reading) -> UserInfo:
    path = "message_info.user_info"
    user = reading.mapping(info, "user_info", path)
    if user is None:
        return UserInfo("", "")
    return UserInfo(
        reading.text(user, "user_id", f"{path}.user_id"),
        reading.text(user, "user_nickname", f"{path}.user_nickname"),
        reading.text_or_none(user, "user_cardname", f"{path}.user_cardname"),
    )


def _group(info: Mapping[str, Any], reading: Reading) -> GroupInfo | None:
    path = "message_info.group_info"
    group = info.get("group_info")
    if group is None:
        return None
    if not isinstance(group, Mapping):
        reading.note("want_dict_or_none", path, group)
        return None
    group_id = reading.text(group, "group_id", f"{path}.group_id")
    name = reading.any_text(group.get("group_name"), f"{path}.group_name")
    return GroupInfo(group_id, name if name.strip() else group_id)


def _config(info: Mapping[str, Any], reading: Reading) -> dict[str, Any]:
    if info.get("additional_config") is None:
        return {}
    return dict(reading.mapping(info, "additional_config", "message_info.additional_config") or {})


def _content(data: Mapping[str, Any], reading: Reading) -> list[Segment]:
    if "raw_message" in data:
        return read_segments(data["raw_message"], reading)
    reading.note("missing", "raw_message", None)
    return []


def _route(data: Mapping[str, Any], reading: Reading) -> Route:
    if "account_id" not in data:
        return older_route(data)
    account_id, scope = (reading.text_or_none(data, key, key) for key in ("account_id", "scope"))
    return Route((account_id or "").strip() or None, (scope or "").strip() or None)
