"""``maibot-host top`` end to end: over the processes of a host that runs."""

import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest
from rich.console import Console

from host.cli.process_table import duration, process_page, sorted_by
from tests.cli.running import GOOD, Finished, ended, finished, host_over, on_a_terminal, write_plugin
from webui_api.processes import ProcessList

on_terminals = pytest.mark.skipif(os.name != "posix", reason="takes a pseudo-terminal")

LARGE = "HELD = b'x' * (40 << 20)\n" + GOOD


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "plugins"
    path.mkdir()
    return path


async def top(*arguments: str, cwd: Path) -> Finished:
    return await finished("top", *arguments, cwd=cwd)


def rows(text: str) -> dict[str, list[str]]:
    """The cells of each row that begins with a plugin's id."""
    found = [line.split() for line in text.splitlines() if re.match(r"\S+\.\S+ +[a-z]+ ", line)]
    return {plugin_id: cells for plugin_id, *cells in found}


async def test_without_a_host_it_says_how_to_start_one(tmp_path: Path) -> None:
    english = await top(cwd=tmp_path)
    assert (english.code, english.out) == (2, "")
    assert english.err.startswith("No host serves its web interface for the data folder data")
    assert "maibot-host run" in english.err
    chinese = await top("--json", "--lang", "zh", cwd=tmp_path)
    assert (chinese.code, chinese.out) == (2, "")
    assert chinese.err.startswith("没有宿主为数据目录 data 提供 Web 接口")


async def test_the_table_is_printed_once_where_no_terminal_is(folder: Path) -> None:
    write_plugin(folder, "a.good", GOOD)
    write_plugin(folder, "b.large", LARGE)
    write_plugin(folder, "c.raises", "raise RuntimeError('at import')")
    async with host_over(folder) as host:
        told = await top("--json", cwd=folder.parent)
        table = await top(cwd=folder.parent)
        by_id = await top("--once", "--sort", "id", "--handlers", "--lang", "zh", cwd=folder.parent)
    answer = json.loads(told.out)
    pids = {each["id"]: each["pid"] for each in answer["plugins"]}
    assert answer["host"]["pid"] == host.pid
    assert (table.code, table.err) == (0, "")
    assert table.out.startswith(f"Host: process {host.pid}, up ")
    assert table.out.partition("\n")[0].endswith(" MiB. Plugins: 5 active, 1 failed.")
    shown = rows(table.out)
    assert shown["a.good"][:2] == ["active", str(pids["a.good"])]
    assert shown["a.good"][3:8] == ["0", "0", "0", "–", "–"]
    assert shown["a.good"][-1] == "closed"
    assert shown["maibot-host.word-filter"][:2] == ["active", "host"]
    assert shown["c.raises"][:2] == ["failed", "–"]
    if sys.platform == "linux":
        assert list(shown)[:2] == ["b.large", "a.good"]
        assert [each["id"] for each in answer["plugins"]][:2] == ["b.large", "a.good"]
        assert float(shown["b.large"][-2]) > 40 > float(shown["a.good"][-2])
    assert re.search(r"^c\.raises: .*RuntimeError: at import$", table.out, re.MULTILINE)
    assert by_id.out.startswith(f"宿主：进程 {host.pid}，")
    assert re.search(
        r"^a\.good +运行中 .*\n  chat\.receive\.before_process / greets .*\nb\.large ", by_id.out, re.MULTILINE
    )


@on_terminals
async def test_on_a_terminal_it_goes_on_until_ctrl_c_and_shows_a_restart(folder: Path) -> None:
    write_plugin(folder, "a.good", GOOD)
    async with host_over(folder):
        pid = json.loads((await top("--json", "--sort", "id", cwd=folder.parent)).out)["plugins"][0]["pid"]
        async with on_a_terminal("top", "--sort", "id", cwd=folder.parent) as terminal:
            await terminal.shows(rf"a\.good +\S*active\S* +{pid} ")
            os.kill(pid, signal.SIGKILL)
            text = await terminal.shows(r"a\.good +\S*active\S* +\d+ +\S+ +(\x1b\[\d+m)? *1\x1b")
            terminal.process.send_signal(signal.SIGINT)
            code, text = await terminal.end()
    assert code == 0
    assert "Traceback" not in text
    assert "process of plugin 'a.good' is gone" not in text.rpartition("\x1b[H")[2], "it is told only while it is down"
    # The screen is given back as it was, and the cursor with it.
    assert text.index("\x1b[?1049h") < text.index("a.good") < text.index("\x1b[?1049l")
    assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l")


@on_terminals
async def test_where_the_host_ends_meanwhile_it_says_so(folder: Path) -> None:
    async with host_over(folder) as host, on_a_terminal("top", cwd=folder.parent) as terminal:
        await terminal.shows("maibot-host.word-filter")
        await ended(host, signal.SIGTERM)
        code, text = await terminal.end()
    assert code == 2
    assert "gave no answer" in text.rpartition("\x1b[?1049l")[2]
    assert "Traceback" not in text


async def test_info_tells_where_a_plugin_runs(folder: Path) -> None:
    write_plugin(folder, "a.good", GOOD)
    (folder.parent / "host.toml").write_text('[plugins."b.inline"]\nisolation = "inline"\n')
    write_plugin(folder, "b.inline", GOOD)

    async def process(plugin_id: str) -> str:
        told = await finished("plugins", "info", plugin_id, "--plugins", str(folder), cwd=folder.parent)
        match = re.search(r"^  Process +(.*)$", told.out, re.MULTILINE)
        assert match, told
        return match[1]

    assert (await process("a.good"), await process("b.inline")) == ("one of its own", "the host's")
    async with host_over(folder):
        assert re.fullmatch(r"one of its own, \d+", await process("a.good"))
        assert await process("b.inline") == "the host's"


def process_list(**changes: object) -> ProcessList:
    """A host with one plugin of two handlers, the second the slower one."""
    breaker = {"reason": "", "calls": 0, "failures": 0, "skipped": 0, "opened": 0}
    closed = {**breaker, "state": "closed", "remaining_sec": 0}
    opened = {**breaker, "state": "open", "remaining_sec": 12.4}
    quick = {"name": "quick", "hook": "a.b", "calls": 9, "failures": 0, "p50_ms": 0.25, "p95_ms": 1.5, "p99_ms": 900}
    slow = {"name": "slow", "hook": "a.b", "calls": 1, "failures": 1, "p50_ms": 20.04, "p95_ms": 30, "p99_ms": 1234.5}
    plugin: dict[str, object] = {
        "id": "a.plugin",
        "name": "A",
        "state": "active",
        "problem": None,
        "isolation": "process",
        "pid": 77,
        "uptime_sec": 3725,
        "restarts": 0,
        "calls": 10,
        "failures": 1,
        "in_flight": 0,
        "responding": True,
        "hung_threads": 0,
        "dropped_lines": 0,
        "memory_bytes": 3 << 20,
        "handlers": [{**quick, "breaker": closed}, {**slow, "breaker": opened}],
    }
    host = {"pid": 1, "uptime_sec": 5, "memory_bytes": None}
    return ProcessList.model_validate({"host": host, "plugins": [{**plugin, **changes}]})


def printed(found: ProcessList, *, handlers: bool = False, width: int = 200) -> str:
    console = Console(width=width, highlight=False, force_terminal=False)
    with console.capture() as capture:
        console.print(process_page(found, "en", handlers=handlers))
    return capture.get()


def test_a_plugin_is_shown_with_its_slowest_handler_and_its_worst_breaker() -> None:
    shown = rows(printed(process_list()))["a.plugin"]
    assert shown == ["active", "77", "1h02m", "0", "10", "1", "20.0", "30.0", "1234", "3.0", "open", "12", "s"]
    each = printed(process_list(), handlers=True)
    assert re.search(r"^  a\.b / quick +9 +0 0\.25 1\.50 +900 +closed", each, re.MULTILINE)
    assert re.search(r"^  a\.b / slow +1 +1 20\.0 30\.0 1234 +open 12 s", each, re.MULTILINE)


def test_what_has_no_column_is_said_below() -> None:
    problem = {"code": "process_lost", "text": "it is gone\x1b[2J\n    last line", "traceback": ""}
    text = printed(process_list(responding=False, hung_threads=2, dropped_lines=40, problem=problem))
    assert rows(text)["a.plugin"][0] == "silent"
    below = text.splitlines()[-3:]
    assert [line.rstrip() for line in below] == [
        "a.plugin: it is gone\ufffd[2J",
        "a.plugin: 2 thread(s) are stuck in calls that nobody waits for any more.",
        "a.plugin: 40 line(s) of its output were dropped, since there were too many.",
    ]


def test_the_table_fits_a_terminal_of_80_columns() -> None:
    heading = printed(process_list(id="maibot-host.some-longer-name"), width=80).splitlines()[1:3]
    assert "Breaker" in heading[1]
    assert "MiB" in heading[1]


def test_those_of_one_size_stay_by_id_and_those_without_come_last() -> None:
    sizes = {"a.none": None, "b.small": 1 << 20, "c.large": 9 << 20, "d.none": None}
    plugins = [process_list(id=each, memory_bytes=size).plugins[0] for each, size in sizes.items()]
    found = process_list().model_copy(update={"plugins": plugins})
    assert [each.id for each in sorted_by("memory", found).plugins] == ["c.large", "b.small", "a.none", "d.none"]
    assert [each.id for each in sorted_by("id", found).plugins] == [*sizes]


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.9, "0s"), (59, "59s"), (61, "1m01s"), (7505, "2h05m"), (356_400, "4d03h")]
)
def test_how_long_something_runs_is_told_in_two_units(seconds: float, text: str) -> None:
    assert duration(seconds) == text
