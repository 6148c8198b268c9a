"""Whatever a plugin prints, by whatever way, is lines of its log; it disturbs no protocol, and no host."""

import asyncio
import os
import signal
from pathlib import Path
from time import monotonic

from loguru import logger

from host.runtime import RunnerSettings
from host.runtime.runners.log_lines import LogLimits
from tests.runtime.plugin_folders import GREETER, write_plugin
from tests.runtime.runners.household import QUICK, household, measured_lag
from tests.runtime.runners.processes import wait_dead

PRINTS = """
    import ctypes, logging, os, subprocess, sys
    from maibot_sdk import HookHandler

    libc = ctypes.CDLL(None)
    print("from the import")

    class Prints:
        async def on_load(self):
            print("from on_load", file=sys.stderr)

        @HookHandler("room.say", timeout_ms=20_000)
        async def speak(self, text, **kwargs):
            if text == "print":
                print("printed", "你好")
                os.write(1, b"written, \\xff is no text\\n")
                libc.puts(b"put")
                libc.fflush(None)
                subprocess.run(["sh", "-c", "echo echoed; echo complained >&2"], check=True)
                sys.__stdout__.write("x" * 100_000 + "\\n")
            if text == "leave a child":
                child = subprocess.Popen(["sh", "-c", "echo child $$; exec sleep 300"])
            if text == "flood":
                for number in range(100_000):
                    print("line", number)
            if text == "log":
                for number in range(20_000):
                    logging.warning("record %d", number)
                logging.warning("x" * 1_000_000)
            return {"modified_kwargs": {"text": text + "p"}}

    create_plugin = Prints
"""


async def test_lines_come_from_the_import_the_code_c_and_children(tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.prints", PRINTS)
    async with household(tmp_path) as house:
        assert await house.said("print") == "printp"
        for line in (
            "INFO team.prints: printed 你好",
            "INFO team.prints: written, \ufffd is no text",
            "INFO team.prints: put",
            "INFO team.prints: echoed",
            "WARNING team.prints: complained",
            "bytes)",
        ):
            await house.log.holds(line)
        assert max(map(len, house.log.lines)) < 10_000


async def test_the_import_and_on_load_print_before_anybody_calls(tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.prints", PRINTS)
    async with household(tmp_path) as house:
        await house.plugins.reload("team.prints")
        await house.log.holds("INFO team.prints: from the import")
        await house.log.holds("WARNING team.prints: from on_load")


async def test_a_grandchild_that_holds_the_pipes_is_neither_waited_for_nor_left(tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.prints", PRINTS)
    async with household(tmp_path) as house:
        for ending in ("unload", "kill"):
            await house.plugins.load("team.prints")
            pid, so_many = house.pid("team.prints"), house.log.count(": child ")
            await house.said("leave a child")
            await house.log.holds(": child ", so_many + 1)
            child = int([line for line in house.log.lines if ": child " in line][-1].split()[-1])
            began = monotonic()
            if ending == "kill":
                os.kill(pid, signal.SIGKILL)
                await house.active("team.prints", times=3)
            else:
                await house.plugins.unload("team.prints")
            await wait_dead([pid, child])
            assert monotonic() - began < 5


async def test_a_flood_is_cut_down_and_counted_and_others_do_not_notice(tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.prints", PRINTS)
    write_plugin(tmp_path, "team.z_healthy", GREETER)
    settings = RunnerSettings(log=LogLimits(lines_per_second=10, burst=100), restarts=QUICK.restarts)
    async with household(tmp_path, settings=settings) as house:
        async with measured_lag() as lag:
            for deed in ("flood", "log"):
                assert await house.said(deed) == f"{deed}p!"
        code = house.plugins["team.prints"].code
        assert code is not None
        vitals = code.vitals()
        assert vitals is not None
        assert vitals.dropped_lines > 19_000
        assert house.log.count(": line ") + house.log.count(": record ") < 5_000
        assert house.log.count("is active") == 2, "each came up once"
        assert lag.longest < 1
    # What was dropped is told in the end at the latest.


async def test_a_log_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    """As when the disk is full."""
    full = os.open("/dev/full", os.O_WRONLY)

    def write(line: str) -> None:
        os.write(full, line.encode())

    sink = logger.add(write, level="DEBUG")
    try:
        write_plugin(tmp_path, "team.prints", PRINTS)
        async with household(tmp_path) as house:
            assert await house.said("print") == "printp"
            assert await house.said("log") == "logp"
            os.kill(house.pid("team.prints"), signal.SIGKILL)
            await house.active("team.prints", times=2)
            assert await house.said("") == "p"
    finally:
        logger.remove(sink)
        os.close(full)


async def test_what_it_wrote_last_before_it_died_is_still_told(tmp_path: Path) -> None:
    source = GREETER.replace('journal.warning("hook")', 'print("going"); import os; os._exit(9)')
    write_plugin(tmp_path, "team.dies", source)
    async with household(tmp_path) as house:
        async with asyncio.timeout(10):
            [error] = (await house.say()).errors
        assert "exit code 9" in error.text
        await house.log.holds("INFO team.dies: going")
