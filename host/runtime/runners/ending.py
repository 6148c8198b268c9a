"""How a runner process ended."""

import signal
from dataclasses import dataclass
from typing import Self

from host.hooks.texts import Locale
from host.runtime.runners.process_texts import PROCESS_TEXTS

_CRASHES = frozenset({"SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT", "SIGSYS", "SIGTRAP"})


@dataclass(frozen=True, slots=True)
class Ending:
    """How a runner process ended: by itself, or by a signal.

    Attributes:
        code: the exit code, where it ended by itself.
        signal: the name of the signal that ended it, such as ``"SIGKILL"``.
        charged: False where the plugin had no part in it: its process went down with the warm parent.
    """

    code: int | None = None
    signal: str | None = None
    charged: bool = True

    @classmethod
    def of(cls, returncode: int) -> Self:
        """The ending that a return code stands for; as in `subprocess`, negative ones are signals."""
        return cls(code=returncode) if returncode >= 0 else cls(signal=_name_of(-returncode))

    @classmethod
    def with_parent(cls) -> Self:
        """The ending of a process that its death signal took down together with the warm parent."""
        return cls(signal="SIGKILL", charged=False)

    def text(self, locale: Locale = "en") -> str:
        """What happened, as a clause without a full stop, in the given language."""
        if not self.charged:
            return PROCESS_TEXTS.render("ended_with_parent", {}, locale)
        if self.signal is None:
            return PROCESS_TEXTS.render("ended_by_itself", {"code": self.code}, locale)
        code = "ended_by_crash" if self.signal in _CRASHES else "ended_by_signal"
        return PROCESS_TEXTS.render(code, {"signal": self.signal}, locale)


def _name_of(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # Real-time signals have no names of their own.
        return f"signal {number}"
