"""The JSON schema of a tool's arguments, from any of the forms in which plugins declare them."""

from collections.abc import Mapping
from typing import Any

_TYPES = {"string", "integer", "number", "boolean", "array", "object"}


def parameters_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The schema for a tool or an action. ``required`` is always there, a complete schema excepted.

    A mapping under ``parameters_raw`` that has ``type: object`` or ``properties`` is used as it is, any other is a map
    from name to property; a list under ``parameters`` (or ``parameters_raw``) holds structured parameters; each entry
    of ``action_parameters`` is an optional text.

    Args:
        metadata: of the component.
    """
    raw = metadata.get("parameters_raw")
    listed = metadata.get("parameters")
    for given in (raw, listed):
        if isinstance(given, Mapping) and given:
            complete = given.get("type") == "object" or "properties" in given
            return dict(given) if complete else _of_properties(given)
        if isinstance(given, list | tuple) and given:
            return _of_list(given)
    actions = metadata.get("action_parameters")
    if isinstance(actions, Mapping):
        return _schema({name: {"type": "string", "description": str(told)} for name, told in actions.items()}, [])
    return _schema({}, [])


def _of_properties(given: Mapping[str, Any]) -> dict[str, Any]:
    described = {name: value for name, value in given.items() if isinstance(value, Mapping)}
    properties = {
        name: {key: inner for key, inner in value.items() if key != "required"} for name, value in described.items()
    }
    return _schema(properties, [name for name, value in described.items() if value.get("required")])


def _of_list(given: list[Any] | tuple[Any, ...]) -> dict[str, Any]:
    described = [each for each in given if isinstance(each, Mapping) and isinstance(each.get("name"), str)]
    properties = {each["name"]: _property(each) for each in described}
    return _schema(properties, [each["name"] for each in described if each.get("required", True)])


def _property(given: Mapping[str, Any]) -> dict[str, Any]:
    """One structured parameter, its keys as the SDK or as JSON schema names them."""
    word = str(given.get("param_type") or given.get("type") or "string").lower()
    kind = "number" if word == "float" else word if word in _TYPES else "string"
    schema: dict[str, Any] = {"type": kind, "description": str(given.get("description") or "")}
    if enum := given.get("enum_values") or given.get("enum"):
        schema["enum"] = list(enum)
    if given.get("default") is not None:
        schema["default"] = given["default"]
    if kind == "array" and (items := given.get("items_schema") or given.get("items")):
        schema["items"] = items
    if kind == "object":
        schema["properties"] = dict(given.get("properties") or {})
        if inner := given.get("required_properties"):
            schema["required"] = list(inner)
        if given.get("additional_properties") is not None:
            schema["additionalProperties"] = given["additional_properties"]
    return schema


def _schema(properties: Mapping[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": required}
