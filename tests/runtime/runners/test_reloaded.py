"""Of a version that was reloaded nothing is left: no task, no thread, no port, no process."""

import asyncio
from pathlib import Path

from host.runtime import PluginState
from tests.runtime.plugin_folders import write_plugin
from tests.runtime.runners.household import household
from tests.runtime.runners.processes import alive

TICKER = """
    import asyncio, os, threading, time
    from maibot_sdk import HookHandler

    class Ticker:
        async def on_load(self):
            self.task = asyncio.create_task(self.tick())
            threading.Thread(target=self.drum, daemon=True).start()
            self.server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", {port})
            {then}

        async def on_unload(self):
            self.server.close()

        async def tick(self):
            while True:
                print("tick", os.getpid(), flush=True)
                await asyncio.sleep(0.05)

        def drum(self):
            while True:
                print("drum", os.getpid(), flush=True)
                time.sleep(0.05)

        @HookHandler("room.say")
        async def speak(self, text, **kwargs):
            return {{"modified_kwargs": {{"text": text + "t"}}}}

    create_plugin = Ticker
"""
"""Gives back its port, and leaves all else as it is."""


async def _free_port() -> int:
    probe = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    port: int = probe.sockets[0].getsockname()[1]
    probe.close()
    await probe.wait_closed()
    return port


async def test_ten_reloads_leave_one_process_that_ticks_and_one_call_a_dispatch(tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.ticker", TICKER.format(port=await _free_port(), then=""))
    async with household(tmp_path) as house:
        pids = [house.pid("team.ticker")]
        for _ in range(10):
            plugin = await house.plugins.reload("team.ticker")
            assert (plugin.state, plugin.reload_problem) == (PluginState.ACTIVE, None)
            pids.append(house.pid("team.ticker"))
            assert await house.said() == "t"
        assert alive(pids) == pids[-1:]
        house.log.lines.clear()
        await house.log.holds(f"tick {pids[-1]}", times=5)
        ticking = {line.split()[-1] for line in house.log.lines if ": tick " in line or ": drum " in line}
        assert ticking == {str(pids[-1])}


async def test_a_new_version_that_exits_in_on_load_makes_way_for_the_old_one(tmp_path: Path) -> None:
    port = await _free_port()
    write_plugin(tmp_path, "team.ticker", TICKER.format(port=port, then=""))
    async with household(tmp_path) as house:
        for then, named in (("raise SystemExit(3)", "SystemExit: 3"), ("os._exit(4)", "exit code 4")):
            write_plugin(tmp_path, "team.ticker", TICKER.format(port=port + 1, then=then))
            plugin = await house.plugins.reload("team.ticker")
            assert plugin.reload_problem is not None
            assert named in plugin.reload_problem.text()
            assert await house.said() == "t"
            write_plugin(tmp_path, "team.ticker", TICKER.format(port=port, then=""))
            assert (await house.plugins.reload("team.ticker")).state is PluginState.ACTIVE
