"""What a plugin holds of the host: its id, its folders, its logger, and calls to the host."""

from __future__ import annotations

import logging as stdlib_logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from maibot_sdk._results import unwrap
from maibot_sdk.capabilities.api import APICapability
from maibot_sdk.capabilities.chat import ChatCapability
from maibot_sdk.capabilities.component import ComponentCapability
from maibot_sdk.capabilities.config import ConfigCapability
from maibot_sdk.capabilities.database import DatabaseCapability
from maibot_sdk.capabilities.emoji import EmojiCapability
from maibot_sdk.capabilities.frequency import FrequencyCapability
from maibot_sdk.capabilities.gateway import GatewayCapability
from maibot_sdk.capabilities.knowledge import KnowledgeCapability
from maibot_sdk.capabilities.llm import LLMCapability
from maibot_sdk.capabilities.maisaka import MaisakaCapability
from maibot_sdk.capabilities.market import MarketCapability
from maibot_sdk.capabilities.message import MessageCapability
from maibot_sdk.capabilities.person import PersonCapability
from maibot_sdk.capabilities.render import RenderCapability
from maibot_sdk.capabilities.send import SendCapability
from maibot_sdk.capabilities.statistics import StatisticsCapability
from maibot_sdk.capabilities.tool import ToolCapability
from maibot_sdk.capabilities.webui import WebUICapability

RpcCallFn: TypeAlias = Callable[..., Awaitable[Any]]
"""`await rpc_call(method, plugin_id, payload)`, with `timeout_ms=` where there is a deadline; the host's answer."""

CAPABILITY_CALL = "cap.call"
_ALLOWED_RAW_HOST_METHODS = frozenset({CAPABILITY_CALL, "host.route_message", "host.update_message_gateway_state"})


@dataclass(frozen=True)
class PluginPaths:
    """The folders of a plugin: `data_dir` is kept between runs, `runtime_dir` may be emptied. Nothing is created."""

    data_dir: Path
    runtime_dir: Path


class PluginContext:
    """The plugin's way to the host, set before `on_load` runs.

    What can be asked stands in `maibot_sdk.capabilities`: `ctx.send.text(...)`, `ctx.llm.generate(...)` and so on. An
    attribute that does not exist raises AttributeError, so that plugins can test for features.

    Args:
        plugin_id: the id of the plugin.
        rpc_call: an async callable that carries a call to the host; without one every call raises RuntimeError.
        paths: the folders of the plugin; `data/plugins/<id>` and `temp/plugins/<id>` when not given.
    """

    def __init__(self, plugin_id: str, rpc_call: RpcCallFn | None = None, paths: PluginPaths | None = None) -> None:
        self._plugin_id = plugin_id
        self._rpc_call = rpc_call
        self.paths = paths or PluginPaths(Path("data/plugins", plugin_id), Path("temp/plugins", plugin_id))
        self.api = APICapability(self)
        self.webui = WebUICapability(self)
        self.gateway = GatewayCapability(self)
        self.send = SendCapability(self)
        self.db = DatabaseCapability(self)
        self.llm = LLMCapability(self)
        self.config = ConfigCapability(self)
        self.emoji = EmojiCapability(self)
        self.message = MessageCapability(self)
        self.frequency = FrequencyCapability(self)
        self.component = ComponentCapability(self)
        self.chat = ChatCapability(self)
        self.person = PersonCapability(self)
        self.render = RenderCapability(self)
        self.knowledge = KnowledgeCapability(self)
        self.tool = ToolCapability(self)
        self.statistics = StatisticsCapability(self)
        self.maisaka = MaisakaCapability(self)
        self.market = MarketCapability(self)

    @property
    def plugin_id(self) -> str:
        """The id of the plugin."""
        return self._plugin_id

    @property
    def logger(self) -> stdlib_logging.Logger:
        """The standard logger `plugin.<id>`."""
        return stdlib_logging.getLogger(f"plugin.{self._plugin_id}")

    async def call_host_method(
        self,
        method: str,
        *,
        plugin_id: str = "",
        payload: dict[str, Any] | None = None,
        timeout_ms: int | None = None,
    ) -> Any:
        """Call a method of the host and return its answer as it came.

        Args:
            method: `cap.call`, `host.route_message` or `host.update_message_gateway_state`.
            plugin_id: in whose name; the plugin's own id when empty.
            payload: what the method takes.
            timeout_ms: deadline in milliseconds; the host's own when not given.

        Raises:
            RuntimeError: there is no connection to the host.
            PermissionError: another method.
            Exception: whatever the connection raises.
        """
        if self._rpc_call is None:
            raise RuntimeError(
                f"plugin {self._plugin_id!r} is not connected to a host / 插件 {self._plugin_id!r} 尚未连接到主程序"
            )
        name = method.strip()
        if name not in _ALLOWED_RAW_HOST_METHODS:
            allowed = ", ".join(sorted(_ALLOWED_RAW_HOST_METHODS))
            raise PermissionError(
                f"host method {name or '<empty>'} may not be called; allowed: {allowed} / "
                f"不允许调用主程序方法 {name or '<empty>'}，可用：{allowed}"
            )
        deadline = {} if timeout_ms is None else {"timeout_ms": timeout_ms}
        return await self._rpc_call(name, plugin_id or self._plugin_id, payload, **deadline)

    async def call_capability(self, capability: str, timeout_ms: int | None = None, **kwargs: Any) -> Any:
        """Ask the host for something by the name of a capability, such as `send.text`.

        Args:
            capability: its name; the host knows which there are.
            timeout_ms: deadline in milliseconds; the host's own when not given.
            kwargs: the arguments of the capability, None included.

        Returns:
            What is of use in the answer: the value it is asked for, or whether it succeeded, or else the answer itself.
            A failure does not raise; it comes back as the dict that the host gave.

        Raises:
            RuntimeError: there is no connection to the host.
            Exception: whatever the connection raises.
        """
        payload = {"capability": capability, "args": kwargs}
        answer = await self.call_host_method(CAPABILITY_CALL, payload=payload, timeout_ms=timeout_ms)
        return unwrap(capability, kwargs, answer)
