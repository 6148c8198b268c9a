"""How the parameters of a tool become a JSON schema, and how a schema becomes prose for a model."""

from __future__ import annotations

from typing import Any

_HEADING = "参数说明："
_NO_DESCRIPTION = "无补充说明"


def is_complete_schema(parameters: dict[str, Any]) -> bool:
    """Whether a dict given as parameters is a whole JSON schema rather than a map from name to property."""
    return parameters.get("type") == "object" or "properties" in parameters


def schema_of_properties(properties: dict[str, Any]) -> dict[str, Any]:
    """An object schema of a map from parameter name to property schema.

    A truthy `required` inside a property moves to the list at the top; members that are no dicts are left out.
    """
    described = {name: schema for name, schema in properties.items() if isinstance(schema, dict)}
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            name: {key: value for key, value in given.items() if key != "required"} for name, given in described.items()
        },
    }
    required = [name for name, given in described.items() if given.get("required")]
    if required:
        schema["required"] = required
    return schema


def build_tool_detailed_description(parameters_schema: dict[str, Any] | None, fallback_description: str = "") -> str:
    """What a model should know about a tool: a line for each parameter, then the text its author gave.

    Args:
        parameters_schema: the JSON schema of the parameters, or None when there are none. Only the first level is told.
        fallback_description: the author's own text; it stands alone where there are no parameters.

    Returns:
        Both parts with an empty line between them, one of them alone, or an empty text.
    """
    return join_paragraphs(_summary(parameters_schema or {}), fallback_description.strip())


def join_paragraphs(*paragraphs: str) -> str:
    """The paragraphs that say something, an empty line between each two."""
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _summary(schema: dict[str, Any]) -> str:
    properties = schema.get("properties")
    required = schema.get("required")
    if not isinstance(properties, dict):
        return ""
    names = required if isinstance(required, list) else []
    lines = [_line(name, given, name in names) for name, given in properties.items() if isinstance(given, dict)]
    return "\n".join([_HEADING, *lines]) if lines else ""


def _line(name: str, schema: dict[str, Any], required: bool) -> str:
    type_name = str(schema.get("type") or "").strip().lower() or "string"
    description = str(schema.get("description") or "").strip() or _NO_DESCRIPTION
    parts = [f"- {name}（{type_name}，{'必填' if required else '可选'}）：{description}"]
    if schema.get("enum"):
        parts.append(f"可选值：{'、'.join(str(member) for member in schema['enum'])}")
    if "default" in schema:
        parts.append(f"默认值：{schema['default']}")
    return "；".join(parts)
