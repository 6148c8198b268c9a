"""Making a message of the bot's own."""

from typing import Any

from host.bot.identity import ACCOUNT_KEYS, SCOPE_KEYS
from host.bot.message import Clock, GroupInfo, SessionMessage
from host.bot.profile import BotProfile
from host.bot.segments import Segment
from host.capabilities import Chat


class OutgoingMessages:
    """Builds outbound messages, each with an id of its own.

    Args:
        profile: the bot, who is the sender.
        clock: what time it is.
    """

    def __init__(self, profile: BotProfile, clock: Clock) -> None:
        self._profile = profile
        self._clock = clock
        self._last_id = 0

    def answering(self, message: SessionMessage, segments: list[Segment]) -> SessionMessage:
        """A message to the chat that `message` came from.

        Its routing data names the group or the partner; keys by which an older gateway finds its account or route are
        taken over.

        Args:
            message: an inbound message with its session id.
            segments: the content.
        """
        now = self._clock()
        group = message.group_info
        return SessionMessage(
            message_id=self._next_id(now),
            timestamp=now,
            platform=message.platform,
            user_info=self._profile.user_info(message.account_id),
            group_info=group,
            # A group chat has no one partner: a gateway that looks at the user first must not write to the sender in
            # private.
            additional_config={
                **_older(message),
                "platform_io_target_group_id": group.group_id if group else "",
                "platform_io_target_user_id": "" if group else message.user_info.user_id,
            },
            raw_message=segments,
            session_id=message.session_id,
            account_id=message.account_id,
            scope=message.scope,
        )

    def into(self, chat: Chat, segments: list[Segment], last: SessionMessage | None = None) -> SessionMessage:
        """A message to a chat that nobody need have written to.

        Its routing data names the group or the partner, and has the keys of an older gateway as in `answering`.

        Args:
            chat: as it is stored.
            segments: the content.
            last: the latest message of the chat, or None.
        """
        now = self._clock()
        return SessionMessage(
            message_id=self._next_id(now),
            timestamp=now,
            platform=chat.platform,
            user_info=self._profile.user_info(chat.account_id),
            group_info=GroupInfo(chat.group_id, chat.group_name or chat.group_id) if chat.group_id else None,
            additional_config={
                **(_older(last) if last else {}),
                "platform_io_target_group_id": chat.group_id or "",
                "platform_io_target_user_id": "" if chat.group_id else chat.user_id or "",
            },
            raw_message=segments,
            session_id=chat.session_id,
            account_id=chat.account_id,
            scope=chat.scope,
        )

    def _next_id(self, now: float) -> str:
        """``send_api_<unix milliseconds>``; two of one millisecond differ all the same."""
        self._last_id = max(int(now * 1000), self._last_id + 1)
        return f"send_api_{self._last_id}"


def _older(message: SessionMessage) -> dict[str, Any]:
    """The keys by which older gateways find their account or route."""
    known = {*ACCOUNT_KEYS, *SCOPE_KEYS}
    return {key: value for key, value in message.additional_config.items() if key in known}
