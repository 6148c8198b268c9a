"""The plugin interface: derive from `MaiBotPlugin` and declare what the plugin offers with decorators.

Every name here loads when it is first asked for; `maibot_sdk._late` says what comes along with it.
"""

from typing import TYPE_CHECKING

from maibot_sdk._late import late

if TYPE_CHECKING:
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
else:
    __getattr__, __dir__ = late(
        __name__,
        {
            "pydantic": ("Field",),
            "maibot_sdk.capabilities": ("capabilities",),
            "maibot_sdk.capabilities.send": ("SendResult",),
            "maibot_sdk.components": (
                "components",
                "API",
                "Action",
                "Command",
                "EventHandler",
                "HomeCard",
                "HookHandler",
                "LLMProvider",
                "MessageGateway",
                "ReplyExtension",
                "Tool",
                "WorkflowStep",
            ),
            "maibot_sdk.config": ("config", "PluginConfigBase"),
            "maibot_sdk.context": ("context", "PluginContext", "PluginPaths"),
            "maibot_sdk.llm_provider": ("llm_provider", "LLMProviderBase"),
            "maibot_sdk.plugin": ("plugin", "MaiBotPlugin"),
            "maibot_sdk.types": (
                "types",
                "CONFIG_RELOAD_SCOPE_SELF",
                "ON_BOT_CONFIG_RELOAD",
                "ON_MODEL_CONFIG_RELOAD",
            ),
        },
    )

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
