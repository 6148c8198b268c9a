"""How long a call may take, however a plugin says it; and what happens to what goes on without it."""

import asyncio
from collections.abc import Iterable

import pytest
from typing_extensions import TypedDict

from host.capabilities import Capability, CapabilitySpec
from host.capabilities.arguments import Arguments
from host.runtime import Plugin
from maibot_sdk.hooks import Text
from tests.capabilities.house import MakeHouse


class Nothing(TypedDict):
    """No answer."""

    success: bool


class Anything(Arguments):
    """What is given."""

    timeout_ms: int = 0


class Slow:
    """Capabilities that never answer, in the place of some that are not there.

    Attributes:
        cancelled: how many calls were cancelled.
        given: the argument ``timeout_ms`` of each call.
    """

    def __init__(self) -> None:
        self.cancelled = 0
        self.given: list[int] = []

    def offers(self) -> Iterable[Capability]:
        """They."""
        about = Text("Hangs.", "挂起。")
        return [
            CapabilitySpec(name, Anything, Nothing, about).by(self._hang)
            for name in ("knowledge.search", "render.html2png")
        ]

    async def _hang(self, plugin: Plugin, asked: Anything) -> Nothing:
        self.given.append(asked.timeout_ms)
        try:
            await asyncio.Event().wait()
        finally:
            self.cancelled += 1
        return {"success": True}


RAW = "ctx.call_host_method('cap.call', payload={'capability': 'knowledge.search', 'args': %s})"
CALLS = [
    "ctx.call_capability('knowledge.search', timeout_ms=50)",
    "ctx.call_capability('knowledge.search', rpc_timeout_ms=50)",
    "ctx.call_capability('knowledge.search', _timeout_ms=50)",
    "ctx.call_capability('knowledge.search', rpc_timeout_ms=50, _timeout_ms=90_000)",
    "ctx.call_capability('knowledge.search', timeout_ms=90_000, rpc_timeout_ms=50)",
    RAW % "{'timeout_ms': 50}",
    "ctx.call_capability('render.html2png', rpc_timeout_ms=50)",
]


async def test_a_call_ends_at_the_deadline_that_the_plugin_gives_by_whichever_name(house: MakeHouse) -> None:
    here = await house("knowledge.search", "render.html2png")
    slow = Slow()
    here.capabilities.add(slow)
    for call in CALLS:
        with pytest.raises(RuntimeError, match=r"cap\.call was not answered within 0\.05 s"):
            await here.ask(call)
    assert slow.cancelled == len(CALLS)


async def test_the_limit_of_rendering_is_no_deadline_of_the_call(house: MakeHouse) -> None:
    here = await house("render.html2png")
    slow = Slow()
    here.capabilities.add(slow)
    with pytest.raises(RuntimeError, match=r"0\.05 s"):
        await here.ask(
            "ctx.call_host_method('cap.call', timeout_ms=50, "
            "payload={'capability': 'render.html2png', 'args': {'timeout_ms': 7}})"
        )
    assert slow.given == [7]
