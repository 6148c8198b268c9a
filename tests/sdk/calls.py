"""A stand-in for the host, and finding the method that a dotted path means."""

from collections.abc import Awaitable, Callable
from typing import Any

from maibot_sdk.context import PluginContext


class Host:
    """Answers every call with the same value and remembers the calls: method, plugin, payload, keywords."""

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer
        self.calls: list[tuple[str, str, Any, dict[str, Any]]] = []

    async def __call__(self, method: str, plugin_id: str, payload: Any, **keywords: Any) -> Any:
        self.calls.append((method, plugin_id, payload, keywords))
        return self.answer


def method_of(host: Host, path: str) -> Callable[..., Awaitable[Any]]:
    """The method of a fresh context over `host`, such as `statistics.local.models`."""
    found: Any = PluginContext("me.p", host)
    for name in path.split("."):
        found = getattr(found, name)
    return found  # type: ignore[no-any-return]
