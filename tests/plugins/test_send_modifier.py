"""The bundled send modifier."""

from pathlib import Path
from typing import Any

import pytest

from tests.bot.chat import Chat, message_dict, parsed
from tests.plugins.bundled import load, start

IMAGE = {"type": "image", "data": "a cat", "hash": "ab"}


def text(data: str) -> dict[str, Any]:
    return {"type": "text", "data": data}


async def sent(tmp_path: Path, *segments: dict[str, Any]) -> list[dict[str, Any]]:
    """The segments that are delivered of a message with these."""
    chat = Chat()
    await start(chat, "send_modifier", tmp_path)
    message = parsed(raw_message=list(segments))
    await chat.bot.sender.send(message, stream_id=message.session_id)
    return chat.gateway.deliveries[0].message.raw_message


async def test_it_turns_the_typing_pause_off(tmp_path: Path) -> None:
    chat = Chat()
    await start(chat, "send_modifier", tmp_path)
    await chat.bot.receive(message_dict("hello"))
    assert chat.gateway.deliveries[0].typing is False


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("one\n\n\n\ntwo", "one\n\ntwo"),
        ("one\n \t\n\n\ntwo\n\n\nthree", "one\n\ntwo\n\nthree"),
        ("one\n\ntwo\nthree", "one\n\ntwo\nthree"),
        ("\n \n  one\n", "  one"),
        ("\n\n\n\n", ""),
    ],
)
async def test_it_leaves_one_blank_line_at_most(tmp_path: Path, before: str, after: str) -> None:
    assert await sent(tmp_path, text(before)) == [text(after)]


async def test_lines_around_a_picture_stay_and_what_is_no_text_passes_as_it_is(tmp_path: Path) -> None:
    segments = [text("\none\n"), IMAGE, text("\ntwo\n")]
    assert await sent(tmp_path, *segments) == [text("one\n"), IMAGE, text("\ntwo")]


@pytest.mark.parametrize(
    ("typing", "said", "keys"),
    [
        (False, "tidy", []),
        (True, "tidy", ["typing"]),
        (False, "untidy\n", ["message"]),
        (True, "untidy\n", ["message", "typing"]),
    ],
)
async def test_it_returns_only_what_it_changed(typing: bool, said: str, keys: list[str]) -> None:
    returned = await load("send_modifier").create_plugin().modify(message=parsed(said).to_dict(), typing=typing)
    assert sorted(returned["modified_kwargs"] if returned else []) == keys
