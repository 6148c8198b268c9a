"""Talking with the bot over the web: messages by HTTP, what it says by a WebSocket."""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError, InvalidStatus

from host import Host, Settings
from host.bot import SessionMessage, session_id
from host.bot.answering import Speaking
from host.bot.hook_site import Journal
from host.bot.outgoing import OutgoingMessages
from host.bot.profile import BotProfile
from host.bot.splitting import Piece
from host.hooks import Declaration
from webui_api import AccessToken, create_app
from webui_api.app import LARGEST_BODY
from webui_api.web_gateway import MOST_EVENTS, MOST_LISTENERS

from .serving import SECRET, bearer, serving

MESSAGES = "/chat/messages"


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[Host]:
    async with Host(Settings(data_dir=tmp_path, bundled_plugins=False), locale="en") as host:
        yield host


@pytest.fixture
async def client(host: Host) -> AsyncIterator[httpx.AsyncClient]:
    async with serving(create_app(host, AccessToken(SECRET, Path("webui.json")))) as client:
        client.headers.update(bearer())
        yield client


def listening(client: httpx.AsyncClient, headers: Mapping[str, str] | None = None, **options: Any) -> connect:
    """A WebSocket that gets what the bot says."""
    address = f"ws://{client.base_url.host}:{client.base_url.port}/chat/events"
    return connect(address, additional_headers=bearer() if headers is None else headers, proxy=None, **options)


async def event(stream: ClientConnection) -> dict[str, Any]:
    """The next one."""
    read: dict[str, Any] = json.loads(await stream.recv())
    return read


async def test_a_message_gets_its_outcome_and_every_listener_what_the_bot_says(client: httpx.AsyncClient) -> None:
    async with listening(client) as one, listening(client, {"Cookie": f"maibot_session={SECRET}"}) as two:
        answer = await client.post(MESSAGES, json={"text": "hello", "user_id": "7", "user_name": "Lin"})
        chat = session_id("web", user_id="7")
        assert answer.status_code == 200
        outcome = answer.json()
        assert outcome.pop("message_id").startswith("web_")
        assert outcome == {
            "success": True,
            "status": "replied",
            "session_id": chat,
            "reply_text": "Hello, Lin!",
            "command": "",
            "stopped": None,
            "reason": "",
            "summary": "replied | Lin: hello -> Hello, Lin!",
        }
        for stream in (one, two):
            where = {"session_id": chat, "user_id": "7", "group_id": None}
            assert await event(stream) == {"type": "typing", "seconds": 0.0, **where}
            said = await event(stream)
            message = SessionMessage.from_dict(said.pop("message"))
            assert said == {
                "type": "message",
                "message_id": message.message_id,
                "reply_to": None,
                "text": "Hello, Lin!",
                **where,
            }


async def test_user_and_group_are_chosen_for_each_message(client: httpx.AsyncClient) -> None:
    group = {"group_id": "tea", "group_name": "Tea room", "is_at": True}
    chats = {}
    async with listening(client) as stream:
        for user in ("7", "8"):
            said = {"text": "hello", "user_id": user, "user_name": f"Lin {user}", **group}
            outcome = (await client.post(f"/api/webui{MESSAGES}", json=said)).json()
            chats[user] = outcome["session_id"]
            assert (await event(stream))["type"] == "typing"
            heard = await event(stream)
            assert (heard["user_id"], heard["group_id"], heard["session_id"]) == (None, "tea", chats[user])
            assert heard["text"].startswith(f"Hello, Lin {user}!")
    assert set(chats.values()) == {session_id("web", group_id="tea")}


async def test_segments_are_taken_as_they_are_in_messages(client: httpx.AsyncClient, host: Host) -> None:
    seen = []

    async def see(message: dict[str, Any], **_: object) -> None:
        seen.append(message["raw_message"])

    host.hooks.register("a.watcher", [Declaration(hook="chat.receive.before_process", handler=see, name="see")])
    segments = [{"type": "text", "data": "look"}, {"type": "image", "data": "", "binary_data_base64": "AAAA"}]
    assert (await client.post(MESSAGES, json={"segments": segments})).json()["status"] == "replied"
    assert seen == [segments]


REFUSED: list[tuple[Any, str]] = [
    ({}, "give either text or segments"),
    ({"text": "a", "segments": [{"type": "text", "data": "b"}]}, "give either text or segments"),
    ({"text": 7}, "string"),
    ({"text": "x" * 200_001}, "200000"),
    ({"text": "a", "user_id": ""}, "at least 1 character"),
    ({"text": "a", "user_id": "x" * 600}, "at most 512 characters"),
    ({"text": "a", "user_id": " "}, "user_id is ' '"),
    ({"text": "a", "group": "tea"}, "Extra inputs"),
    ({"segments": ["hello"]}, "dictionary"),
    ({"segments": [{"type": "text", "data": 7}]}, "raw_message[0].data is 7"),
    ({"segments": [{"type": "text", "data": "\ud800"}]}, "lone surrogate"),
    ("hello", "dictionary"),
]


async def test_what_is_no_message_is_refused_with_the_reason(client: httpx.AsyncClient) -> None:
    for said, why in REFUSED:
        answer = await client.post(MESSAGES, content=json.dumps(said), headers={"Content-Type": "application/json"})
        assert answer.status_code == 422
        assert why in json.dumps(answer.json()["detail"])


async def test_a_body_that_is_too_large_is_refused_with_and_without_a_length(client: httpx.AsyncClient) -> None:
    async def stream() -> AsyncIterator[bytes]:
        for _ in range(LARGEST_BODY // 65_536 + 1):
            yield b" " * 65_536

    for content in (b" " * (LARGEST_BODY + 1), stream()):
        headers = {"Content-Type": "application/json"}
        assert (await client.post(MESSAGES, content=content, headers=headers)).status_code == 413


async def test_what_keeps_an_answer_from_being_sent_is_told(client: httpx.AsyncClient, host: Host) -> None:
    async def stop(**_: object) -> dict[str, str]:
        return {"action": "abort"}

    host.hooks.register("a.guard", [Declaration(hook="send_service.before_send", handler=stop, name="stop")])
    outcome = (await client.post(MESSAGES, json={"text": "hello"})).json()
    stopped = {"hook": "send_service.before_send", "plugin_id": "a.guard", "handler": "stop"}
    assert (outcome["status"], outcome["stopped"]) == ("not_sent", stopped)


async def test_a_pause_between_two_pieces_is_told_before_the_second(client: httpx.AsyncClient, host: Host) -> None:
    heard = SessionMessage.from_dict(
        {
            "message_id": "1",
            "platform": "web",
            "message_info": {"user_info": {"user_id": "7", "user_nickname": "Lin"}},
            "raw_message": [],
        }
    ).identified()
    pauses = []

    async def pause(seconds: float) -> None:
        pauses.append((seconds, (await event(stream))["seconds"]))

    async with listening(client) as stream:
        speaking = Speaking(OutgoingMessages(BotProfile(), lambda: 1.0), host.bot.sender, pause)
        saying = asyncio.create_task(
            speaking.say([Piece("one", 0.0), Piece("two", 1.5)], heard, Journal(), quote=False)
        )
        assert [(await event(stream))["type"] for _ in range(2)] == ["typing", "message"]
        await saying
        assert pauses == [(1.5, 1.5)]
        assert [(await event(stream)).get("text") for _ in range(2)] == [None, "two"]


async def test_the_stream_is_for_those_with_the_token_and_no_other_sites(client: httpx.AsyncClient) -> None:
    elsewhere = {"Origin": "https://elsewhere.example"}
    refused: list[tuple[Mapping[str, str], int]] = [
        ({}, 401),
        (bearer("wrong" * 10), 401),
        ({**bearer(), **elsewhere}, 403),
        ({"Cookie": f"maibot_session={SECRET}", **elsewhere}, 403),
    ]
    for headers, code in refused:
        with pytest.raises(InvalidStatus) as caught:
            async with listening(client, headers):
                """It is not opened."""
        assert caught.value.response.status_code == code


async def test_messages_need_the_token_too(client: httpx.AsyncClient) -> None:
    refused = await client.post(MESSAGES, json={"text": "hello"}, headers={"Authorization": "Bearer no"})
    assert refused.status_code == 401


async def test_the_address_of_the_stream_says_that_it_is_one(client: httpx.AsyncClient) -> None:
    answer = await client.get("/chat/events", headers={"Accept-Language": "zh"})
    assert (answer.status_code, answer.json()) == (426, {"detail": "此地址是 WebSocket；请以 ws:// 或 wss:// 打开。"})


async def test_no_more_clients_than_may_are_let_in_and_one_that_leaves_makes_room(client: httpx.AsyncClient) -> None:
    streams = [await listening(client) for _ in range(MOST_LISTENERS)]
    async with listening(client) as too_many:
        with pytest.raises(ConnectionClosedError) as caught:
            await too_many.recv()
    assert caught.value.rcvd is not None
    assert (caught.value.rcvd.code, caught.value.rcvd.reason) == (1013, "too many clients")
    await streams.pop().close()
    streams.append(await listening(client))
    await client.post(MESSAGES, json={"text": "hello"})
    for stream in streams:
        assert (await event(stream))["type"] == "typing"
        await stream.close()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_a_client_that_takes_nothing_is_cut_off_and_holds_up_nobody(
    client: httpx.AsyncClient, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui_api.server._GRACE_SECONDS", 0.2)
    monkeypatch.setattr("webui_api.chat.CLOSE_SECONDS", 0.1)
    (gateway,) = host.gateways.of("web")
    said = SessionMessage.from_dict(
        {
            "message_id": "1",
            "platform": "web",
            "message_info": {"user_info": {"user_id": "mai", "user_nickname": "Mai"}},
            "raw_message": [{"type": "text", "data": "x" * 65_536}],
        }
    )
    # It reads what one frame takes, and no more until somebody wants it.
    async with listening(client, max_queue=1, compression=None) as slow, listening(client) as quick:
        assert is_held(slow)
        for _ in range(2 * MOST_EVENTS):
            await gateway.deliver(said, typing=False, reply_message_id=None)
            assert (await event(quick))["type"] == "message"
        async with asyncio.timeout(10):
            for _ in itertools.takewhile(lambda _: is_held(slow), itertools.count()):
                await asyncio.sleep(0.02)
        with pytest.raises(ConnectionClosedError):
            assert len([each async for each in slow]) < 2 * MOST_EVENTS
        await gateway.deliver(said, typing=False, reply_message_id=None)
        assert (await event(quick))["type"] == "message"


def is_held(stream: ClientConnection) -> bool:
    """Whether the server still holds its end of a connection."""
    ends = [f"{address[1]:04X}" for address in (stream.remote_address, stream.local_address)]
    connections = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    # Once its end is closed there is no open file behind it, whatever is still to be sent.
    return any([each[1][-4:], each[2][-4:]] == ends and each[9] != "0" for each in connections)
