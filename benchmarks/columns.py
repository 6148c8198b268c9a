"""All that is measured on one version of Python: a column of the table."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.cases import BESIDE, BESIDE_BUB, BOT, BUB, CASES, FAMILY, KERNEL, LIBRARY, MAIBOT, RUNNERS, SDK, Case
from benchmarks.harness import Effort, Figure
from benchmarks.interpreters import (
    WANTED,
    Interpreter,
    NotInstalledError,
    environment,
    find_interpreters,
    this_interpreter,
)
from benchmarks.measure import ROOT, CrashedError, measure_with
from benchmarks.peers import PEERS
from benchmarks.published import python_of_published


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """What one version of Python came to.

    Args:
        minor: the version, like (3, 11).
        version: the same in full, like ``3.11.7``; "" when no such Python was found.
        figures: by case.
        absent: why there are none, by subject.
        crashed: a measurement failed.
    """

    minor: tuple[int, int]
    version: str
    figures: dict[str, Figure] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    crashed: bool = False

    @property
    def name(self) -> str:
        """Like ``3.11``."""
        return f"{self.minor[0]}.{self.minor[1]}"

    def missed(self, case: Case) -> bool:
        """Whether the case was measured and costs more than its target."""
        figure = self.figures.get(case.key)
        return figure is not None and case.target is not None and figure.value > case.target.on(self.minor)

    def met(self, case: Case) -> bool:
        """Whether the case was measured and keeps its target."""
        return case.key in self.figures and case.target is not None and not self.missed(case)


def here(effort: Effort) -> list[Column]:
    """The kernel, the family of Bub, the runners, the bot and its library on this Python: nothing is installed."""
    column = _measure(this_interpreter(), (KERNEL, FAMILY, RUNNERS, BOT, LIBRARY), effort)
    left_out = {
        SDK: "left out, needs the published SDK",
        BESIDE: "left out, needs the published MaiBot",
        BESIDE_BUB: "left out, needs Bub",
    }
    return [replace(column, absent={**column.absent, **left_out})]


def everywhere(effort: Effort) -> Iterator[Column]:
    """Everything on every wanted version; what is not found or cannot be installed is said."""
    found = find_interpreters()
    subjects = (KERNEL, FAMILY, RUNNERS, BOT, LIBRARY, SDK, *PEERS)
    for minor in sorted({*WANTED, *found}):
        if minor in found:
            yield _compared(_measure(found[minor], subjects, effort))
        else:
            yield Column(
                minor=minor, version="", absent=dict.fromkeys((*subjects, BESIDE, BESIDE_BUB), "no such Python found")
            )


def _measure(interpreter: Interpreter, subjects: tuple[str, ...], effort: Effort) -> Column:
    figures: dict[str, Figure] = {}
    absent: dict[str, str] = {}
    crashed = False
    for subject in subjects:
        if subject in PEERS and interpreter.minor < PEERS[subject].python:
            absent[subject] = f"needs Python {'.'.join(map(str, PEERS[subject].python))}"
            continue
        print(f"Measuring {subject} on Python {interpreter.text}", file=sys.stderr)
        try:
            figures |= measure_with(_environment(interpreter, subject), subject, _effort(subject, effort))
        except NotInstalledError as error:
            print(error, file=sys.stderr)
            absent[subject] = f"{error.name} could not be installed"
        except CrashedError as error:
            print(error, file=sys.stderr)
            absent[subject] = "crashed"
            crashed = True
    return Column(minor=interpreter.minor, version=interpreter.text, figures=figures, absent=absent, crashed=crashed)


def _effort(subject: str, effort: Effort) -> Effort:
    """Runners start processes of their own for each case, and hosts are filled with messages: these take minutes."""
    return replace(effort, processes=min(effort.processes, 3)) if subject in (RUNNERS, MAIBOT, BOT) else effort


def _compared(column: Column) -> Column:
    """With our runners and our family as shares of MaiBot's and of Bub's, where both were measured."""
    figures, absent = dict(column.figures), dict(column.absent)
    for beside, ours_of, theirs_of, pairs in _SHARES:
        measured = {key: pair for key, pair in pairs.items() if set(pair) <= figures.keys()}
        figures |= {key: _share(figures[ours], figures[theirs]) for key, (ours, theirs) in measured.items()}
        if not measured:
            absent[beside] = absent.get(theirs_of) or absent.get(ours_of) or "nothing to hold it against"
    return replace(column, figures=figures, absent=absent)


_SHARES = (
    (
        BESIDE,
        RUNNERS,
        MAIBOT,
        {
            f"beside-{key}": (key, f"published-{key}")
            for key in ("call-1k-1", "call-1k-32", "invoke-1k-1", "invoke-1k-32")
        },
    ),
    (
        BESIDE_BUB,
        FAMILY,
        BUB,
        {f"beside-bub-{form}": (f"family-{form}", f"bub-{form}") for form in ("bail", "collect")},
    ),
)
"""Whose shares, of what, of whose; and by the case of a share, ours and theirs."""


def _share(ours: Figure, theirs: Figure) -> Figure:
    return Figure(
        value=ours.value / theirs.value,
        low=ours.low / theirs.high,
        high=ours.high / theirs.low,
        micros=ours.micros,
        base_micros=theirs.micros,
    )


def _environment(interpreter: Interpreter, subject: str) -> Path:
    if subject in PEERS:
        return environment(interpreter, subject, PEERS[subject].requirements)
    if subject == SDK:
        return python_of_published(interpreter)
    if interpreter == this_interpreter():
        return interpreter.python
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return environment(interpreter, "kernel", [line for line in lines if line and not line.startswith("#")])


def cases_of(columns: list[Column]) -> list[Case]:
    """The cases that have a figure, or a reason for none, in one of the columns."""
    return [
        case for case in CASES if any(case.key in column.figures or case.subject in column.absent for column in columns)
    ]


def tally(columns: list[Column]) -> tuple[int, int]:
    """How many targets are met, and how many are missed."""
    pairs = [(case, column) for case in CASES for column in columns]
    return sum(column.met(case) for case, column in pairs), sum(column.missed(case) for case, column in pairs)


def shown(subject: str) -> str:
    """The subject's name for people, with its version where it is a peer."""
    return PEERS[subject].shown if subject in PEERS else subject
