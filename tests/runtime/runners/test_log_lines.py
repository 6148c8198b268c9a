"""What a process prints becomes lines of its plugin, limited in length and in rate."""

import asyncio
import os
import socket
import time
from collections.abc import Callable

import pytest

from host.runtime.runners import log_lines
from host.runtime.runners.log_lines import LogLimits, LogLines
from host.runtime.runners.process import Launcher, RunnerProcess
from tests.runtime.runners.told import ask


class _Heard:
    """Lines as they are told."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []
        self.drops: list[int] = []
        self._changed = asyncio.Event()

    def line(self, stream: str, text: str) -> None:
        self.lines.append((stream, text))
        self._changed.set()

    def dropped(self, count: int) -> None:
        self.drops.append(count)
        self._changed.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(30):
            while not condition():
                self._changed.clear()
                await self._changed.wait()


class _Printing:
    """Two pipes that this process writes to, with their lines."""

    def __init__(self, *, threads: bool, limits: LogLimits | None = None) -> None:
        self.heard = _Heard()
        self.now = 0.0
        stdout, self.out = os.pipe()
        stderr, self.err = os.pipe()
        for descriptor in (stdout, stderr):
            os.set_blocking(descriptor, threads)
        self.logs = LogLines(
            stdout,
            stderr,
            self.heard.line,
            tell_dropped=self.heard.dropped,
            limits=limits,
            clock=lambda: self.now,
            threads=threads,
        )

    async def print(self, content: bytes) -> None:
        """Write to standard output, also more than a pipe holds."""
        await asyncio.to_thread(_write_all, self.out, content)

    async def end(self) -> list[str]:
        """Close everything, and return all lines."""
        os.close(self.out)
        os.close(self.err)
        await self.logs.aclose()
        return [text for _, text in self.heard.lines]


def _write_all(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]


@pytest.fixture(params=[False, True], ids=["loop", "threads"])
def threads(request: pytest.FixtureRequest) -> bool:
    """Whether the loop reads, or threads."""
    return bool(request.param)


async def test_bytes_become_lines_however_they_are_cut(threads: bool) -> None:
    printing = _Printing(threads=threads)
    for piece in ("你".encode()[:2], "你".encode()[2:], b"\nsecond\r\n\nfo", b"urth\nlast"):
        await printing.print(piece)
    assert await printing.end() == ["你", "second", "", "fourth", "last"]


async def test_the_streams_are_told_apart(threads: bool) -> None:
    printing = _Printing(threads=threads)
    os.write(printing.out, b"o")
    os.write(printing.err, b"e\n")
    os.write(printing.out, b"ut\n")
    await printing.heard.until(lambda: len(printing.heard.lines) == 2)
    assert sorted(printing.heard.lines) == [("stderr", "e"), ("stdout", "out")]
    await printing.end()


async def test_what_is_no_utf8_is_replaced(threads: bool) -> None:
    printing = _Printing(threads=threads)
    await printing.print(b"\xff\xfe ok \xe4\xbd\n")
    assert await printing.end() == ["\ufffd\ufffd ok \ufffd"]


@pytest.mark.parametrize("length", [8 * 1024, 8 * 1024 + 1, 16_000, 5_000_000])
async def test_a_long_line_is_cut_and_says_by_how_much(threads: bool, length: int) -> None:
    printing = _Printing(threads=threads)
    await printing.print(b"before\n" + b"x" * length + b"\nafter\n")
    more = length - 8 * 1024
    cut = "x" * 8 * 1024 + (f" … (+{more} bytes)" if more else "")
    assert await printing.end() == ["before", cut, "after"]


async def test_lines_beyond_the_rate_are_dropped_counted_and_told(threads: bool) -> None:
    printing = _Printing(threads=threads, limits=LogLimits(lines_per_second=10, burst=5))
    await printing.print(b"".join(b"%d\n" % number for number in range(100)))
    while printing.logs.dropped < 95:  # noqa: ASYNC110 - what is dropped is told later
        await asyncio.sleep(0)
    printing.now = 0.3
    await printing.print(b"later 1\nlater 2\nlater 3\nlater 4\n")
    assert await printing.end() == ["0", "1", "2", "3", "4", "later 1", "later 2", "later 3"]
    assert printing.logs.dropped == 96
    assert printing.heard.drops == [96]


async def test_drops_are_told_once_a_while(monkeypatch: pytest.MonkeyPatch, threads: bool) -> None:
    monkeypatch.setattr(log_lines, "TELL_SECONDS", 0.05)
    printing = _Printing(threads=threads, limits=LogLimits(burst=1))
    await printing.print(b"1\n2\n3\n")
    await printing.heard.until(lambda: printing.heard.drops == [2])
    await printing.print(b"4\n")
    await printing.heard.until(lambda: printing.heard.drops == [2, 1])
    assert await printing.end() == ["1"]


async def test_the_last_lines_are_kept_also_of_those_dropped_and_unfinished(threads: bool) -> None:
    printing = _Printing(threads=threads, limits=LogLimits(burst=1))
    await printing.print(b"".join(b"%d\n" % number for number in range(1000)) + b"unfini")
    while printing.logs.last[-1:] != ("unfini",):  # noqa: ASYNC110 - what is dropped is told later
        await asyncio.sleep(0)
    assert printing.logs.last == (*map(str, range(981, 1000)), "unfini")
    await printing.end()
    assert printing.logs.last == (*map(str, range(981, 1000)), "unfini")


async def test_a_flood_does_not_hold_up_the_loop(threads: bool) -> None:
    printing = _Printing(threads=threads)
    flood = asyncio.create_task(printing.print(b"\n" * 500_000))
    longest, before = 0.0, time.thread_time()
    while not flood.done():
        await asyncio.sleep(0)
        now = time.thread_time()
        longest, before = max(longest, now - before), now
    # Measured 4 ms; of this thread's own time, since others use the processors too.
    assert longest < 0.05
    await printing.end()
    assert printing.logs.dropped + len(printing.heard.lines) == 500_000


async def test_closing_waits_for_no_end_of_a_pipe_that_something_holds(threads: bool) -> None:
    printing = _Printing(threads=threads)
    await printing.print(b"held\nunfinished")
    await asyncio.wait_for(printing.logs.aclose(), 5)
    assert printing.heard.lines == [("stdout", "held"), ("stdout", "unfinished")]
    os.close(printing.out)
    os.close(printing.err)


def _lines_of(process: RunnerProcess) -> tuple[LogLines, _Heard]:
    heard = _Heard()
    return LogLines(process.stdout, process.stderr, heard.line, tell_dropped=heard.dropped), heard


async def test_whatever_prints_in_a_runner_becomes_lines_and_the_socket_stays_clean(launcher: Launcher) -> None:
    process = await launcher.launch("team.one")
    logs, heard = _lines_of(process)
    source = """
        print("printed 你好 \\ud800")
        sys.stderr.write("an error\\n")
        os.write(1, b"from C\\n")
        subprocess.run(["sh", "-c", "echo a child; echo complains >&2"])
        answer("clean")
    """
    assert await ask(process, source) == "clean"
    await heard.until(lambda: len(heard.lines) == 5)
    assert [text for stream, text in heard.lines if stream == "stdout"] == ["printed 你好 \\ud800", "from C", "a child"]
    assert [text for stream, text in heard.lines if stream == "stderr"] == ["an error", "complains"]
    await process.kill()
    await logs.aclose()
    process.socket.close()


async def test_the_last_lines_say_why_a_runner_ended(launcher: Launcher) -> None:
    process = await launcher.launch("team.one")
    logs, _ = _lines_of(process)
    process.socket.send(b"raise ValueError('the reason')\0")
    await process.ended
    await logs.aclose()
    assert logs.last[0] == "Traceback (most recent call last):"
    assert logs.last[-1] == "ValueError: the reason"
    process.socket.close()


async def test_a_grandchild_that_holds_the_pipes_holds_up_nobody(launcher: Launcher) -> None:
    process = await launcher.launch("team.one")
    logs, heard = _lines_of(process)
    source = """
        subprocess.Popen(["sh", "-c", "echo begun; exec sleep 300"], start_new_session=True)
        answer(1)
    """
    await ask(process, source)
    await heard.until(lambda: heard.lines == [("stdout", "begun")])
    await asyncio.wait_for(logs.aclose(), 5)
    process.socket.shutdown(socket.SHUT_RDWR)
    assert (await process.ended).code == 0
    process.socket.close()
