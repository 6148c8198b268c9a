"""The memory of the bot in the database: messages of chats as rows, and rows as messages."""

from dataclasses import dataclass

from loguru import logger

from host.bot.message import GroupInfo, SessionMessage, UserInfo
from host.storage import Direction, Handling, Message, Messages


@dataclass(frozen=True, slots=True)
class OwedMessage:
    """A message that an earlier run of the program received and did not finish.

    Args:
        number: its number in the storage.
        message: as it was stored last.
        admitted: its receive hooks were done.
    """

    number: int
    message: SessionMessage
    admitted: bool


class StoredMessages:
    """Messages in the database: the `MessageStore` that lasts, with what it takes to lose none.

    Args:
        messages: the room of the storage.
        account_id: the bot's user id where a message does not say the account.
    """

    def __init__(self, messages: Messages, account_id: str) -> None:
        self._messages = messages
        self._account_id = account_id

    async def add(self, message: SessionMessage) -> None:
        """Keep a message to which nothing is owed, such as one that the bot said."""
        await self._messages.add(self._row(message, Handling.KEPT))

    async def receive(self, message: SessionMessage) -> int:
        """Keep a message that just came in, before anything of a plugin runs on it. It is part of no chat yet.

        Returns:
            Its number, for the other calls.
        """
        return await self._messages.arrive(message.to_dict())

    async def leave(self, number: int) -> None:
        """Forget a message that came in: its receive hooks stopped it."""
        await self._messages.leave(number)

    async def admit(self, number: int, message: SessionMessage, *, again: bool = False) -> None:
        """Make a message that came in a part of its chat; it is open until it is settled.

        Args:
            number: as `receive` returned it.
            message: as its receive hooks left it.
            again: an earlier run of the program received it. If this one does not come to an end with it either, it is
                given up.
        """
        await self._messages.admit(number, self._row(message, Handling.TAKEN_UP if again else Handling.RECEIVED))

    async def revise(self, number: int, message: SessionMessage) -> None:
        """Keep what became of a message on its way: its text, and what hooks changed."""
        await self._messages.revise(number, self._row(message, Handling.RECEIVED))

    async def settle(self, number: int, outcome: Handling) -> None:
        """The message is done with."""
        await self._messages.settle(number, outcome)

    async def take_up(self) -> list[OwedMessage]:
        """What earlier runs received and did not finish, the oldest first; each is given out once only, ever."""
        taken = await self._messages.take_up()
        owed = [OwedMessage(row.id, message_of(row), admitted=True) for row in taken.messages]
        for arrival in taken.arrivals:
            message = SessionMessage.from_dict(arrival.message).identified()
            if arrival.taken_up:
                logger.error("Given up, the program ended twice in its receive hooks: {}", message.message_id)
                await self._messages.admit(arrival.id, self._row(message, Handling.GIVEN_UP))
            else:
                owed.append(OwedMessage(arrival.id, message, admitted=False))
        return sorted(owed, key=lambda each: each.number)

    async def of(self, session_id: str, limit: int = 500) -> list[SessionMessage]:
        """The latest messages of one chat, the oldest first."""
        return [message_of(row) for row in await self._messages.recent(session_id, limit)]

    def _row(self, message: SessionMessage, handling: Handling) -> Message:
        user, group = message.user_info, message.group_info
        own = user.user_id in {message.account_id, self._account_id}
        return Message(
            message_id=message.message_id,
            timestamp=message.timestamp,
            platform=message.platform,
            account_id=message.account_id,
            scope=message.scope,
            session_id=message.session_id,
            user_id=user.user_id,
            user_nickname=user.user_nickname,
            user_cardname=user.user_cardname,
            group_id=group.group_id if group else None,
            group_name=group.group_name if group else None,
            direction=Direction.OUT if own else Direction.IN,
            handling=handling,
            is_mentioned=message.is_mentioned,
            is_at=message.is_at,
            is_emoji=message.is_emoji,
            is_picture=message.is_picture,
            is_command=message.is_command,
            is_notify=message.is_notify,
            reply_to=message.reply_to,
            processed_plain_text=message.processed_plain_text,
            additional_config=message.additional_config,
            raw_message=message.raw_message,
        )


def message_of(row: Message) -> SessionMessage:
    """The message that a row holds."""
    return SessionMessage(
        message_id=row.message_id,
        timestamp=row.timestamp,
        platform=row.platform,
        user_info=UserInfo(row.user_id, row.user_nickname, row.user_cardname),
        group_info=GroupInfo(row.group_id, row.group_name or row.group_id) if row.group_id else None,
        additional_config=row.additional_config,
        raw_message=row.raw_message,
        is_mentioned=row.is_mentioned,
        is_at=row.is_at,
        is_emoji=row.is_emoji,
        is_picture=row.is_picture,
        is_command=row.is_command,
        is_notify=row.is_notify,
        session_id=row.session_id,
        reply_to=row.reply_to,
        processed_plain_text=row.processed_plain_text,
        account_id=row.account_id,
        scope=row.scope,
    )
