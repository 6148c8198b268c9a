"""The breaker as a state machine, on a clock of the test's: when it opens, what it lets through, when it closes."""

from math import floor
from typing import get_args

import pytest
from hypothesis import settings as profile
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from host.hooks import BreakerPosition, BreakerSettings, ErrorKind, Failure
from host.hooks.breaker import Breaker, Probe
from tests.hooks.clock import Clock

COUNTED = ("timeout", "unavailable", "exception", "cancelled", "invalid_return")
TIMEOUT = Failure("timeout", "ran longer than 50 ms")
WINDOW, COOL_DOWN, PARTS = 60.0, 30.0, 20


def _call(breaker: Breaker, failure: Failure | None = None) -> bool:
    """One call from beginning to end; whether it went ahead."""
    if breaker.refuse() is not None:
        return False
    breaker.record(failure, breaker.admit())
    return True


def _tripped(clock: Clock) -> Breaker:
    breaker = Breaker(BreakerSettings(), clock)
    for _ in range(5):
        assert _call(breaker, TIMEOUT)
    return breaker


def test_it_opens_when_enough_calls_failed_and_says_why_and_how_long() -> None:
    clock = Clock()
    breaker = Breaker(BreakerSettings(), clock)
    for _ in range(4):
        breaker.record(TIMEOUT)
    assert breaker.state().position is BreakerPosition.CLOSED
    assert (breaker.state().calls, breaker.state().failures) == (4, 4)
    breaker.record(TIMEOUT)
    clock.now += 12.5
    state = breaker.state()
    assert (state.position, state.seconds_left, state.opened) == (BreakerPosition.OPEN, 17.5, 1)
    assert state.reason == "5 of 5 calls failed within 60 s, the last with timeout: ran longer than 50 ms"
    refused = breaker.refuse()
    assert refused is not None
    assert (refused.kind, refused.charged) == ("breaker_open", False)
    assert "17.5 s" in refused.text
    assert state.reason in refused.text
    assert breaker.state().skipped == 1


def test_a_handler_that_mostly_works_is_not_skipped() -> None:
    breaker = Breaker(BreakerSettings(), Clock())
    breaker.record(TIMEOUT)
    for _ in range(20):
        assert _call(breaker)
    for _ in range(18):
        assert _call(breaker, TIMEOUT)
    assert breaker.state().position is BreakerPosition.CLOSED
    # 20 of 40 are half of them.
    assert _call(breaker, TIMEOUT)
    assert breaker.state().position is BreakerPosition.OPEN


def test_failures_that_lie_further_back_than_the_window_do_not_count_and_calls_need_not_pass_any_more() -> None:
    clock = Clock()
    breaker = Breaker(BreakerSettings(), clock)
    for _ in range(4):
        breaker.record(TIMEOUT)
    minded = breaker.minds
    clock.now += WINDOW
    breaker.admit()
    assert (minded, breaker.minds) == (True, False)
    for _ in range(4):
        breaker.record(TIMEOUT)
    assert breaker.state().position is BreakerPosition.CLOSED


@pytest.mark.parametrize("kind", get_args(ErrorKind))
def test_only_some_kinds_of_failure_count(kind: ErrorKind) -> None:
    breaker = Breaker(BreakerSettings(), Clock())
    for _ in range(10):
        _call(breaker, Failure(kind, "as it says"))
    assert (breaker.state().position is BreakerPosition.OPEN) == (kind in COUNTED)


@pytest.mark.parametrize("kind", COUNTED)
def test_the_owner_chooses_which_kinds_count(kind: ErrorKind) -> None:
    breaker = Breaker(BreakerSettings.model_validate({"counts": sorted({*COUNTED} - {kind})}), Clock())
    for _ in range(10):
        _call(breaker, Failure(kind, "as it says"))
    assert breaker.state().position is BreakerPosition.CLOSED


def test_what_the_handler_is_not_charged_for_counts_neither_as_failure_nor_as_call() -> None:
    breaker = Breaker(BreakerSettings(), Clock())
    for _ in range(4):
        breaker.record(TIMEOUT)
    for _ in range(100):
        _call(breaker, Failure("unavailable", "too large", charged=False))
    assert (breaker.state().calls, breaker.state().failures) == (4, 4)


def test_switched_off_it_never_opens() -> None:
    breaker = Breaker(BreakerSettings(enabled=False), Clock())
    assert all(_call(breaker, TIMEOUT) for _ in range(100))
    assert not breaker.minds


def test_after_the_cool_down_one_probe_goes_ahead_and_closes_it_by_succeeding() -> None:
    clock = Clock()
    breaker = _tripped(clock)
    clock.now += COOL_DOWN - 0.001
    assert breaker.refuse() is not None
    clock.now += 0.001
    assert breaker.state().position is BreakerPosition.HALF_OPEN
    assert breaker.refuse() is None
    probe = breaker.admit()
    assert breaker.refuse() is not None
    assert breaker.record(None, probe)
    state = breaker.state()
    assert (state.position, state.reason, state.calls, state.failures) == (BreakerPosition.CLOSED, "", 0, 0)
    assert not breaker.minds


def test_a_probe_that_fails_opens_it_for_another_cool_down() -> None:
    clock = Clock()
    breaker = _tripped(clock)
    clock.now += COOL_DOWN + 5
    assert _call(breaker, Failure("exception", "ValueError: still"))
    state = breaker.state()
    assert (state.position, state.seconds_left, state.opened) == (BreakerPosition.OPEN, COOL_DOWN, 2)
    assert state.reason == "the probe failed with exception: ValueError: still"
    clock.now += COOL_DOWN
    assert _call(breaker)
    assert breaker.state().position is BreakerPosition.CLOSED


@pytest.mark.parametrize(
    "failure", [None, Failure("unavailable", "not run", charged=False)], ids=["cancelled", "not charged"]
)
def test_after_a_probe_that_says_nothing_the_next_call_is_one(failure: Failure | None) -> None:
    clock = Clock()
    breaker = _tripped(clock)
    clock.now += COOL_DOWN
    probe = breaker.admit()
    if failure is None:
        breaker.give_up(probe)
    else:
        breaker.record(failure, probe)
    assert breaker.state().position is BreakerPosition.HALF_OPEN
    assert _call(breaker)
    assert breaker.state().position is BreakerPosition.CLOSED


def test_calls_from_before_it_opened_do_not_decide_for_the_probe() -> None:
    clock = Clock()
    breaker = _tripped(clock)
    clock.now += COOL_DOWN
    probe = breaker.admit()
    breaker.record(None)
    breaker.record(TIMEOUT)
    breaker.give_up(None)
    assert breaker.refuse() is not None
    breaker.record(None, probe)
    assert breaker.state().position is BreakerPosition.CLOSED


def test_a_reset_closes_it_and_the_probe_that_still_runs_is_a_call_as_any_other() -> None:
    clock = Clock()
    breaker = _tripped(clock)
    clock.now += COOL_DOWN
    old = breaker.admit()
    breaker.reset()
    assert breaker.state().position is BreakerPosition.CLOSED
    assert breaker.state().opened == 0
    for _ in range(5):
        breaker.record(TIMEOUT)
    clock.now += COOL_DOWN
    breaker.admit()
    breaker.record(None, old)
    assert breaker.state().position is BreakerPosition.HALF_OPEN
    assert breaker.refuse() is not None


class Walk(RuleBasedStateMachine):
    """Calls that overlap in any way, over any stretch of time, against a model that remembers every one of them."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock(0.0)
        self.breaker = Breaker(BreakerSettings(min_failures=3), self.clock)
        self.running: list[Probe | None] = []
        self.events: list[tuple[int, bool]] = []
        self.until: float | None = None
        self.probe: Probe | None = None

    @property
    def part(self) -> int:
        return floor(self.clock.now / WINDOW * PARTS)

    def _prune(self) -> None:
        self.events = [event for event in self.events if event[0] > self.part - PARTS]
        if not any(failed for _, failed in self.events):
            self.events = []

    @rule(seconds=st.floats(0, 100))
    def time_passes(self, seconds: float) -> None:
        self.clock.now += seconds

    @rule()
    def a_call_begins(self) -> None:
        free = self.until is None or (self.clock.now >= self.until and self.probe is None)
        assert (self.breaker.refuse() is None) == free
        if free:
            probe = self.breaker.admit()
            assert (probe is None) == (self.until is None)
            self.running.append(probe)
            self.probe = probe

    @precondition(lambda self: self.running)
    @rule(data=st.data(), failed=st.booleans())
    def a_call_ends(self, data: st.DataObject, failed: bool) -> None:
        probe = self.running.pop(data.draw(st.integers(0, len(self.running) - 1)))
        self.breaker.record(TIMEOUT if failed else None, probe)
        if probe is not None and probe is self.probe:
            self.probe = None
            self.until = self.clock.now + COOL_DOWN if failed else None
        elif self.until is None:
            self._prune()
            if failed or self.events:
                self.events.append((self.part, failed))
            failures = sum(failed for _, failed in self.events)
            if failed and failures >= 3 and failures >= len(self.events) / 2:
                self.until = self.clock.now + COOL_DOWN
                self.events = []

    @precondition(lambda self: self.running)
    @rule(data=st.data())
    def a_call_is_cancelled(self, data: st.DataObject) -> None:
        probe = self.running.pop(data.draw(st.integers(0, len(self.running) - 1)))
        self.breaker.give_up(probe)
        if probe is self.probe:
            self.probe = None

    @rule()
    def it_is_reset(self) -> None:
        self.breaker.reset()
        self.events, self.until, self.probe = [], None, None

    @invariant()
    def it_stands_where_the_model_stands(self) -> None:
        self._prune()
        state = self.breaker.state()
        left = max(self.until - self.clock.now, 0) if self.until is not None else 0
        assert state.seconds_left == left
        closed = BreakerPosition.OPEN if left else BreakerPosition.HALF_OPEN
        assert state.position is (BreakerPosition.CLOSED if self.until is None else closed)
        assert (state.calls, state.failures) == (len(self.events), sum(failed for _, failed in self.events))
        assert self.breaker.minds == (self.until is not None or bool(self.events))

    @invariant()
    def it_is_never_stuck(self) -> None:
        if not any(probe is not None and probe is self.probe for probe in self.running):
            assert self.probe is None
            if self.until is not None and self.clock.now >= self.until:
                assert self.breaker.refuse() is None


TestWalk = Walk.TestCase
TestWalk.settings = profile(max_examples=150, stateful_step_count=40, deadline=None)
