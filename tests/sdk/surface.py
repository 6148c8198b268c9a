"""What can be seen of a package from outside, as JSON data. Needs nothing but the standard library."""

import inspect
import typing
from enum import Enum
from importlib import import_module
from types import ModuleType
from typing import Any

MODULES = (
    "maibot_sdk.types",
    "maibot_sdk.capabilities",
    "maibot_sdk.capabilities.api",
    "maibot_sdk.capabilities.chat",
    "maibot_sdk.capabilities.component",
    "maibot_sdk.capabilities.config",
    "maibot_sdk.capabilities.database",
    "maibot_sdk.capabilities.emoji",
    "maibot_sdk.capabilities.frequency",
    "maibot_sdk.capabilities.gateway",
    "maibot_sdk.capabilities.knowledge",
    "maibot_sdk.capabilities.llm",
    "maibot_sdk.capabilities.logging",
    "maibot_sdk.capabilities.maisaka",
    "maibot_sdk.capabilities.market",
    "maibot_sdk.capabilities.message",
    "maibot_sdk.capabilities.person",
    "maibot_sdk.capabilities.render",
    "maibot_sdk.capabilities.send",
    "maibot_sdk.capabilities.statistics",
    "maibot_sdk.capabilities.tool",
    "maibot_sdk.capabilities.webui",
    "maibot_sdk.components",
    "maibot_sdk.config",
    "maibot_sdk.context",
    "maibot_sdk.llm_provider",
    "maibot_sdk.messages",
    "maibot_sdk.plugin",
    "maibot_sdk",
)
"""The public modules, each after those whose names it passes on."""

USED_PRIVATE_NAMES = (
    "_COMPONENT_INFO_ATTR",
    "_LLM_PROVIDER_INFO_ATTR",
    "_PLUGIN_CONFIG_SECTION_NAME",
    "_PLUGIN_CONFIG_VERSION_FIELD_NAME",
    "_set_context",
)
"""Private names that plugins, their tests and hosts are known to use."""


def surface() -> dict[str, dict[str, Any]]:
    """Every name of every module that an author can import, and what it is."""
    seen: dict[int, str] = {}
    return {name: {key: _told(f"{name}.{key}", value, seen) for key, value in _visible(name)} for name in MODULES}


def _visible(module: str) -> list[tuple[str, Any]]:
    kept = {*USED_PRIVATE_NAMES, "__all__", "__version__"}
    loaded = import_module(module)
    names = [name for name in dir(loaded) if not name.startswith("_") or name in kept]
    # Which submodules are attributes goes by what has been imported before.
    return sorted(
        (name, value) for name in names if getattr(value := getattr(loaded, name), "__name__", "") != f"{module}.{name}"
    )


def _told(path: str, value: Any, seen: dict[int, str]) -> dict[str, Any]:
    home = str(getattr(value, "__module__", "")).partition(".")[0]
    if isinstance(value, ModuleType):
        return {"kind": "module", "name": value.__name__}
    if isinstance(value, typing.TypeVar):
        return {"kind": "type variable", "name": value.__name__}
    if typing.get_origin(value) is not None:
        return {"kind": "alias", "of": _type_name(value)}
    if home not in ("", "maibot_sdk"):
        return {"kind": "foreign", "from": home}
    if not inspect.isclass(value) and not inspect.isroutine(value):
        return {"kind": "constant", "value": sorted(value) if isinstance(value, list) else value}
    if id(value) in seen:
        return {"kind": "passed on", "from": seen[id(value)]}
    seen[id(value)] = path
    if inspect.isroutine(value):
        return {"kind": "function", "signature": _signature(value)}
    return _class_told(value) | {"bases": [base.__name__ for base in value.__bases__]}


def _class_told(cls: Any) -> dict[str, Any]:
    if issubclass(cls, Enum):
        return {"kind": "enum", "members": {member.name: member.value for member in cls}}
    if hasattr(cls, "model_fields"):
        return {"kind": "model", "fields": _fields(cls), "attributes": _ui_attributes(cls), "methods": _methods(cls)}
    if hasattr(cls, "__total__"):
        members = {name: _type_name(kind) for name, kind in typing.get_type_hints(cls).items()}
        return {"kind": "typed dict", "total": cls.__total__, "members": members}
    constructor = _signature(cls.__init__) if inspect.isfunction(cls.__init__) else ""
    return {"kind": "class", "constructor": constructor, "attributes": _attributes(cls), "methods": _methods(cls)}


def _methods(cls: Any) -> dict[str, str]:
    return {name: told for name in sorted(vars(cls)) if (told := _method(cls, name))}


def _method(cls: Any, name: str) -> str:
    member = inspect.getattr_static(cls, name)
    if name.startswith("_") and name not in USED_PRIVATE_NAMES:
        return ""
    if isinstance(member, property):
        return "property"
    if not isinstance(member, classmethod) and not inspect.isfunction(member):
        return ""
    method = getattr(cls, name)
    words = [
        "abstract" if getattr(method, "__isabstractmethod__", False) else "",
        "class" if isinstance(member, classmethod) else "",
        "async" if inspect.iscoroutinefunction(method) else "",
        _signature(method),
    ]
    return " ".join(word for word in words if word)


def _attributes(cls: Any) -> dict[str, Any]:
    return {
        name: repr(value) if isinstance(value, tuple) else value
        for name, value in vars(cls).items()
        if not name.startswith("_") and isinstance(value, (list, tuple, str, int, type(None)))
    }


def _ui_attributes(cls: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(cls).items() if name.startswith("__ui_")}


def _fields(cls: Any) -> dict[str, Any]:
    return {
        name: {
            "type": _type_name(field.annotation),
            "required": field.is_required(),
            "default": None if field.is_required() else _shown(field.get_default(call_default_factory=True)),
            "constraints": sorted(map(repr, field.metadata)),
        }
        for name, field in cls.model_fields.items()
    }


def _signature(function: Any) -> str:
    signature = inspect.signature(function)
    untyped = [parameter.replace(annotation=parameter.empty) for parameter in signature.parameters.values()]
    return str(inspect.Signature(untyped))


def _shown(value: Any) -> Any:
    return f"{type(value).__name__}.{value.name}" if isinstance(value, Enum) else value


def _type_name(annotation: Any) -> str:
    plain = isinstance(annotation, type) and not typing.get_args(annotation)
    name = annotation.__name__ if plain else str(annotation)
    return name.replace("typing.", "").replace("maibot_sdk.types.", "").replace("maibot_sdk.messages.", "")
