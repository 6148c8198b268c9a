"""``ctx.emoji``: the library of emoji, over a real folder and database."""

import sqlite3
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from host.bot import EmojiRefusedError
from host.bot.emoji.picture import hash_of
from host.capabilities import EmojiFamily
from host.capabilities.emoji import EMOJI
from host.models import ModelError
from host.storage import EmojiState
from tests.bot.emoji.pictures import picture
from tests.bot.emoji.rooms import DESCRIPTION, Emojis, emojis
from tests.capabilities.house import House, all_of

RED, BLUE, GREEN = (picture(colour) for colour in ("red", "blue", "green"))
FILES = {"happy_waving.png": RED, "sad.png": BLUE}


@dataclass
class Library:
    """A house whose plugin asks for emoji, and these."""

    house: House
    emojis: Emojis
    data: Path

    async def ask(self, source: str) -> Any:
        """What the plugin gets."""
        return await self.house.ask(f"ctx.{source}")

    def change(self, statement: str) -> None:
        """Change the database from outside."""
        with closing(sqlite3.connect(self.data / "maibot.db")) as connection, connection:
            connection.execute(statement)


@pytest.fixture
async def library(bare_house: Callable[[], House], tmp_path: Path) -> AsyncIterator[Callable[..., Awaitable[Library]]]:
    """Makes a library of two."""
    data = tmp_path / "library"

    @asynccontextmanager
    async def made() -> AsyncIterator[Emojis]:
        async with emojis(data, collects=False, max_count=3) as here:
            for name, content in FILES.items():
                here.put(name, content)
            await here.room.settle()
            here.changing(DESCRIPTION, description="angry, 生气")
            yield here

    async with made() as here:

        async def make(*granted: str) -> Library:
            house = bare_house()
            house.capabilities.add(EmojiFamily(here.room, (EmojiRefusedError, ModelError)))
            await house.load("team.asker", *granted or all_of(EMOJI))
            return Library(house, here, data)

        yield make


async def test_the_library_is_told(library: Callable[..., Awaitable[Library]]) -> None:
    here = await library()
    happy = {"base64": b64encode(RED).decode(), "description": "happy, waving", "emotion": "happy"}
    sad = {"base64": b64encode(BLUE).decode(), "description": "sad", "emotion": "sad"}
    assert await here.ask("emoji.get_all()") == [happy, sad]
    assert sorted(each["emotion"] for each in await here.ask("emoji.get_random()")) == ["happy", "sad"]
    assert len(await here.ask("emoji.get_random(1)")) == 1
    assert await here.ask("emoji.get_random(0)") == []
    assert len(await here.ask("call_capability('emoji.get_random')")) == 1
    assert await here.ask("emoji.get_by_description('sad')") in (happy, sad)
    assert await here.ask("emoji.get_count()") == 2
    assert await here.ask("emoji.get_emotions()") == ["happy", "sad", "waving"]
    assert await here.ask("emoji.get_info()") == {"current_count": 2, "max_count": 3, "available_emojis": 2}
    for file in (here.data / "emoji" / "registered").glob(f"{hash_of(RED)}*"):
        file.unlink()
    assert await here.ask("emoji.get_all()") == [sad]  # What cannot be read is left out.


async def test_a_plugin_adds_and_deletes(library: Callable[..., Awaitable[Library]]) -> None:
    here = await library()
    register = f"emoji.register_emoji('{b64encode(GREEN).decode()}')"
    told = await here.ask(register)
    assert told == {
        "success": True,
        "message": "Added to the library.",
        "description": "angry, 生气",
        "emotions": ["angry", "生气"],
        "replaced": False,
        "hash": hash_of(GREEN),
    }
    nothing = {"description": None, "emotions": None, "hash": None}
    again = await here.ask(register)
    assert again == {"success": True, "message": "It is in the library already.", "replaced": False, **nothing}
    yellow = await here.ask(f"emoji.register_emoji('data:image/png;base64,{b64encode(picture('yellow')).decode()}')")
    assert (yellow["replaced"], await here.ask("emoji.get_count()")) == (True, 3)

    for keep, kept, description in (("", True, "angry, 生气"), (", keep_desc='no'", False, "")):
        deleted = await here.ask(f"emoji.delete_emoji('{hash_of(GREEN)}'{keep})")
        assert deleted == {"success": True, "message": "Deleted.", "hash": hash_of(GREEN), "keep_desc": kept}
        row = await here.emojis.storage.emojis.get(hash_of(GREEN))
        assert row is not None
        assert (row.state, row.description) == (EmojiState.REMOVED, description)
        await here.ask(register)
    gone = await here.ask("emoji.delete_emoji('0f')")
    assert (gone["success"], gone["hash"]) == (False, "0f")
    assert "there is no emoji '0f'" in gone["message"]


UNASKABLE = [
    ("emoji.get_by_description('')", "'description' is missing"),
    ("emoji.get_random(-1)", "'count' is -1; allowed is int"),
    ("emoji.get_random('many')", "'count' is 'many'; allowed is int"),
    ("emoji.register_emoji('')", "'emoji_base64' is missing"),
    ("emoji.register_emoji('no base64!')", "no base64"),
    ("emoji.register_emoji('aGVsbG8=')", "no picture of an allowed format"),
    ("emoji.delete_emoji('')", "'emoji_hash' is missing"),
    ("emoji.delete_emoji('0f', keep_desc='perhaps')", "'keep_desc' is 'perhaps'; allowed is bool"),
]


async def test_what_cannot_be_done_is_told_and_changes_nothing(library: Callable[..., Awaitable[Library]]) -> None:
    here = await library()
    for call, why in UNASKABLE:
        answer = await here.ask(call)
        assert answer["success"] is False
        assert why in answer["error"]
        assert " / " in answer["error"]
    refused = await here.ask("emoji.register_emoji('aGVsbG8=')")
    assert refused == {
        "success": False,
        "error": refused["error"],
        "message": refused["error"],
        "description": None,
        "emotions": None,
        "replaced": None,
        "hash": None,
    }
    assert await here.ask("emoji.get_count()") == 2


async def test_nothing_is_half_done_where_the_database_refuses(library: Callable[..., Awaitable[Library]]) -> None:
    here = await library()
    changes = [f"emoji.register_emoji('{b64encode(GREEN).decode()}')", f"emoji.delete_emoji('{hash_of(RED)}')"]
    files = here.emojis.files()
    full = "CREATE TRIGGER full BEFORE {} ON emojis BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
    for statements, why in (
        ((full.format("INSERT"), full.replace("full BEFORE", "fuller BEFORE").format("UPDATE")), "disk is full"),
        (("DROP TABLE emojis",), "no such table"),
    ):
        for statement in statements:
            here.change(statement)
        for call in changes:
            answer = await here.ask(call)
            assert answer["success"] is False
            assert why in answer["error"]
        assert here.emojis.files() == files
        # What is there is told all the same.
        assert len(await here.ask("emoji.get_all()")) == await here.ask("emoji.get_count()") == 2


async def test_who_did_not_list_them_is_denied(library: Callable[..., Awaitable[Library]]) -> None:
    here = await library("emoji.get_count")
    assert await here.ask("emoji.get_count()") == 2
    for call in ("get_all()", "get_emotions()", "get_info()", "get_random()", "get_by_description('sad')"):
        with pytest.raises(RuntimeError, match="does not list it"):
            await here.ask(f"emoji.{call}")
    for call in (f"delete_emoji('{hash_of(RED)}')", f"register_emoji('{b64encode(GREEN).decode()}')"):
        with pytest.raises(RuntimeError, match="does not list it"):
            await here.ask(f"emoji.{call}")
    assert await here.ask("emoji.get_count()") == 2
