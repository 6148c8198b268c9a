"""The route of the hook table."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from host import Host, Settings
from host.bub import HOOKS
from host.catalogue import BUILTIN_HOOKS
from host.hooks import Declaration, Hooks, HookSettings, Source
from webui_api import AccessToken, create_app

from .serving import HOOKS_PATH, app_over, bearer, handler, note_spec, serving
from .test_web_breakers import CLOSED


async def table(client: httpx.AsyncClient, path: str = HOOKS_PATH, **headers: str) -> list[dict[str, object]]:
    answer = await client.get(path, headers={**bearer(), **headers})
    assert answer.status_code == 200
    body = answer.json()
    assert body["success"] is True
    hooks: list[dict[str, object]] = body["hooks"]
    return hooks


async def test_a_hook_is_shown_with_its_schema_and_everything_it_allows() -> None:
    hooks = Hooks()
    hooks.register_spec(
        note_spec(
            "note.saved",
            description="Fires when a note was saved.",
            allow_observe=False,
            allow_kwargs_mutation=False,
            default_timeout_ms=5000,
        )
    )
    async with serving(app_over(hooks)) as client:
        (shown,) = await table(client)
    schema = shown.pop("parameters_schema")
    assert isinstance(schema, dict)
    assert schema["properties"]["text"]["type"] == "string"
    assert schema["required"] == ["text"]
    assert shown == {
        "name": "note.saved",
        "family": "maibot",
        "dispatch": "waterfall",
        "description": "Fires when a note was saved.",
        "default_timeout_ms": 5000,
        "allow_blocking": True,
        "allow_observe": False,
        "allow_abort": True,
        "allow_kwargs_mutation": False,
        "handlers": [],
    }


async def test_hooks_are_sorted_by_name() -> None:
    hooks = Hooks()
    for name in ("note.saved", "a.z", "note.Read", "note.read"):
        hooks.register_spec(note_spec(name))
    async with serving(app_over(hooks)) as client:
        assert [hook["name"] for hook in await table(client)] == ["a.z", "note.Read", "note.read", "note.saved"]


async def test_handlers_stand_in_the_order_of_dispatch_with_what_is_in_effect_for_them() -> None:
    hooks = Hooks(HookSettings(default_timeout_ms=7000))
    hooks.register_spec(note_spec("note.saved"))
    hooks.register("zoo.watch", [handler("note.saved", "watch", mode="observe", description="Counts notes")])
    hooks.register("zoo.late", [handler("note.saved", "tidy", order="late", timeout_ms=300, error_policy="log")])
    hooks.register("own.check", [handler("note.saved", "check", error_policy="abort")], source=Source.BUILTIN)
    hooks.register("aaa.check", [handler("note.saved", "check")])
    async with serving(app_over(hooks)) as client:
        (shown,) = await table(client)
    ours = {
        "name": "check",
        "description": "",
        "mode": "blocking",
        "order": "normal",
        "timeout_ms": 7000,
        "placed": False,
        "dropped": 0,
        "breaker": CLOSED,
    }
    assert shown["handlers"] == [
        {**ours, "plugin_id": "own.check", "source": "builtin", "error_policy": "abort", "position": 1},
        {**ours, "plugin_id": "aaa.check", "source": "third_party", "error_policy": "skip", "position": 2},
        {
            **ours,
            "plugin_id": "zoo.late",
            "name": "tidy",
            "order": "late",
            "timeout_ms": 300,
            "source": "third_party",
            "error_policy": "log",
            "position": 3,
        },
        {
            **ours,
            "plugin_id": "zoo.watch",
            "name": "watch",
            "description": "Counts notes",
            "mode": "observe",
            "source": "third_party",
            "error_policy": "skip",
            "position": 4,
        },
    ]


async def test_the_table_is_read_anew_at_each_request() -> None:
    hooks = Hooks()
    hooks.register_spec(note_spec("note.saved"))

    async with serving(app_over(hooks)) as client:

        async def handlers() -> list[list[str]]:
            rows = await table(client)
            return [[one["name"] for one in row["handlers"]] for row in rows]  # type: ignore[attr-defined]

        assert await handlers() == [[]]
        hooks.register("zoo.notes", [handler("note.saved", "first")])
        assert await handlers() == [["first"]]
        hooks.register("zoo.notes", [handler("note.saved", "second")])
        assert await handlers() == [["second"]]
        hooks.remove("zoo.notes")
        hooks.register_spec(note_spec("note.read"))
        assert await handlers() == [[], []]


async def test_calls_that_an_observer_was_too_slow_for_are_counted() -> None:
    gate = asyncio.Event()

    async def slow(**_: object) -> None:
        await gate.wait()

    hooks = Hooks(HookSettings(observer_concurrency=1, observer_backlog=2))
    hooks.register_spec(note_spec("note.saved"))
    hooks.register("zoo.watch", [Declaration(hook="note.saved", handler=slow, name="watch", mode="observe")])
    for _ in range(6):
        await hooks.invoke("note.saved", {"text": "hello"})
    async with serving(app_over(hooks)) as client:
        (shown,) = await table(client)
    gate.set()
    await hooks.aclose()
    assert [one["dropped"] for one in shown["handlers"]] == [3]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("wanted", "text"),
    [("zh-CN,zh;q=0.9,en;q=0.8", "笔记保存后触发。"), ("en-GB", "Fires when a note was saved."), ("fr", None)],
)
async def test_descriptions_come_in_the_language_of_the_caller(wanted: str, text: str | None) -> None:
    hooks = Hooks()
    english = "Fires when a note was saved."
    hooks.register_spec(note_spec("note.saved", description=english, translations={"zh": "笔记保存后触发。"}))
    async with serving(app_over(hooks)) as client:
        (shown,) = await table(client, **{"Accept-Language": wanted})
    assert shown["description"] == (text or english)


async def test_front_ends_find_the_same_table_under_their_prefix_and_keep_no_copy_of_it() -> None:
    hooks = Hooks()
    hooks.register_spec(note_spec("note.saved"))
    async with serving(app_over(hooks)) as client:
        assert await table(client, f"/api/webui{HOOKS_PATH}") == await table(client)
        answer = await client.get(HOOKS_PATH, headers=bearer())
    assert answer.headers["cache-control"] == "no-store"


async def test_a_real_host_shows_its_built_in_hooks_each_described_in_both_languages(tmp_path: Path) -> None:
    token = AccessToken.load_or_create(tmp_path / "webui.json")
    async with (
        Host(Settings(data_dir=tmp_path, bundled_plugins=False)) as host,
        serving(create_app(host, token)) as client,
    ):
        english, chinese = [
            (await client.get(HOOKS_PATH, headers={**bearer(token.secret), "Accept-Language": language})).json()[
                "hooks"
            ]
            for language in ("en", "zh")
        ]
    assert [hook["name"] for hook in english] == sorted([*HOOKS, *(spec.name for spec in BUILTIN_HOOKS)])
    dispatch = {hook["name"]: hook["dispatch"] for hook in english if hook["family"] == "bub"}
    assert dispatch == {name: hook.dispatch for name, hook in HOOKS.items()}
    assert all(hook["description"].isascii() for hook in english)
    assert not any(hook["description"].isascii() for hook in chinese)


async def test_health_answers_without_a_token() -> None:
    async with serving(app_over(Hooks())) as client:
        answer = await client.get("/health")
    assert answer.status_code == 200
    assert answer.json() == {"status": "healthy", "service": "maibot-host"}


async def test_the_owners_order_is_followed_and_shown_as_such() -> None:
    hooks = Hooks(HookSettings.model_validate({"note.saved": {"order": ["z.last"]}}))
    hooks.register_spec(note_spec("note.saved"))
    for plugin in ("a.first", "z.last"):
        hooks.register(plugin, [handler("note.saved", "check")])
    async with serving(app_over(hooks)) as client:
        (shown,) = await table(client)
        hooks.override_order("note.saved", [])
        (afterwards,) = await table(client)
    rows = [(one["plugin_id"], one["position"], one["placed"]) for one in shown["handlers"]]  # type: ignore[attr-defined]
    assert rows == [("z.last", 1, True), ("a.first", 2, False)]
    assert [one["plugin_id"] for one in afterwards["handlers"]] == ["a.first", "z.last"]  # type: ignore[attr-defined]
