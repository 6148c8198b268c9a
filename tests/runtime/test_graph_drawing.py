"""The dependency graph can be read as text and as a picture, in both languages."""

from itertools import combinations
from pathlib import Path
from textwrap import dedent
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from host.runtime.dependencies.drawing import graph_svg, graph_text
from host.runtime.dependencies.plan import LoadPlan
from host.runtime.problems import NoEntryError
from tests.runtime.made_manifests import GRAPHS, made, manifests_of, planned

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def everything() -> LoadPlan:
    return planned(
        made("p.top", "p.left", "p.right >=1.0"),
        made("p.left", "p.base"),
        made("p.right", "p.base <2", "p.ground", version="1.5.0"),
        made("p.base", "p.ground"),
        made("p.ground"),
        made("p.seeks", "p.gone >=1", "p.off"),
        made("q.b", "q.c"),
        made("q.c", "q.b"),
        unusable={"p.off": NoEntryError("p.off", Path("plugins/off"))},
    )


def test_the_tree_shows_what_each_plugin_needs_and_marks_what_does_not_load(everything: LoadPlan) -> None:
    assert (
        graph_text(everything)
        == dedent("""
            p.seeks 1.2.3 [blocked]
            ├── p.gone (>=1) [missing]
            └── p.off [not usable]
            p.top 1.2.3
            ├── p.left 1.2.3
            │   └── p.base 1.2.3
            │       └── p.ground 1.2.3
            └── p.right 1.5.0 (>=1.0)
                ├── p.base 1.2.3 (<2) [see above]
                └── p.ground 1.2.3
            q.b 1.2.3 [in a cycle]
            └── q.c 1.2.3 [in a cycle]
                └── q.b 1.2.3 [in a cycle] [see above]
        """).strip()
    )


def test_the_marks_are_in_the_readers_language(everything: LoadPlan) -> None:
    marks = ("[已阻止]", "[缺失]", "[不可用]", "[循环依赖]", "[见上]")
    assert all(mark in graph_text(everything, "zh") for mark in marks)
    assert graph_text(planned(), "zh") == "没有插件"


def boxes(svg: str) -> dict[str, ElementTree.Element]:
    groups = ElementTree.fromstring(svg).iter(f"{SVG}g")
    return {str(group.findtext(f"{SVG}text")): group for group in groups}


@given(GRAPHS)
@settings(max_examples=50)
def test_the_picture_has_a_box_for_each_plugin_and_an_arrow_for_each_need(graph: dict[str, set[str]]) -> None:
    manifests = manifests_of(graph)
    svg = graph_svg(planned(*manifests))
    needs = [needed for manifest in manifests for needed in manifest.needed_plugins]
    assert boxes(svg).keys() == {*graph, *needs}
    arrows = [path for path in ElementTree.fromstring(svg).iter(f"{SVG}path") if "arrow" in path.attrib["class"]]
    assert len(arrows) == len(needs)


Sides = tuple[float, float, float, float]


def sides(svg: str) -> dict[str, Sides]:
    """Where each box is: left, top, right, bottom."""
    found = {}
    for name, group in boxes(svg).items():
        shape = group.find(f"{SVG}rect")
        assert shape is not None
        x, y, width, height = (float(shape.attrib[key]) for key in ("x", "y", "width", "height"))
        found[name] = (x, y, x + width, y + height)
    return found


def overlap(one: Sides, other: Sides) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@given(GRAPHS)
@settings(max_examples=50)
def test_what_loads_stands_right_of_what_it_needs_and_nothing_overlaps(graph: dict[str, set[str]]) -> None:
    load_plan = planned(*manifests_of(graph))
    places = sides(graph_svg(load_plan))
    for plugin_id in load_plan.order:
        assert all(places[plugin_id][0] > places[needed][2] for needed in load_plan.needs(plugin_id))
    assert not any(overlap(one, other) for one, other in combinations(places.values(), 2))


def test_plugins_that_have_nothing_to_do_with_others_stand_in_rows_inside_the_picture() -> None:
    svg = graph_svg(planned(*(made(f"team.plugin-{number}") for number in range(40))))
    places = sides(svg).values()
    assert len({top for _, top, _, _ in places}) > 1
    assert not any(overlap(one, other) for one, other in combinations(places, 2))
    picture = ElementTree.fromstring(svg).attrib
    assert max(right for _, _, right, _ in places) < float(picture["width"])
    assert max(bottom for _, _, _, bottom in places) < float(picture["height"])


def test_the_picture_says_in_words_what_its_colours_say(everything: LoadPlan) -> None:
    shown = boxes(graph_svg(everything, "zh"))
    facts = {name: group.findall(f"{SVG}text")[1].text for name, group in shown.items()}
    assert facts["p.top"] == "1.2.3 · 可加载"
    assert facts["p.seeks"] == "1.2.3 · 已阻止"
    assert facts["p.gone"] == "缺失"
    assert facts["q.b"] == "1.2.3 · 循环依赖"
    assert "p.gone" in str(shown["p.seeks"].findtext(f"{SVG}title"))


def test_the_picture_is_readable_on_light_and_dark_pages(everything: LoadPlan) -> None:
    svg = graph_svg(everything)
    assert "@media (prefers-color-scheme:dark)" in svg
    assert 'class="ground"' in svg


def test_a_long_id_is_shortened_in_the_picture_and_whole_in_its_tooltip() -> None:
    long = "team." + "x" * 120
    ((name, group),) = boxes(graph_svg(planned(made(long)))).items()
    assert len(name) < 50
    assert group.findtext(f"{SVG}title") == long
