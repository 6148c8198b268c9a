"""The built-in hooks are those that plugins know: names, what may be done in them, deadlines, keys."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from host.catalogue import BUILTIN_HOOKS
from host.hooks import Hooks, HookSpec, PayloadError
from maibot_sdk import hooks as sdk_hooks

FACTS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "hooks.json").read_text(encoding="utf-8")
)
SPECS = {spec.name: spec for spec in BUILTIN_HOOKS}
EACH = pytest.mark.parametrize("spec", BUILTIN_HOOKS, ids=lambda spec: spec.name)
EACH_FACT = pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact["name"])
ZERO: dict[str, Any] = {"string": "", "boolean": False, "integer": 0, "array": [], "object": {}}
MESSAGE = {
    "message_id": "m",
    "platform": "qq",
    "message_info": {"user_info": {"user_id": "1", "user_nickname": "n"}},
    "raw_message": [{"type": "text", "data": "hi"}],
}


def kinds_of(schema: dict[str, Any], definitions: dict[str, Any]) -> set[str]:
    """The JSON types a schema allows, members of arrays included: `array<string>`."""
    if "anyOf" in schema:
        return {kind for each in schema["anyOf"] for kind in kinds_of(each, definitions)}
    if "$ref" in schema:
        return kinds_of(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if schema.get("type") == "array" and schema.get("items", {}):
        return {f"array<{kind}>" for kind in kinds_of(schema["items"], definitions)}
    return {schema["type"]}


def payload_of(fact: dict[str, Any]) -> dict[str, Any]:
    """The smallest payload with all required keys."""
    return {
        name: MESSAGE if name == "message" else ZERO[told["type"].split("<")[0]]
        for name, told in fact["parameters"].items()
        if told["required"]
    }


def registered(spec: HookSpec) -> Hooks:
    hooks = Hooks()
    hooks.register_spec(spec)
    return hooks


def test_there_are_just_these_hooks_sorted_by_name() -> None:
    assert [spec.name for spec in BUILTIN_HOOKS] == sorted(fact["name"] for fact in FACTS)


@EACH_FACT
def test_a_hook_allows_what_plugins_expect_and_has_its_deadline(fact: dict[str, Any]) -> None:
    fields = ("allow_blocking", "allow_observe", "allow_abort", "allow_kwargs_mutation", "default_timeout_ms")
    spec = SPECS[fact["name"]]
    assert {field: getattr(spec, field) for field in fields} == {field: fact[field] for field in fields}


@EACH_FACT
def test_a_payload_has_its_keys_required_and_typed(fact: dict[str, Any]) -> None:
    spec = SPECS[fact["name"]]
    schema = TypeAdapter(spec.payload).json_schema()
    assert set(schema["properties"]) == set(fact["parameters"])
    assert set(schema["required"]) == {name for name, told in fact["parameters"].items() if told["required"]}
    for name, told in fact["parameters"].items():
        kinds = kinds_of(schema["properties"][name], schema.get("$defs", {}))
        if told["required"]:
            assert "null" not in kinds
        wanted = set(told["type"].split("|"))
        narrowed = {re.sub("<.*>", "", kind) if wanted == {"array"} else kind for kind in kinds}
        assert narrowed - {"null"} == wanted - {"null"}, name


@EACH
def test_hook_and_keys_are_described_in_both_languages(spec: HookSpec) -> None:
    assert spec.description.isascii()
    assert re.search("[一-鿿]", spec.translations["zh"])
    schema = TypeAdapter(spec.payload).json_schema()
    for told in schema["properties"].values():
        assert told["description"].isascii()
        assert re.search("[一-鿿]", told["x-description-zh"])


@EACH
def test_the_payload_is_named_after_the_hook_and_importable_by_authors(spec: HookSpec) -> None:
    name = "".join(word.capitalize() for word in re.split(r"[._]", spec.name))
    assert spec.payload is getattr(sdk_hooks, name)
    assert getattr(sdk_hooks, re.sub(r"\.", "_", spec.name).upper()) == spec.name
    assert f"`{spec.name}`" in (spec.payload.__doc__ or "")


@EACH_FACT
async def test_the_smallest_payload_can_be_fired(fact: dict[str, Any]) -> None:
    result = await registered(SPECS[fact["name"]]).invoke(fact["name"], payload_of(fact))
    assert result.kwargs == payload_of(fact)


@EACH_FACT
async def test_optional_keys_may_be_none_and_undeclared_ones_travel_on(fact: dict[str, Any]) -> None:
    optional = {name: None for name, told in fact["parameters"].items() if not told["required"]}
    result = await registered(SPECS[fact["name"]]).invoke(
        fact["name"], {**payload_of(fact), **optional, "own": {"key": 1}}
    )
    assert result.kwargs["own"] == {"key": 1}
    assert set(optional) <= set(result.kwargs)


@EACH_FACT
async def test_every_missing_required_key_is_told_to_the_caller(fact: dict[str, Any]) -> None:
    with pytest.raises(PayloadError) as caught:
        await registered(SPECS[fact["name"]]).invoke(fact["name"], {})
    for name in payload_of(fact):
        assert name in str(caught.value)


@pytest.mark.parametrize("name", [fact["name"] for fact in FACTS if "message" in fact["parameters"]])
async def test_a_dict_that_is_no_message_is_refused_wherever_a_message_is_due(name: str) -> None:
    fact = next(fact for fact in FACTS if fact["name"] == name)
    with pytest.raises(PayloadError, match="message_id"):
        await registered(SPECS[name]).invoke(name, {**payload_of(fact), "message": {**MESSAGE, "message_id": ""}})
