"""The importable surface is that of the published package at the same version, but for the differences listed here."""

import inspect
import json
from collections.abc import Iterator, Mapping
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from maibot_sdk.context import PluginContext

FACTS = json.loads((Path(__file__).parents[1] / "data" / "sdk_surface.json").read_text(encoding="utf-8"))
MODULES: dict[str, dict[str, Any]] = FACTS["modules"]

PRIVATE = "private there, and no public plugin uses it"
OWN_TEXT = "a text for people, in our own words"
ADDED = "ours; takes nothing away"

DIFFERENCES = {
    "maibot_sdk.capabilities.api.APICapability.replace_dynamic_apis.offline_reason.default": OWN_TEXT,
    "maibot_sdk.capabilities.api.DEFAULT_OFFLINE_REASON": ADDED,
    "maibot_sdk.capabilities.llm._normalize_llm_result": PRIVATE,
    "maibot_sdk.components._Decorator": PRIVATE,
    "maibot_sdk.components._build_action_detailed_description": PRIVATE,
    "maibot_sdk.components._build_action_parameters_schema": PRIVATE,
    "maibot_sdk.components._build_tool_parameters_schema": PRIVATE,
    "maibot_sdk.components._normalize_message_gateway_route_type": PRIVATE,
    "maibot_sdk.components._normalize_platforms": PRIVATE,
    "maibot_sdk.components._normalize_tool_descriptions": PRIVATE,
    "maibot_sdk.plugin.MaiBotPlugin.sync_dynamic_apis.offline_reason.default": OWN_TEXT,
}

KINDS = {
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional_or_keyword",
    inspect.Parameter.KEYWORD_ONLY: "keyword_only",
    inspect.Parameter.VAR_POSITIONAL: "*args",
    inspect.Parameter.VAR_KEYWORD: "**kwargs",
}


def surface_of(module: ModuleType) -> dict[str, Any]:
    """Every public name of a module and what it is."""
    return {name: told(value) for name, value in vars(module).items() if not name.startswith("_")}


def told(value: Any) -> Any:
    """What can be seen of a name, as deep as an author can tell."""
    if isinstance(value, ModuleType):
        return {"module": value.__name__}
    if not inspect.isclass(value):
        return {"parameters": parameters_of(value)} if inspect.isroutine(value) else shown(value)
    return {"bases": [base.__name__ for base in value.__bases__], **members_of(value)}


def members_of(cls: type) -> dict[str, Any]:
    if issubclass(cls, Enum):
        return {member.name: member.value for member in cls}
    if issubclass(cls, BaseModel):
        return {name: field_of(cls, name) for name in cls.model_fields} | methods_of(cls)
    if typed := getattr(cls, "__total__", None):
        return {"total": typed, **cls.__annotations__}
    return methods_of(cls)


def methods_of(cls: type) -> dict[str, Any]:
    methods = {}
    for name, written in vars(cls).items():
        if name.startswith("_") and name != "__init__":
            continue
        if isinstance(written, property):
            methods[name] = "property"
    return methods


def field_of(model: type[BaseModel], name: str) -> dict[str, Any]:
    raise NotImplementedError


def parameters_of(function: Any) -> dict[str, Any]:
    raise NotImplementedError


def shown(value: Any) -> Any:
    raise NotImplementedError
