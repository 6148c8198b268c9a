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
    return StoredMessages(storage.messages, "maibot")


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


async def test_what_just_came_in_is_part_of_no_chat_and_is_given_out_again_with_its_bytes(tmp_path: Path) -> None:
    picture = {"type": "image", "data": "", "hash": "ab", "binary_data_base64": "AAAA"}
    came = SessionMessage.from_dict(message_dict(raw_message=[picture])).identified()
    file = tmp_path / "maibot.db"
    async with Storage.open(file) as storage:
        store = memory(storage)
        number = await store.receive(came)
        await store.leave(await store.receive(parsed("stopped")))
        assert await store.of(came.session_id) == []
    async with Storage.open(file) as storage:
        [owed] = await memory(storage).take_up()
        assert (owed.number, owed.message, owed.admitted) == (number, came, False)
        assert await memory(storage).take_up() == []


async def test_what_came_in_and_was_taken_up_once_is_given_up_and_stays_in_its_chat(tmp_path: Path) -> None:
    file = tmp_path / "maibot.db"
    async with Storage.open(file) as storage:
        await memory(storage).receive(parsed("first"))
    async with Storage.open(file) as storage:
        [_] = await memory(storage).take_up()
    for _ in range(2):
        async with Storage.open(file) as storage:
            assert await memory(storage).take_up() == []
            [row] = await storage.messages.recent(parsed().session_id, 9)
            assert (row.processed_plain_text, row.handling) == ("first", Handling.GIVEN_UP)


async def test_what_was_received_and_not_settled_is_given_out_at_the_next_start(tmp_path: Path) -> None:
    file = tmp_path / "maibot.db"
    async with Storage.open(file) as storage:
        store = memory(storage)
        number = await store.receive(replace(parsed("raw"), processed_plain_text=None))
        await store.admit(number, replace(parsed("raw"), processed_plain_text=None))
        await store.revise(number, parsed("processed"))
        done = replace(parsed("done"), message_id="772")
        closed = await store.receive(done)
        await store.admit(closed, done)
        await store.settle(closed, Handling.ANSWERED)
    async with Storage.open(file) as storage:
        [owed] = await memory(storage).take_up()
        assert (owed.number, owed.admitted) == (number, True)
        assert owed.message == parsed("processed")
        [row, _] = await storage.messages.recent(owed.message.session_id, 9)
        assert row.received_at == number / 1_000_000
    async with Storage.open(file) as storage:
        assert await memory(storage).take_up() == []
