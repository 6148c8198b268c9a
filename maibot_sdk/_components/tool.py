"""The `Tool` decorator, and `Action`, which declares a tool in the words of an older interface."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

from maibot_sdk._components.explanation import Explained, describing, member_of
from maibot_sdk._components.marking import F, mark, platforms_of, text_of
from maibot_sdk._components.target import refuse_bare
from maibot_sdk._parameters import build_tool_detailed_description, join_paragraphs
from maibot_sdk.types import ActivationType, ChatMode, ComponentType, ToolComponentInfo, ToolParameterInfo

_UNTOLD = "无说明"


def Tool(
    name: str,
    description: str = "",
    brief_description: str = "",
    detailed_description: str = "",
    parameters: list[ToolParameterInfo] | dict[str, Any] | None = None,
    *,
    platforms: str | list[str] | None = None,
    **metadata: Any,
) -> Callable[[F], F]:
    """Declare a method as a tool that the model may call.

    Args:
        name: the name the model calls it by, unique within the plugin.
        description: what it does; the brief description where none is given.
        brief_description: one line for the list of tools.
        detailed_description: told after the summary of the parameters, once the model looks closer.
        parameters: a list of `ToolParameterInfo`; or a JSON schema; or a map from parameter name to property schema,
            where `required: True` inside a property is understood.
        platforms: the platforms where the tool is offered; all of them when not given.
        metadata: free keywords, handed to the host as they are.

    Raises:
        ValueError: `platforms` holds something that is no platform name.
        TypeError: `parameters` is neither a list nor a dict; or used without parentheses, or on something that is no
            method.
        pydantic.ValidationError: a value has a wrong type.
    """
    refuse_bare(name, "Tool", '"hello"')
    listed, raw = _parameters_of(name, parameters)
    platform_names = platforms_of(platforms, "Tool")
    detailed = text_of(detailed_description)

    def declare(function: F) -> F:
        with describing(function, "Tool", ToolComponentInfo):
            info = ToolComponentInfo(
                name=name,
                description=text_of(description),
                brief_description=text_of(brief_description),
                platforms=platform_names,
                parameters=listed,
                parameters_raw=raw,
                metadata=metadata,
            )
        info.description = info.brief_description = info.get_brief_description()
        info.detailed_description = build_tool_detailed_description(info.get_parameters_schema(), detailed)
        return mark(function, info)

    return declare


def Action(
    name: str,
    description: str = "",
    activation_type: ActivationType = ActivationType.ALWAYS,
    activation_keywords: list[str] | None = None,
    activation_probability: float = 1.0,
    chat_mode: ChatMode = ChatMode.NORMAL,
    action_parameters: dict[str, Any] | None = None,
    action_require: list[str] | None = None,
    associated_types: list[str] | None = None,
    parallel_action: bool = False,
    action_prompt: str = "",
    **metadata: Any,
) -> Callable[[F], F]:
    """Declare a method as a legacy action; use `Tool` in new code.

    What is registered is a tool: each of `action_parameters` (name to text) becomes a text parameter, and conditions,
    activation and prompt are told in the detailed description. The values given here stay readable in the metadata.

    Args:
        name: the name the model calls it by, unique within the plugin.
        description: what it does.
        activation_type: when it is offered.
        activation_keywords: words that make it offered, for `ActivationType.KEYWORD`.
        activation_probability: 0 to 1, for `ActivationType.RANDOM`.
        chat_mode: the chat mode it is meant for.
        action_parameters: parameter name to its description.
        action_require: conditions for using it, a line each.
        associated_types: kinds of message content it produces.
        parallel_action: whether it may run beside a reply.
        action_prompt: a last hint for the model.
        metadata: free keywords, handed to the host as they are.

    Raises:
        TypeError: used without parentheses, or on something that is no method.
        ValueError: `activation_type` or `chat_mode` is none of its enum.
        pydantic.ValidationError: another value has a wrong type.
    """
    refuse_bare(name, "Action", '"hello"')
    warnings.warn("@Action is deprecated, use @Tool / @Action 已弃用，请改用 @Tool", DeprecationWarning, stacklevel=2)
    activation = member_of(ActivationType, activation_type, "@Action: activation_type")
    mode = member_of(ChatMode, chat_mode, "@Action: chat_mode")
    told_parameters = dict(action_parameters or {})
    keywords, conditions = list(activation_keywords or []), list(action_require or [])
    produced = list(associated_types or [])
    schema = _action_schema(told_parameters)
    detailed = join_paragraphs(
        build_tool_detailed_description(schema),
        _conditions(_told(conditions)),
        _produced(_told(produced)),
        _activation(activation, _told(keywords), text_of(action_prompt)),
    )
    legacy = {
        "legacy_action": True,
        "legacy_component_type": ComponentType.ACTION.value,
        "activation_type": activation.value,
        "activation_keywords": keywords,
        "activation_probability": activation_probability,
        "chat_mode": mode.value,
        "action_parameters": told_parameters,
        "action_require": conditions,
        "associated_types": produced,
        "parallel_action": parallel_action,
        "action_prompt": action_prompt,
    }

    def declare(function: F) -> F:
        with describing(function, "Action", ToolComponentInfo):
            info = ToolComponentInfo(
                name=name,
                description=text_of(description),
                detailed_description=detailed,
                parameters_raw=schema,
                invoke_method="plugin.invoke_action",
                metadata={**metadata, **legacy},
            )
        info.description = info.brief_description = info.get_brief_description()
        return mark(function, info)

    return declare


def _parameters_of(tool: str, given: object) -> tuple[list[ToolParameterInfo], dict[str, Any]]:
    match given:
        case dict():
            return [], given
        case list() | tuple():
            return [_parameter_of(tool, position, parameter) for position, parameter in enumerate(given)], {}
        case None | "":
            return [], {}
    raise TypeError(
        f"@Tool {tool!r}: parameters takes a list of ToolParameterInfo or a dict, got {type(given).__name__}; "
        'write parameters=[ToolParameterInfo(name="...")] / '
        f"@Tool {tool!r}：parameters 必须是 ToolParameterInfo 列表或字典，收到 {type(given).__name__}；"
        '请写 parameters=[ToolParameterInfo(name="...")]'
    )


def _parameter_of(tool: str, position: int, given: object) -> ToolParameterInfo:
    with Explained(f"@Tool {tool!r}", ToolParameterInfo, ("parameters", position)):
        return ToolParameterInfo.model_validate(given)


def _action_schema(parameters: dict[str, Any]) -> dict[str, Any]:
    if not parameters:
        return {}
    return {
        "type": "object",
        "properties": {
            name: {"type": "string", "description": _UNTOLD if told is None else str(told)}
            for name, told in parameters.items()
        },
    }


def _conditions(entries: list[str]) -> str:
    return "\n".join(["使用条件：", *(f"- {entry}" for entry in entries)]) if entries else ""


def _produced(kinds: list[str]) -> str:
    return f"关联的消息类型：{'、'.join(kinds)}" if kinds else ""


def _activation(kind: ActivationType, keywords: list[str], prompt: str) -> str:
    lines = [f"激活方式：{kind.value}"]
    if keywords:
        lines.append(f"激活关键词：{'、'.join(keywords)}")
    if prompt:
        lines.append(f"提示：{prompt}")
    return "\n".join(lines)


def _told(entries: Iterable[object]) -> list[str]:
    """Those of the entries that say something, as trimmed text."""
    return [text for entry in entries if (text := str(entry).strip())]
