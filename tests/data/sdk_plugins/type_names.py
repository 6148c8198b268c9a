"""The functions and models of the types module, used directly."""
from maibot_sdk import MaiBotPlugin
from maibot_sdk.components import collect_components
from maibot_sdk.config import is_plugin_config_class
from maibot_sdk.types import (
    CapabilityResult,
    ComponentType,
    HookMode,
    ToolComponentInfo,
    ToolParameterInfo,
    normalize_component_type_name,
    normalize_config_reload_subscription,
)


class Plugin(MaiBotPlugin):
    pass


def create_plugin():
    return Plugin()


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error).__name__


NAMES = ("tool", " TOOL ", "Tool", "", None, 5, "workflow_step", "WORKFLOW_STEP", "llm_provider", "home_card", ComponentType.API, HookMode.OBSERVE)
SCOPES = ("bot", " Model ", "self", "", None, 5, "x")
INFOS = (
    {"name": "n"},
    {"name": "n", "brief_description": " b ", "description": "d"},
    {"name": "n", "description": " d "},
    {"name": "n", "parameters_raw": {"q": {"type": "string", "required": True}}, "parameters": [{"name": "ignored"}]},
    {"name": "n", "parameters": [{"name": "q", "param_type": "float", "default": 0}], "detailed_description": " more "},
    {"name": "n", "type": "nonsense"},
    {"name": "n", "type": "API", "enabled": "no", "unknown": 1},
    {"name": None},
    {},
)
PARAMETERS = (
    {"name": "o", "param_type": "object", "properties": {"x": {"type": "string"}}, "additional_properties": True},
    {"name": "a", "param_type": "array", "items_schema": {"type": "string"}, "enum_values": [1]},
    {"name": "s", "items_schema": {"type": "string"}, "required_properties": ["x"], "default": False},
    {"name": "x", "param_type": "nonsense"},
    {"name": "i", "param_type": "integer", "default": None, "description": " untrimmed "},
)


async def story(plugin):
    told = [outcome(normalize_component_type_name, name) for name in NAMES]
    told += [outcome(normalize_config_reload_subscription, scope) for scope in SCOPES]
    told += [outcome(is_plugin_config_class, value) for value in (Plugin, None, 5, "x", list[int])]
    for given in INFOS:
        info = outcome(lambda: ToolComponentInfo(**given))
        if isinstance(info, ToolComponentInfo):
            told += [info.get_brief_description(), info.get_parameters_schema(), info.model_dump(mode="json")]
            told.append([line[:1] for line in info.get_detailed_description().splitlines()][1:])
        else:
            told.append(info)
    for given in PARAMETERS:
        told.append(outcome(lambda: ToolParameterInfo(**given).to_parameter_schema()))
    told.append(CapabilityResult(success=1, error=b"x").model_dump())
    told.append([outcome(collect_components, value) for value in (None, 5, "x", Plugin, object())])
    return told
