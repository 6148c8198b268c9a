"""A circuit breaker for one handler: after too many failures it is skipped for a while, then tried again.

Closed, it counts failures in a sliding window, and from the first of them on the calls too. Open, every call is refused
until the cool-down is over. Then it is half open: one call goes ahead as a probe, and its end decides.
"""

from collections.abc import Callable
from enum import Enum
from math import floor
from time import monotonic

from msgspec import Struct

from host.hooks.failure import Failure
from host.hooks.settings import BreakerSettings

_SLOTS = 20
"""Parts of the window that fall out of it one by one."""
_MOST_TEXT = 200
"""Characters of a failure's text that go into the reason."""


class BreakerPosition(str, Enum):
    """Where a breaker stands."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class BreakerState(Struct, frozen=True, kw_only=True):
    """A breaker as it stands at one moment.

    Args:
        position: closed (calls go ahead), open (calls are skipped), half open (the next call, or one that runs, is a
            probe).
        reason: why it opened last, or "" while it is closed.
        seconds_left: until a probe may go ahead; 0 unless it is open.
        calls: counted in the window, from the first failure in it on.
        failures: counted among them.
        skipped: calls that were refused since it opened.
        opened: how often it has opened since the handler was registered or the breaker was reset.
    """

    position: BreakerPosition
    reason: str
    seconds_left: float
    calls: int
    failures: int
    skipped: int
    opened: int


class Probe:
    """The one call by which a breaker finds out whether its handler works again."""


class _Slot(Struct):
    number: int
    calls: int = 0
    failures: int = 0


class Breaker:
    """The breaker of one handler.

    Args:
        settings: when it opens, and for how long.
        clock: the present in seconds, on any scale that only grows.

    Attributes:
        minds: whether calls have to pass by it: it is not closed, or has seen a failure within its window.
    """

    __slots__ = ("_clock", "_opened", "_probe", "_reason", "_settings", "_skipped", "_slots", "_until", "minds")

    def __init__(self, settings: BreakerSettings, clock: Callable[[], float] = monotonic) -> None:
        self.minds = False
        self._settings = settings
        self._clock = clock
        self._slots: list[_Slot] = []
        self._until: float | None = None
        self._probe: Probe | None = None
        self._reason = ""
        self._skipped = 0
        self._opened = 0

    def reset(self) -> None:
        """Close it, and forget everything; a probe that runs counts as any other call."""
        self._close()
        self._opened = 0

    def refuse(self) -> Failure | None:
        """The failure of a call that may not go ahead now, and is skipped; None where it may."""
        if self._until is None:
            return None
        left = self._until - self._clock()
        if left <= 0 and self._probe is None:
            return None
        self._skipped += 1
        when = f"for {left:.1f} s more" if left > 0 else "until the probe that runs has ended"
        return Failure("breaker_open", f"its breaker is open {when}: {self._reason}", charged=False)

    def admit(self) -> Probe | None:
        """Let a call go ahead that `refuse` did not refuse just now.

        Returns:
            What tells the probe from other calls: to be handed to `record` or `give_up`, whatever becomes of the call.
        """
        if self._until is None:
            self._forget()
            return None
        self._probe = Probe()
        return self._probe

    def record(self, failure: Failure | None, probe: Probe | None = None) -> bool:
        """Count a call that has ended.

        Args:
            failure: why it failed, if it did. Failures of kinds that do not count are successes here; those that the
                handler is not charged for say nothing about it.
            probe: as `admit` gave it.

        Returns:
            Whether the breaker opened or closed by it.
        """
        if not self._settings.enabled:
            return False
        if failure is not None and not self._tells(failure):
            self.give_up(probe)
            return False
        failed = failure if failure is not None and failure.kind in self._settings.counts else None
        if probe is not None and probe is self._probe:
            return self._resolve(failed)
        return self._until is None and self._count(failed)

    def give_up(self, probe: Probe | None) -> None:
        """A call has ended that says nothing about the handler. If it was the probe, the next call is one."""
        if probe is self._probe:
            self._probe = None

    def state(self) -> BreakerState:
        """How it stands now."""
        self._forget()
        left = max(self._until - self._clock(), 0.0) if self._until is not None else 0.0
        position = BreakerPosition.OPEN if left else BreakerPosition.HALF_OPEN
        return BreakerState(
            position=position if self._until is not None else BreakerPosition.CLOSED,
            reason=self._reason,
            seconds_left=left,
            calls=sum(slot.calls for slot in self._slots),
            failures=sum(slot.failures for slot in self._slots),
            skipped=self._skipped,
            opened=self._opened,
        )

    def _tells(self, failure: Failure) -> bool:
        """Whether the failure says something about the handler. One that was not run has neither failed nor worked."""
        return failure.charged and (failure.kind != "unavailable" or failure.kind in self._settings.counts)

    def _count(self, failed: Failure | None) -> bool:
        self._forget()
        if failed is None and not self.minds:
            return False
        number = self._number()
        if not self._slots or self._slots[-1].number != number:
            self._slots.append(_Slot(number))
        slot = self._slots[-1]
        slot.calls += 1
        if failed is None:
            return False
        slot.failures += 1
        self.minds = True
        return self._judge(failed)

    def _judge(self, last: Failure) -> bool:
        settings = self._settings
        calls = sum(slot.calls for slot in self._slots)
        failures = sum(slot.failures for slot in self._slots)
        if failures < settings.min_failures or failures < settings.failure_rate * calls:
            return False
        span = f"{settings.window_seconds:g} s"
        self._open(f"{failures} of {calls} calls failed within {span}, the last with {last.kind}: {_short(last)}")
        return True

    def _resolve(self, failed: Failure | None) -> bool:
        self._probe = None
        if failed is None:
            self._close()
        else:
            self._open(f"the probe failed with {failed.kind}: {_short(failed)}")
        return True

    def _open(self, reason: str) -> None:
        if self._until is None:
            self._skipped = 0
        self._until = self._clock() + self._settings.cool_down_seconds
        self._reason = reason
        self._opened += 1
        self._slots.clear()

    def _close(self) -> None:
        self.minds = False
        self._slots.clear()
        self._until = self._probe = None
        self._reason = ""
        self._skipped = 0

    def _forget(self) -> None:
        """Let what is older than the window fall out of it; without a failure in it, calls are not counted."""
        oldest = self._number() - _SLOTS
        while self._slots and self._slots[0].number <= oldest:
            del self._slots[0]
        if self._until is None and self.minds and not any(slot.failures for slot in self._slots):
            self._slots.clear()
            self.minds = False

    def _number(self) -> int:
        return floor(self._clock() / self._settings.window_seconds * _SLOTS)


def _short(failure: Failure) -> str:
    text = failure.text
    return text if len(text) <= _MOST_TEXT else f"{text[: _MOST_TEXT - 3]}..."
