"""What a call of one handler has to pass. It stands open, and costs one look, unless there is something to mind."""

from loguru import logger

from host.hooks.breaker import Breaker, BreakerPosition, Probe
from host.hooks.failure import Failure
from host.hooks.lease import Lease


class Gate:
    """The gate of one handler: shut while its plugin is not running, or its breaker has to see every call.

    Args:
        lease: whether its plugin is running.
        breaker: whether it fails too often.
        handler: what it is called in the log.

    Attributes:
        shut: whether calls have to `enter`; where it is not, they go ahead, and only failures are told, by `failed`.
    """

    __slots__ = ("_handler", "breaker", "lease", "shut")

    def __init__(self, lease: Lease, breaker: Breaker, handler: str) -> None:
        self.lease = lease
        self.breaker = breaker
        self._handler = handler
        lease.attach(self)
        self.refresh()

    def refresh(self) -> None:
        """Follow what the lease and the breaker say now."""
        self.shut = self.lease.shut or self.breaker.minds

    async def enter(self, seconds: float) -> "Passage | Failure":
        """Wait to be let through.

        Args:
            seconds: how long a plugin that is being reloaded is waited for.

        Returns:
            A passage, which has to be left again; or why the handler is not called.
        """
        refused = self.breaker.refuse()
        if refused is None and self.lease.shut:
            refused = await self.lease.wait(seconds) or self.breaker.refuse()
        if refused is not None:
            return refused
        probe = self.breaker.admit()
        self.refresh()
        return Passage(self, probe)

    def failed(self, failure: Failure, probe: Probe | None = None) -> None:
        """A call that went ahead has failed."""
        if self.breaker.record(failure, probe):
            opened = self.breaker.state()
            logger.error(
                "The breaker of {} has opened for {:.1f} s: {}", self._handler, opened.seconds_left, opened.reason
            )
        self.refresh()

    def succeeded(self, probe: Probe | None) -> None:
        """A call that had to pass has not failed."""
        if self.breaker.record(None, probe):
            logger.info("The breaker of {} has closed: its probe succeeded", self._handler)
        self.refresh()

    def reset(self) -> None:
        """Close the breaker."""
        if self.breaker.state().position is not BreakerPosition.CLOSED:
            logger.info("The breaker of {} was reset", self._handler)
        self.breaker.reset()
        self.refresh()


class Passage:
    """One call on its way through a gate.

    Args:
        gate: the gate.
        probe: what tells the breaker's probe from other calls.
    """

    __slots__ = ("_gate", "_probe")

    def __init__(self, gate: Gate, probe: Probe | None) -> None:
        self._gate = gate
        self._probe = probe

    def end(self, failure: Failure | None) -> None:
        """The call has ended, with a failure or without."""
        if failure is None:
            self._gate.succeeded(self._probe)
        else:
            self._gate.failed(failure, self._probe)

    def give_up(self) -> None:
        """The call ended without an answer, cancelled by whoever made it. After `end` it means nothing any more."""
        self._gate.breaker.give_up(self._probe)
