"""The dependency graph of the plugins for people to look at: as a tree of text, and as a picture (SVG)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape

from host.hooks.texts import Locale
from host.runtime.dependencies.plan import LoadPlan
from host.runtime.dependencies.reasons import DependencyCycle
from host.runtime.dependencies.texts import DEPENDENCY_TEXTS

_BOX_HEIGHT = 40
_ROW = 54
_COLUMN_GAP = 90
_MARGIN = 20
_TOP = 60
_LONGEST_ID = 48

# Light and dark.
_COLOURS: Mapping[str, tuple[str, str]] = {
    "ground": ("#ffffff", "#0d1117"),
    "ink": ("#1f2328", "#e6edf3"),
    "quiet": ("#59636e", "#9198a1"),
    "loads": ("#1a7f37", "#3fb950"),
    "blocked": ("#9a6700", "#d29922"),
    "cycle": ("#8250df", "#a371f7"),
    "unusable": ("#cf222e", "#f85149"),
    "missing": ("#cf222e", "#f85149"),
}


def graph_text(plan: LoadPlan, locale: Locale = "en") -> str:
    """The graph as a tree: each plugin that no other needs, and below it what it needs, with the versions that would
    do. What does not load is marked; what was shown with its own needs above is not unfolded again."""
    lines: list[str] = []
    unfolded: set[str] = set()
    for top in [*_not_needed(plan), *_nodes(plan)]:
        left = [] if top in unfolded else [(top, "", "", "")]
        while left:
            node, branch, indent, spec = left.pop()
            needs = _specs(plan, node)
            again = bool(needs) and node in unfolded
            lines.append(branch + _line(plan, node, spec, again, locale))
            if not again:
                unfolded.add(node)
                children = [(needed, f"{indent}├── ", f"{indent}│   ", each) for needed, each in sorted(needs.items())]
                if children:
                    needed, _, _, each = children.pop()
                    children.append((needed, f"{indent}└── ", f"{indent}    ", each))
                left += reversed(children)
    return "\n".join(lines) if lines else _word("empty", locale)


def _line(plan: LoadPlan, node: str, spec: str, again: bool, locale: Locale) -> str:
    standing = _standing(plan, node)
    marks = [*([standing] if standing != "loads" else []), *(["above"] if again else [])]
    parts = [node, _version(plan, node), f"({spec})" if spec else "", *(f"[{_word(mark, locale)}]" for mark in marks)]
    return " ".join(filter(None, parts))


def graph_svg(plan: LoadPlan, locale: Locale = "en") -> str:
    """The graph as an SVG file: from left to right in the order of loading, with an arrow from each plugin to what it
    needs; plugins that have nothing to do with others stand below. Readable on a light and on a dark page."""
    boxes = _boxes(plan, locale)
    by_id = {box.id: box for box in boxes}
    arrows = [
        _arrow(box, by_id[needed], boxes, f"{box.id} -> {needed} {spec}".rstrip())
        for box in boxes
        for needed, spec in sorted(_specs(plan, box.id).items())
    ]
    title = DEPENDENCY_TEXTS.render("graph_title", {}, locale)
    width = max([_MARGIN + box.x + box.width for box in boxes] + [2 * _MARGIN + _text_width(title, 16)])
    height = max([_MARGIN + box.y + _BOX_HEIGHT for box in boxes], default=_TOP)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}">',
            f"<title>{escape(title)}</title>",
            f"<style>{_STYLE}{_rules(0)}@media (prefers-color-scheme:dark){{{_rules(1)}}}</style>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" '
            'orient="auto"><path class="tip" d="M0 0L8 4L0 8Z"/></marker></defs>',
            f'<rect class="ground" width="{width:g}" height="{height:g}" rx="6"/>',
            f'<text class="title" x="{_MARGIN}" y="34">{escape(title)}</text>',
            *arrows,
            *(_shape(box, _tooltip(plan, box.id, locale)) for box in boxes),
            "</svg>\n",
        ]
    )


@dataclass(frozen=True, slots=True)
class _Box:
    """A plugin's place in the picture, in pixels from the upper left corner; those in a column have one `x`."""

    id: str
    standing: str
    lines: tuple[str, str]
    x: float
    y: float
    width: float

    @property
    def middle(self) -> float:
        return self.y + _BOX_HEIGHT / 2


def _boxes(plan: LoadPlan, locale: Locale) -> list[_Box]:
    needs = {node: set(_specs(plan, node)) for node in _nodes(plan)}
    related = {node for node, needed in needs.items() if needed}.union(*needs.values())
    layers = _layers({node: needed for node, needed in needs.items() if node in related})
    columns: list[list[str]] = [[] for _ in range(max(layers.values(), default=-1) + 1)]
    for node, layer in layers.items():
        columns[layer].append(node)
    boxes: list[_Box] = []
    x = float(_MARGIN)
    for column in columns:
        placed = [_box(plan, node, x, _TOP + row * _ROW, locale) for row, node in enumerate(column)]
        boxes += placed
        x += max(box.width for box in placed) + _COLUMN_GAP
    below = max((box.y + _ROW for box in boxes), default=_TOP) + (14 if boxes else 0)
    return boxes + _rows(plan, [node for node in needs if node not in related], below, max(x, 900), locale)


def _rows(plan: LoadPlan, nodes: Iterable[str], top: float, right: float, locale: Locale) -> list[_Box]:
    """Plugins side by side, in as many rows as it takes."""
    boxes: list[_Box] = []
    x = float(_MARGIN)
    for node in nodes:
        box = _box(plan, node, x, top, locale)
        if x > _MARGIN and x + box.width > right - _MARGIN:
            top += _ROW
            box = _box(plan, node, _MARGIN, top, locale)
        x = box.x + box.width + 14
        boxes.append(box)
    return boxes


def _layers(needs: Mapping[str, set[str]]) -> dict[str, int]:
    """Each node's column, behind those of all that it needs; on a cycle one has to stand before what it needs."""
    layers: dict[str, int] = {}
    left = set(needs)
    while left:
        node = min(left, key=lambda each: (len(needs[each] & left), each))
        layers[node] = 1 + max((layers[needed] for needed in needs[node] if needed in layers), default=-1)
        left.remove(node)
    return layers


def _box(plan: LoadPlan, node: str, x: float, y: float, locale: Locale) -> _Box:
    standing = _standing(plan, node)
    name = node if len(node) <= _LONGEST_ID else f"{node[:30]}…{node[-17:]}"
    facts = " · ".join(filter(None, [_version(plan, node), _word(standing, locale)]))
    width = max(_text_width(name, 12), _text_width(facts, 12)) + 20
    return _Box(node, standing, (name, facts), x, y, width)


def _shape(box: _Box, tooltip: str) -> str:
    name, facts = map(escape, box.lines)
    return (
        f"<g><title>{escape(tooltip)}</title>"
        f'<rect class="box {box.standing}" x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" '
        f'height="{_BOX_HEIGHT}" rx="6"/>'
        f'<text class="name" x="{box.x + 10:g}" y="{box.y + 17:g}">{name}</text>'
        f'<text class="{box.standing}" x="{box.x + 10:g}" y="{box.y + 32:g}">{facts}</text></g>'
    )


def _arrow(box: _Box, needed: _Box, boxes: Iterable[_Box], tooltip: str) -> str:
    """A curve from a box to what it needs, mostly to the left, since that loads first. A level one passes above what
    stands between."""
    if needed.x < box.x:
        start, end, bend_out, bend_in = box.x, needed.x + needed.width, -40, 40
    elif needed.x > box.x:
        start, end, bend_out, bend_in = box.x + box.width, needed.x, 40, -40
    else:
        start, end, bend_out, bend_in = box.x + box.width, needed.x + needed.width, 60, 60
    rise = 8 if needed is box else 0
    over = -36 if any(each.y == box.y == needed.y and needed.x < each.x < box.x for each in boxes) else 0
    broken = "" if needed.standing == "loads" else " broken"
    return (
        f'<path class="arrow{broken}" marker-end="url(#tip)" d="M{start:g} {box.middle - rise:g}'
        f"C{start + bend_out:g} {box.middle - rise + over:g} {end + bend_in:g} {needed.middle + rise + over:g} "
        f'{end:g} {needed.middle + rise:g}"><title>{escape(tooltip)}</title></path>'
    )


_STYLE = (
    "text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}"
    ".title{font:16px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif}.name{font-weight:600}"
    ".box{stroke-width:1.5}.arrow{fill:none;stroke-width:1.25}.broken{stroke-dasharray:5 4}"
)


def _rules(shade: int) -> str:
    colour = {name: shades[shade] for name, shades in _COLOURS.items()}
    standings = [name for name in colour if name not in ("ground", "ink", "quiet")]
    return "".join(
        [
            f".ground,.box{{fill:{colour['ground']}}}.title,.name{{fill:{colour['ink']}}}",
            f".arrow{{stroke:{colour['quiet']}}}.tip{{fill:{colour['quiet']}}}",
            *(f"text.{name}{{fill:{colour[name]}}}.box.{name}{{stroke:{colour[name]}}}" for name in standings),
        ]
    )


def _nodes(plan: LoadPlan) -> list[str]:
    """All plugins that are there or named as dependencies."""
    named = {needed for plugin_id in plan.manifests for needed in plan.needs(plugin_id)}
    return sorted(named | plan.manifests.keys() | plan.unusable.keys())


def _not_needed(plan: LoadPlan) -> list[str]:
    named = {needed for plugin_id in plan.manifests for needed in plan.needs(plugin_id)}
    return [node for node in _nodes(plan) if node not in named]


def _specs(plan: LoadPlan, node: str) -> dict[str, str]:
    manifest = plan.manifests.get(node)
    return {needed: str(spec) for needed, spec in manifest.needed_plugins.items()} if manifest else {}


def _version(plan: LoadPlan, node: str) -> str:
    return plan.manifests[node].version if node in plan.manifests else ""


def _standing(plan: LoadPlan, node: str) -> str:
    if node in plan.unusable:
        return "unusable"
    if node not in plan.manifests:
        return "missing"
    if node not in plan.blocked:
        return "loads"
    return "cycle" if any(isinstance(each, DependencyCycle) for each in plan.blocked[node].reasons) else "blocked"


def _tooltip(plan: LoadPlan, node: str, locale: Locale) -> str:
    trouble = plan.blocked.get(node) or plan.unusable.get(node)
    return trouble.text(locale) if trouble else node


def _word(code: str, locale: Locale) -> str:
    return DEPENDENCY_TEXTS.render(f"graph_{code}", {}, locale)


def _text_width(text: str, size: float) -> float:
    """About how wide a text is, in pixels: Chinese characters are as wide as high, others narrower."""
    return sum(size * (1.05 if letter >= "\u2e80" else 0.61) for letter in text)
