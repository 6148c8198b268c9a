"""What is found in a manifest, said by JSON path: the problems of one that is refused, and what is worth a warning."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from host.runtime.manifests.capability_names import CAPABILITY_NAMES
from host.runtime.problems import ManifestProblem

_Keys = list[str | int]
_HALF = re.compile("[\ud800-\udfff]")

# What may stand at a path, by text code. Where nothing is said, it is text.
_ALLOWED: Mapping[str, str] = {
    "": "allowed_object",
    "manifest_version": "allowed_manifest_version",
    "id": "allowed_id",
    "version": "allowed_version",
    "name": "allowed_not_blank",
    "author": "allowed_author",
    "author.name": "allowed_not_blank",
    "urls": "allowed_urls",
    "host_application": "allowed_range",
    "host_application.min_version": "allowed_version",
    "host_application.max_version": "allowed_version",
    "sdk": "allowed_range",
    "sdk.min_version": "allowed_version",
    "sdk.max_version": "allowed_version",
    "dependencies": "allowed_dependencies",
    "dependencies[]": "allowed_dependency",
    "dependencies[].type": "allowed_dependency_type",
    "dependencies[].id": "allowed_id",
    "dependencies[].name": "allowed_package_name",
    "dependencies[].version_spec": "allowed_version_spec",
    "capabilities": "allowed_texts",
    "capabilities[]": "allowed_not_blank",
    "i18n": "allowed_i18n",
    "i18n.locales_path": "allowed_inner_path",
    "i18n.supported_locales": "allowed_texts",
    "i18n.supported_locales[]": "allowed_not_blank",
    "llm_providers": "allowed_llm_providers",
    "llm_providers[]": "allowed_llm_provider",
    "llm_providers[].client_type": "allowed_not_blank",
    "display": "allowed_display",
    "display.icon": "allowed_icon",
    "display.icon.value": "allowed_inner_path",
    "changelog": "allowed_inner_path",
}


def half_characters(data: object) -> list[ManifestProblem]:
    """The texts that no file could hold: JSON can spell half of a surrogate pair, which can be neither logged nor sent.

    Args:
        data: what JSON was read as.
    """
    problems = []
    left: list[tuple[object, _Keys]] = [(data, [])]
    while left:
        value, keys = left.pop()
        if isinstance(value, str):
            if _HALF.search(value):
                problems.append(ManifestProblem("half_character", json_path(keys), _shown(value)))
        elif isinstance(value, dict):
            broken = [key for key in value if _HALF.search(key)]
            problems += [ManifestProblem("half_character", json_path([*keys, key]), _shown(key)) for key in broken]
            left += [(item, [*keys, key]) for key, item in value.items()]
        elif isinstance(value, list):
            left += [(item, [*keys, index]) for index, item in enumerate(value)]
    return problems


def problems_of(error: ValidationError) -> list[ManifestProblem]:
    """Everything that the model refused, each by its JSON path."""
    return [_problem(details) for details in error.errors()]


def _problem(details: ErrorDetails) -> ManifestProblem:
    keys = _keys(details)
    path = json_path(keys)
    if details["type"] == "min_above_max":
        return ManifestProblem("min_above_max", path, fields=details["ctx"])
    rule = "".join("[]" if isinstance(key, int) else f".{key}" for key in keys).removeprefix(".")
    allowed = _ALLOWED.get(rule, "allowed_text")
    if details["type"] in ("missing", "union_tag_not_found"):
        return ManifestProblem("key_missing", path, allowed=allowed)
    found = details["input"]["type"] if details["type"] == "union_tag_invalid" else details["input"]
    old = keys == ["manifest_version"] and found == 1 and found is not True
    return ManifestProblem("manifest_version_1" if old else "key_wrong", path, _shown(found), allowed)


def _keys(details: ErrorDetails) -> _Keys:
    """The way to what is wrong, as it is written in the file: pydantic puts in the type of a dependency that it chose,
    and leaves out the key where it could choose none."""
    keys = list(details["loc"])
    if details["type"].startswith("union_tag"):
        return [*keys, "type"]
    if keys[:1] == ["dependencies"] and len(keys) > 2:
        del keys[2]
    return keys


def json_path(keys: Iterable[str | int]) -> str:
    """A JSON path from the root, as ``$.dependencies[0].name``; keys that are no words are quoted."""
    path = "$"
    for key in keys:
        if isinstance(key, str) and key.isidentifier():
            path += f".{key}"
        else:
            path += f"[{_shown(key)}]"
    return path


def unknown_keys(part: BaseModel, *above: str | int) -> Iterator[ManifestProblem]:
    """A warning for every key that the format does not know, with the known one that is most like it.

    Args:
        part: what was read, whole or in part.
        above: the keys that lead to it.
    """
    known = _known_keys(type(part))
    for key in part.model_extra or {}:
        nearest = get_close_matches(key.casefold(), known, n=1)
        yield _unknown("unknown_key", [*above, key], nearest=[known[name] for name in nearest])
    for key, value in part:
        if isinstance(value, BaseModel):
            yield from unknown_keys(value, *above, key)
        elif isinstance(value, tuple):
            for index, item in enumerate(value):
                if isinstance(item, BaseModel):
                    yield from unknown_keys(item, *above, key, index)


@cache
def _known_keys(part: type[BaseModel]) -> dict[str, str]:
    """Words that stand for a key, and the key. Those one level down count too: ``default_locale`` and
    ``repository_url`` stood at the top in version 1."""
    below = {
        name: f"{key}.{name}"
        for key, field in part.model_fields.items()
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)
        for name in field.annotation.model_fields
    }
    return below | {key: key for key in part.model_fields}


def unknown_capabilities(names: Iterable[str]) -> Iterator[ManifestProblem]:
    """A warning for every name that is no capability, with the one that is most like it."""
    for index, name in enumerate(names):
        if name not in CAPABILITY_NAMES:
            nearest = get_close_matches(name, sorted(CAPABILITY_NAMES), n=1)
            yield _unknown("unknown_capability", ["capabilities", index], _shown(name), nearest)


def _unknown(code: str, keys: _Keys, found: str = "", nearest: Iterable[str] = ()) -> ManifestProblem:
    for name in nearest:
        return ManifestProblem(f"{code}_nearest", json_path(keys), found, fields={"nearest": name})
    return ManifestProblem(code, json_path(keys), found)


def _shown(found: Any) -> str:
    if isinstance(found, dict | list):
        return "{...}" if isinstance(found, dict) else "[...]"
    # Half of a surrogate pair could not be encoded.
    text = json.dumps(found, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= 80 else f"{text[:77]}..."
