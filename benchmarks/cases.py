"""What is measured, and what it may cost at most."""

from dataclasses import dataclass
from typing import Literal

KERNEL = "maibot-host"
SDK = "maibot_sdk"
RUNNERS = "maibot-host's runners"
LIBRARY = "maibot-host's library"
BESIDE = "maibot-host's runners beside MaiBot's"
BOT = "maibot-host's bot"
PLUGGY = "pluggy"
APLUGGY = "apluggy"
BUB = "bub"
FAMILY = "the family of Bub here"
BESIDE_BUB = "the family here beside Bub"
MAIBOT = "maibot"
PEER_NAMES = (PLUGGY, APLUGGY, BUB)
CHAINS = {
    "receive": "receiving",
    "commands": "commands",
    "planner": "the planner",
    "replyer": "the replyer",
    "send": "sending",
    "storage": "storage",
    "model": "the offline model",
    "rest": "everything else",
}
"""What the time of a message is spent on, in the words of the table."""

Unit = Literal["x", "%", "ms", "MB"]


@dataclass(frozen=True, slots=True)
class Target:
    """The largest value that is good enough.

    Args:
        at_most: on Python 3.11.
        newer: on Python 3.12 and later, where it differs.
    """

    at_most: float
    newer: float | None = None

    def on(self, python: tuple[int, int]) -> float:
        """The target on that version of Python, as (3, 11)."""
        return self.newer if self.newer is not None and python >= (3, 12) else self.at_most


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One row of the table.

    Args:
        key: names it within the bench.
        title: what is done.
        base: what it is held against.
        subject: who does it.
        target: what it may cost; peers have none.
        unit: ``x`` multiples of the base, ``%`` of the base, ``ms`` milliseconds, ``MB`` 2**20 bytes.
    """

    key: str
    title: str
    base: str
    subject: str = KERNEL
    target: Target | None = None
    unit: Unit = "x"


_LOOP = "bare loop"
_READY = "bare loop, arguments ready"
_COPIES = "bare loop, a copy each"
_IMPORTS = "importing their files"
_PUBLISHED = "the published SDK"
_ECHO = "bare echo"
_FRESH = "a fresh Python that imports the SDK"


def _none(count: int, target: Target) -> list[Case]:
    """The kernel and its peers, at so many handlers that return None."""
    title = f"None, {count} handler{'s' * (count > 1)}"
    return [
        Case(key=f"none-{count}", title=title, base=_LOOP, target=target),
        Case(key=f"ready-{count}", title=title, base=_READY),
        *(Case(key=f"{peer}-{count}", title=title, base=_LOOP, subject=peer) for peer in PEER_NAMES),
    ]


def _message(what: str, key: str, target: Target) -> list[Case]:
    """A nested message, declared as a dict, which the target is about; and declared in depth, which costs more."""
    return [
        Case(key=f"dict-{key}", title=f"2 KB message, {what}", base=_COPIES, target=target),
        Case(key=f"typed-{key}", title=f"2 KB message validated in depth, {what}", base=_COPIES),
    ]


def _calls(key: str, what: str, target: float) -> list[Case]:
    """Calls of a handler in its own process, which the target is about; the whole dispatch, and the wire alone."""
    return [
        Case(key=f"call-{key}", title=f"{what} to a runner", base=_ECHO, subject=RUNNERS, target=Target(target)),
        Case(key=f"wire-{key}", title=f"{what} the wire alone", base=_ECHO, subject=RUNNERS),
        Case(key=f"invoke-{key}", title=f"{what} the whole dispatch", base=_ECHO, subject=RUNNERS),
    ]


def _published(key: str, what: str, target: float) -> list[Case]:
    """The published MaiBot's runner, and ours as a share of it, which the target is about; the same of dispatches."""
    theirs = "MaiBot's runner"
    return [
        Case(key=f"published-call-{key}", title=f"{what} to a runner", base=_ECHO, subject=MAIBOT),
        Case(key=f"beside-call-{key}", title=f"{what} to a runner", base=theirs, subject=BESIDE, target=Target(target)),
        Case(key=f"published-invoke-{key}", title=f"{what} the whole dispatch", base=_ECHO, subject=MAIBOT),
        Case(key=f"beside-invoke-{key}", title=f"{what} the whole dispatch", base=theirs, subject=BESIDE),
    ]


def _library(key: str, what: str) -> Case:
    """Something that is done with a library of emoji, full and nearly empty."""
    return Case(
        key=f"emoji-{key}",
        title=f"10,000 emoji, {what}",
        base="100 emoji",
        subject=LIBRARY,
        target=Target(3.0),
    )


def _bub(form: str, what: str) -> list[Case]:
    """Bub's own runtime, the family here, and that as a share of Bub's, which the target is about."""
    title = f"{form}, {what}"
    return [
        Case(key=f"bub-{form}", title=title, base=_LOOP, subject=BUB),
        Case(key=f"family-{form}", title=title, base=_LOOP, subject=FAMILY),
        Case(key=f"beside-bub-{form}", title=title, base="Bub's runtime", subject=BESIDE_BUB, target=Target(0.7)),
    ]


CASES: tuple[Case, ...] = (
    *_none(1, Target(5.0, 4.5)),
    *_none(10, Target(1.8, 1.7)),
    *_none(100, Target(1.4)),
    *_bub("bail", "10 implementations that answer None"),
    *_bub("collect", "10 implementations"),
    Case(key="traced", title="None, 10 handlers, with a trace listener", base=_LOOP, target=Target(2.4)),
    Case(key="one-key", title="one key changed, 10 handlers", base=_LOOP, target=Target(2.8)),
    Case(key="whole-dict", title="whole dict returned, one key changed, 10 handlers", base=_LOOP, target=Target(3.4)),
    *_message("None, 1 handler", "1", Target(2.0)),
    *_message("None, 10 handlers", "10", Target(1.4)),
    *_message("edited and returned, 10 handlers", "edited", Target(3.2)),
    Case(
        key="elsewhere",
        title="None, 10 handlers, 10,000 on other hooks",
        base="the same without those",
        target=Target(1.05),
    ),
    Case(key="register", title="registering a handler", base="inspect.signature of it", target=Target(3.0)),
    Case(key="hand-over", title="hand-over to 100 observers", base="100 create_task", target=Target(1.3)),
    Case(key="parked", title="1,000 parked dispatches", base="of one core", target=Target(0.1), unit="%"),
    Case(key="overshoot", title="a deadline of 10 ms, overshot by", base="", target=Target(3.0), unit="ms"),
    Case(
        key="start",
        title="loading 200 small plugins with a configuration model",
        base=_IMPORTS,
        target=Target(2.0),
    ),
    Case(key="start-plain", title="loading 200 small plugins without one", base=_IMPORTS),
    Case(
        key="import",
        title="importing the SDK and building a small model",
        base=_PUBLISHED,
        subject=SDK,
        target=Target(0.5),
    ),
    Case(
        key="import-plugin",
        title="importing the SDK and declaring a small plugin",
        base=_PUBLISHED,
        subject=SDK,
    ),
    *_calls("1k-1", "1 KB, one at a time,", 1.5),
    *_calls("1k-32", "1 KB, 32 at once,", 1.8),
    *_calls("1k-256", "1 KB, 256 at once,", 2.2),
    *_calls("256k-1", "256 KB, one at a time,", 1.6),
    *_calls("4m-1", "4 MB, one at a time,", 2.4),
    *_published("1k-1", "1 KB, one at a time,", 0.33),
    *_published("1k-32", "1 KB, 32 at once,", 0.2),
    Case(key="process-one", title="a plugin's process until ready", base=_FRESH, subject=RUNNERS, target=Target(0.15)),
    Case(key="process-many", title="50 processes and their parent", base=_FRESH, subject=RUNNERS, target=Target(5.0)),
    Case(key="process-many-warm", title="50 processes, the parent warm", base=_FRESH, subject=RUNNERS),
    Case(
        key="process-memory",
        title="memory that each further process adds",
        base="",
        subject=RUNNERS,
        target=Target(10.0),
        unit="MB",
    ),
    Case(
        key="neighbours-latency",
        title="healthy plugins beside three bad ones",
        base="the same without those",
        subject=RUNNERS,
        target=Target(1.5),
    ),
    Case(
        key="neighbours-lag",
        title="the host's loop beside three bad plugins, late by at most",
        base="",
        subject=RUNNERS,
        target=Target(20.0),
        unit="ms",
    ),
    Case(
        key="message",
        title="a message all the way, 20 plugins on every hook",
        base="the same without plugins",
        subject=BOT,
        target=Target(1.6),
    ),
    Case(
        key="history",
        title="a message in a chat with 10,000 stored ones",
        base="in a chat with 100",
        subject=BOT,
        target=Target(1.1),
    ),
    *(
        Case(key=f"share-{chain}", title=f"of a message's time, {words}", base="all of it", subject=BOT, unit="%")
        for chain, words in CHAINS.items()
    ),
    _library("choose", "one chosen by its tags"),
    _library("like", "one like a description"),
    _library("random", "five drawn by lot"),
    _library("emotions", "all emotions"),
    _library("info", "how many there are"),
    _library("all", "all that fit into an answer"),
    _library("register", "one registered and deleted"),
)
"""In the order of the table."""
