"""`ctx.chat`: the chats that the bot takes part in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class AvatarInfo(TypedDict):
    """Where the picture of a user or a group is; `expires_at` is in seconds since 1970."""

    status: Literal["available", "unsupported", "missing"]
    url: str | None
    expires_at: float


class ChatCapability:
    """Finds chats, here called streams, and opens new ones. A stream is a dict with `session_id` and so on."""

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def get_avatar(
        self,
        platform: str,
        target_id: str,
        target_type: Literal["user", "group"] = "user",
        *,
        account_id: str = "",
        scope: str = "",
        force_refresh: bool = False,
    ) -> AvatarInfo:
        """The picture of a user or a group.

        Args:
            platform: name of the platform.
            target_id: id of the user or the group there.
            target_type: which of the two it is.
            account_id: the account of the bot that asks, where there are several.
            scope: the route of that account, where there are several.
            force_refresh: ask the platform even when the host remembers the answer.
        """
        avatar = await self._ctx.call_capability(
            "chat.get_avatar",
            platform=platform,
            target_id=target_id,
            target_type=target_type,
            account_id=account_id,
            scope=scope,
            force_refresh=force_refresh,
        )
        return cast("AvatarInfo", avatar)

    async def get_all_streams(self, platform: str = "qq") -> Any:
        """All streams of a platform, or with `all_platforms` of every platform."""
        return await self._ctx.call_capability("chat.get_all_streams", platform=platform)

    async def get_group_streams(self, platform: str = "qq") -> Any:
        """The streams of groups; `platform` as in `get_all_streams`."""
        return await self._ctx.call_capability("chat.get_group_streams", platform=platform)

    async def get_private_streams(self, platform: str = "qq") -> Any:
        """The streams of private chats; `platform` as in `get_all_streams`."""
        return await self._ctx.call_capability("chat.get_private_streams", platform=platform)

    async def get_stream_by_group_id(self, group_id: str, platform: str = "qq") -> Any:
        """The stream of a group, or None."""
        return await self._ctx.call_capability("chat.get_stream_by_group_id", group_id=group_id, platform=platform)

    async def get_stream_by_user_id(self, user_id: str, platform: str = "qq") -> Any:
        """The stream of the private chat with a user, or None."""
        return await self._ctx.call_capability("chat.get_stream_by_user_id", user_id=user_id, platform=platform)

    async def open_session(
        self,
        platform: str = "qq",
        chat_type: str = "private",
        *,
        user_id: str = "",
        group_id: str = "",
        account_id: str = "",
        scope: str = "",
        **kwargs: Any,
    ) -> Any:
        """Make sure that a chat exists, and get it.

        Args:
            platform: name of the platform.
            chat_type: `private` or `group`.
            user_id: the other person; needed for a private chat.
            group_id: the group; needed for a group.
            account_id: the account of the bot; part of which chat it is.
            scope: the route of that account; part of which chat it is.
            kwargs: sent along; `timeout_ms` is the deadline.

        Returns:
            The answer of the host: `success`, `created`, `stream`, and the keys of the stream once more beside it.
        """
        return await self._ctx.call_capability(
            "chat.open_session",
            platform=platform,
            chat_type=chat_type,
            user_id=user_id,
            group_id=group_id,
            account_id=account_id,
            scope=scope,
            **kwargs,
        )
