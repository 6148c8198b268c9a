"""Who gets in with what, and what the log tells of it."""

from __future__ import annotations

import logging

import pytest
from loguru import logger

from host.hooks import Hooks

from .serving import HOOKS_PATH, SECRET, app_over, bearer, serving

REFUSED: dict[str, list[tuple[bytes, bytes]]] = {
    "nothing": [],
    "an empty header": [(b"authorization", b"")],
    "a bearer without a token": [(b"authorization", b"Bearer")],
    "a wrong bearer token": [(b"authorization", b"Bearer " + b"cd" * 32)],
    "a beginning of the token": [(b"authorization", b"Bearer " + SECRET[:-1].encode())],
    "the token and more": [(b"authorization", b"Bearer " + SECRET.encode() + b"a")],
    "a token beyond ASCII": [(b"authorization", "Bearer 令牌é".encode())],
    "bytes that are no text": [(b"authorization", b"Bearer \xff\xfe")],
    "another scheme": [(b"authorization", b"Basic " + SECRET.encode())],
    "the bare token": [(b"authorization", SECRET.encode())],
    "an empty cookie": [(b"cookie", b"maibot_session=")],
    "a wrong cookie": [(b"cookie", b"maibot_session=" + b"cd" * 32)],
    "a cookie beyond ASCII": [(b"cookie", "maibot_session=令牌".encode())],
    "a cookie of another name": [(b"cookie", b"session=" + SECRET.encode())],
}


async def test_without_the_right_token_every_way_in_is_refused_on_loopback_too() -> None:
    answers = {}
    async with serving(app_over(Hooks())) as client:
        for case, headers in REFUSED.items():
            answer = await client.get(HOOKS_PATH, headers=headers)
            answers[case] = (answer.status_code, list(answer.json()), answer.headers["www-authenticate"])
        in_the_address = await client.get(HOOKS_PATH, params={"token": SECRET})
    assert answers == dict.fromkeys(REFUSED, (401, ["detail"], "Bearer"))
    assert in_the_address.status_code == 401


async def test_the_alias_for_front_ends_needs_the_token_too() -> None:
    async with serving(app_over(Hooks())) as client:
        assert (await client.get(f"/api/webui{HOOKS_PATH}")).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        bearer(),
        {"Authorization": f"bearer {SECRET}"},
        {"Cookie": f"maibot_session={SECRET}"},
        {"Cookie": f"theme=dark; maibot_session={SECRET}", "Authorization": "Bearer stale"},
        {"Cookie": "maibot_session=stale", **bearer()},
    ],
    ids=["bearer", "bearer in small letters", "cookie", "cookie beside a stale bearer", "bearer beside a stale cookie"],
)
async def test_the_token_opens_the_route_as_cookie_or_bearer(headers: dict[str, str]) -> None:
    async with serving(app_over(Hooks())) as client:
        assert (await client.get(HOOKS_PATH, headers=headers)).status_code == 200


async def test_the_refusal_is_in_the_language_of_the_caller() -> None:
    async with serving(app_over(Hooks())) as client:
        chinese = await client.get(HOOKS_PATH, headers={"Accept-Language": "zh"})
        english = await client.get(HOOKS_PATH)
    assert chinese.json()["detail"].startswith("未授权")
    assert english.json()["detail"].startswith("Not authorised")


async def test_the_token_is_in_no_log_whatever_happens_to_a_request(caplog: pytest.LogCaptureFixture) -> None:
    hooks = Hooks()

    def broken() -> None:
        raise RuntimeError("the table is out of order")

    hooks.describe = broken  # type: ignore[method-assign, assignment]
    lines: list[str] = []
    sink = logger.add(lines.append, level=0, format="{message} {extra}", diagnose=False)
    caplog.set_level(logging.DEBUG)
    try:
        async with serving(app_over(hooks)) as client:
            failed = await client.get(HOOKS_PATH, headers=bearer())
            await client.get(HOOKS_PATH, headers={"Cookie": f"maibot_session={SECRET}x"})
            await client.post(HOOKS_PATH, headers={**bearer(), "Origin": "https://elsewhere.example"})
    finally:
        logger.remove(sink)
    assert failed.status_code == 500
    server_log = "\n".join(logging.Formatter().format(record) for record in caplog.records)
    assert "the table is out of order" in server_log
    assert SECRET not in server_log + "".join(lines)
