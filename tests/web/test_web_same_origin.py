"""What other web sites can make a browser send, and what becomes of it."""

from __future__ import annotations

import pytest
from starlette.types import Message, Receive, Scope, Send

from host.hooks import Hooks
from webui_api.same_origin import SameOriginMiddleware

from .serving import HOOKS_PATH, app_over, bearer, serving

FOREIGN = ["https://elsewhere.example", "null", "http://127.0.0.1", "http://127.0.0.1.elsewhere.example", ""]


async def outcome(kind: str, headers: dict[str, str], *, method: str = "POST", scheme: str = "http") -> str:
    """What `SameOriginMiddleware` does with a request: "passed", or how it refuses."""
    sent: list[Message] = []
    passed = False

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal passed
        passed = True

    async def receive() -> Message:
        raise AssertionError("nothing is read of a request that is refused")

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {
        "type": kind,
        "scheme": scheme,
        **({"method": method} if kind == "http" else {}),
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
    }
    await SameOriginMiddleware(app, ["Bot.Example"])(scope, receive, send)
    if passed:
        assert not sent
        return "passed"
    return str(sent[0].get("status") or sent[0]["type"])


@pytest.mark.parametrize("origin", FOREIGN)
async def test_a_foreign_origin_is_refused_with_methods_that_change_something(origin: str) -> None:
    headers = {"Host": "127.0.0.1:8001", "Origin": origin}
    assert {await outcome("http", headers, method=method) for method in ("POST", "PUT", "DELETE", "PATCH")} == {"403"}


@pytest.mark.parametrize("origin", FOREIGN)
async def test_a_foreign_origin_is_refused_a_websocket_before_it_is_accepted(origin: str) -> None:
    headers = {"Host": "127.0.0.1:8001", "Origin": origin}
    assert await outcome("websocket", headers, scheme="ws") == "websocket.close"


@pytest.mark.parametrize(
    ("kind", "scheme", "host", "origin"),
    [
        ("http", "http", "127.0.0.1:8001", "http://127.0.0.1:8001"),
        ("http", "http", "LocalHost:8001", "http://localhost:8001"),
        ("http", "http", "[::1]:8001", "http://[::1]:8001"),
        ("http", "https", "bot.example", "https://bot.example"),
        ("websocket", "ws", "127.0.0.1:8001", "http://127.0.0.1:8001"),
        ("websocket", "wss", "bot.example", "https://bot.example"),
    ],
)
async def test_the_servers_own_page_may_do_everything(kind: str, scheme: str, host: str, origin: str) -> None:
    assert await outcome(kind, {"Host": host, "Origin": origin}, scheme=scheme) == "passed"


@pytest.mark.parametrize("kind", ["http", "websocket"])
async def test_callers_that_are_no_browsers_send_no_origin_and_pass(kind: str) -> None:
    assert await outcome(kind, {"Host": "localhost"}) == "passed"


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
async def test_reading_is_left_to_the_browsers_own_rule(method: str) -> None:
    headers = {"Host": "localhost", "Origin": "https://elsewhere.example"}
    assert await outcome("http", headers, method=method) == "passed"


@pytest.mark.parametrize(
    "headers",
    [{}, {"Host": ""}, {"Host": "elsewhere.example:8001"}, {"Host": "127.0.0.1.elsewhere.example"}, {"Host": "[::2]"}],
)
async def test_a_host_name_that_is_not_the_servers_is_refused_whatever_is_asked(headers: dict[str, str]) -> None:
    assert await outcome("http", headers, method="GET") == "403"
    assert await outcome("websocket", headers) == "websocket.close"


async def test_the_rule_stands_before_the_gate_and_the_routes_and_answers_no_cors_headers() -> None:
    async with serving(app_over(Hooks(), allowed_hosts=("bot.example",))) as client:
        posted = await client.post("/health", headers={"Origin": "https://elsewhere.example", "Accept-Language": "zh"})
        rebound = await client.get(HOOKS_PATH, headers={"Host": "elsewhere.example", **bearer()})
        configured = await client.get(HOOKS_PATH, headers={"Host": "bot.example", **bearer()})
        preflight = await client.options(HOOKS_PATH, headers={"Origin": "https://elsewhere.example"})
        read = await client.get(HOOKS_PATH, headers={"Origin": "https://elsewhere.example", **bearer()})
    assert posted.status_code == 403
    assert posted.json()["detail"].startswith("拒绝来自 'https://elsewhere.example'")
    assert rebound.status_code == 403
    assert "bot.example" in rebound.json()["detail"]
    assert configured.status_code == 200
    assert not [name for answer in (preflight, read) for name in answer.headers if name.startswith("access-control")]
