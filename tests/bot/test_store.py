"""The memory of recent messages."""

from dataclasses import replace

from host.bot import RecentMessages
from tests.bot.chat import parsed


async def test_the_oldest_message_of_all_chats_makes_room() -> None:
    store = RecentMessages(limit=3)
    for index in range(4):
        await store.add(replace(parsed(), message_id=str(index), session_id="ab"[index % 2]))
    assert [message.message_id for message in await store.of("a")] == ["2"]
    assert [message.message_id for message in await store.of("b")] == ["1", "3"]
