"""Pictures of chats and files of the owner on their way into the library: in the background, bounded, and not lost."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from loguru import logger

from host.bot.emoji.picture import hash_of
from host.storage import EmojiState
from tests.bot.chat import Chat, message_dict, parsed
from tests.bot.emoji.pictures import picture, segment
from tests.bot.emoji.rooms import DESCRIPTION, emojis
from tests.bot.emoji.test_registering import seeing
from tests.models.asking import asking
from tests.models.endpoint import endpoint, says, told

RED = picture("red")


@pytest.mark.parametrize(
    ("collect", "kind", "taken"),
    [
        ("stickers", "emoji", True),
        ("stickers", "image", False),
        ("pictures", "image", True),
        ("pictures", "emoji", True),
        ("pictures", "voice", False),
        ("nothing", "emoji", False),
    ],
)
async def test_the_owner_says_what_is_collected(tmp_path: Path, collect: str, kind: str, taken: bool) -> None:
    async with emojis(tmp_path, collect=collect) as here:
        await here.hear(RED, kind, "happy")
        assert await here.described() == ["happy"] * taken


async def test_stickers_that_were_received_and_sent_are_collected_and_those_that_were_stopped_are_not(
    tmp_path: Path,
) -> None:
    async with emojis(tmp_path) as here:
        chat = Chat(emoji=here.room)
        received = [segment(RED, name="happy"), {"type": "text", "data": "hello"}]
        await chat.bot.receive(message_dict(raw_message=received))
        sent = [segment(picture("blue"), name="sad")]
        await chat.bot.sender.send(parsed(raw_message=sent), stream_id="any")
        chat.returning("chat.receive.after_process", {"action": "abort"})
        await chat.bot.receive(message_dict(raw_message=[segment(picture("green"), name="angry")]))
        await here.room.settle()
        assert await here.described() == ["happy", "sad"]


async def test_nothing_waits_for_a_picture_to_be_described(tmp_path: Path) -> None:
    goes_on = asyncio.Event()

    async def slow(**kwargs: Any) -> None:
        await goes_on.wait()

    async with emojis(tmp_path) as here:
        here.on(DESCRIPTION, slow)
        chat = Chat(emoji=here.room)
        outcome = await chat.bot.receive(message_dict(raw_message=[segment(RED, name="happy")], is_at=True))
        assert outcome.reply_text  # It is answered while the description is awaited.
        assert await here.described() == []
        goes_on.set()
        await here.room.settle()
        assert await here.described() == ["happy"]


async def test_what_waits_is_bounded_and_a_flood_costs_little(tmp_path: Path) -> None:
    goes_on = asyncio.Event()
    begun = asyncio.Event()

    async def slow(**kwargs: Any) -> None:
        begun.set()
        await goes_on.wait()

    async with emojis(tmp_path, max_waiting=3) as here:
        here.on(DESCRIPTION, slow)
        for number in range(40):
            here.room.notice(parsed(raw_message=[segment(picture(size=(16, 16 + number)), name="happy")]))
        await begun.wait()
        await here.room.collector.written()
        assert len(here.files("new")) == 3
        goes_on.set()
        await here.room.settle()
        assert here.room.count == 3


async def test_what_waits_is_gone_on_with_after_a_restart(tmp_path: Path) -> None:
    async with emojis(tmp_path, collects=False) as here:
        here.put("happy_red.png")
        left = here.put(f"sad.{hash_of(picture('blue'))}", picture("blue"))  # As it is kept when it came from a chat.
    async with emojis(tmp_path) as here:
        await here.room.settle()
        assert await here.described() == ["happy, red", "sad"]
        assert not left.exists()


async def test_where_no_model_answers_files_wait_for_the_next_look(tmp_path: Path) -> None:
    async with (
        endpoint(told({}, 500), says("happy")) as model,
        asking(seeing(model)) as models,
        emojis(tmp_path, models=models, collects=False) as here,
    ):
        here.put("one_red.png")
        await here.room.settle()
        assert (await here.described(), here.files("new")) == ([], ["one_red.png"])
        await here.room.settle()
        assert (await here.described(), here.files("new")) == (["happy"], [])


async def test_a_file_of_the_owner_that_is_no_emoji_is_put_aside_and_the_log_says_why(tmp_path: Path) -> None:
    said: list[str] = []
    listening = logger.add(said.append, format="{message}", level="WARNING")
    try:
        async with emojis(tmp_path, collects=False) as here:
            broken, fresh = here.put("happy.png", RED[:45]), here.put("sad.png", RED[:45])
            os.utime(broken, (1.0, 1.0))
            await here.room.settle()
            # What was changed just now may still be copied.
            assert (here.files("refused"), here.files("new")) == (["happy.png"], ["sad.png"])
            fresh.write_bytes(RED)
            await here.room.settle()
            assert await here.described() == ["sad"]
    finally:
        logger.remove(listening)
    assert "happy.png is no emoji" in said[0]
    assert "cannot be decoded" in said[0]


async def test_the_bytes_say_what_a_file_is_and_its_name_is_put_right(tmp_path: Path) -> None:
    async with emojis(tmp_path, collects=False) as here:
        here.put("happy.jpeg", picture(file_format="WEBP"))
        here.put("sad", picture("blue"))
        await here.room.settle()
        assert sorted(name.partition(".")[2] for name in here.files()) == ["png", "webp"]


async def test_a_picture_of_a_chat_that_is_broken_is_remembered(tmp_path: Path) -> None:
    broken = RED[:45]
    async with emojis(tmp_path) as here:
        await here.hear(broken, name="happy")
        known = await here.storage.emojis.get(hash_of(broken))
        assert known is not None
        assert (known.state, here.files("new")) == (EmojiState.REFUSED, [])
        here.room.notice(parsed(raw_message=[{"type": "emoji", "data": "", "binary_data_base64": "no base64"}]))
        await here.hear(bytes(3 * 2**20), name="huge")
        assert (here.room.count, here.files("new")) == (0, [])


async def test_folder_and_rows_are_brought_in_step_at_the_start(tmp_path: Path) -> None:
    async with emojis(tmp_path) as here:
        here.put("happy_red.png")
        await here.room.settle()
    [file] = (tmp_path / "emoji" / "registered").iterdir()
    file.rename(file.with_name("sad.png"))
    async with emojis(tmp_path) as here:
        assert here.room.count == 0
        await here.room.settle()
        # The owner put it there under another name, and what is known of it is still known.
        assert await here.described() == ["happy, red"]


async def test_a_picture_of_a_chat_that_was_removed_meanwhile_does_not_come_back(tmp_path: Path) -> None:
    async with emojis(tmp_path, collects=False) as here:
        here.put("happy.png", RED)
        await here.room.settle()
        await here.room.delete(hash_of(RED), None)
        here.put(f"happy.{hash_of(RED)}", RED)
        await here.room.settle()
        assert (here.room.count, here.files("new")) == (0, [])
        here.put("happy.png", RED)  # The owner may.
        await here.room.settle()
        assert here.room.count == 1
