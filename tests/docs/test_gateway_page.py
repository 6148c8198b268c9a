"""The gateway of the guide does what the guide says, with a server that talks with it."""

import asyncio
import json
from pathlib import Path

from host import Host
from tests.docs.guide import chapter
from tests.platform import settings_in
from tests.runtime.plugin_folders import write_plugin


async def test_the_gateway_of_the_guide_brings_messages_in_and_answers_out(tmp_path: Path) -> None:
    (code,) = [block.code for block in chapter("en", "gateways").blocks if block.is_plugin]
    answers: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    lines = [
        {"id": "1", "user": "7", "name": "Lin", "text": "hello"},
        {"id": "1", "user": "7", "name": "Lin", "text": "hello"},
        {"id": "2", "user": "7", "name": "", "text": "hello"},
        {"id": "3", "user": "8", "name": "Bo", "text": "hello", "room": "tea"},
    ]

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        async for line in reader:
            answers.put_nowait(json.loads(line))
        writer.close()

    async with await asyncio.start_server(talk, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        assert code.count("7711") == 1
        write_plugin(tmp_path / "plugins", "you.tea", code.replace("7711", str(port)))
        async with Host(settings_in(tmp_path, "process")):
            told = [await answers.get() for _ in range(2)]
    by_id = sorted(told, key=lambda answer: answer["id"])
    assert [answer["id"] for answer in by_id] == ["mai-1", "mai-2"]
    assert {(answer["room"], answer["to"], answer["text"]) for answer in told} == {
        ("", "7", "Hello, Lin! I am 麦麦."),
        ("tea", "", "Hello, Bo! I am 麦麦."),
    }
