"""Finding the marked functions of a plugin instance.

Attributes are looked up statically: scanning a plugin runs none of its code, so a property that raises, sleeps or
connects somewhere does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import itemgetter
from types import MethodType
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from maibot_sdk._components.marking import COMPONENT_INFO_ATTR, LLM_PROVIDER_INFO_ATTR
from maibot_sdk.types import ComponentInfo, LLMProviderInfo, ReplyExtensionComponentInfo

_WRAPPERS = (staticmethod, classmethod, MethodType)
InfoT = TypeVar("InfoT", bound=BaseModel)


def collect_components(instance: object) -> list[dict[str, Any]]:
    """Every component declared on `instance` by a decorator, in alphabetical order of the attributes.

    Inherited, private and name-mangled attributes count, and functions set on the instance; an override without a
    decorator hides what it overrides.

    Returns:
        A dict each: `name`, `type` (upper case) and `metadata`, which holds the free keywords of the decorator as they
        are, the declared fields over them as JSON, and `handler_name`, the attribute to call. A reply extension has
        `chat_scope` and `allowed_session` beside these. Dicts and lists in them are new ones.

    Raises:
        pydantic_core.PydanticSerializationError: a declared value cannot be written as JSON; a note says which.
    """
    return [_component(name, info) for name, info in _marked(instance, COMPONENT_INFO_ATTR, ComponentInfo)]


def collect_llm_providers(instance: object) -> list[dict[str, Any]]:
    """Every model provider declared on `instance`: `client_type`, `name`, `description`, `version` and `metadata`.

    Order and lookup are those of `collect_components`; `metadata["handler_name"]` is the attribute to call, unless the
    decorator was given another one as a free keyword.
    """
    providers = []
    for handler_name, info in _marked(instance, LLM_PROVIDER_INFO_ATTR, LLMProviderInfo):
        metadata = {"handler_name": handler_name, **_copied(info.metadata)}
        providers.append({**_dump(handler_name, info), "metadata": metadata})
    return providers


def _component(handler_name: str, info: ComponentInfo) -> dict[str, Any]:
    fields = _dump(handler_name, info)
    component = {key: fields.pop(key) for key in ("name", "type")}
    if isinstance(info, ReplyExtensionComponentInfo):
        component |= {"chat_scope": fields["chat_scope"], "allowed_session": list(fields["allowed_session"])}
    component["metadata"] = {**_copied(info.metadata), **fields, "handler_name": handler_name}
    return component


def _dump(handler_name: str, info: BaseModel) -> dict[str, Any]:
    try:
        return info.model_dump(mode="json", exclude={"metadata"})
    except ValueError as error:
        error.add_note(f"while collecting the component on {handler_name!r} / 收集组件 {handler_name!r} 时出错")
        raise


def _copied(value: Any) -> Any:
    match value:
        case dict():
            return {key: _copied(member) for key, member in value.items()}
        case list():
            return [_copied(member) for member in value]
    return value


def _marked(instance: object, marker: str, kind: type[InfoT]) -> Iterator[tuple[str, InfoT]]:
    for name, attribute in sorted(_attributes(instance).items(), key=itemgetter(0)):
        info = _own(attribute).get(marker)
        if info is None and issubclass(type(attribute), _WRAPPERS):
            # Not `isinstance`: that asks the attribute, which may answer with code of the plugin.
            info = _own(cast("MethodType", attribute).__func__).get(marker)
        if isinstance(info, kind):
            yield name, info


def _attributes(instance: object) -> dict[str, object]:
    """What the classes of `instance` hold, the nearest first, and before them what it holds itself."""
    held: dict[str, object] = {}
    for kind in reversed(type(instance).__mro__):
        held |= vars(kind)
    return held | dict(_own(instance))


def _own(thing: object) -> Mapping[str, object]:
    """What `thing` holds itself. Not by `vars`: that lets the class answer."""
    try:
        own: object = object.__getattribute__(thing, "__dict__")
    except AttributeError:
        return {}
    return own if isinstance(own, Mapping) else {}
