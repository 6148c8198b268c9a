"""When a runner that died is started again, and when it is given up."""

import random
from collections import deque
from collections.abc import Callable
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class RestartSettings(BaseModel):
    """What an owner may set about restarts of plugins' processes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    most: int = Field(5, ge=0, le=100, description="How many restarts a plugin gets within the window.")
    window_seconds: float = Field(300.0, gt=0, description="Deaths longer ago than this count no more.")
    stable_seconds: float = Field(60.0, gt=0, description="After running for so long all earlier deaths are forgiven.")
    first_pause_seconds: float = Field(0.5, gt=0, description="The pause before the first restart.")
    longest_pause_seconds: float = Field(30.0, gt=0, description="Each pause is twice the one before, up to this.")
    jitter: float = Field(
        0.2, ge=0, lt=1, description="By which part pauses vary at random, so that plugins do not restart in step."
    )

    @model_validator(mode="after")
    def _pauses_in_order(self) -> Self:
        if self.first_pause_seconds > self.longest_pause_seconds:
            raise ValueError("first_pause_seconds is longer than longest_pause_seconds")
        return self


class Restarts:
    """The restarts of one plugin: a record of its deaths, which holds no clock of its own.

    Pauses grow with each death within a sliding window, and vary a little. Deaths are forgotten when they are older
    than the window, and all at once after the plugin ran for a stable while. Becoming ready forgives nothing: what dies
    just after its start is given up in the end.

    Args:
        settings: how many, how long.
        vary: a random number from 0 up to 1.
    """

    def __init__(self, settings: RestartSettings, vary: Callable[[], float] = random.random) -> None:
        self._settings = settings
        self._vary = vary
        self._deaths: deque[float] = deque()
        self._started: float | None = None

    def started(self, now: float) -> None:
        """The plugin runs.

        Args:
            now: seconds, on the clock that all calls share.
        """
        self._started = now

    def next_pause(self, now: float) -> float | None:
        """The plugin died, which is charged to it: how many seconds until it is started again, or None: give it up."""
        settings = self._settings
        if self._started is not None and now - self._started >= settings.stable_seconds:
            self._deaths.clear()
        self._started = None
        while self._deaths and now - self._deaths[0] >= settings.window_seconds:
            self._deaths.popleft()
        self._deaths.append(now)
        if len(self._deaths) > settings.most:
            return None
        pause = min(settings.first_pause_seconds * 2.0 ** (len(self._deaths) - 1), settings.longest_pause_seconds)
        return pause * (1 + settings.jitter * (2 * self._vary() - 1))

    @property
    def count(self) -> int:
        """How many deaths count at present."""
        return len(self._deaths)

    def forgive(self) -> None:
        """Begin anew, because the owner says so."""
        self._deaths.clear()
        self._started = None
