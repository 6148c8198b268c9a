"""The description that clients are generated from."""

from __future__ import annotations

from typing import Any

from host.hooks import Hooks

from .serving import HOOKS_PATH, app_over, serving


async def description() -> dict[str, Any]:
    async with serving(app_over(Hooks())) as client:
        answer = await client.get("/openapi.json")
    assert answer.status_code == 200
    document: dict[str, Any] = answer.json()
    return document


async def test_every_route_is_described_with_its_answers_refusals_and_ways_in() -> None:
    document = await description()
    assert {"/health", HOOKS_PATH, "/api/webui/health", f"/api/webui{HOOKS_PATH}"} <= set(document["paths"])
    for path, operations in document["paths"].items():
        guarded = not path.endswith("/health")
        for operation in operations.values():
            assert operation["tags"] in ([["plugins"], ["chat"]] if guarded else [["health"]])
            assert operation["summary"]
            assert operation["description"]
            assert set(operation["responses"]) >= ({"200", "401", "403", "422"} if guarded else {"200", "403"})
            assert operation.get("security") == ([{"cookie": []}, {"bearer": []}] if guarded else None)
    schemes = document["components"]["securitySchemes"]
    assert (schemes["cookie"]["in"], schemes["cookie"]["name"]) == ("cookie", "maibot_session")
    assert (schemes["bearer"]["type"], schemes["bearer"]["scheme"]) == ("http", "bearer")


async def test_messages_and_the_events_of_the_stream_are_described() -> None:
    document = await description()
    schemas = document["components"]["schemas"]
    assert sorted(schemas["ChatMessage"]["properties"]) == [
        "group_id",
        "group_name",
        "is_at",
        "segments",
        "text",
        "user_id",
        "user_name",
    ]
    stream = document["paths"]["/chat/events"]["get"]["responses"]
    assert stream["200"]["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/ChatEvent"}
    assert sorted(schemas["ChatEvent"]["discriminator"]["mapping"]) == ["message", "typing"]
    assert "413" in document["paths"]["/chat/messages"]["post"]["responses"]


async def test_the_shape_of_the_hook_table_is_fixed() -> None:
    schemas = (await description())["components"]["schemas"]
    assert {name: sorted(schemas[name]["properties"]) for name in ("HookTable", "HookView", "HandlerView")} == {
        "HookTable": ["hooks", "success"],
        "HookView": [
            "allow_abort",
            "allow_blocking",
            "allow_kwargs_mutation",
            "allow_observe",
            "default_timeout_ms",
            "description",
            "dispatch",
            "family",
            "handlers",
            "name",
            "parameters_schema",
        ],
        "HandlerView": [
            "breaker",
            "description",
            "dropped",
            "error_policy",
            "mode",
            "name",
            "order",
            "placed",
            "plugin_id",
            "position",
            "source",
            "timeout_ms",
        ],
    }
    assert schemas["HookMode"]["enum"] == ["blocking", "observe"]
    assert schemas["HookOrder"]["enum"] == ["early", "normal", "late"]
    assert schemas["ErrorPolicy"]["enum"] == ["abort", "skip", "log"]
    assert schemas["Source"]["enum"] == ["builtin", "third_party"]
