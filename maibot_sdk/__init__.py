"""The plugin interface: derive from `MaiBotPlugin` and declare what the plugin offers with decorators."""

from pydantic import Field

from maibot_sdk.capabilities.send import SendResult
from maibot_sdk.components import (
    API,
    Action,
    Command,
    EventHandler,
    HomeCard,
    HookHandler,
    LLMProvider,
    MessageGateway,
    ReplyExtension,
    Tool,
    WorkflowStep,
)
from maibot_sdk.config import PluginConfigBase
from maibot_sdk.context import PluginContext, PluginPaths
from maibot_sdk.llm_provider import LLMProviderBase
from maibot_sdk.plugin import MaiBotPlugin
from maibot_sdk.types import CONFIG_RELOAD_SCOPE_SELF, ON_BOT_CONFIG_RELOAD, ON_MODEL_CONFIG_RELOAD

__version__ = "2.16.0"

__all__ = [
    "API",
    "CONFIG_RELOAD_SCOPE_SELF",
    "ON_BOT_CONFIG_RELOAD",
    "ON_MODEL_CONFIG_RELOAD",
    "Action",
    "Command",
    "EventHandler",
    "Field",
    "HomeCard",
    "HookHandler",
    "LLMProvider",
    "LLMProviderBase",
    "MaiBotPlugin",
    "MessageGateway",
    "PluginConfigBase",
    "PluginContext",
    "PluginPaths",
    "ReplyExtension",
    "SendResult",
    "Tool",
    "WorkflowStep",
]
