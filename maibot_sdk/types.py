"""Words and shapes of plugin components: the enums a decorator takes and the models it fills.

The enums are plain `(str, Enum)`, as plugins know them: `str(HookMode.OBSERVE)` is not `"observe"`.
"""

from copy import deepcopy
from enum import Enum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from maibot_sdk._parameters import build_tool_detailed_description as build_tool_detailed_description
from maibot_sdk._parameters import is_complete_schema, schema_of_properties

CONFIG_RELOAD_SCOPE_SELF = "self"
"""Scope of `on_config_update` when the plugin's own configuration changed; always told, never subscribed to."""
ON_BOT_CONFIG_RELOAD = "bot"
"""Scope to subscribe to for changes of the bot's configuration."""
ON_MODEL_CONFIG_RELOAD = "model"
"""Scope to subscribe to for changes of the model configuration."""

_CONFIG_RELOAD_SUBSCRIPTION_ALIASES = {scope: scope for scope in (ON_BOT_CONFIG_RELOAD, ON_MODEL_CONFIG_RELOAD)}

# A plugin uses few of the models, and what checks them is most of the cost of importing this package.
_BUILT_ON_FIRST_USE = ConfigDict(defer_build=True)


class ComponentType(str, Enum):
    """What kind of component a plugin declares."""

    ACTION = "ACTION"
    API = "API"
    COMMAND = "COMMAND"
    TOOL = "TOOL"
    REPLY_EXTENSION = "REPLY_EXTENSION"
    EVENT_HANDLER = "EVENT_HANDLER"
    HOOK_HANDLER = "HOOK_HANDLER"
    HOME_CARD = "HOME_CARD"
    MESSAGE_GATEWAY = "MESSAGE_GATEWAY"


_COMPONENT_TYPE_ALIASES = {spelling: kind.value for kind in ComponentType for spelling in (kind.value, kind.lower())}
_REMOVED_COMPONENT_TYPE_ALIASES = {"WORKFLOW_STEP", "workflow_step"}


class ActivationType(str, Enum):
    """When a legacy action is offered to the planner."""

    NEVER = "never"
    ALWAYS = "always"
    RANDOM = "random"
    KEYWORD = "keyword"


class ChatMode(str, Enum):
    """The chat modes a legacy action is meant for."""

    FOCUS = "focus"
    NORMAL = "normal"
    PRIORITY = "priority"
    ALL = "all"


class EventType(str, Enum):
    """The events an `EventHandler` can wait for."""

    UNKNOWN = "unknown"
    ON_START = "on_start"
    ON_STOP = "on_stop"
    ON_MESSAGE_PRE_PROCESS = "on_message_pre_process"
    ON_MESSAGE = "on_message"
    ON_PLAN = "on_plan"
    POST_LLM = "post_llm"
    AFTER_LLM = "after_llm"
    POST_SEND_PRE_PROCESS = "post_send_pre_process"
    POST_SEND = "post_send"
    AFTER_SEND = "after_send"


class ToolParamType(str, Enum):
    """The type of a tool parameter; `FLOAT` is written as `number` in a JSON schema."""

    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    FLOAT = "float"
    BOOLEAN = "boolean"
    ARRAY = "array"
    OBJECT = "object"


class MessageGatewayRouteType(str, Enum):
    """Which way messages pass through a gateway, seen from the bot."""

    SEND = "send"
    RECEIVE = "receive"
    DUPLEX = "duplex"


class HookMode(str, Enum):
    """How a hook handler takes part: `BLOCKING` in turn and able to change things, `OBSERVE` beside and unable to."""

    BLOCKING = "blocking"
    OBSERVE = "observe"


class HookOrder(str, Enum):
    """The slot of a handler among those of its mode."""

    EARLY = "early"
    NORMAL = "normal"
    LATE = "late"


class ModifyFlag(str, Enum):
    """What an event handler may change of a message."""

    CAN_MODIFY_PROMPT = "can_modify_prompt"
    CAN_MODIFY_RESPONSE = "can_modify_response"
    CAN_MODIFY_MESSAGE = "can_modify_message"


class ErrorPolicy(str, Enum):
    """What a failing hook handler means: `ABORT` ends the chain, `SKIP` warns and goes on, `LOG` logs an error too."""

    ABORT = "abort"
    SKIP = "skip"
    LOG = "log"


class ToolParameterInfo(BaseModel):
    """One parameter of a tool, as its author describes it."""

    model_config = _BUILT_ON_FIRST_USE

    name: str
    param_type: ToolParamType = ToolParamType.STRING
    description: str = ""
    required: bool = True
    enum_values: list[Any] | None = None
    items_schema: dict[str, Any] | None = None
    properties: dict[str, dict[str, Any]] | None = None
    required_properties: list[str] = Field(default_factory=list)
    additional_properties: bool | dict[str, Any] | None = None
    default: Any = None

    def to_parameter_schema(self) -> dict[str, Any]:
        """The JSON schema of this parameter; `required` is not part of it, it belongs to the object around."""
        is_float = self.param_type is ToolParamType.FLOAT
        schema: dict[str, Any] = {
            "type": ToolParamType.NUMBER.value if is_float else self.param_type.value,
            "description": self.description,
        }
        if self.enum_values:
            schema["enum"] = self.enum_values
        if self.default is not None:
            schema["default"] = self.default
        if self.param_type is ToolParamType.ARRAY and self.items_schema is not None:
            schema["items"] = self.items_schema
        if self.param_type is ToolParamType.OBJECT:
            schema["properties"] = self.properties or {}
            if self.required_properties:
                schema["required"] = self.required_properties
            if self.additional_properties is not None:
                schema["additionalProperties"] = self.additional_properties
        return deepcopy(schema)


def schema_of_parameters(parameters: list[ToolParameterInfo]) -> dict[str, Any]:
    """The object schema of a list of parameters, in their order."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {parameter.name: parameter.to_parameter_schema() for parameter in parameters},
    }
    required = [parameter.name for parameter in parameters if parameter.required]
    if required:
        schema["required"] = required
    return schema


class ComponentInfo(BaseModel):
    """What every component tells about itself; `metadata` holds the free keywords of its decorator."""

    model_config = _BUILT_ON_FIRST_USE

    name: str
    type: ComponentType
    description: str = ""
    enabled: bool = True
    metadata: dict[str, Any] = Field(default_factory=dict)


class ReplyExtensionComponentInfo(ComponentInfo):
    """An extension of the reply tool. `timeout_ms` is in milliseconds; no `platforms` means all of them."""

    type: ComponentType = ComponentType.REPLY_EXTENSION
    platforms: list[str] = Field(default_factory=list)
    parameters_schema: dict[str, Any] = Field(default_factory=lambda: {"type": "object", "properties": {}})
    priority: int = 0
    timeout_ms: int = Field(default=60_000, gt=0)
    chat_scope: Literal["all", "group", "private"] = "all"
    allowed_session: list[str] = Field(default_factory=list)


class ActionComponentInfo(ComponentInfo):
    """A legacy action. `Action` declares a tool today; this shape is kept for code that builds one itself."""

    type: ComponentType = ComponentType.ACTION
    activation_type: ActivationType = ActivationType.ALWAYS
    activation_keywords: list[str] = Field(default_factory=list)
    activation_probability: float = 1.0
    chat_mode: ChatMode = ChatMode.NORMAL
    action_parameters: dict[str, Any] = Field(default_factory=dict)
    action_require: list[str] = Field(default_factory=list)
    associated_types: list[str] = Field(default_factory=list)
    parallel_action: bool = False
    action_prompt: str = ""


class APIComponentInfo(ComponentInfo):
    """An API of the plugin; other plugins may call it when it is `public`."""

    type: ComponentType = ComponentType.API
    version: str = "1"
    public: bool = False


class CommandComponentInfo(ComponentInfo):
    """A command, matched by a regular expression or one of its aliases."""

    type: ComponentType = ComponentType.COMMAND
    command_pattern: str = ""
    aliases: list[str] = Field(default_factory=list)


class ToolComponentInfo(ComponentInfo):
    """A tool the model may call. `parameters_raw` (a dict) wins over `parameters` (a list)."""

    type: ComponentType = ComponentType.TOOL
    platforms: list[str] = Field(default_factory=list)
    brief_description: str = ""
    detailed_description: str = ""
    parameters: list[ToolParameterInfo] = Field(default_factory=list)
    parameters_raw: dict[str, Any] = Field(default_factory=dict)
    invoke_method: str = "plugin.invoke_tool"

    def get_brief_description(self) -> str:
        """The one line that introduces the tool: the brief text, else the description, else one made of its name."""
        return (self.brief_description or self.description or f"工具 {self.name}").strip()

    def get_parameters_schema(self) -> dict[str, Any] | None:
        """The JSON schema of the parameters, or None for a tool without any."""
        if self.parameters_raw:
            complete = is_complete_schema(self.parameters_raw)
            return self.parameters_raw if complete else schema_of_properties(self.parameters_raw)
        if not self.parameters:
            return None
        return schema_of_parameters(self.parameters)

    def get_detailed_description(self) -> str:
        """The parameters told in words, then the detailed description as it is stored."""
        return build_tool_detailed_description(self.get_parameters_schema(), self.detailed_description)


class EventHandlerComponentInfo(ComponentInfo):
    """A handler of one event; a greater `weight` comes first."""

    type: ComponentType = ComponentType.EVENT_HANDLER
    event_type: EventType = EventType.ON_MESSAGE
    intercept_message: bool = False
    weight: int = 0


class HookHandlerComponentInfo(ComponentInfo):
    """A handler of a named hook. `timeout_ms` is in milliseconds; 0 means the default of the hook."""

    type: ComponentType = ComponentType.HOOK_HANDLER
    hook: str
    mode: HookMode = HookMode.BLOCKING
    order: HookOrder = HookOrder.NORMAL
    timeout_ms: int = 0
    error_policy: ErrorPolicy = ErrorPolicy.SKIP


class MessageGatewayComponentInfo(ComponentInfo):
    """A connection to a chat platform."""

    type: ComponentType = ComponentType.MESSAGE_GATEWAY
    route_type: MessageGatewayRouteType
    platform: str = ""
    protocol: str = ""
    account_id: str = ""
    scope: str = ""


class HomeCardComponentInfo(ComponentInfo):
    """A card on the front page of the web interface; a smaller `order` comes first."""

    type: ComponentType = ComponentType.HOME_CARD
    title: str
    content: Any = ""
    link_url: str = ""
    link_label: str = ""
    icon: str = ""
    width: str = "medium"
    order: int = 1000


class LLMProviderInfo(BaseModel):
    """A model provider that a plugin offers, found by its `client_type`."""

    model_config = _BUILT_ON_FIRST_USE

    client_type: str
    name: str = ""
    description: str = ""
    version: str = "1.0.0"
    metadata: dict[str, Any] = Field(default_factory=dict)


class CapabilityResult(BaseModel):
    """The answer of the host to a capability call."""

    model_config = _BUILT_ON_FIRST_USE

    success: bool
    result: Any = None
    error: str = ""


def normalize_component_type_name(component_type: Any) -> str:
    """The upper-case name of a component type given as enum member, or as text in all upper or all lower case.

    Raises:
        ValueError: the text is blank, names no type, or names the removed workflow step.
    """
    name = _text(component_type)
    if not name:
        raise ValueError("component type is blank / 组件类型不能为空")
    if name in _REMOVED_COMPONENT_TYPE_ALIASES:
        raise ValueError(
            f"component type {name!r} was removed: declare the method with @HookHandler instead / "
            f"组件类型 {name!r} 已移除：请改用 @HookHandler 声明该方法"
        )
    if name not in _COMPONENT_TYPE_ALIASES:
        known = ", ".join(ComponentType)
        raise ValueError(f"unknown component type {name!r}; known: {known} / 未知的组件类型 {name!r}，可用：{known}")
    return _COMPONENT_TYPE_ALIASES[name]


def normalize_config_reload_subscription(subscription: Any) -> str:
    """The scope of a configuration reload that a plugin can subscribe to: `bot` or `model`, in any case.

    Raises:
        ValueError: another scope. `self` is one too: a plugin is told of its own configuration without asking.
    """
    scope = _text(subscription).lower()
    if scope not in _CONFIG_RELOAD_SUBSCRIPTION_ALIASES:
        known = ", ".join(_CONFIG_RELOAD_SUBSCRIPTION_ALIASES)
        raise ValueError(
            f"cannot subscribe to the configuration scope {subscription!r}; known: {known} / "
            f"无法订阅配置范围 {subscription!r}，可用：{known}"
        )
    return _CONFIG_RELOAD_SUBSCRIPTION_ALIASES[scope]


def _text(value: Any) -> str:
    return str(value.value if isinstance(value, Enum) else value).strip()
