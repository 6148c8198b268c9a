"""Ten thousand calls with random deadlines, cancellations, deaths and reloads: each ends once, and nothing is left.

``SOAK_CALLS`` and ``SOAK_SEED`` make it longer, and another one.
"""

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from host.hooks import BreakerSettings, Hooks, HookSettings, HookSpec
from host.runtime import Plugin, RunnerSettings
from host.runtime.host_methods import HostCall
from host.runtime.runners.restarts import RestartSettings
from host.runtime.runners.warm_parent import WarmParent
from tests.runtime.plugin_folders import Say, write_plugin
from tests.runtime.runners.household import Household, household, measured_lag

CALLS = int(os.environ.get("SOAK_CALLS", "10000"))
SEED = int(os.environ.get("SOAK_SEED", "1"))
AT_ONCE = 64
IDS = [f"team.p{number}" for number in range(4)]
DEADLINES = (5, 20, 100, 10_000)
"""Milliseconds; one handler a plugin for each."""

BUSY = """
    import asyncio, os, random, time
    from maibot_sdk import HookHandler, MaiBotPlugin

    class Busy(MaiBotPlugin):
        async def on_load(self): ...

        async def on_unload(self): ...

        async def work(self, deed):
            kind, _, amount = deed.partition(" ")
            if kind == "sleep":
                await asyncio.sleep(float(amount))
            elif kind == "stubborn":
                try:
                    await asyncio.sleep(float(amount))
                except asyncio.CancelledError:
                    return "late"
            elif kind == "block":
                time.sleep(float(amount))
            elif kind == "raise":
                raise ValueError("on purpose")
            elif kind == "exit":
                os._exit(3)
            elif kind == "ask":
                return await self.ctx.call_capability("wait", seconds=float(amount))
            elif kind == "large":
                return "x" * int(amount)
            return "done"
{handlers}
    def create_plugin():
        return Busy()
"""
HANDLER = """
        @HookHandler("room.{deadline}", timeout_ms={deadline}, name="h{deadline}")
        {keyword} h{deadline}(self, **kwargs):
            deed = kwargs["deeds"]["{plugin_id}"]
            return {{"custom_result": {value}}}
"""
TYPED = {"timeout", "unavailable", "exception", "cancelled"}
QUIET = RunnerSettings(
    grace_seconds=0.5,
    restarts=RestartSettings(
        most=100, window_seconds=0.001, first_pause_seconds=0.01, longest_pause_seconds=0.01, jitter=0.0
    ),
)


def _write(root: Path) -> None:
    for number, plugin_id in enumerate(IDS):
        # One of them has plain functions, which run in threads.
        keyword, value = "async def", "await self.work(deed)"
        if number == 3:
            keyword, value = "def", "asyncio.run(self.work(deed))"
        handlers = "".join(
            HANDLER.format(deadline=each, keyword=keyword, value=value, plugin_id=plugin_id) for each in DEADLINES
        )
        write_plugin(root, plugin_id, BUSY.replace("{handlers}", handlers))


def _answer(hooks: Hooks) -> HostCall:
    for deadline in DEADLINES:
        hooks.register_spec(HookSpec(name=f"room.{deadline}", payload=Say))

    async def answer(plugin: Plugin, method: str, payload: Mapping[str, Any]) -> Any:
        await asyncio.sleep(payload["args"]["seconds"])
        return "answer"

    return answer


def _deed(chance: random.Random, plugin_id: str) -> str:
    calm = ["", "sleep 0", "sleep 0.001", "sleep 0.01", "sleep 0.03", "raise", "large 100000"]
    if plugin_id != IDS[3]:
        calm += ["ask 0", "ask 0.02", "stubborn 0.03"]
    rare = ["exit", "block 0.05", "block 2"]
    return chance.choice(rare) if chance.random() < 0.001 else chance.choice(calm)


class Campaign:
    """Calls by the script of a seed, and what came of them."""

    def __init__(self, house: Household, chance: random.Random) -> None:
        self.house = house
        self.chance = chance
        self.ended: Counter[str] = Counter()
        self._left = CALLS
        self._harm_is_due = asyncio.Event()

    async def run(self) -> None:
        """Make all calls, so many at once, while somebody kills and reloads."""
        deeds = asyncio.create_task(self._do_harm())
        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(self._caller())
        # The last harm is due with the last call, and comes to its end: a reload leaves the plugin up.
        await deeds

    async def _caller(self) -> None:
        while self._left > 0:
            self._left -= 1
            if self._left % 250 == 0:
                self._harm_is_due.set()
            await self._call()

    async def _call(self) -> None:
        deeds = {plugin_id: _deed(self.chance, plugin_id) for plugin_id in IDS}
        payload = {"text": "", "deeds": deeds}
        call = asyncio.create_task(self.house.hooks.invoke(f"room.{self.chance.choice(DEADLINES)}", payload))
        impatient = self.chance.random() < 0.2
        patience = self.chance.random() * 0.05 if impatient else 60.0
        await asyncio.wait({call}, timeout=patience)
        if not call.done():
            assert impatient, f"a call did not end: {deeds}"
            call.cancel()
            await asyncio.wait({call}, timeout=30)
        if call.cancelled():
            self.ended["cancelled"] += 1
            return
        result = call.result()
        answered = [custom.plugin_id for custom in result.custom_results]
        failed = [error.plugin_id for error in result.errors]
        assert {error.kind for error in result.errors} <= TYPED
        # A plugin that went down, or is reloaded, may have had no handler just then; none has had two turns.
        assert len({*answered, *failed}) == len(answered) + len(failed)
        self.ended["answered"] += len(answered)
        self.ended.update(error.kind for error in result.errors)
        if any(error.kind == "unavailable" for error in result.errors):
            await asyncio.sleep(0.05)  # Else most calls would be those that find nobody there.

    async def _do_harm(self) -> None:
        plugins, parent = self.house.plugins, self.house.launcher
        while self._left > 0:
            await self._harm_is_due.wait()
            self._harm_is_due.clear()
            plugin_id = self.chance.choice(IDS)
            code = plugins[plugin_id].code
            vitals = code.vitals() if code is not None else None
            deed = self.chance.random()
            if deed < 0.1 and isinstance(parent, WarmParent) and parent.pid is not None:
                os.kill(parent.pid, signal.SIGKILL)
            elif deed < 0.5 and vitals is not None:
                with suppress(ProcessLookupError):  # It had ended by itself.
                    os.kill(vitals.pid, signal.SIGKILL)
            else:
                await plugins.reload(plugin_id)


@pytest.mark.timeout(120 + CALLS // 50)
async def test_every_call_ends_once_and_nothing_is_left(tmp_path: Path) -> None:
    _write(tmp_path)
    rules = HookSettings(breaker=BreakerSettings(enabled=False), reload_wait_ms=30_000)
    async with household(
        tmp_path, settings=QUIET, hook_settings=rules, answer=_answer, worker_threads=16, launcher=WarmParent()
    ) as house:
        campaign = Campaign(house, random.Random(SEED))
        async with measured_lag() as lag:
            await campaign.run()
        print(dict(campaign.ended), f"longest lag {lag.longest:.3f} s")
        for kind in ("answered", "cancelled", "timeout", "unavailable", "exception"):
            assert campaign.ended[kind] > 0
        assert lag.longest < 2
        async with asyncio.timeout(60):
            while await _answered(house) < len(IDS):  # noqa: ASYNC110 - some may still be down, or about to be killed
                await asyncio.sleep(0.05)
            while any(_in_flight(house, plugin_id) for plugin_id in IDS):  # noqa: ASYNC110 - heartbeats come and go
                await asyncio.sleep(0.01)


async def _answered(house: Household) -> int:
    """How many plugins answer."""
    result = await house.hooks.invoke("room.10000", {"text": "", "deeds": dict.fromkeys(IDS, "")})
    return [custom.value for custom in result.custom_results].count("done")


def _in_flight(house: Household, plugin_id: str) -> int:
    code = house.plugins[plugin_id].code
    vitals = code.vitals() if code is not None else None
    assert vitals is not None
    return vitals.in_flight
