"""The figures as a picture: the kernel beside its peers, and the kernel beside its targets."""

from dataclasses import dataclass

from benchmarks.cases import CASES, KERNEL, PEER_NAMES, Case
from benchmarks.columns import Column, shown
from benchmarks.svg import Drawing
from benchmarks.table import number

WIDTH = 900
LEFT = 400
RIGHT = 100
BAR = 11
GAP = 3
GROUP = 14

COLOURS = {
    "ground": ("#ffffff", "#0d1117"),
    "ink": ("#1f2328", "#e6edf3"),
    "quiet": ("#59636e", "#9198a1"),
    "grid": ("#d8dee4", "#2a3038"),
    "kernel": ("#0969da", "#4493f8"),
    "peer": ("#9aa4ae", "#6e7681"),
    "missed": ("#bc4c00", "#f0883e"),
}


@dataclass(frozen=True, slots=True)
class _Bar:
    """One bar: what stands before it, how long it is, what colour, and where its target is."""

    label: str
    value: float
    colour: str
    target: float | None = None


@dataclass(frozen=True, slots=True)
class _Group:
    title: str
    base: str
    bars: tuple[_Bar, ...]


def chart(columns: list[Column], subtitle: str) -> str:
    """The SVG file.

    Args:
        columns: what was measured.
        subtitle: versions and date.
    """
    drawing = Drawing(WIDTH, "What a dispatch costs, as a multiple of the bare loop", COLOURS)
    drawing.text(20, 28, "What a dispatch costs, as a multiple of the bare loop", "ink", size=17)
    drawing.text(20, 50, subtitle, "quiet")
    compared = max(columns, key=lambda column: (len(column.figures), column.minor))
    panels = {
        f"Beside other hook systems, handlers that return None, Python {compared.version}": _peer_groups(compared),
        "maibot-host beside its targets: a bar for each Python, the mark is the most that it may cost": _target_groups(
            columns
        ),
    }
    y = 84.0
    for title, groups in panels.items():
        if groups:
            y = _panel(drawing, y, title, groups) + 30
    return drawing.render(y - 20)


def _peer_groups(column: Column) -> list[_Group]:
    groups = []
    for count in (1, 10, 100):
        keys = {KERNEL: f"none-{count}", **{peer: f"{peer}-{count}" for peer in PEER_NAMES}}
        bars = tuple(
            _Bar(shown(subject), column.figures[key].value, "kernel" if subject == KERNEL else "peer")
            for subject, key in keys.items()
            if key in column.figures
        )
        if len(bars) > 1:
            groups.append(_Group(f"{count} handler{'s' * (count > 1)}", "", bars))
    return groups


def _target_groups(columns: list[Column]) -> list[_Group]:
    groups = []
    for case in CASES:
        bars = tuple(_target_bar(case, column) for column in columns if case.key in column.figures)
        if case.target is not None and case.unit == "x" and bars:
            groups.append(_Group(case.title, f"against {case.base}", bars))
    return groups


def _target_bar(case: Case, column: Column) -> _Bar:
    colour = "missed" if column.missed(case) else "kernel"
    target = case.target.on(column.minor) if case.target is not None else None
    return _Bar(column.name, column.figures[case.key].value, colour, target)


def _panel(drawing: Drawing, top: float, title: str, groups: list[_Group]) -> float:
    """Draw the groups on one scale; returns where the panel ends."""
    drawing.text(20, top, title, "ink", size=14)
    top += 26
    height = sum(len(group.bars) * (BAR + GAP) + GROUP for group in groups) - GROUP
    most = max(max(bar.value, bar.target or 0) for group in groups for bar in group.bars)
    scale = (WIDTH - LEFT - RIGHT) / most
    for mark in range(0, int(most) + 1, 1 if most < 8 else 2):
        drawing.upright(LEFT + mark * scale, top - 8, top + height + 4, "quiet" if mark == 1 else "grid")
        drawing.text(LEFT + mark * scale - 3, top + height + 14, str(mark), "quiet", size=10)
    if most >= 8:
        drawing.upright(LEFT + scale, top - 8, top + height + 4, "quiet")
    for group in groups:
        drawing.text(20, top + BAR / 2, group.title, "ink")
        drawing.text(20, top + BAR / 2 + 15, group.base, "quiet", size=11)
        for bar in group.bars:
            _bar(drawing, top, scale, bar)
            top += BAR + GAP
        top += GROUP
    return top + 14


def _bar(drawing: Drawing, top: float, scale: float, bar: _Bar) -> None:
    drawing.text(LEFT - 8, top + BAR / 2, bar.label, "quiet", size=11, end=True)
    drawing.bar(LEFT, top, bar.value * scale, BAR, bar.colour)
    reach = max(bar.value, bar.target or 0) * scale
    if bar.target is not None:
        drawing.upright(LEFT + bar.target * scale, top - 1, top + BAR + 1, "ink", width=2)
    note = " missed" if bar.colour == "missed" else ""
    drawing.text(LEFT + reach + 6, top + BAR / 2, number(bar.value, "x") + note, "ink", size=11)
