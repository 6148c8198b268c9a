"""The importable surface is that of the published package at the same version, but for what is listed here.

`tests/data/sdk_surface.json` is what `surface.surface()` sees of that package.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import Field, ValidationError

from maibot_sdk import types
from maibot_sdk.context import PluginContext
from tests.sdk.surface import MODULES, surface

PUBLISHED = json.loads((Path(__file__).parents[1] / "data" / "sdk_surface.json").read_text(encoding="utf-8"))
OURS = json.loads(json.dumps(surface()))

HELPER = "a helper of ours that the module imports; nobody loses anything by it"
LATE = "lets names load when they are first asked for"
IMPORTED = "a name of another package that our module imports and theirs does not"

DIFFERENCES = {
    "maibot_sdk.TYPE_CHECKING": IMPORTED,
    "maibot_sdk.capabilities.TYPE_CHECKING": IMPORTED,
    "maibot_sdk.capabilities.late": LATE,
    "maibot_sdk.capabilities.api.DEFAULT_OFFLINE_REASON": "the default of two methods, written once",
    "maibot_sdk.capabilities.config.dict_or_empty": HELPER,
    "maibot_sdk.capabilities.llm.dict_or_empty": HELPER,
    "maibot_sdk.capabilities.llm.list_or_empty": HELPER,
    "maibot_sdk.capabilities.market.TypeAlias": IMPORTED,
    "maibot_sdk.capabilities.statistics.dict_or_empty": HELPER,
    "maibot_sdk.capabilities.statistics.list_or_empty": HELPER,
    "maibot_sdk.capabilities.webui.annotations": IMPORTED,
    "maibot_sdk.components.COMPONENT_INFO_ATTR": HELPER,
    "maibot_sdk.components.F": HELPER,
    "maibot_sdk.components.LLM_PROVIDER_INFO_ATTR": HELPER,
    "maibot_sdk.components.annotations": IMPORTED,
    "maibot_sdk.components.mark": HELPER,
    "maibot_sdk.components.required_text_of": HELPER,
    "maibot_sdk.components.text_of": HELPER,
    "maibot_sdk.config.deepcopy": IMPORTED,
    "maibot_sdk.context.CAPABILITY_CALL": "the name of a host method, for hosts",
    "maibot_sdk.context.TypeAlias": IMPORTED,
    "maibot_sdk.context.annotations": IMPORTED,
    "maibot_sdk.context.unwrap": HELPER,
    "maibot_sdk.late": LATE,
    "maibot_sdk.plugin.TYPE_CHECKING": IMPORTED,
    "maibot_sdk.plugin.DEFAULT_OFFLINE_REASON": "passed on",
    "maibot_sdk.plugin.DynamicApis": HELPER,
    "maibot_sdk.plugin.annotations": IMPORTED,
    "maibot_sdk.plugin.late": LATE,
    "maibot_sdk.types.ConfigDict": IMPORTED,
    "maibot_sdk.types.is_complete_schema": HELPER,
    "maibot_sdk.types.schema_of_parameters": HELPER,
    "maibot_sdk.types.schema_of_properties": HELPER,
}
"""Every difference and its reason. Nothing of theirs is missing here or has another shape."""


def differences(path: str, theirs: Any, ours: Any) -> Iterator[str]:
    if not isinstance(theirs, dict) or not isinstance(ours, dict):
        if theirs != ours:
            yield path
        return
    for key in theirs.keys() | ours.keys():
        yield from differences(f"{path}.{key}", theirs.get(key), ours.get(key))


@pytest.mark.parametrize("module", MODULES)
def test_a_module_has_the_published_names_and_they_are_what_they_are_there(module: str) -> None:
    allowed = {path for path in DIFFERENCES if path.rpartition(".")[0] == module}
    assert set(differences(module, PUBLISHED[module], OURS[module])) == allowed


def test_every_difference_belongs_to_a_public_module() -> None:
    assert {path.rpartition(".")[0] for path in DIFFERENCES} <= set(MODULES)


def test_every_name_that_theirs_has_ours_has() -> None:
    assert [
        f"{module}.{name}" for module, names in PUBLISHED.items() for name in names if name not in OURS[module]
    ] == []


def test_a_context_has_an_object_for_every_family() -> None:
    context = PluginContext("p")
    assert {name: type(value).__name__ for name, value in vars(context).items() if not name.startswith("_")} == {
        "paths": "PluginPaths",
        "api": "APICapability",
        "webui": "WebUICapability",
        "gateway": "GatewayCapability",
        "send": "SendCapability",
        "db": "DatabaseCapability",
        "llm": "LLMCapability",
        "config": "ConfigCapability",
        "emoji": "EmojiCapability",
        "message": "MessageCapability",
        "frequency": "FrequencyCapability",
        "component": "ComponentCapability",
        "chat": "ChatCapability",
        "person": "PersonCapability",
        "render": "RenderCapability",
        "knowledge": "KnowledgeCapability",
        "tool": "ToolCapability",
        "statistics": "StatisticsCapability",
        "maisaka": "MaisakaCapability",
        "market": "MarketCapability",
    }
    assert vars(context.send) == {"_ctx": context}
    assert list(vars(context.statistics)) == ["local"]
    assert list(vars(context.maisaka)) == ["_ctx", "reply", "context", "proactive"]


def test_a_model_that_is_built_on_first_use_checks_what_it_is_given() -> None:
    assert types.CapabilityResult.model_validate({"success": "yes", "unknown": 1}).model_dump() == {
        "success": True,
        "result": None,
        "error": "",
    }
    with pytest.raises(ValidationError):
        types.LLMProviderInfo.model_validate({})


def test_a_model_that_is_built_on_first_use_can_be_derived_from() -> None:
    class Poll(types.ComponentInfo):
        choices: list[str] = Field(default_factory=list)

    assert Poll(name="n", type=types.ComponentType.TOOL, choices=["a"]).model_dump(mode="json")["choices"] == ["a"]
