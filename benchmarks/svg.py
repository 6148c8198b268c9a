"""Just enough SVG for a chart: text, bars and lines, in colours that follow the reader's light or dark theme."""

from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"

_Attributes = Mapping[str, str | float]


class Drawing:
    """A picture that grows downwards; the ground it stands on is part of it, so it is readable on any page.

    Args:
        width: in pixels.
        title: what it shows, for those who do not see it too.
        colours: names with their light and their dark colour; ``ground`` is the background.
    """

    def __init__(self, width: float, title: str, colours: Mapping[str, tuple[str, str]]) -> None:
        self._width = width
        self._title = title
        self._colours = colours
        self._shapes: list[str] = []

    def text(self, x: float, y: float, text: str, colour: str, *, size: float = 12, end: bool = False) -> None:
        """Text that begins (or, with `end`, ends) at x, its middle at y."""
        anchor = "end" if end else "start"
        attributes: _Attributes = {
            "x": x,
            "y": y + size * 0.35,
            "class": colour,
            "font-size": size,
            "text-anchor": anchor,
        }
        self._shapes.append(f"<text{_written(attributes)}>{escape(text)}</text>")

    def bar(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """A filled rectangle."""
        attributes: _Attributes = {"x": x, "y": y, "width": width, "height": height, "class": colour, "rx": 1.5}
        self._shapes.append(f"<rect{_written(attributes)}/>")

    def upright(self, x: float, top: float, bottom: float, colour: str, *, width: float = 1) -> None:
        """A vertical line, drawn as a narrow bar."""
        attributes: _Attributes = {
            "x": x - width / 2,
            "y": top,
            "width": width,
            "height": bottom - top,
            "class": colour,
        }
        self._shapes.append(f"<rect{_written(attributes)}/>")

    def render(self, height: float) -> str:
        """The picture as a file, so high."""
        light = _rules({name: pair[0] for name, pair in self._colours.items()})
        dark = _rules({name: pair[1] for name, pair in self._colours.items()})
        size = _written({"width": self._width, "height": height, "viewBox": f"0 0 {self._width:g} {height:g}"})
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" role="img"{size} font-family={quoteattr(FONT)}>',
                f"<title>{escape(self._title)}</title>",
                "<style>text{paint-order:stroke;stroke-width:3px}",
                light,
                f"@media (prefers-color-scheme:dark){{{dark}}}</style>",
                f'<rect width="{self._width:g}" height="{height:g}" rx="6" class="ground"/>',
                *self._shapes,
                "</svg>\n",
            ]
        )


def _rules(colours: Mapping[str, str]) -> str:
    """The colour of each class; a rim of the ground's colour keeps text readable where it crosses a line."""
    return (
        "".join(f".{name}{{fill:{colour}}}" for name, colour in colours.items()) + f"text{{stroke:{colours['ground']}}}"
    )


def _written(attributes: _Attributes) -> str:
    return "".join(
        f" {name}={quoteattr(value if isinstance(value, str) else f'{round(value, 1):g}')}"
        for name, value in attributes.items()
    )
