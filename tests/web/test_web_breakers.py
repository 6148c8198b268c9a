"""Breakers of handlers in the hook table, and the route that closes one."""

from __future__ import annotations

from typing import Any

from host.hooks import Declaration, Hooks

from .serving import HOOKS_PATH, app_over, bearer, note_spec, serving

RESET_PATH = "/plugins/runtime/breakers/reset"
CLOSED = {
    "state": "closed",
    "reason": "",
    "remaining_sec": 0.0,
    "calls": 0,
    "failures": 0,
    "skipped": 0,
    "opened": 0,
}


async def hooks_with_failures(count: int) -> Hooks:
    """A table with one handler that has failed so many times, on a clock that stands still."""

    async def check(**_: object) -> None:
        raise ValueError("lone \ud800")

    hooks = Hooks(clock=lambda: 0.0)
    hooks.register_spec(note_spec("note.saved"))
    hooks.register("own.notes", [Declaration(hook="note.saved", handler=check, name="check")])
    for _ in range(count):
        await hooks.invoke("note.saved", {"text": "hello"})
    return hooks


async def test_the_table_shows_how_each_handler_is_doing() -> None:
    for failures, shown in (
        (0, CLOSED),
        (2, {**CLOSED, "calls": 2, "failures": 2}),
        (
            7,
            {
                **CLOSED,
                "state": "open",
                "reason": "5 of 5 calls failed within 60 s, the last with exception: ValueError: lone \\ud800",
                "remaining_sec": 30.0,
                "skipped": 2,
                "opened": 1,
            },
        ),
    ):
        async with serving(app_over(await hooks_with_failures(failures))) as client:
            table: Any = (await client.get(HOOKS_PATH, headers=bearer())).json()
        assert table["hooks"][0]["handlers"][0]["breaker"] == shown


async def test_a_breaker_is_closed_on_request() -> None:
    hooks = await hooks_with_failures(5)
    asked = {"plugin_id": "own.notes", "handler": "check"}
    async with serving(app_over(hooks)) as client:
        answer = await client.post(RESET_PATH, json=asked, headers=bearer())
    assert (answer.status_code, answer.json()) == (200, {"success": True, "breaker": CLOSED})
    assert answer.headers["Cache-Control"] == "no-store"
    result = await hooks.invoke("note.saved", {"text": "hello"})
    assert [error.kind for error in result.errors] == ["exception"]


async def test_an_unknown_handler_is_told_with_the_nearest_names() -> None:
    hooks = await hooks_with_failures(5)
    asked = {"plugin_id": "own.notes", "handler": "chek"}
    async with serving(app_over(hooks)) as client:
        english = await client.post(RESET_PATH, json=asked, headers=bearer())
        chinese = await client.post(RESET_PATH, json=asked, headers={**bearer(), "Accept-Language": "zh"})
        wrong = await client.post(RESET_PATH, json={"plugin_id": "own.notes"}, headers=bearer())
        stranger = await client.post(RESET_PATH, json=asked)
    assert (english.status_code, chinese.status_code) == (404, 404)
    assert "Did you mean 'check'?" in english.json()["detail"]
    assert "您是否想用 'check'？" in chinese.json()["detail"]
    assert (wrong.status_code, stranger.status_code) == (422, 401)


async def test_the_route_is_described_with_its_answers_and_refusals() -> None:
    async with serving(app_over(Hooks())) as client:
        document = (await client.get("/openapi.json")).json()
    told = {
        status: answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for status, answer in document["paths"][RESET_PATH]["post"]["responses"].items()
    }
    refused = {"401": "Refusal", "403": "Refusal", "404": "Refusal", "422": "HTTPValidationError"}
    assert told == {"200": "BreakerAnswer", **refused}
