"""How long the calls of one handler took."""

from collections import deque
from math import ceil

from host.runtime.code import HandlerVitals

_LATEST = 512


class Latencies:
    """The latest calls of one handler, and how many there were."""

    __slots__ = ("_calls", "_failures", "_seconds")

    def __init__(self) -> None:
        self._calls = 0
        self._failures = 0
        self._seconds: deque[float] = deque(maxlen=_LATEST)

    def add(self, seconds: float, *, failed: bool) -> None:
        """Count a call that has ended."""
        self._calls += 1
        self._failures += failed
        self._seconds.append(seconds)

    def vitals(self) -> HandlerVitals:
        """What there is to say about them."""
        ordered = sorted(self._seconds)
        return HandlerVitals(
            calls=self._calls,
            failures=self._failures,
            p50=_percentile(ordered, 0.50),
            p95=_percentile(ordered, 0.95),
            p99=_percentile(ordered, 0.99),
        )


def _percentile(ordered: list[float], share: float) -> float | None:
    """The smallest value that at least such a share of all values is not above."""
    return ordered[max(ceil(len(ordered) * share), 1) - 1] if ordered else None
