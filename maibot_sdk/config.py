"""The configuration of a plugin: a model with defaults, and what the host does with the file that is kept of it.

Names imported `as` themselves are passed on: the published module has them, and one that is missing would keep a plugin
from loading.
"""

from __future__ import annotations

import inspect as inspect
from collections.abc import Mapping
from copy import deepcopy
from typing import Any
from typing import ClassVar as ClassVar
from typing import Literal as Literal
from typing import TypeVar as TypeVar
from typing import cast as cast
from typing import get_args as get_args
from typing import get_origin as get_origin

from pydantic import BaseModel as BaseModel
from pydantic import ConfigDict as ConfigDict
from pydantic import Field
from pydantic.fields import FieldInfo as FieldInfo

from maibot_sdk._config_model import (
    PluginConfigBase,
    PluginConfigT,
    build_plugin_default_config,
    is_plugin_config_class,
)

_PLUGIN_CONFIG_SECTION_NAME = "plugin"
_PLUGIN_CONFIG_VERSION_FIELD_NAME = "config_version"

__all__ = [
    "Field",
    "PluginConfigBase",
    "PluginConfigVersionError",
    "build_plugin_default_config",
    "extract_plugin_config_version",
    "generate_plugin_config_schema",
    "is_plugin_config_class",
    "merge_plugin_config_data",
    "rebuild_plugin_config_data",
    "validate_plugin_config",
]


class PluginConfigVersionError(ValueError):
    """A configuration does not say its version in `plugin.config_version`."""


def extract_plugin_config_version(config_data: Mapping[str, Any]) -> str:
    """The version of a configuration: `config_version` of the table `plugin`, as trimmed text of any format.

    Raises:
        PluginConfigVersionError: the table or the version is missing, or the version is blank.
    """
    section = config_data.get(_PLUGIN_CONFIG_SECTION_NAME)
    if not isinstance(section, Mapping):
        raise PluginConfigVersionError(
            "the configuration has no table [plugin] with a config_version / 配置缺少带 config_version 的 [plugin] 表"
        )
    version = section.get(_PLUGIN_CONFIG_VERSION_FIELD_NAME)
    text = str(version).strip() if version else ""
    if not text:
        raise PluginConfigVersionError(
            "config_version in the table [plugin] is missing or blank / [plugin] 表中的 config_version 缺失或为空"
        )
    return text


def merge_plugin_config_data(
    default_config: Mapping[str, Any], current_config: Mapping[str, Any]
) -> tuple[dict[str, Any], bool]:
    """Add to a configuration what it lacks.

    Everything in `current_config` stays, in its order, keys that the defaults do not know too; what is missing is added
    at the end. Tables are merged at every depth, lists and all other values never.

    Returns:
        The merged configuration, which shares nothing with the two given ones, and whether anything was added.
    """
    merged = {key: _copy(value) for key, value in current_config.items()}
    changed = False
    for key, default in default_config.items():
        if key not in merged:
            merged[key] = _copy(default)
            changed = True
        elif isinstance(default, dict) and isinstance(merged[key], dict):
            merged[key], added = merge_plugin_config_data(default, merged[key])
            changed = changed or added
    return merged, changed


def rebuild_plugin_config_data(default_config: Mapping[str, Any], current_config: Mapping[str, Any]) -> dict[str, Any]:
    """Carry the values of a configuration over into a new layout.

    Keys and order are those of the defaults, at every depth; the values are the current ones where there are any, of
    whatever type. `config_version` is always that of the defaults. The result shares nothing with the two given ones.
    """
    rebuilt = {}
    for key, default in default_config.items():
        current = current_config.get(key)
        if key not in current_config or key == _PLUGIN_CONFIG_VERSION_FIELD_NAME:
            rebuilt[key] = _copy(default)
        elif isinstance(default, dict) and isinstance(current, dict):
            rebuilt[key] = rebuild_plugin_config_data(default, current)
        else:
            rebuilt[key] = _copy(current)
    return rebuilt


def validate_plugin_config(config_class: type[PluginConfigT], config_data: Mapping[str, Any]) -> PluginConfigT:
    """The configuration as an instance of its class.

    Raises:
        pydantic.ValidationError: a value is wrong, and no text or number that could be meant.
    """
    return config_class.model_validate(dict(config_data))


def generate_plugin_config_schema(
    config_class: type[PluginConfigBase],
    *,
    plugin_id: str = "",
    plugin_name: str = "",
    plugin_version: str = "",
    plugin_description: str = "",
    plugin_author: str = "",
) -> dict[str, Any]:
    """The form of a configuration for the web page.

    Returns:
        `plugin_id`, `plugin_info`, `layout`, and `sections`: one for each field whose type is a configuration class,
        then `general` for the other fields, where there are any.

    Raises:
        ValueError: a field has no default, or an option of a field is no number where it has to be one.
    """
    # Only the web page asks for a form; most processes that import this module never do.
    from maibot_sdk._config_schema import sections_of

    return {
        "plugin_id": plugin_id,
        "plugin_info": {
            "name": plugin_name,
            "version": plugin_version,
            "description": plugin_description,
            "author": plugin_author,
        },
        "sections": sections_of(config_class),
        "layout": {"type": "auto", "tabs": []},
    }


def _copy(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copy(member) for key, member in value.items()}
    return [_copy(member) for member in value] if isinstance(value, list) else deepcopy(value)
