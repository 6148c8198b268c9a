"""What a runner's process prints, as lines: whatever writes it, at whatever level, it comes through two pipes."""

import asyncio
import sys
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from host.runtime.runners.pipe_readers import LoopReader, PipeReader, ThreadReader

Stream = Literal["stdout", "stderr"]

LINE_BYTES = 8 * 1024
"""A line is told up to here, and by how much it was longer."""
LAST_LINES = 20
"""How many lines are kept."""
TELL_SECONDS = 10.0
"""That lines were dropped is told once in so long."""

_PAUSE_SECONDS = 0.02
"""For so long nothing is read after lines were dropped: who floods its output waits, and the host does not."""

_Line = bytes | str
"""A line as it was read in one piece, or as it is told. In a flood few lines are told: few are made into text."""


class LogLimits(BaseModel):
    """What an owner may set about how much plugins print."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    lines_per_second: float = Field(50.0, gt=0, description="How many lines a plugin may print per second, lastingly.")
    burst: int = Field(500, ge=1, description="How many lines it may print at once.")


class LogLines:
    """Reads the pipes of a process and tells its lines, until it is closed.

    It never waits for the end of a pipe, which anything that the process started may hold open. Everything is told in
    the event loop that this was made in.

    Args:
        stdout: the reading end of a pipe, non-blocking unless threads read; it is closed here.
        stderr: the same for the other stream.
        tell: gets each line, without its end, and with what is no UTF-8 replaced.
        tell_dropped: gets how many lines were dropped since it was last told.
        limits: how many lines are told.
        clock: seconds.
        threads: whether threads read, as they have to where the event loop cannot watch pipes.

    Attributes:
        dropped: how many lines were dropped so far.
    """

    def __init__(
        self,
        stdout: int,
        stderr: int,
        tell: Callable[[Stream, str], None],
        *,
        tell_dropped: Callable[[int], None],
        limits: LogLimits | None = None,
        clock: Callable[[], float] = time.monotonic,
        threads: bool = sys.platform == "win32",
    ) -> None:
        self.dropped = 0
        self._tell = tell
        self._tell_dropped = tell_dropped
        self._allowance = Allowance(limits or LogLimits(), clock)
        self._last: deque[str] = deque(maxlen=LAST_LINES)
        self._untold = 0
        self._timer: asyncio.TimerHandle | None = None
        self._cutters: dict[Stream, _Cutter] = {"stdout": _Cutter(), "stderr": _Cutter()}
        reader = ThreadReader if threads else LoopReader
        self._readers: list[PipeReader] = [
            reader(stdout, partial(self._feed, "stdout")),
            reader(stderr, partial(self._feed, "stderr")),
        ]

    @property
    def last(self) -> tuple[str, ...]:
        """The last lines, also of those that were dropped, and what was not ended by a newline yet."""
        unfinished = [cutter.unfinished for cutter in self._cutters.values() if cutter.unfinished is not None]
        return (*self._last, *unfinished)[-LAST_LINES:]

    def remember(self, line: str) -> None:
        """Keep a line that came by another way among the last."""
        self._last.append(line)

    async def aclose(self) -> None:
        """Tell what was written so far, and close the pipes."""
        for reader in self._readers:
            await reader.aclose()
        for stream, cutter in self._cutters.items():
            if cutter.unfinished is not None:
                self._feed(stream, b"\n")
        if self._timer is not None:
            self._timer.cancel()
            self._tell_drops()

    def _feed(self, stream: Stream, chunk: bytes) -> float:
        lines = self._cutters[stream].cut(chunk)
        allowed = self._allowance.take(len(lines))
        for line in lines[:allowed]:
            text = _text(line)
            self._last.append(text)
            self._tell(stream, text)
        dropped = lines[allowed:]
        if not dropped:
            return 0.0
        self._last.extend(map(_text, dropped[-LAST_LINES:]))
        self.dropped += len(dropped)
        self._untold += len(dropped)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(TELL_SECONDS, self._tell_drops)
        return _PAUSE_SECONDS

    def _tell_drops(self) -> None:
        self._timer = None
        untold, self._untold = self._untold, 0
        self._tell_dropped(untold)


class _Cutter:
    """Cuts a stream of bytes into lines, and keeps of one that has not ended no more than is told of it."""

    def __init__(self) -> None:
        self._begun = bytearray()
        self._length = 0

    @property
    def unfinished(self) -> str | None:
        return _shown(self._begun, self._length) if self._length else None

    def cut(self, chunk: bytes) -> list[_Line]:
        """The lines that end in the next piece of the stream."""
        first, *more = chunk.split(b"\n")
        self._go_on(first)
        if not more:
            return []
        lines: list[_Line] = [_shown(self._begun, self._length), *more[:-1]]
        self._begun.clear()
        self._length = 0
        self._go_on(more[-1])
        return lines

    def _go_on(self, piece: bytes) -> None:
        self._begun += piece[: LINE_BYTES - len(self._begun)]
        self._length += len(piece)


class Allowance:
    """How many lines may be told: a bucket that fills steadily up to the burst.

    Args:
        limits: how fast it fills, and how far.
        clock: seconds.
    """

    def __init__(self, limits: LogLimits, clock: Callable[[], float]) -> None:
        self._limits = limits
        self._clock = clock
        self._filled = clock()
        self._left = float(limits.burst)

    def take(self, wanted: int) -> int:
        """How many of the wanted lines may be told; they are taken out."""
        now = self._clock()
        gained = (now - self._filled) * self._limits.lines_per_second
        self._filled = now
        self._left = min(self._left + gained, float(self._limits.burst))
        taken = min(wanted, int(self._left))
        self._left -= taken
        return taken


def _text(line: _Line) -> str:
    return line if isinstance(line, str) else _shown(line, len(line))


def _shown(begun: bytes | bytearray, length: int) -> str:
    """A line as it is told: how it begins, and by how much it is longer than what is told of a line."""
    text = begun[:LINE_BYTES].decode("utf-8", "replace").removesuffix("\r")
    return f"{text} … (+{length - LINE_BYTES} bytes)" if length > LINE_BYTES else text
