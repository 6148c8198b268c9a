"""A form for a configuration whose plugin has none or cannot be asked: made up from what the file says."""

from collections.abc import Mapping
from typing import Any

from host.runtime.state import Plugin

_GENERAL = "general"
_NOTHING_SAID = dict.fromkeys(
    [
        "choices",
        "min",
        "max",
        "step",
        "pattern",
        "max_length",
        "placeholder",
        "hint",
        "icon",
        "input_type",
        "group",
        "depends_on",
        "depends_value",
        "item_type",
        "item_fields",
        "min_items",
        "max_items",
        "example",
    ]
)


def inferred_form(plugin: Plugin, data: Mapping[str, Any]) -> dict[str, Any]:
    """A form in the shape that the SDK's ``generate_plugin_config_schema`` gives.

    Args:
        plugin: whose.
        data: what its file says. Each table of it becomes a section; the other keys make up the section ``general``.
    """
    tables = {name: table for name, table in data.items() if isinstance(table, dict)}
    loose = {name: value for name, value in data.items() if name not in tables}
    sections = [_section(name, table, order) for order, (name, table) in enumerate(tables.items())]
    if loose:
        sections.append(_section(_GENERAL, loose, len(sections)))
    return {
        "plugin_id": plugin.id,
        "plugin_info": {
            "name": plugin.name,
            "version": plugin.version,
            "description": plugin.manifest.description if plugin.manifest else "",
            "author": plugin.manifest.author.name if plugin.manifest else "",
        },
        "sections": {section["name"]: section for section in sections},
        "layout": {"type": "auto", "tabs": []},
    }


def _section(name: str, table: Mapping[str, Any], order: int) -> dict[str, Any]:
    return {
        "name": name,
        "title": name,
        "description": "",
        "icon": None,
        "collapsed": False,
        "order": order,
        "fields": {key: _field(key, value, place) for place, (key, value) in enumerate(table.items())},
    }


def _field(name: str, value: Any, order: int) -> dict[str, Any]:
    kind, ui_type = _widget(value)
    field = {
        "name": name,
        "type": kind,
        "ui_type": ui_type,
        "label": name,
        "description": "",
        "default": value,
        "required": False,
        "hidden": False,
        "disabled": False,
        "order": order,
        "rows": 3,
    }
    return field | _NOTHING_SAID


def _widget(value: object) -> tuple[str, str]:
    match value:
        case bool():
            return "boolean", "switch"
        case int():
            return "integer", "number"
        case float():
            return "number", "number"
        case list():
            return "array", "list"
        case dict():
            return "object", "json"
    return "string", "text"
