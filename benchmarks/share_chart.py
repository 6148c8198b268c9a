"""The figures of a message as a picture: what its processor time is spent on."""

from benchmarks.cases import CHAINS
from benchmarks.chart import BAR, COLOURS, GAP, GROUP
from benchmarks.columns import Column
from benchmarks.svg import Drawing
from benchmarks.table import number

TITLE = "What a message's processor time is spent on, in percent"
WIDTH = 700
LEFT = 220
RIGHT = 90


def share_chart(columns: list[Column], subtitle: str) -> str:
    """The SVG file: a group of bars for each chain, a bar for each Python.

    Args:
        columns: what was measured.
        subtitle: versions and date.
    """
    drawing = Drawing(WIDTH, TITLE, COLOURS)
    drawing.text(20, 28, TITLE, "ink", size=17)
    drawing.text(20, 50, subtitle, "quiet")
    values = {
        words: [
            (column.name, column.figures[f"share-{chain}"].value)
            for column in columns
            if f"share-{chain}" in column.figures
        ]
        for chain, words in CHAINS.items()
    }
    most = max((value for bars in values.values() for _, value in bars), default=0.0) or 1.0
    y = 84.0
    for words, bars in values.items():
        drawing.text(20, y + BAR / 2, words, "ink")
        for name, value in bars:
            length = value * (WIDTH - LEFT - RIGHT) / most
            drawing.text(LEFT - 8, y + BAR / 2, name, "quiet", size=11, end=True)
            drawing.bar(LEFT, y, length, BAR, "kernel")
            drawing.text(LEFT + length + 6, y + BAR / 2, number(value, "%"), "ink", size=11)
            y += BAR + GAP
        y += GROUP
    return drawing.render(y + 6)
