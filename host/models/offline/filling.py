"""Values for a JSON schema, taken from what was said: the arguments of tools, and answers in JSON."""

import re
from collections.abc import Mapping
from typing import Any

from host.models.offline.heard import HAN, Heard

_NUMBER = re.compile(r"(?<![a-z0-9.])[-+]?\d+(?:\.\d+)?(?![a-z0-9])", re.IGNORECASE)
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|「([^」]+)」|'([^']+)'")
_ADDRESS = re.compile(r"https?://\S+")
_PLACE = re.compile(r".*\b(?:in|at|for|about|of|to)\s+([^?？.。!！,，]+)", re.IGNORECASE)
_POLITE = re.compile(r"^(?:请|麻烦|帮我|帮忙|给我|查一下|查询|查查|查|看看|告诉我|搜索|搜一下|搜|翻译|一下)+")
_YES = re.compile(r"\b(?:yes|true|on|please do)\b|是的|好的|开启|打开", re.IGNORECASE)
_END = " \t?？.。!！,，~～吗呢吧"
_VALUE = r"\s*[=:：]\s*(?:\"([^\"]*)\"|([^\s,，;；\])}】]+))"
_DEEPEST = 8


def filled(schema: Mapping[str, Any], said: Heard, *, whole: bool = False, depth: int = 0) -> Any:
    """A value that fits the schema: what it fixes, else what the text has for it, else its least value.

    Args:
        schema: of the value; what is read is `type`, `properties`, `required`, `enum`, `const`, `default`, `items`,
            `anyOf`, `oneOf`, `minimum` and `maximum`.
        said: the text.
        whole: whether the keys of an object are filled too that it does not require.
        depth: how deep in the schema this is; what lies too deep is left empty.
    """
    if "const" in schema:
        return schema["const"]
    if found := _chosen(schema, said):
        return found[0]
    for choices in (schema.get("anyOf"), schema.get("oneOf")):
        if choices:
            return filled(choices[0], said, whole=whole, depth=depth)
    kind = schema.get("type", "object" if "properties" in schema else "string")
    match kind[0] if isinstance(kind, list) else kind:
        case "object":
            return filled_object(schema, said, whole=whole, depth=depth)
        case "array":
            return [] if depth > _DEEPEST else [filled(schema.get("items", {}), said, whole=whole, depth=depth + 1)]
        case "integer" | "number" as number:
            return _number(schema, said, is_whole=number == "integer")
        case "boolean":
            return _YES.search(said.words) is not None or bool(schema.get("default", False))
        case "null":
            return None
    return schema["default"] if "default" in schema else _text(said)


def filled_object(schema: Mapping[str, Any], said: Heard, *, whole: bool = False, depth: int = 0) -> dict[str, Any]:
    """The keys that the schema requires, and others for which the text has something."""
    properties: Mapping[str, Mapping[str, Any]] = schema.get("properties", {})
    required = properties if whole else schema.get("required", ())
    values: dict[str, Any] = {}
    for name, inner in properties.items():
        if depth > _DEEPEST:
            break
        if (given := _given(name, said)) is not None:
            values[name] = _as(inner, given)
        elif _is_message_id(name) and said.message_id is not None:
            values[name] = _as(inner, said.message_id)
        elif name in required or _chosen(inner, said, by_default=False):
            values[name] = filled(inner, said, whole=whole, depth=depth + 1)
    return values


def _chosen(schema: Mapping[str, Any], said: Heard, *, by_default: bool = True) -> list[Any]:
    """Of an enumeration, what the text names; else the default, else the first."""
    allowed = schema.get("enum")
    if not allowed:
        return []
    named = [each for each in allowed if str(each) and str(each).lower() in said.words.lower()]
    return named or ([schema.get("default", allowed[0])] if by_default else [])


def _given(name: str, said: Heard) -> str | None:
    """What the text gives under that name, as in `city=Oslo`."""
    found = re.search(rf"(?<!\w){re.escape(name)}" + _VALUE, said.line, re.IGNORECASE)
    return None if found is None else found[1] if found[1] is not None else found[2]


def _as(schema: Mapping[str, Any], given: str) -> Any:
    try:
        match schema.get("type"):
            case "integer":
                return int(given)
            case "number":
                return float(given)
    except ValueError:
        return given
    return given.lower() in ("true", "yes", "1", "on", "是") if schema.get("type") == "boolean" else given


def _number(schema: Mapping[str, Any], said: Heard, *, is_whole: bool) -> float:
    found = _NUMBER.search(said.words)
    value = float(found[0]) if found else float(schema.get("default", schema.get("minimum", 0)))
    value = min(max(value, schema.get("minimum", value)), schema.get("maximum", value))
    return int(value) if is_whole else value


def _is_message_id(name: str) -> bool:
    return name.replace("_", "").lower() in ("msgid", "messageid", "targetmessageid")


def _text(said: Heard) -> str:
    """What the text is about: a quotation, an address, what comes after "in" or "for", else all of it."""
    if quoted := _QUOTED.search(said.words):
        return next(group for group in quoted.groups() if group)
    if address := _ADDRESS.search(said.words):
        return address[0]
    if HAN.search(said.words):
        about = _POLITE.sub("", said.words).strip(_END)
        return about.rpartition("的")[0] or about
    place = _PLACE.match(said.words)
    return (place[1] if place else said.words).strip(_END)
