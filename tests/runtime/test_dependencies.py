"""Plugins load after what they need, in one order; what cannot load says why, and keeps nothing else from loading."""

from itertools import pairwise, permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.hooks import Problem, RegistrationError
from host.runtime.dependencies.graph import load_order, spread
from host.runtime.dependencies.packages import InstalledPackages
from host.runtime.dependencies.plan import plan
from host.runtime.dependencies.reasons import (
    DependencyBlocked,
    DependencyCycle,
    DependencyMissing,
    DependencyVersion,
    PackagesHeld,
    PackagesMissing,
)
from host.runtime.manifests.versions import HostVersions
from host.runtime.problems import NoEntryError
from tests.runtime.made_manifests import GRAPHS, made, manifests_of, planned, reasons


def test_what_needs_nothing_loads_by_id_in_code_point_order() -> None:
    assert planned(made("b.x"), made("a-b.x"), made("a.x"), made("B.x")).order == ("B.x", "a-b.x", "a.x", "b.x")


def test_the_least_id_whose_needs_are_met_is_next() -> None:
    assert planned(made("a.x", "z.x"), made("b.x"), made("z.x"), made("c.x")).order == ("b.x", "c.x", "z.x", "a.x")


def test_the_order_of_a_graph_does_not_depend_on_how_it_was_written() -> None:
    assert load_order({"d": ["b"], "e": [], "c": [], "b": [], "a": []}) == ["a", "b", "c", "d", "e"]


def test_of_two_sources_as_near_trouble_comes_from_the_lesser() -> None:
    graph = {"x": ["b", "a"], "a": [], "b": [], "y": ["x"], "z": []}
    assert spread(graph, ["b", "a"]) == {"a": "a", "b": "b", "x": "a", "y": "a"}


@pytest.mark.parametrize("names", list(permutations(["p.a", "p.b", "p.c"])))
def test_a_diamond_is_no_cycle_whatever_its_plugins_are_called(names: tuple[str, str, str]) -> None:
    base, middle, top = names
    for given_order in permutations([made(base), made(middle, base), made(top, middle, base)]):
        assert planned(*given_order).order == (base, middle, top)


def test_trouble_reaches_exactly_those_that_need_it_and_each_says_its_own_reason() -> None:
    unrelated = [made(f"u.{letter}") for letter in "edcba"]
    a, b, c, d = made("p.a", "p.gone"), made("p.b", "p.c"), made("p.c", "p.b"), made("p.d", "p.b")
    load_plan = planned(d, c, *unrelated, b, a)
    assert load_plan.order == ("u.a", "u.b", "u.c", "u.d", "u.e")
    in_cycle = DependencyCycle(("p.b", "p.c", "p.b"))
    assert reasons(load_plan) == {
        "p.a": [DependencyMissing("p.gone")],
        "p.b": [in_cycle],
        "p.c": [DependencyCycle(("p.c", "p.b", "p.c"))],
        "p.d": [DependencyBlocked("p.b", "p.b", in_cycle)],
    }
    assert "it needs 'p.b', which is in the cycle p.b -> p.c -> p.b." in str(load_plan.blocked["p.d"])
    assert "它需要 'p.b'，而后者位于循环 p.b -> p.c -> p.b 中。" in load_plan.blocked["p.d"].text("zh")
    assert {plugin_id: error.code for plugin_id, error in load_plan.blocked.items()} == {
        "p.a": "dependency_missing",
        "p.b": "dependency_cycle",
        "p.c": "dependency_cycle",
        "p.d": "dependency_blocked",
    }


def test_a_plugin_that_needs_itself_is_a_cycle_of_one() -> None:
    assert reasons(planned(made("p.a", "p.a"))) == {"p.a": [DependencyCycle(("p.a", "p.a"))]}


def test_of_two_cycles_through_a_plugin_the_shorter_is_told() -> None:
    load_plan = planned(made("p.a", "p.b"), made("p.b", "p.c", "p.d"), made("p.c", "p.a"), made("p.d", "p.b"))
    cycles = {plugin_id: own for plugin_id, [own] in reasons(load_plan).items()}
    assert cycles == {
        "p.a": DependencyCycle(("p.a", "p.b", "p.c", "p.a")),
        "p.b": DependencyCycle(("p.b", "p.d", "p.b")),
        "p.c": DependencyCycle(("p.c", "p.a", "p.b", "p.c")),
        "p.d": DependencyCycle(("p.d", "p.b", "p.d")),
    }


def test_a_dependency_of_another_version_is_told_with_both() -> None:
    load_plan = planned(made("p.a", "p.b >=2.0.0,<3.0.0"), made("p.b", version="1.9.0"))
    assert load_plan.order == ("p.b",)
    assert reasons(load_plan) == {"p.a": [DependencyVersion("p.b", "<3.0.0,>=2.0.0", "1.9.0")]}


def test_trouble_from_afar_names_where_it_starts() -> None:
    load_plan = planned(made("p.a", "p.b"), made("p.b", "p.c"), made("p.c", "p.gone"))
    missing = DependencyMissing("p.gone")
    assert reasons(load_plan)["p.a"] == [DependencyBlocked("p.b", "p.c", missing)]
    assert "it needs 'p.b', and through it 'p.c', which needs 'p.gone', which is in no" in str(load_plan.blocked["p.a"])


def test_a_chain_of_thousands_can_be_planned_and_told() -> None:
    chain = [made(f"p.{n:05}", f"p.{n + 1:05}") for n in range(3_000)]
    whole = planned(*chain, made("p.03000"))
    assert whole.order == tuple(f"p.{n:05}" for n in range(3_000, -1, -1))
    assert "through it 'p.02999'" in str(planned(*chain).blocked["p.00000"])


def test_all_reasons_of_a_plugin_are_told() -> None:
    load_plan = planned(
        made("p.a", "p.gone", "p.b >=9", "p.a", "p.c", packages=("aiohttp >=3",), sdk={"min_version": "3.0.0"}),
        made("p.b"),
        made("p.c", "p.lost"),
    )
    codes = [reason.code for reason in load_plan.blocked["p.a"].reasons]
    assert codes == [
        "host_too_old",
        "dependency_version",
        "dependency_missing",
        "packages_missing",
        "dependency_cycle",
        "dependency_blocked",
    ]
    for locale in ("en", "zh"):
        heading, *lines = load_plan.blocked["p.a"].text(locale).splitlines()
        assert "'p.a'" in heading
        assert len(lines) == len(codes)


def test_what_needs_a_plugin_that_failed_otherwise_says_so() -> None:
    refused = RegistrationError("p.b", [Problem("bad_component", {"found": "5"})])
    no_entry = NoEntryError("p.z", Path("plugins/z"))
    load_plan = planned(
        made("p.a", "p.b"), made("p.b"), made("p.c"), made("p.y", "p.z"), unusable={"p.b": refused, "p.z": no_entry}
    )
    assert load_plan.order == ("p.c",)
    assert reasons(load_plan) == {
        "p.a": [DependencyBlocked("p.b", "p.b", refused)],
        "p.y": [DependencyBlocked("p.z", "p.z", no_entry)],
    }
    assert "which cannot be loaded itself (plugin 'p.b' was not registered, 1 problem(s))" in str(
        load_plan.blocked["p.a"]
    )
    assert "插件 'p.z'" in load_plan.blocked["p.y"].text("zh")


def test_missing_python_packages_block_with_the_command_that_installs_them() -> None:
    installed = InstalledPackages({"aiohttp": "3.7.0", "pydantic": "2.14.4"}, frozenset({"pydantic"}))
    needs = made("p.a", packages=("aiohttp >=3.8", "yt_dlp >=2026.1", "pydantic >=3", "maibot-plugin-sdk >=2"))
    load_plan = plan([needs, made("p.b")], HostVersions(), installed)
    assert load_plan.order == ("p.b",)
    missing, held = load_plan.blocked["p.a"].reasons
    assert isinstance(missing, PackagesMissing)
    assert [need.requirement for need in missing.needs] == ["aiohttp>=3.8", "yt-dlp>=2026.1"]
    assert missing.advice().endswith("-m pip install 'aiohttp>=3.8' 'yt-dlp>=2026.1'")
    assert isinstance(held, PackagesHeld)
    assert "pydantic>=3 (2.14.4 is installed)" in held.predicate()
    assert "pydantic>=3（已安装 2.14.4）" in held.predicate("zh")


def test_dependents_go_before_what_they_need() -> None:
    load_plan = planned(made("p.a", "p.b"), made("p.b", "p.c"), made("p.c"), made("p.d"), made("p.e", "p.c", "p.gone"))
    assert load_plan.order == ("p.c", "p.b", "p.a", "p.d")
    assert load_plan.unload_order == ("p.d", "p.a", "p.b", "p.c")
    assert load_plan.dependents_of("p.c") == ("p.b", "p.a")
    assert load_plan.dependents_of("p.a") == ()


def loadable(graph: dict[str, set[str]]) -> set[str]:
    """What can be reached by loading, again and again, whatever has all it needs loaded."""
    loaded: set[str] = set()
    while more := {plugin_id for plugin_id, needs in graph.items() if needs <= loaded} - loaded:
        loaded |= more
    return loaded


@given(GRAPHS)
def test_exactly_what_can_load_loads_and_everything_else_says_why(graph: dict[str, set[str]]) -> None:
    load_plan = planned(*manifests_of(graph))
    assert set(load_plan.order) == loadable(graph)
    assert load_plan.blocked.keys() == graph.keys() - set(load_plan.order)
    assert len(load_plan.order) == len(set(load_plan.order))
    for plugin_id, error in load_plan.blocked.items():
        assert error.reasons
        assert f"'{plugin_id}'" in error.text("en")
        assert f"'{plugin_id}'" in error.text("zh")


@given(GRAPHS)
def test_the_order_is_topological_and_takes_the_least_id_of_those_that_are_ready(graph: dict[str, set[str]]) -> None:
    left = loadable(graph)
    loaded: set[str] = set()
    for plugin_id in planned(*manifests_of(graph)).order:
        assert plugin_id == min(each for each in left if graph[each] <= loaded)
        left.remove(plugin_id)
        loaded.add(plugin_id)


@given(GRAPHS, st.randoms(use_true_random=False))
def test_the_plan_is_the_same_in_whatever_order_plugins_are_given(graph: dict[str, set[str]], random: Random) -> None:
    manifests = manifests_of(graph)
    shuffled = manifests.copy()
    random.shuffle(shuffled)
    one, other = planned(*manifests), planned(*shuffled)
    assert one.order == other.order
    assert list(reasons(one).items()) == list(reasons(other).items())


@given(GRAPHS)
def test_a_cycle_that_is_told_is_one_and_everything_on_a_cycle_tells_one(graph: dict[str, set[str]]) -> None:
    needs = {plugin_id: {each.split()[0] for each in written} for plugin_id, written in graph.items()}
    told = {
        plugin_id: reason.cycle
        for plugin_id, own in reasons(planned(*manifests_of(graph))).items()
        for reason in own
        if isinstance(reason, DependencyCycle)
    }
    for plugin_id, cycle in told.items():
        assert cycle[0] == cycle[-1] == plugin_id
        assert all(needed in needs[each] for each, needed in pairwise(cycle))
    reached = {plugin_id: needs[plugin_id].copy() for plugin_id in needs}
    for _ in needs:
        for far in reached.values():
            far |= {each for near in far for each in needs.get(near, ())}
    assert told.keys() == {plugin_id for plugin_id, far in reached.items() if plugin_id in far}
