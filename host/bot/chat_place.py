"""Where a component is asked for: the chat, as far as switches and arguments of components go by it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from host.bot.message import SessionMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPlace:
    """A chat.

    Args:
        session_id: its id.
        platform: where it is.
        group_id: the group, or None in a private chat.
        user_id: the partner of a private chat, or None in a group.
    """

    session_id: str
    platform: str
    group_id: str | None = None
    user_id: str | None = None

    @classmethod
    def of(cls, message: SessionMessage) -> Self:
        """The chat that an inbound message came from."""
        group = message.group_info
        return cls(
            session_id=message.session_id,
            platform=message.platform,
            group_id=group.group_id if group else None,
            user_id=None if group else message.user_info.user_id,
        )

    def has(self, component: Mapping[str, Any]) -> bool:
        """Whether a component is to be had in this chat: switched on, and not kept to other chats or platforms.

        ``chat_scope`` and ``allowed_session`` count beside the metadata and in it, since decorators put them there. The
        published host overlooks the latter; their authors expect what they say.

        Args:
            component: ``{"name", "type", "metadata", ...}``.
        """
        metadata = metadata_of(component)
        if metadata.get("enabled") is False:
            return False
        scope = component.get("chat_scope", metadata.get("chat_scope"))
        if scope in ("group", "private") and (scope == "group") != (self.group_id is not None):
            return False
        sessions = component.get("allowed_session", metadata.get("allowed_session"))
        if isinstance(sessions, list | tuple) and sessions and not self._names().intersection(map(str, sessions)):
            return False
        platforms = metadata.get("platforms")
        names = [platforms] if isinstance(platforms, str) and platforms else platforms
        if not isinstance(names, list | tuple) or not names:
            return True
        return self.platform.lower() in {str(name).strip().lower() for name in names}

    def _names(self) -> set[str]:
        """What ``allowed_session`` may call this chat."""
        if self.group_id is None:
            return {self.session_id}
        return {self.session_id, self.group_id, f"{self.platform}:{self.group_id}"}


def metadata_of(component: Mapping[str, Any]) -> Mapping[str, Any]:
    """A component's metadata. Older SDKs put free keywords one level deeper, and plugins still do; both are found."""
    metadata = component.get("metadata")
    if not isinstance(metadata, Mapping):
        return {}
    inner = metadata.get("metadata")
    return {**inner, **metadata} if isinstance(inner, Mapping) else metadata
