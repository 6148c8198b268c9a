"""An OpenAI-compatible endpoint on loopback that answers as a test tells it to."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from starlette.types import Receive, Scope, Send

from webui_api.server import serve

LIMIT_S = 10.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it arrived."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The body."""
        parsed: dict[str, Any] = json.loads(self.body)
        return parsed


@dataclass(frozen=True, slots=True)
class Told:
    """What the endpoint answers: pieces of a body, each sent by itself; an event is waited for."""

    pieces: Sequence[bytes | asyncio.Event]
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Endpoint:
    """What was asked, and what is answered next; the last answer is given again and again.

    Attributes:
        url: its base address.
        asked: requests in their order.
        answers: what is still to be answered.
        arrived: set by each request.
        left: set when a client goes away before its answer has ended.
    """

    answers: list[Told]
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        body = b""
        more = True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        self.asked.append(Asked(scope["path"], headers, body))
        self.arrived.set()
        told = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        gone = asyncio.create_task(_disconnected(receive))
        try:
            await self._answer(told, send, gone)
        finally:
            gone.cancel()

    async def _answer(self, told: Told, send: Send, gone: asyncio.Task[None]) -> None:
        raw = [(name.encode(), value.encode()) for name, value in told.headers.items()]
        begun = False
        for piece in told.pieces:
            if isinstance(piece, asyncio.Event):
                waiting = asyncio.create_task(piece.wait())
                await asyncio.wait([waiting, gone], return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                if gone.done():
                    self.left.set()
                    return
                continue
            if not begun:
                await send({"type": "http.response.start", "status": told.status, "headers": raw})
                begun = True
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


@asynccontextmanager
async def endpoint(*answers: Told) -> AsyncIterator[Endpoint]:
    """A running endpoint with these answers."""
    running = Endpoint(list(answers))
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(serve(running, host="127.0.0.1", port=0, started=address.set_result))
    running.url = f"{await address}/v1"
    try:
        yield running
    finally:
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving


def told(content: object, status: int = 200, **headers: str) -> Told:
    """An answer of one piece, JSON where it is not bytes. Names of headers have `_` for `-`."""
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Told([body], status, {"content-type": "application/json", **names})


def completion(content: str | None = "Hello!", reason: str = "stop", /, **message: Any) -> dict[str, Any]:
    """A chat completion; `message` has further keys of the message."""
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1790000000,
        "model": "small",
        "choices": [
            {"index": 0, "finish_reason": reason, "message": {"role": "assistant", "content": content, **message}}
        ],
        "usage": {
            "prompt_tokens": 120,
            "completion_tokens": 9,
            "total_tokens": 129,
            "prompt_tokens_details": {"cached_tokens": 20},
        },
    }


def says(text: str = "Hello!") -> Told:
    """A whole answer of that text."""
    return told(completion(text))


def wire_call(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    """A call of a tool as an endpoint writes it."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def chunk(delta: dict[str, Any] | None, reason: str | None = None, **top: Any) -> bytes:
    """A piece of a stream."""
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": reason}]
    return (
        b"data: "
        + json.dumps({"id": "c1", "object": "chat.completion.chunk", "choices": choices, **top}).encode()
        + b"\n\n"
    )


DONE = b"data: [DONE]\n\n"


def streamed(*pieces: bytes | asyncio.Event) -> Told:
    """A stream of these pieces."""
    return Told(pieces, headers={"content-type": "text/event-stream"})
