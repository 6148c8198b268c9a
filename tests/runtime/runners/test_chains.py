"""Chain, depth and deadline travel with a call into another process and with what that asks of the host."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from textwrap import indent
from time import monotonic
from typing import Any

import pytest

from host.hooks import Hooks, HookSettings
from host.hooks.chain import current_chain
from host.runtime import Isolation, Plugin
from tests.runtime.plugin_folders import SAY, process_only, write_plugin
from tests.runtime.runners.household import household
from tests.runtime.runners.processes import wait_dead

ASKS = """
import asyncio, os
from maibot_sdk import HookHandler, MaiBotPlugin

class Asks(MaiBotPlugin):
    async def on_load(self): ...

    async def on_unload(self): ...

    @HookHandler("room.say", name="asks", timeout_ms={timeout_ms})
    async def asks(self, text, trace_id, **kwargs):
{body}

def create_plugin():
    return Asks()
"""

PING_PONG = """
if text == "{mine}":
    try:
        return {{"custom_result": [trace_id, await self.ctx.call_capability("say", text="{other}")]}}
    except RuntimeError as error:
        return {{"custom_result": [trace_id, str(error)]}}
"""
"""Of two plugins, each has the host fire the hook for the other."""


def _write(root: Path, plugin_id: str, body: str, timeout_ms: int = 20_000) -> None:
    write_plugin(root, plugin_id, ASKS.format(body=indent(body, " " * 8), timeout_ms=timeout_ms))


class Answering:
    """A host that fires the hook when it is asked to say something; else it answers when it is let go on."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.go = asyncio.Event()
        self.depths: list[int] = []
        self.ended = asyncio.Event()
        self.took = 0.0

    def of(self, hooks: Hooks) -> "Answering":
        self.hooks = hooks
        return self

    async def __call__(self, plugin: Plugin, method: str, payload: Mapping[str, Any]) -> Any:
        chain = current_chain.get()
        self.depths.append(0 if chain is None or chain.ended else chain.depth)
        self.asked.set()
        if payload["capability"] == "say":
            result = await self.hooks.invoke(SAY, {"text": payload["args"]["text"]})
            return [each.value for each in result.custom_results]
        began = monotonic()
        try:
            await self.go.wait()
        finally:
            self.took = monotonic() - began
            self.ended.set()
        return "answer"


async def test_plugins_that_fire_each_others_hook_end_in_a_typed_error_that_names_the_chain(
    tmp_path: Path, isolation: Isolation
) -> None:
    """Each call waits for those inside it, in the same processes: serving one at a time would never end."""
    _write(tmp_path, "team.a", PING_PONG.format(mine="a", other="b"))
    _write(tmp_path, "team.b", PING_PONG.format(mine="b", other="a"))
    answering = Answering()
    rules = HookSettings(max_chain_depth=6)
    async with household(tmp_path, isolation=isolation, answer=answering.of, hook_settings=rules) as house:
        async with asyncio.timeout(20):
            result = await house.say("a")
    [custom] = result.custom_results
    inner = custom.value
    for _ in range(5):
        trace_id, [inner] = inner
        assert trace_id == result.trace_id
    assert answering.depths == [1, 2, 3, 4, 5, 6]
    trace_id, text = inner
    assert trace_id == result.trace_id
    assert " -> ".join(["room.say"] * 7) in text
    assert "ChainDepthError" in text or "deep" in text


LATER = """
if text == "now":
    self.released = asyncio.Event()
    self.task = asyncio.create_task(self.say_later())
elif text == "release":
    self.released.set()
elif text == "later":
    return {"custom_result": trace_id}
"""
SAY_LATER = """
    async def say_later(self):
        await self.released.wait()
        print("said", await self.ctx.call_capability("say", text="later"), flush=True)

def create_plugin():
"""


@process_only
async def test_what_is_called_after_its_dispatch_has_ended_starts_a_new_chain(
    tmp_path: Path, isolation: Isolation
) -> None:
    source = ASKS.format(body=indent(LATER, " " * 8), timeout_ms=20_000)
    write_plugin(tmp_path, "team.later", source.replace("\ndef create_plugin():\n", SAY_LATER))
    answering = Answering()
    async with household(tmp_path, isolation=isolation, answer=answering.of) as house:
        first = await house.say("now")
        second = await house.say("release")
        await house.log.holds("said")
        [line] = [line for line in house.log.lines if "said" in line]
        assert first.trace_id not in line
        assert second.trace_id not in line
        assert answering.depths == [0]


@process_only
async def test_what_remains_of_the_handlers_time_is_the_time_of_what_it_asks(
    tmp_path: Path, isolation: Isolation
) -> None:
    """The call goes on in a task that is not cancelled with the handler, so only its own deadline can end it."""
    body = "await asyncio.sleep(0.2)\n" + (
        'self.task = asyncio.create_task(self.ctx.call_capability("wait"))\nawait asyncio.shield(self.task)'
    )
    _write(tmp_path, "team.asks", body, timeout_ms=700)
    answering = Answering()
    async with household(tmp_path, isolation=isolation, answer=answering.of) as house:
        [error] = (await house.say()).errors
        assert error.kind == "timeout"
        async with asyncio.timeout(5):
            await answering.ended.wait()
        assert answering.took < 0.6


@process_only
@pytest.mark.parametrize("asked", [50, 60_000])
async def test_a_shorter_time_that_the_plugin_asks_for_counts_and_a_longer_one_does_not(
    tmp_path: Path, isolation: Isolation, asked: int
) -> None:
    body = f"""
self.task = asyncio.create_task(self.ctx.call_capability("wait", timeout_ms={asked}))
try:
    await asyncio.shield(self.task)
except RuntimeError as error:
    return {{"custom_result": str(error)}}
"""
    _write(tmp_path, "team.asks", body, timeout_ms=700)
    answering = Answering()
    async with household(tmp_path, isolation=isolation, answer=answering.of) as house:
        result = await house.say()
        async with asyncio.timeout(5):
            await answering.ended.wait()
        if asked < 700:
            assert "was not answered within 0.05 s" in result.custom_results[0].value
        assert answering.took < 1.5


async def test_cancelling_the_dispatch_cancels_what_its_handler_asked_for(tmp_path: Path, isolation: Isolation) -> None:
    _write(tmp_path, "team.asks", 'await self.ctx.call_capability("wait")')
    answering = Answering()
    async with household(tmp_path, isolation=isolation, answer=answering.of) as house:
        dispatch = asyncio.create_task(house.say())
        await answering.asked.wait()
        dispatch.cancel()
        async with asyncio.timeout(5):
            await answering.ended.wait()
            await asyncio.wait({dispatch})
        assert dispatch.cancelled()
        assert house.log.count("is active") == 1


@process_only
async def test_what_a_process_that_dies_asked_for_is_cancelled(tmp_path: Path, isolation: Isolation) -> None:
    _write(tmp_path, "team.asks", 'await self.ctx.call_capability("wait")')
    answering = Answering()
    async with household(tmp_path, isolation=isolation, answer=answering.of) as house:
        dispatch = asyncio.create_task(house.say())
        await answering.asked.wait()
        pid = house.pid("team.asks")
        await house.plugins.unload("team.asks")
        await wait_dead([pid])
        async with asyncio.timeout(5):
            await answering.ended.wait()
        [error] = (await dispatch).errors
        assert error.kind in ("unavailable", "exception", "cancelled")
