"""The `ReplyExtension` decorator: further arguments of the reply tool, and the method that handles them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from maibot_sdk._components.explanation import describing
from maibot_sdk._components.marking import F, mark, platforms_of
from maibot_sdk._components.target import refuse_bare
from maibot_sdk._parameters import schema_of_properties
from maibot_sdk.types import ReplyExtensionComponentInfo, ToolParameterInfo, schema_of_parameters


def ReplyExtension(
    name: str,
    description: str = "",
    parameters: list[ToolParameterInfo] | dict[str, Any] | None = None,
    *,
    platforms: str | list[str] | None = None,
    priority: int = 0,
    timeout_ms: int = 60_000,
    chat_scope: Literal["all", "group", "private"] = "all",
    allowed_session: list[str] | None = None,
    enabled: bool = True,
    **metadata: Any,
) -> Callable[[F], F]:
    """Declare a method as an extension of the reply tool.

    Args:
        name: unique within the plugin.
        description: told to the model.
        parameters: a list of `ToolParameterInfo`; or a JSON schema of type `object`; or a map from parameter name to
            property schema, where `required: True` inside a property is understood. Unless a schema says otherwise,
            no further properties are allowed.
        platforms: where it is offered; on all platforms when not given.
        priority: smaller comes first; extensions of the same priority by their full name.
        timeout_ms: deadline of one call in milliseconds, more than 0.
        chat_scope: the kinds of chat it is offered in.
        allowed_session: session ids it is limited to; no limit when empty.
        enabled: whether it starts switched on.
        metadata: free keywords, handed to the host as they are.

    Raises:
        TypeError: `parameters`, or a member of it, has a wrong type; or used without parentheses, or on something that
            is no method.
        ValueError: `parameters` is a schema of another type than `object`, or `platforms` holds a wrong name.
        pydantic.ValidationError: another value is wrong.
    """
    refuse_bare(name, "ReplyExtension", '"hello"')
    schema = _schema_of(parameters)
    platform_names = platforms_of(platforms, "ReplyExtension")

    def declare(function: F) -> F:
        with describing(function, "ReplyExtension", ReplyExtensionComponentInfo):
            info = ReplyExtensionComponentInfo(
                name=name,
                description=description,
                enabled=enabled,
                metadata=metadata,
                platforms=platform_names,
                parameters_schema=schema,
                priority=priority,
                timeout_ms=timeout_ms,
                chat_scope=chat_scope,
                allowed_session=allowed_session or [],
            )
        return mark(function, info)

    return declare


def _schema_of(given: object) -> dict[str, Any]:
    match given:
        case None:
            schema: dict[str, Any] = schema_of_parameters([])
        case list():
            schema = schema_of_parameters([_parameter_of(member) for member in given])
        case dict() if "type" in given or "properties" in given:
            schema = _complete_schema_of(given)
        case dict():
            schema = schema_of_properties({name: _property_of(name, member) for name, member in given.items()})
        case _:
            found = type(given).__name__
            raise TypeError(
                f"@ReplyExtension: parameters takes a list of ToolParameterInfo or a dict, got {found}; "
                'write parameters=[ToolParameterInfo(name="...")] / '
                f"@ReplyExtension：parameters 必须是 ToolParameterInfo 列表或字典，收到 {found}；"
                '请写 parameters=[ToolParameterInfo(name="...")]'
            )
    return {"additionalProperties": False} | schema


def _complete_schema_of(given: dict[str, Any]) -> dict[str, Any]:
    if given.get("type") != "object":
        raise ValueError(
            f"@ReplyExtension: a JSON schema given as parameters has the type 'object', got {given.get('type')!r} / "
            f"@ReplyExtension：作为 parameters 的 JSON schema 类型必须是 'object'，收到 {given.get('type')!r}"
        )
    return given


def _parameter_of(member: object) -> ToolParameterInfo:
    if not isinstance(member, ToolParameterInfo):
        raise TypeError(
            f"@ReplyExtension: a list of parameters holds ToolParameterInfo only, got {type(member).__name__} / "
            f"@ReplyExtension：parameters 列表只能包含 ToolParameterInfo，收到 {type(member).__name__}"
        )
    return member


def _property_of(name: str, member: object) -> dict[str, Any]:
    if not isinstance(member, dict):
        raise TypeError(
            f"@ReplyExtension: the schema of parameter {name!r} is a dict, got {type(member).__name__} / "
            f"@ReplyExtension：参数 {name!r} 的 schema 必须是字典，收到 {type(member).__name__}"
        )
    return member
