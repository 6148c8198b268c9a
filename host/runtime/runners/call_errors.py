"""Why a call over the wire has no result."""

from host.hooks.texts import Locale
from host.runtime.runners.channel import EndReason
from host.runtime.runners.wire_texts import WIRE_TEXTS


class PeerGoneError(Exception):
    """The channel to the other side has ended, or is not open yet.

    Args:
        reason: why.
    """

    def __init__(self, reason: EndReason) -> None:
        self.reason = reason
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """What happened, in the given language."""
        return WIRE_TEXTS.render("peer_gone", {"reason": self.reason.text(locale)}, locale)


class RemoteFailureError(Exception):
    """What serves a call raised, as text.

    Args:
        kind: the name of the exception's class.
        text: one line, which begins with that name.
        traceback: where it was raised.
    """

    def __init__(self, kind: str, text: str, traceback: str) -> None:
        self.kind = kind
        self.text = text
        self.traceback = traceback
        super().__init__(text)


class CallTimedOutError(TimeoutError):
    """A call was not answered by its deadline. The other side was told that nobody waits any more.

    Args:
        method: what was called.
    """

    def __init__(self, method: str) -> None:
        self.method = method
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """What happened, in the given language."""
        return WIRE_TEXTS.render("call_timed_out", {"method": self.method}, locale)
