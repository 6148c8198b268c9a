"""A plugin that dies is started again, ever later, and given up in the end; a stable while forgives."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from host.runtime.runners.restarts import Restarts, RestartSettings

_SETTINGS = RestartSettings(
    most=5, window_seconds=300, stable_seconds=60, first_pause_seconds=0.5, longest_pause_seconds=4, jitter=0
)


def _even() -> float:
    return 0.5


def test_pauses_grow_up_to_the_longest_and_end_in_giving_up() -> None:
    restarts = Restarts(_SETTINGS, _even)
    assert [restarts.next_pause(now) for now in range(6)] == [0.5, 1, 2, 4, 4, None]


def test_becoming_ready_forgives_nothing() -> None:
    restarts = Restarts(_SETTINGS, _even)
    pauses, now = [], 0.0
    while (pause := restarts.next_pause(now)) is not None:
        pauses.append(pause)
        restarts.started(now + pause)
        now += pause + 1  # Dies a second after it was ready.
    assert len(pauses) == 5
    assert restarts.count == 6


def test_running_for_a_stable_while_forgives_all() -> None:
    restarts = Restarts(_SETTINGS, _even)
    for now in range(5):
        restarts.next_pause(now)
    restarts.started(10)
    assert restarts.next_pause(69.9) is None
    restarts.started(100)
    assert restarts.next_pause(160) == 0.5
    assert restarts.next_pause(161) == 1


def test_a_while_counts_from_the_last_start_only() -> None:
    restarts = Restarts(_SETTINGS, _even)
    restarts.started(0)
    restarts.next_pause(1)
    # It never became ready again, so that it did not run for long.
    assert restarts.next_pause(200) == 1


def test_deaths_older_than_the_window_count_no_more() -> None:
    restarts = Restarts(_SETTINGS, _even)
    for now in range(5):
        restarts.next_pause(now)
    assert restarts.next_pause(302) == 2  # The third that counts: those of 3 and 4 are left.
    assert restarts.count == 3


def test_the_owner_can_forgive() -> None:
    restarts = Restarts(_SETTINGS, _even)
    for now in range(10):
        restarts.next_pause(now)
    restarts.forgive()
    assert restarts.next_pause(10) == 0.5


def test_no_restarts_can_be_asked_for() -> None:
    assert Restarts(RestartSettings(most=0)).next_pause(0) is None


def test_pauses_out_of_order_are_refused() -> None:
    with pytest.raises(ValidationError, match="longer than longest_pause_seconds"):
        RestartSettings(first_pause_seconds=31)


_lives = st.lists(st.floats(0, 200), min_size=1, max_size=60)
_settings = st.builds(
    RestartSettings,
    most=st.integers(0, 10),
    window_seconds=st.floats(1, 500),
    stable_seconds=st.floats(1, 100),
    first_pause_seconds=st.floats(0.01, 1),
    longest_pause_seconds=st.floats(1, 60),
    jitter=st.floats(0, 0.9),
)


@given(_settings, _lives, st.randoms(use_true_random=False).map(lambda source: source.random))
def test_never_more_restarts_in_a_window_than_allowed(settings, lives, vary) -> None:  # type: ignore[no-untyped-def]
    restarts = Restarts(settings, vary)
    now = 0.0
    restarted: list[float] = []
    for life in lives:
        restarts.started(now)
        now += min(life, settings.stable_seconds * 0.99)
        pause = restarts.next_pause(now)
        if pause is None:
            assert settings.most == 0 or now - restarted[-settings.most] < settings.window_seconds
            return
        lower, upper = 1 - settings.jitter, 1 + settings.jitter
        assert settings.first_pause_seconds * lower * 0.999 <= pause <= settings.longest_pause_seconds * upper * 1.001
        restarted.append(now)
        now += pause
    for first, last in zip(restarted, restarted[settings.most :], strict=False):
        assert last - first >= settings.window_seconds


@given(_settings)
def test_what_dies_at_once_is_given_up_after_exactly_the_allowed_restarts(settings: RestartSettings) -> None:
    restarts = Restarts(settings.model_copy(update={"jitter": 0.0}), _even)
    pauses = [restarts.next_pause(0.0) for _ in range(settings.most + 1)]
    assert pauses[-1] is None
    granted = [pause for pause in pauses if pause is not None]
    assert len(granted) == settings.most
    assert all(earlier <= later for earlier, later in pairwise(granted))


@given(_settings, _lives)
def test_what_runs_stably_is_never_given_up(settings: RestartSettings, lives: list[float]) -> None:
    restarts = Restarts(settings.model_copy(update={"most": 1, "jitter": 0.0}), _even)
    now = 0.0
    for life in lives:
        restarts.started(now)
        now += settings.stable_seconds * 1.001 + life
        assert restarts.next_pause(now) == settings.first_pause_seconds
