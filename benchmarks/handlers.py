"""Handlers as plugins write them: methods that take the payload as keyword arguments. No import of the kernel."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from benchmarks.payloads import plain_copy

HOOK = "bench.measured"
"""The hook that is fired."""

Method = Callable[..., Coroutine[Any, Any, Any]]


class Plugin:
    """One plugin with a handler of each kind.

    Args:
        number: tells it from the others; what it writes is its own, so that each change is one.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.text = f"text of plugin {number}"

    async def returns_none(self, **kwargs: Any) -> None:
        """Looks on."""

    async def changes_one_key(self, **kwargs: Any) -> dict[str, Any]:
        """Returns only what it changed."""
        return {"action": "continue", "modified_kwargs": {"text": self.text}}

    async def returns_whole_dict(self, **kwargs: Any) -> dict[str, Any]:
        """Returns all that it got, ``hook_name`` included, with one key changed."""
        kwargs["text"] = self.text
        return {"action": "continue", "modified_kwargs": kwargs}

    async def edits_message(self, **kwargs: Any) -> dict[str, Any]:
        """Edits the nested message in place and returns all that it got."""
        message = kwargs["message"]
        message["processed_plain_text"] = self.text
        message["raw_message"][-1]["data"] = self.text
        return {"action": "continue", "modified_kwargs": kwargs}

    async def waits(self, **kwargs: Any) -> None:
        """Ends only when it is cancelled."""
        await asyncio.Event().wait()


async def bare_loop(handlers: Sequence[Method], payload: Mapping[str, Any]) -> None:
    """The shortest dispatch there is: no checks, no deadlines, no isolation, nothing read of what is returned."""
    for handler in handlers:
        await handler(hook_name=HOOK, **payload)


async def bare_loop_with_ready_arguments(handlers: Sequence[Method], arguments: Mapping[str, Any]) -> None:
    """The same, spared putting name and payload together for each handler."""
    for handler in handlers:
        await handler(**arguments)


async def bare_loop_of_copies(handlers: Sequence[Method], payload: dict[str, Any]) -> None:
    """The bare loop with a copy of the payload for each handler."""
    for handler in handlers:
        await handler(hook_name=HOOK, **plain_copy(payload))
