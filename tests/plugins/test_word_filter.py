"""The bundled word filter."""

from pathlib import Path
from typing import Any

import pytest

from host.bot import Status, Stop
from maibot_sdk.types import ErrorPolicy, HookMode, HookOrder
from tests.bot.chat import Chat, message_dict
from tests.plugins.bundled import start

HOOK = "chat.receive.before_process"


async def status_of(tmp_path: Path, *texts: str, words: str | None = None) -> Status:
    """What becomes of a message with these text segments; `words` is the owner's list."""
    if words is not None:
        (tmp_path / "data").mkdir()
        (tmp_path / "data" / "words.txt").write_text(words, encoding="utf-8")
    chat = Chat()
    await start(chat, "word_filter", tmp_path)
    segments = [{"type": "text", "data": text} for text in texts]
    return (await chat.bot.receive(message_dict(raw_message=segments))).status


async def test_it_is_a_guard_early_in_the_first_hook(tmp_path: Path) -> None:
    (handler,) = (await start(Chat(), "word_filter", tmp_path)).handlers
    assert (handler.hook, handler.mode, handler.order, handler.policy) == (
        HOOK,
        HookMode.BLOCKING,
        HookOrder.EARLY,
        ErrorPolicy.ABORT,
    )


@pytest.mark.parametrize(
    "texts",
    [
        ["forbiddenword"],
        ["a ForbiddenWord!"],
        ["这句话里有违禁词吗"],
        ["ｆｏｒｂｉｄｄｅｎｗｏｒｄ"],
        ["违禁", "词"],
        ["fine", " and forbidden", "word"],
    ],
)
async def test_a_listed_word_stops_the_message(tmp_path: Path, texts: list[str]) -> None:
    assert await status_of(tmp_path, *texts) is Status.STOPPED


@pytest.mark.parametrize("text", ["hello", "违禁的词", "forbiddenwords", "unforbiddenword", "# One word"])
async def test_any_other_text_passes(tmp_path: Path, text: str) -> None:
    assert await status_of(tmp_path, text) is Status.REPLIED


async def test_the_outcome_names_the_filter(tmp_path: Path) -> None:
    chat = Chat()
    await start(chat, "word_filter", tmp_path)
    outcome = await chat.bot.receive(message_dict("forbiddenword"))
    assert outcome.stopped == Stop(HOOK, "maibot-host.word-filter", "block_listed_words")


@pytest.mark.parametrize("text", ["I write c++ here", "C++17", "Ice cream!"])
async def test_the_owners_list_takes_the_place_of_the_bundled_one(tmp_path: Path, text: str) -> None:
    words = "\ufeffC++\n# mine\n\n  ice cream  \n"
    assert await status_of(tmp_path, text, words=words) is Status.STOPPED


@pytest.mark.parametrize("text", ["forbiddenword", "icecreams", "I write C here"])
async def test_what_the_owners_list_does_not_say_passes(tmp_path: Path, text: str) -> None:
    assert await status_of(tmp_path, text, words="C++\nicecream.*\n") is Status.REPLIED


async def test_an_empty_list_stops_nothing(tmp_path: Path) -> None:
    assert await status_of(tmp_path, "forbiddenword", words="\n# nothing\n") is Status.REPLIED


async def test_words_outside_of_text_are_not_read(tmp_path: Path) -> None:
    chat = Chat()
    await start(chat, "word_filter", tmp_path)
    image: dict[str, Any] = {"type": "image", "data": "forbiddenword"}
    assert (await chat.bot.receive(message_dict(raw_message=[image], is_at=True))).status is Status.REPLIED
