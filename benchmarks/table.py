"""The figures as text: aligned Markdown tables, readable in a terminal too."""

from collections.abc import Sequence

from benchmarks.cases import CASES, Case, Unit
from benchmarks.columns import Column, cases_of, shown, tally


def summary(columns: list[Column]) -> str:
    """One row a case, one column a Python, what misses its target marked."""
    head = ["What", "Against", "Who", "At most", *(f"Python {column.name}" for column in columns)]
    rows = [
        [
            case.title,
            case.base,
            shown(case.subject),
            _target(case),
            *(_cell(case, column) for column in columns),
        ]
        for case in cases_of(columns)
    ]
    return _aligned(head, rows)


def details(columns: list[Column]) -> str:
    """One row a figure: its quartiles, and microseconds per call."""
    head = ["Python", "What", "Against", "Who", "Median", "Quartiles", "Microseconds", "Of the base"]
    rows = [
        [
            column.name,
            case.title,
            case.base,
            shown(case.subject),
            number(figure.value, case.unit),
            f"{number(figure.low, case.unit)} to {number(figure.high, case.unit)}",
            _micros(figure.micros),
            _micros(figure.base_micros),
        ]
        for column in columns
        for case in cases_of(columns)
        if (figure := column.figures.get(case.key)) is not None
    ]
    return _aligned(head, rows)


def verdict(columns: list[Column]) -> str:
    """How many targets are met, and which are missed or unmeasured, in words."""
    met, missed = tally(columns)
    lines = [f"{met} targets met, {missed} missed."]
    for column in columns:
        lines += [f"MISSED on Python {column.name}: {_miss(case, column)}." for case in CASES if column.missed(case)]
        lines += [f"NOT MEASURED on Python {column.name}: {shown(who)}: {why}." for who, why in column.absent.items()]
    return "\n".join(lines)


def _miss(case: Case, column: Column) -> str:
    assert case.target is not None, "only what has a target can miss it"
    found = number(column.figures[case.key].value, case.unit)
    return f"{case.title}: {found}, at most {number(case.target.on(column.minor), case.unit)}"


def number(value: float, unit: Unit) -> str:
    """The value with as many digits as mean something, and its unit."""
    if unit == "x":
        return f"{value:.2f}"
    return f"{value:.3f} %" if unit == "%" else f"{value:.2f} {unit}"


def _target(case: Case) -> str:
    target = case.target
    if target is None:
        return ""
    unit = "" if case.unit == "x" else f" {case.unit}"
    newer = "" if target.newer is None else f" ({target.newer:g})"
    return f"{target.at_most:g}{newer}{unit}"


def _cell(case: Case, column: Column) -> str:
    figure = column.figures.get(case.key)
    if figure is None:
        return f"**{column.absent[case.subject]}**"
    text = number(figure.value, case.unit)
    return f"**{text} MISSED**" if column.missed(case) else text


def _micros(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [head, ["-" * width for width in widths], *rows]
    return "\n".join(
        f"| {' | '.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))} |" for line in lines
    )
