"""APIs that a plugin offers and withdraws while it runs."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from maibot_sdk._components.marking import text_of
from maibot_sdk.types import ComponentType

DEFAULT_OFFLINE_REASON = "动态 API 已下线"
"""What callers of a dynamic API that is gone are told, unless the plugin says something else."""


class DynamicApis:
    """The dynamic APIs of one plugin.

    An API is known by name and version, its handler by the handler name: two APIs under one handler name share the
    handler that was registered last.
    """

    def __init__(self) -> None:
        self._components: dict[tuple[str, str], dict[str, Any]] = {}
        self._handlers: dict[str, Callable[..., Any]] = {}

    def register(
        self,
        name: str,
        handler: Callable[..., Any],
        *,
        description: str,
        version: str,
        public: bool,
        handler_name: str,
        metadata: dict[str, Any],
    ) -> dict[str, Any]:
        """Take in an API, in the place of the one with the same name and version; return its component."""
        key = api_name, api_version = _key(name, version)
        if not api_name:
            raise ValueError(f"the name of an API must not be blank, got {name!r} / API 名称不能为空，收到 {name!r}")
        used = text_of(handler_name) if handler_name else f"dynamic_api__{api_name}__{api_version}"
        if not used:
            raise ValueError(f"handler_name must not be blank, got {handler_name!r} / handler_name 不能为空白")
        component = {
            "name": api_name,
            "type": ComponentType.API.value,
            "metadata": {
                "description": description,
                "version": api_version,
                "public": bool(public),
                "dynamic": True,
                "handler_name": used,
                **metadata,
            },
        }
        self._components[key] = deepcopy(component)
        self._handlers[used] = handler
        return component

    def unregister(self, name: str, version: str) -> bool:
        """Drop an API, and its handler when no other API uses it; False when there is none of that name and version."""
        component = self._components.pop(_key(name, version), None)
        if component is None:
            return False
        handler_name = component["metadata"]["handler_name"]
        if all(other["metadata"]["handler_name"] != handler_name for other in self._components.values()):
            self._handlers.pop(handler_name, None)
        return True

    def clear(self) -> None:
        """Drop all APIs and handlers."""
        self._components.clear()
        self._handlers.clear()

    def components(self) -> list[dict[str, Any]]:
        """Copies of the components, in the order of their registration."""
        return [deepcopy(component) for component in self._components.values()]

    def handler(self, handler_name: str) -> Callable[..., Any]:
        """The handler of that very name, or AttributeError."""
        try:
            return self._handlers[handler_name]
        except KeyError:
            known = ", ".join(self._handlers) or "-"
            raise AttributeError(
                f"no dynamic API has the handler {handler_name!r}; registered: {known} / "
                f"没有名为 {handler_name!r} 的动态 API 处理函数，已注册：{known}"
            ) from None


def _key(name: object, version: object) -> tuple[str, str]:
    return text_of(name), text_of(version) or "1"
