"""The memory that lasts: messages of the bot, in the database and back."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from host.bot import SessionMessage
from host.bot.stored_messages import StoredMessages
from host.storage import Direction, Handling, Storage
from tests.bot.chat import NOW, Chat, message_dict, parsed, private_dict


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[Storage]:
    async with Storage.open(tmp_path / "maibot.db") as storage:
        yield storage


def memory(storage: Storage) -> StoredMessages:
    return StoredMessages(storage.messages, "maibot", lambda: NOW)


@pytest.mark.parametrize(
    "data",
    [
        message_dict("hello", is_at=True, reply_to="770", scope="left"),
        message_dict("hello", timestamp="1790000000.1234567", account_id=None),
        private_dict("hello", is_command=True),
    ],
)
async def test_a_message_comes_back_as_it_was(storage: Storage, data: dict[str, object]) -> None:
    message = SessionMessage.from_dict(data).identified().processed()
    await memory(storage).add(message)
    assert await memory(storage).of(message.session_id) == [message]


async def test_a_bot_with_this_memory_keeps_both_sides_of_a_chat(storage: Storage) -> None:
    chat = Chat()
    chat.bot = type(chat.bot)(chat.hooks, chat.gateways, store=memory(storage), clock=lambda: NOW)
    outcome = await chat.bot.receive(private_dict("hello"))
    said, answered = await storage.messages.recent(outcome.session_id, 9)
    assert (said.direction, answered.direction) == (Direction.IN, Direction.OUT)
    assert said.processed_plain_text == "hello"
    assert answered.processed_plain_text == chat.gateway.texts()[0]
    assert await storage.messages.open() == []


async def test_what_was_received_and_not_settled_is_given_out_at_the_next_start(tmp_path: Path) -> None:
    file = tmp_path / "maibot.db"
    async with Storage.open(file) as storage:
        store = memory(storage)
        number = await store.receive(replace(parsed("raw"), processed_plain_text=None))
        await store.revise(number, parsed("processed"))
        done = await store.receive(replace(parsed("done"), message_id="772"))
        await store.settle(done, Handling.ANSWERED)
    async with Storage.open(file) as storage:
        [owed] = await memory(storage).take_up()
        assert owed.number == number
        assert owed.message == parsed("processed")
        [row, _] = await storage.messages.recent(owed.message.session_id, 9)
        assert row.received_at == NOW
    async with Storage.open(file) as storage:
        assert await memory(storage).take_up() == []
