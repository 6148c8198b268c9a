"""The hooks of the agent framework Bub, served by this host: the second family over the kernel.

Its plugins run in the host's process and hand live objects around: they are not isolated. Neither ``bub`` nor
``pluggy`` is needed; a plugin that imports its own package is served all the same, since markers are read as what they
leave on a function, and decisions are known by their shape.
"""

from host.bub.agent_hooks import AgentHooks, PluginAgentHooks
from host.bub.agent_plugins import AgentPlugins
from host.bub.catalogue import HOOKS, BubHook
from host.bub.errors import BubError, PluginValidationError
from host.bub.framework import Framework, TurnResult
from host.bub.marks import hookimpl
from host.bub.options import ModelChoice, ModelOptions
from host.bub.payloads import (
    AdmitDecision,
    LLMCallDecision,
    LLMCallRequest,
    LLMCallResult,
    ToolCall,
    ToolCallDecision,
    ToolCallResult,
    TurnSnapshot,
)
from host.bub.plugins import Plugins, PluginStatus
from host.bub.runtime import HookRuntime, ModelSelection
from host.bub.streaming import AsyncStreamEvents, StreamEvent, StreamState
from host.bub.tools import Tool, ToolExecution, ToolExecutor

__all__ = [
    "HOOKS",
    "AdmitDecision",
    "AgentHooks",
    "AgentPlugins",
    "AsyncStreamEvents",
    "BubError",
    "BubHook",
    "Framework",
    "HookRuntime",
    "LLMCallDecision",
    "LLMCallRequest",
    "LLMCallResult",
    "ModelChoice",
    "ModelOptions",
    "ModelSelection",
    "PluginAgentHooks",
    "PluginStatus",
    "PluginValidationError",
    "Plugins",
    "StreamEvent",
    "StreamState",
    "Tool",
    "ToolCall",
    "ToolCallDecision",
    "ToolCallResult",
    "ToolExecution",
    "ToolExecutor",
    "TurnResult",
    "TurnSnapshot",
    "hookimpl",
]
