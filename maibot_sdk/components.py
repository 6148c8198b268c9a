"""The decorators that declare what a plugin consists of, and how the declarations are collected.

Every decorator returns the method it is given, with the description of the component on it. One function carries one
component: the outermost decorator wins.
"""

from __future__ import annotations

import warnings as warnings
from collections.abc import Callable
from typing import Any, Literal

from maibot_sdk._components.collect import collect_components as collect_components
from maibot_sdk._components.collect import collect_llm_providers as collect_llm_providers
from maibot_sdk._components.explanation import describing as _describing
from maibot_sdk._components.hook_handler import HookHandler as HookHandler
from maibot_sdk._components.marking import (
    COMPONENT_INFO_ATTR,
    LLM_PROVIDER_INFO_ATTR,
    F,
    mark,
    required_text_of,
    text_of,
)
from maibot_sdk._components.marking import integer_of as _integer_of
from maibot_sdk._components.reply_extension import ReplyExtension as ReplyExtension
from maibot_sdk._components.target import name_of as _name_of
from maibot_sdk._components.target import refuse_bare as _refuse_bare
from maibot_sdk._components.tool import Action as Action
from maibot_sdk._components.tool import Tool as Tool
from maibot_sdk._components.workflow_step import WorkflowStep as WorkflowStep
from maibot_sdk.types import ActivationType as ActivationType
from maibot_sdk.types import APIComponentInfo as APIComponentInfo
from maibot_sdk.types import ChatMode as ChatMode
from maibot_sdk.types import CommandComponentInfo as CommandComponentInfo
from maibot_sdk.types import ErrorPolicy as ErrorPolicy
from maibot_sdk.types import EventHandlerComponentInfo as EventHandlerComponentInfo
from maibot_sdk.types import EventType as EventType
from maibot_sdk.types import HomeCardComponentInfo as HomeCardComponentInfo
from maibot_sdk.types import HookHandlerComponentInfo as HookHandlerComponentInfo
from maibot_sdk.types import HookMode as HookMode
from maibot_sdk.types import HookOrder as HookOrder
from maibot_sdk.types import LLMProviderInfo as LLMProviderInfo
from maibot_sdk.types import MessageGatewayComponentInfo as MessageGatewayComponentInfo
from maibot_sdk.types import MessageGatewayRouteType as MessageGatewayRouteType
from maibot_sdk.types import ReplyExtensionComponentInfo as ReplyExtensionComponentInfo
from maibot_sdk.types import ToolComponentInfo as ToolComponentInfo
from maibot_sdk.types import ToolParameterInfo as ToolParameterInfo
from maibot_sdk.types import build_tool_detailed_description as build_tool_detailed_description

# Under these names the tests of public plugins look for the marks.
_COMPONENT_INFO_ATTR = COMPONENT_INFO_ATTR
_LLM_PROVIDER_INFO_ATTR = LLM_PROVIDER_INFO_ATTR

_ROUTE_TYPES = {
    "send": MessageGatewayRouteType.SEND,
    "receive": MessageGatewayRouteType.RECEIVE,
    "recv": MessageGatewayRouteType.RECEIVE,
    "recive": MessageGatewayRouteType.RECEIVE,
    "duplex": MessageGatewayRouteType.DUPLEX,
}


def Command(
    name: str,
    description: str = "",
    pattern: str = "",
    aliases: list[str] | None = None,
    **metadata: Any,
) -> Callable[[F], F]:
    """Declare a method as a command.

    Args:
        name: unique within the plugin; any script.
        description: shown in the list of commands.
        pattern: a regular expression that the text of a message is matched against; named groups are handed over.
        aliases: texts that call the command too.
        metadata: free keywords, handed to the host as they are (`timeout_ms`, `intercept_message_level`, ...).

    Raises:
        TypeError: used without parentheses, or on something that is no method.
        pydantic.ValidationError: a value has a wrong type.
    """
    _refuse_bare(name, "Command", '"hello"')

    def declare(function: F) -> F:
        with _describing(function, "Command", CommandComponentInfo):
            info = CommandComponentInfo(
                name=name,
                description=description,
                command_pattern=pattern,
                aliases=aliases or [],
                metadata=metadata,
            )
        return mark(function, info)

    return declare


def API(
    name: str,
    description: str = "",
    version: str = "1",
    public: bool = False,
    **metadata: Any,
) -> Callable[[F], F]:
    """Declare a method as an API that can be called by name.

    Args:
        name: unique within the plugin for each version.
        description: what it does and returns.
        version: any text; `1` when blank.
        public: whether other plugins may call it.
        metadata: free keywords, handed to the host as they are.

    Raises:
        TypeError: used without parentheses, or on something that is no method.
        pydantic.ValidationError: a value has a wrong type.
    """
    _refuse_bare(name, "API", '"hello"')

    def declare(function: F) -> F:
        with _describing(function, "API", APIComponentInfo):
            info = APIComponentInfo(
                name=name,
                description=description,
                version=text_of(version) or "1",
                public=bool(public),
                metadata=metadata,
            )
        return mark(function, info)

    return declare


def EventHandler(
    name: str,
    description: str = "",
    event_type: EventType = EventType.ON_MESSAGE,
    intercept_message: bool = False,
    weight: int = 0,
    **metadata: Any,
) -> Callable[[F], F]:
    """Declare a method as the handler of an event.

    Args:
        name: unique within the plugin.
        description: what it does.
        event_type: the event, as a member or its value.
        intercept_message: whether the event waits for this handler, which then may stop or change the message.
        weight: greater comes first.
        metadata: free keywords, handed to the host as they are.

    Raises:
        TypeError: used without parentheses, or on something that is no method.
        pydantic.ValidationError: a value has a wrong type.
    """
    _refuse_bare(name, "EventHandler", '"hello"')

    def declare(function: F) -> F:
        with _describing(function, "EventHandler", EventHandlerComponentInfo):
            info = EventHandlerComponentInfo(
                name=name,
                description=description,
                event_type=event_type,
                intercept_message=intercept_message,
                weight=weight,
                metadata=metadata,
            )
        return mark(function, info)

    return declare


def HomeCard(
    name: str,
    title: str,
    content: Any = "",
    *,
    description: str = "",
    link_url: str = "",
    link_label: str = "",
    icon: str = "",
    width: str = "medium",
    order: int = 1000,
    **metadata: Any,
) -> Callable[[F], F]:
    """Declare a card on the front page of the web interface.

    Args:
        name: unique within the plugin.
        title: heading of the card.
        content: what it shows; anything that can be written as JSON.
        description: what the card is for.
        link_url: where a click leads.
        link_label: text of the link.
        icon: name of an icon.
        width: `small`, `medium`, `large` or `full`.
        order: smaller comes first.
        metadata: free keywords, handed to the host as they are.

    Raises:
        TypeError: used on something that is no method.
        ValueError: name or title is blank, or `order` is no number.
    """
    card = {
        "name": required_text_of(name, "HomeCard", "name"),
        "title": required_text_of(title, "HomeCard", "title"),
        "content": content,
        "description": description,
        "link_url": text_of(link_url),
        "link_label": text_of(link_label),
        "icon": text_of(icon),
        "width": text_of(width).lower() or "medium",
        "order": _integer_of(order, "HomeCard", "order"),
        "metadata": metadata,
    }

    def declare(function: F) -> F:
        with _describing(function, "HomeCard", HomeCardComponentInfo):
            info = HomeCardComponentInfo.model_validate(card)
        return mark(function, info)

    return declare


def MessageGateway(
    route_type: Literal["send", "receive", "recv", "recive", "duplex"] | MessageGatewayRouteType,
    *,
    name: str = "",
    description: str = "",
    platform: str = "",
    protocol: str = "",
    account_id: str = "",
    scope: str = "",
    **metadata: Any,
) -> Callable[[F], F]:
    """Declare a method as a connection to a chat platform.

    Args:
        route_type: which way messages pass: `send` (to the platform), `receive` (from it) or `duplex`, in any case.
        name: unique within the plugin; the name of the method when not given.
        description: what it connects to.
        platform: name of the platform, such as `qq`.
        protocol: how it talks to the platform.
        account_id: the account it stands for, where there are several.
        scope: a further word to tell routes of one account apart.
        metadata: free keywords, handed to the host as they are.

    Raises:
        TypeError: used on something that is no method.
        ValueError: `route_type` is none of the three ways.
    """
    route = _ROUTE_TYPES.get(text_of(route_type).lower())
    if route is None:
        raise ValueError(
            f"@MessageGateway: route_type is send, receive or duplex, got {route_type!r}; "
            'write @MessageGateway("duplex") / '
            f"@MessageGateway：route_type 只能是 send、receive 或 duplex，收到 {route_type!r}；"
            '请写 @MessageGateway("duplex")'
        )

    def declare(function: F) -> F:
        with _describing(function, "MessageGateway", MessageGatewayComponentInfo):
            info = MessageGatewayComponentInfo(
                name=name or _name_of(function, "MessageGateway"),
                description=description,
                route_type=route,
                platform=text_of(platform),
                protocol=text_of(protocol),
                account_id=text_of(account_id),
                scope=text_of(scope),
                metadata=metadata,
            )
        return mark(function, info)

    return declare


def LLMProvider(
    client_type: str,
    *,
    name: str = "",
    description: str = "",
    version: str = "1.0.0",
    **metadata: Any,
) -> Callable[[F], F]:
    """Declare a method that makes a model provider. A function may carry this mark beside that of a component.

    Args:
        client_type: the word by which the model configuration names the provider.
        name: shown to people; the client type when not given.
        description: what it connects to.
        version: version of the provider; `1.0.0` when blank.
        metadata: free keywords, handed to the host as they are.

    Raises:
        TypeError: used without parentheses, or on something that can be no provider.
        ValueError: `client_type` is blank.
        pydantic.ValidationError: a value has a wrong type.
    """
    _refuse_bare(client_type, "LLMProvider", '"my-service"')
    client = required_text_of(client_type, "LLMProvider", "client_type")

    def declare(function: F) -> F:
        with _describing(function, "LLMProvider", LLMProviderInfo, classes=True):
            info = LLMProviderInfo(
                client_type=client,
                name=text_of(name or client),
                description=description,
                version=text_of(version) or "1.0.0",
                metadata=metadata,
            )
        setattr(function, _LLM_PROVIDER_INFO_ATTR, info)
        return function

    return declare
