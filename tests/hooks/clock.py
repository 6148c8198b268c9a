"""A clock that stands still until it is moved."""


class Clock:
    """The present in seconds, for whoever takes it as a function.

    Args:
        now: where it stands.
    """

    def __init__(self, now: float = 1_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now
