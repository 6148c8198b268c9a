"""Models and functions of `maibot_sdk.types`."""

from typing import Any

import pytest
from pydantic import ValidationError

from maibot_sdk.types import (
    ComponentType,
    ReplyExtensionComponentInfo,
    ToolComponentInfo,
    ToolParameterInfo,
    ToolParamType,
    build_tool_detailed_description,
    normalize_component_type_name,
    normalize_config_reload_subscription,
)


@pytest.mark.parametrize("kind", list(ComponentType))
def test_a_component_type_is_known_in_upper_and_lower_case_and_as_member(kind: ComponentType) -> None:
    spellings = [kind, kind.value, kind.value.lower(), f"  {kind.value} "]
    assert {normalize_component_type_name(spelling) for spelling in spellings} == {kind.value}


@pytest.mark.parametrize("wrong", ["Command", "event handler", "LLM_PROVIDER", None, 3])
def test_an_unknown_component_type_is_refused_with_the_known_ones(wrong: Any) -> None:
    with pytest.raises(ValueError, match="REPLY_EXTENSION"):
        normalize_component_type_name(wrong)


@pytest.mark.parametrize("removed", ["WORKFLOW_STEP", "workflow_step", " workflow_step "])
def test_the_removed_component_type_points_to_its_replacement(removed: str) -> None:
    with pytest.raises(ValueError, match="HookHandler"):
        normalize_component_type_name(removed)


def test_a_blank_component_type_is_refused() -> None:
    with pytest.raises(ValueError, match="blank"):
        normalize_component_type_name("  ")


@pytest.mark.parametrize(("given", "scope"), [("bot", "bot"), (" MODEL ", "model"), ("Bot", "bot")])
def test_a_reload_subscription_is_trimmed_and_lower_cased(given: str, scope: str) -> None:
    assert normalize_config_reload_subscription(given) == scope


@pytest.mark.parametrize("wrong", ["self", "", None, "bots"])
def test_another_reload_subscription_is_refused_and_named(wrong: Any) -> None:
    with pytest.raises(ValueError, match=repr(wrong)):
        normalize_config_reload_subscription(wrong)


@pytest.mark.parametrize(
    ("parameter", "schema"),
    [
        ({}, {"type": "string", "description": ""}),
        ({"param_type": "float", "description": "d"}, {"type": "number", "description": "d"}),
        ({"enum_values": ["a", 1]}, {"type": "string", "description": "", "enum": ["a", 1]}),
        ({"default": False}, {"type": "string", "description": "", "default": False}),
        ({"default": ""}, {"type": "string", "description": "", "default": ""}),
        ({"default": None}, {"type": "string", "description": ""}),
        (
            {"param_type": "array", "items_schema": {"type": "integer"}, "properties": {"x": {}}},
            {"type": "array", "description": "", "items": {"type": "integer"}},
        ),
        ({"param_type": "object"}, {"type": "object", "description": "", "properties": {}}),
        (
            {
                "param_type": "object",
                "properties": {"x": {"type": "string"}},
                "required_properties": ["x"],
                "additional_properties": False,
                "items_schema": {"type": "integer"},
            },
            {
                "type": "object",
                "description": "",
                "properties": {"x": {"type": "string"}},
                "required": ["x"],
                "additionalProperties": False,
            },
        ),
        (
            {"param_type": "string", "items_schema": {}, "properties": {}, "additional_properties": True},
            {"type": "string", "description": ""},
        ),
    ],
)
def test_the_schema_of_a_parameter(parameter: dict[str, Any], schema: dict[str, Any]) -> None:
    assert ToolParameterInfo(name="p", **parameter).to_parameter_schema() == schema


def test_the_schema_of_a_parameter_shares_nothing_with_it() -> None:
    parameter = ToolParameterInfo(name="p", param_type=ToolParamType.OBJECT, properties={"x": {"type": "string"}})
    parameter.to_parameter_schema()["properties"]["x"]["type"] = "changed"
    assert parameter.properties == {"x": {"type": "string"}}


def test_parameters_of_a_list_are_required_unless_they_say_otherwise() -> None:
    tool = ToolComponentInfo(
        name="t",
        parameters=[
            ToolParameterInfo(name="a", param_type=ToolParamType.OBJECT, required_properties=["inner"]),
            ToolParameterInfo(name="b", required=False),
        ],
    )
    schema = tool.get_parameters_schema()
    assert schema is not None
    assert schema["required"] == ["a"]
    assert schema["properties"]["a"]["required"] == ["inner"]
    assert list(schema["properties"]) == ["a", "b"]


def test_a_schema_without_required_parameters_has_no_such_list() -> None:
    tool = ToolComponentInfo(name="t", parameters=[ToolParameterInfo(name="b", required=False)])
    assert "required" not in (tool.get_parameters_schema() or {})


def test_a_tool_without_parameters_has_no_schema() -> None:
    assert ToolComponentInfo(name="t").get_parameters_schema() is None


@pytest.mark.parametrize(
    ("raw", "schema"),
    [
        (
            {
                "q": {"type": "string", "description": "Q", "required": True},
                "n": {"type": "integer", "required": False},
            },
            {
                "type": "object",
                "properties": {"q": {"type": "string", "description": "Q"}, "n": {"type": "integer"}},
                "required": ["q"],
            },
        ),
        (
            {"properties": {"q": {"type": "string"}}, "required": ["q"]},
            {"properties": {"q": {"type": "string"}}, "required": ["q"]},
        ),
        ({"type": "object"}, {"type": "object"}),
        ({"q": "text", "n": "text"}, {"type": "object", "properties": {}}),
        ({"type": "string"}, {"type": "object", "properties": {}}),
        ({"type": {"type": "string"}}, {"type": "object", "properties": {"type": {"type": "string"}}}),
        ({"q": {"required": ["x"]}}, {"type": "object", "properties": {"q": {}}, "required": ["q"]}),
    ],
)
def test_a_dict_of_parameters_is_a_whole_schema_or_a_map_of_properties(
    raw: dict[str, Any], schema: dict[str, Any]
) -> None:
    tool = ToolComponentInfo(name="t", parameters=[ToolParameterInfo(name="ignored")], parameters_raw=raw)
    assert tool.get_parameters_schema() == schema


@pytest.mark.parametrize(
    ("texts", "brief"),
    [
        ({"brief_description": " b ", "description": "d"}, "b"),
        ({"description": " d "}, "d"),
        ({"brief_description": "  ", "description": "d"}, ""),
    ],
)
def test_the_brief_description_is_the_first_that_is_not_empty(texts: dict[str, str], brief: str) -> None:
    assert ToolComponentInfo(name="t", **texts).get_brief_description() == brief


def test_a_tool_that_tells_nothing_is_introduced_by_its_name() -> None:
    assert "weather" in ToolComponentInfo(name="weather").get_brief_description()


def test_the_parameter_summary_tells_a_line_for_each_property() -> None:
    schema = {
        "properties": {
            "city": {"type": " String ", "description": " where ", "enum": ["Oslo", "Bergen"], "default": None},
            "days": {"description": ""},
            "skipped": "no dict",
        },
        "required": ["city"],
    }
    heading, city, days = build_tool_detailed_description(schema).splitlines()
    assert heading
    for part in ("city", "string", "必填", "where", "Oslo", "Bergen", "None"):
        assert part in city
    for part in ("days", "string", "可选"):
        assert part in days


@pytest.mark.parametrize("schema", [None, {}, {"properties": {}}, {"properties": ["a"]}, {"properties": {"a": "b"}}])
def test_without_properties_the_text_of_the_author_stands_alone(schema: dict[str, Any] | None) -> None:
    assert build_tool_detailed_description(schema, "  more ") == "more"
    assert build_tool_detailed_description(schema) == ""


def test_summary_and_text_have_an_empty_line_between_them() -> None:
    told = build_tool_detailed_description({"properties": {"a": {}}}, " more ")
    assert told.endswith("\n\nmore")
    tool = ToolComponentInfo(name="t", parameters_raw={"a": {}}, detailed_description="more")
    assert tool.get_detailed_description() == told


def test_a_reply_extension_has_a_deadline_of_more_than_nothing() -> None:
    with pytest.raises(ValidationError):
        ReplyExtensionComponentInfo(name="r", timeout_ms=0)
