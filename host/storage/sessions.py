"""The chats."""

from typing import Literal

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from host.storage.database import Database
from host.storage.models import ChatSession, Direction, Message
from host.storage.writer import Step

ChatType = Literal["group", "private"]

_TOUCH = (
    update(ChatSession)
    .where(ChatSession.session_id == bindparam("chat"))
    .values(last_active_timestamp=bindparam("moment"))
)
_NAMES = ("user_nickname", "user_cardname", "group_name")


class Sessions:
    """The chats that the bot knows, in the order in which it came to know them.

    Args:
        database: keeps them.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        adding = database.insert(ChatSession)
        self._note = adding.on_conflict_do_update(
            index_elements=["session_id"],
            set_={
                "last_active_timestamp": adding.excluded.last_active_timestamp,
                # A name stays known where a message does not say it.
                **{name: func.coalesce(adding.excluded[name], ChatSession.__table__.c[name]) for name in _NAMES},
            },
        )
        self._open = adding.on_conflict_do_nothing(index_elements=["session_id"]).returning(ChatSession.id)

    def noting(self, message: Message) -> Step:
        """What writes down that a message was said in its chat, and the chat where it is new.

        Who says something in a private chat is the partner, unless it is the bot.
        """
        if message.group_id is None and message.direction is Direction.OUT:
            return Step(_TOUCH, {"chat": message.session_id, "moment": message.timestamp})
        private = message.group_id is None
        return Step(
            self._note,
            {
                "session_id": message.session_id,
                "platform": message.platform,
                "account_id": message.account_id,
                "scope": message.scope,
                "user_id": message.user_id if private else None,
                "user_nickname": message.user_nickname if private else None,
                "user_cardname": message.user_cardname if private else None,
                "group_id": message.group_id,
                # The id stands in for a name that the platform did not say.
                "group_name": message.group_name if message.group_name != message.group_id else None,
                "created_timestamp": message.timestamp,
                "last_active_timestamp": message.timestamp,
            },
        )

    async def open(self, session: ChatSession) -> tuple[ChatSession, bool]:
        """The stored chat of this ``session_id``, and whether it is new; one that is known stays as it is.

        Raises:
            DatabaseFailedError: the database refused.
        """
        values = session.stored()

        async def work(writing: AsyncSession) -> tuple[ChatSession, bool]:
            created = await (await writing.connection()).scalar(self._open, values) is not None
            stored = select(ChatSession).where(ChatSession.session_id == session.session_id)
            return (await writing.scalars(stored)).one(), created

        return await self._database.run(work)

    async def get(self, session_id: str) -> ChatSession | None:
        """The chat of this name, or None."""
        return await self._database.first(select(ChatSession).where(ChatSession.session_id == session_id))

    async def all(self, *, platform: str | None = None, chat_type: ChatType | None = None) -> list[ChatSession]:
        """The chats.

        Args:
            platform: the platform, or None for all.
            chat_type: groups only or private chats only, or None for both.
        """
        query = select(ChatSession).order_by(ChatSession.id)
        if platform is not None:
            query = query.where(ChatSession.platform == platform)
        if chat_type is not None:
            query = query.where(ChatSession.group_id.is_(None) == (chat_type == "private"))
        return list(await self._database.all(query))

    async def of_group(self, group_id: str, *, platform: str | None = None) -> ChatSession | None:
        """The first chat of a group, or None.

        Args:
            group_id: the platform's id.
            platform: the platform, or None for any.
        """
        query = select(ChatSession).where(ChatSession.group_id == group_id)
        if platform is not None:
            query = query.where(ChatSession.platform == platform)
        return await self._database.first(query.order_by(ChatSession.id).limit(1))

    async def of_user(self, user_id: str, *, platform: str | None = None) -> ChatSession | None:
        """The first private chat with a user, or None.

        Args:
            user_id: the platform's id.
            platform: the platform, or None for any.
        """
        query = select(ChatSession).where(ChatSession.user_id == user_id, ChatSession.group_id.is_(None))
        if platform is not None:
            query = query.where(ChatSession.platform == platform)
        return await self._database.first(query.order_by(ChatSession.id).limit(1))
