"""The JSON schema of a reply extension's parameters: whether it is one, and what fits it.

Draft 2020-12. The library is loaded with the first extension: most bots have none, and it takes its time.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any


def schema_problem(schema: Mapping[str, Any]) -> str | None:
    """Why a schema cannot be used, in the words of the library; None where it can.

    It describes an object, refers to nothing (a reference could lead out of it), and its defaults fit it.

    Args:
        schema: as it was declared.
    """
    from jsonschema import Draft202012Validator, SchemaError

    try:
        json.dumps(schema, allow_nan=False)
    except (ValueError, TypeError) as error:
        return f"it is no JSON: {error}"
    if schema.get("type") != "object":
        return "its type is not 'object'"
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return f"{error.json_path}: {error.message}"
    for inner in _schemas(schema):
        if "$ref" in inner or "$dynamicRef" in inner:
            return "it has a $ref"
        if "default" in inner and not Draft202012Validator(inner).is_valid(inner["default"]):
            return f"the default {inner['default']!r} does not fit its own schema"
    return None


def filled(schema: Mapping[str, Any], given: object) -> tuple[Any, str]:
    """Parameters with defaults in the place of those that are missing, and what is wrong with them, or "".

    Args:
        schema: one without a problem.
        given: as a model gave them. It is not changed.
    """
    from jsonschema import Draft202012Validator

    parameters = _with_defaults(schema, given)
    errors = sorted(Draft202012Validator(schema).iter_errors(parameters), key=lambda error: error.json_path)
    return parameters, "; ".join(f"{error.json_path}: {error.message}" for error in errors)


def _with_defaults(schema: object, given: object) -> Any:
    if not isinstance(given, Mapping) or not isinstance(schema, Mapping):
        return given
    properties = schema.get("properties") or {}
    defaults = {
        name: inner["default"]
        for name, inner in properties.items()
        if isinstance(inner, Mapping) and "default" in inner
    }
    return {name: _with_defaults(properties.get(name), value) for name, value in {**defaults, **given}.items()}


def _schemas(value: object) -> Iterator[Mapping[str, Any]]:
    """A schema and all that stands in it. Names of properties are no keywords; values of defaults are no schemas."""
    if isinstance(value, list):
        for each in value:
            yield from _schemas(each)
    elif isinstance(value, Mapping):
        yield value
        for key, inner in value.items():
            if key in ("properties", "patternProperties", "$defs", "dependentSchemas") and isinstance(inner, Mapping):
                yield from _schemas([*inner.values()])
            elif key not in ("default", "const", "enum", "examples"):
                yield from _schemas(inner)
