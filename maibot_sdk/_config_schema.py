"""The sections and fields of a configuration as the web page draws them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, SupportsFloat, get_args, get_origin

from annotated_types import Ge, GroupedMetadata, Le
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from maibot_sdk._config_model import PluginConfigBase, build_plugin_default_config, is_plugin_config_class

_GENERAL = "general"
_GENERAL_TITLE = "通用设置"
_DEFAULT_ROWS = 3
_SCALARS = {bool: ("boolean", "switch"), int: ("integer", "number"), float: ("number", "number")}
_ITEM_TYPES = {bool: "boolean", int: "number", float: "number"}


def sections_of(config_class: type[BaseModel]) -> dict[str, Any]:
    """The sections of a configuration, by name, in the order of its fields; loose fields come last, in `general`."""
    defaults = build_plugin_default_config(config_class)
    sections: dict[str, Any] = {}
    loose: dict[str, FieldInfo] = {}
    for name, field in config_class.model_fields.items():
        if is_plugin_config_class(field.annotation):
            sections[name] = _section(name, field.annotation, defaults.get(name) or {})
        else:
            loose[name] = field
    if loose:
        sections[_GENERAL] = {
            "name": _GENERAL,
            "title": _GENERAL_TITLE,
            "description": "",
            "icon": "settings",
            "collapsed": False,
            "order": len(sections),
            "fields": _fields(loose, defaults),
        }
    return sections


def _section(name: str, config_class: type[PluginConfigBase], defaults: Mapping[str, Any]) -> dict[str, Any]:
    section = {
        "name": name,
        "title": config_class.__ui_label__ or name,
        "description": (config_class.__doc__ or "").strip(),
        "icon": config_class.__ui_icon__ or None,
        "collapsed": False,
        "order": config_class.__ui_order__,
        "fields": _fields(config_class.model_fields, defaults),
    }
    return section | _i18n(config_class.__ui_i18n__)


def _fields(fields: Mapping[str, FieldInfo], defaults: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _field(name, field, position, defaults.get(name)) for position, (name, field) in enumerate(fields.items())
    }


def _field(name: str, field: FieldInfo, position: int, default: Any) -> dict[str, Any]:
    widget = _widget_of(field.annotation)
    extra = _extra_of(field)
    lower, upper = _bounds(field)
    schema = {
        "name": name,
        "type": widget.kind,
        "default": default,
        "description": field.description or "",
        "required": field.is_required(),
        "choices": widget.choices,
        "min": lower,
        "max": upper,
        "step": extra.get("step"),
        "pattern": extra.get("pattern"),
        "max_length": extra.get("max_length"),
        "label": _label(name, extra),
        "placeholder": _text(extra.get("placeholder")),
        "hint": _text(extra.get("hint")),
        "icon": _text(extra.get("x-icon")),
        "hidden": bool(extra.get("hidden")),
        "disabled": bool(extra.get("disabled")),
        "order": int(extra.get("order", position)),
        "input_type": _text(extra.get("input_type")),
        "ui_type": str(extra.get("x-widget") or widget.ui_type),
        "rows": int(extra.get("rows", _DEFAULT_ROWS)),
        "group": _text(extra.get("group")),
        "depends_on": _text(extra.get("depends_on")),
        "depends_value": extra.get("depends_value"),
        "item_type": widget.item_type,
        "item_fields": None if widget.item_class is None else _item_fields(widget.item_class),
        "min_items": extra.get("min_items"),
        "max_items": extra.get("max_items"),
        "example": extra.get("example"),
    }
    return schema | _multiple(widget) | _i18n(extra.get("i18n"))


def _item_fields(item_class: type[PluginConfigBase]) -> dict[str, Any]:
    defaults = build_plugin_default_config(item_class)
    items = {}
    for name, field in item_class.model_fields.items():
        widget = _widget_of(field.annotation)
        extra = _extra_of(field)
        items[name] = {
            "type": widget.kind,
            "label": str(extra.get("label") or field.description or name),
            "placeholder": _text(extra.get("placeholder")) or "",
            "default": defaults.get(name),
        }
        if widget.choices is not None:
            items[name] |= {"choices": widget.choices} | _multiple(widget)
        items[name] |= _i18n(extra.get("i18n"))
    return items


@dataclass(frozen=True, slots=True, kw_only=True)
class _Widget:
    """How a field of some type is drawn."""

    kind: str = "string"
    ui_type: str = "text"
    choices: list[Any] | None = None
    multiple: bool = False
    item_type: str | None = None
    item_class: type[PluginConfigBase] | None = None


def _widget_of(annotation: Any) -> _Widget:
    if annotation in _SCALARS:
        kind, ui_type = _SCALARS[annotation]
        return _Widget(kind=kind, ui_type=ui_type)
    if is_plugin_config_class(annotation):
        return _Widget(kind="object", ui_type="json")
    match get_origin(annotation):
        case origin if origin is Literal:
            return _Widget(kind="select", ui_type="select", choices=list(get_args(annotation)))
        case origin if origin is list:
            return _list_widget_of(_without_metadata(*get_args(annotation)[:1]))
        case origin if origin is dict:
            return _Widget(kind="object", ui_type="json")
    return _Widget()


def _list_widget_of(item: Any) -> _Widget:
    if get_origin(item) is Literal:
        return _Widget(kind="select", ui_type="select", choices=list(get_args(item)), multiple=True)
    if is_plugin_config_class(item):
        return _Widget(kind="array", ui_type="list", item_type="object", item_class=item)
    item_type = next((name for kind, name in _ITEM_TYPES.items() if item is kind), "string")
    return _Widget(kind="array", ui_type="list", item_type=item_type)


def _without_metadata(annotation: Any = str) -> Any:
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def _extra_of(field: FieldInfo) -> Mapping[str, Any]:
    extra = field.json_schema_extra
    return extra if isinstance(extra, dict) else {}


def _bounds(field: FieldInfo) -> tuple[float | None, float | None]:
    lower = upper = None
    for metadata in field.metadata:
        for bound in metadata if isinstance(metadata, GroupedMetadata) else (metadata,):
            match bound:
                case Ge(ge=SupportsFloat() as value):
                    lower = float(value)
                case Le(le=SupportsFloat() as value):
                    upper = float(value)
    return lower, upper


def _label(name: str, extra: Mapping[str, Any]) -> str:
    return str(extra.get("label") or name)


def _text(value: Any) -> str | None:
    return None if value is None else str(value).strip() or None


def _multiple(widget: _Widget) -> dict[str, Any]:
    return {"multiple": True} if widget.multiple else {}


def _i18n(given: Any) -> dict[str, Any]:
    """The translations as a key `i18n`, or nothing when no text is left."""
    if not isinstance(given, Mapping):
        return {}
    locales = {
        locale: told
        for locale, texts in given.items()
        if isinstance(texts, Mapping)
        and (told := {key: text for key, value in texts.items() if (text := _text(value))})
    }
    return {"i18n": locales} if locales else {}
