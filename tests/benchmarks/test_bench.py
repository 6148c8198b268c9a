"""The bench: a tiny round of it runs, and its report says what was measured, missed and left out. No test of speed."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from benchmarks import __main__ as bench
from benchmarks.cases import (
    BESIDE,
    BOT,
    CASES,
    CHAINS,
    FAMILY,
    KERNEL,
    LIBRARY,
    MAIBOT,
    PLUGGY,
    RUNNERS,
    SDK,
    Case,
    Target,
)
from benchmarks.columns import Column, everywhere, here, tally
from benchmarks.handlers import HOOK, Method, Plugin
from benchmarks.harness import Effort, Figure, Samples, figure_of
from benchmarks.imports import IMPORTS
from benchmarks.interpreters import NotInstalledError, environment, this_interpreter
from benchmarks.kernel import hooks_with, methods
from benchmarks.measure import measure_with
from benchmarks.payloads import SESSION_MESSAGE, TEN_SCALARS, plain_copy
from benchmarks.peers import PEERS
from benchmarks.report import CHART, SHARE_CHART, TABLE, write_report
from benchmarks.table import summary, verdict
from host.hooks import DispatchTrace
from maibot_sdk.hooks import ChatReceiveBeforeProcess

TINY = Effort(processes=1, rounds=1, stretch=0.0001, window=0.01)
OURS = (KERNEL, FAMILY, RUNNERS, BOT, LIBRARY)
DAY = date(2026, 1, 2)


def case(key: str) -> Case:
    """The case of that key."""
    return next(each for each in CASES if each.key == key)


def column(**values: float) -> Column:
    """What a Python 3.12 came to: the values by case (``none_1`` is the key ``none-1``), and 0 in all other cases."""
    found = {each.key: values.get(each.key.replace("-", "_"), 0.0) for each in CASES if each.subject in OURS}
    figures = {key: Figure(value=value, low=value, high=value) for key, value in found.items()}
    return Column(minor=(3, 12), version="3.12.1", figures=figures)


def test_one_tiny_round_measures_every_case_of_this_project_and_writes_table_and_chart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def quickly(python: Path, subject: str, effort: Effort) -> dict[str, Figure]:
        return column().figures if subject in (RUNNERS, BOT, LIBRARY) else measure_with(python, subject, effort)

    monkeypatch.setattr("benchmarks.columns.measure_with", quickly)  # the others have tests of their own
    columns = here(TINY)
    assert set(columns[0].figures) == {each.key for each in CASES if each.subject in OURS}
    assert not columns[0].crashed

    write_report(columns, TINY, "0123abcdef", DAY, tmp_path / "report")
    table = (tmp_path / "report" / TABLE).read_text(encoding="utf-8")
    assert columns[0].version in table
    assert "2026-01-02, source 0123abcdef" in table
    for each in CASES:
        assert f"| {each.title} " in table
    assert str(Path.home()) not in table
    assert str(Path(bench.__file__).parents[1]) not in table
    drawing = ElementTree.parse(tmp_path / "report" / CHART).getroot()
    words = [text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert case("none-10").title in words
    drawing = ElementTree.parse(tmp_path / "report" / SHARE_CHART).getroot()
    assert {*CHAINS.values()} <= {text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")}


@pytest.mark.parametrize("method", [Plugin.changes_one_key, Plugin.returns_whole_dict])
async def test_every_handler_that_is_measured_changing_something_does_change_it(method: Method) -> None:
    seen: list[dict[str, Any]] = []

    class Listener:
        def dispatched(self, trace: DispatchTrace) -> None:
            seen.extend(dict(step.changes) for step in trace.steps)

        def observed(self, dispatch: object, step: object) -> None: ...

    hooks = hooks_with(methods(method, 3))
    hooks.listen(Listener())
    await hooks.invoke(HOOK, TEN_SCALARS)
    assert seen == [{"text": f"text of plugin {number}"} for number in range(3)]


async def test_the_measured_message_fits_its_hook_and_comes_back_edited() -> None:
    hooks = hooks_with(methods(Plugin.edits_message, 2), ChatReceiveBeforeProcess)
    result = await hooks.invoke(HOOK, SESSION_MESSAGE)
    assert result.errors == ()
    assert result.kwargs["message"]["raw_message"][-1]["data"] == "text of plugin 1"
    assert SESSION_MESSAGE["message"]["raw_message"][-1]["data"] != "text of plugin 1"
    assert len(json.dumps(SESSION_MESSAGE)) == pytest.approx(2000, rel=0.1)


def test_the_copy_that_the_bare_loop_makes_is_deep() -> None:
    copy = plain_copy(SESSION_MESSAGE)
    assert copy == SESSION_MESSAGE
    copy["message"]["raw_message"][1]["data"]["target_user_id"] = "somebody else"
    assert copy != SESSION_MESSAGE


def test_what_costs_more_than_its_target_is_marked_and_named() -> None:
    columns = [column(none_1=4.51, none_10=1.7)]
    targets = sum(each.target is not None and each.subject in OURS for each in CASES)
    assert tally(columns) == (targets - 1, 1)
    assert "4.51 MISSED" in summary(columns)
    assert "1.70 MISSED" not in summary(columns)
    assert "MISSED on Python 3.12: None, 1 handler: 4.51, at most 4.50." in verdict(columns)


def test_what_was_not_measured_is_said_with_its_reason() -> None:
    columns = [
        column(none_1=3.0),
        Column(minor=(3, 13), version="", absent=dict.fromkeys(OURS, "no such Python found")),
    ]
    row = next(line for line in summary(columns).splitlines() if line.startswith("| None, 1 handler"))
    assert row.rstrip(" |").endswith("**no such Python found**")
    assert "NOT MEASURED on Python 3.13: maibot-host: no such Python found." in verdict(columns)


def test_a_peer_that_is_absent_keeps_its_row() -> None:
    columns = [replace(column(), absent={PLUGGY: "crashed"})]
    assert any("pluggy" in line and "**crashed**" in line for line in summary(columns).splitlines())


@pytest.mark.parametrize("only_here", [True, False])
def test_an_import_that_nothing_can_be_held_against_is_said_to_be_unmeasured(
    only_here: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unreachable(*_: object) -> Path:
        raise NotInstalledError("maibot-plugin-sdk", "no matching distribution found")

    python = this_interpreter()
    monkeypatch.setattr("benchmarks.columns.python_of_published", unreachable)
    monkeypatch.setattr("benchmarks.columns.find_interpreters", lambda: {python.minor: python})
    monkeypatch.setattr("benchmarks.columns.PEERS", {})
    monkeypatch.setattr("benchmarks.columns.measure_with", lambda *_: column().figures)
    columns = here(TINY) if only_here else list(everywhere(TINY))
    why = "left out, needs the published SDK" if only_here else "maibot-plugin-sdk could not be installed"
    rows = [line for line in summary(columns).splitlines() if "| importing the SDK" in line]
    assert len(rows) == sum(each.subject == SDK for each in CASES)
    assert all(f"**{why}**" in row for row in rows)
    assert f"NOT MEASURED on Python {columns[0].name}: maibot_sdk: {why}." in verdict(columns)
    assert only_here or "no matching distribution found" in capsys.readouterr().err


async def test_each_import_runs_with_the_sdk_of_this_tree() -> None:
    assert set(IMPORTS) == {each.key for each in CASES if each.subject == SDK}
    for measured in IMPORTS.values():
        assert (await measured(TINY)).values[0] > 0


def test_an_environment_that_cannot_be_made_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(NotInstalledError, match="nothing could not be installed: ") as caught:
        environment(this_interpreter(), "nothing", ["./no-such-folder"], cache=tmp_path)
    assert caught.value.name == "nothing"
    assert list(tmp_path.iterdir()) == []


def test_a_report_is_written_even_when_nothing_could_be_measured(tmp_path: Path) -> None:
    crashed = Column(minor=(3, 12), version="3.12.1", absent={KERNEL: "crashed"}, crashed=True)
    write_report([crashed], TINY, "0123abcdef", DAY, tmp_path)
    assert "NOT MEASURED on Python 3.12: maibot-host: crashed." in (tmp_path / TABLE).read_text(encoding="utf-8")
    ElementTree.parse(tmp_path / CHART)


def test_a_target_is_that_of_the_python_that_was_measured() -> None:
    target = Target(5.0, 4.5)
    assert target.on((3, 11)) == 5.0
    assert target.on((3, 13)) == 4.5
    assert Target(1.4).on((3, 13)) == 1.4


def test_calls_of_our_runners_are_shown_as_a_share_of_the_published_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(python: Path, subject: str, effort: Effort) -> dict[str, Figure]:
        value = {RUNNERS: 2.0, MAIBOT: 8.0}.get(subject, 1.0)
        return {each.key: Figure(value=value, low=value, high=value) for each in CASES if each.subject == subject}

    python = replace(this_interpreter(), version=(3, 12, 1))
    monkeypatch.setattr("benchmarks.columns.environment", lambda *_: python.python)
    monkeypatch.setattr("benchmarks.columns.python_of_published", lambda *_: python.python)
    monkeypatch.setattr("benchmarks.columns.find_interpreters", lambda: {python.minor: python})
    monkeypatch.setattr("benchmarks.columns.measure_with", measured)
    column = next(each for each in everywhere(TINY) if each.minor == (3, 12))
    assert {column.figures[each.key].value for each in CASES if each.subject == BESIDE} == {0.25}
    assert column.met(case("beside-call-1k-1"))
    assert column.missed(case("beside-call-1k-32"))


def test_where_the_published_runner_is_not_there_nothing_is_held_against_it(monkeypatch: pytest.MonkeyPatch) -> None:
    python = this_interpreter()
    monkeypatch.setattr("benchmarks.columns.PEERS", {MAIBOT: replace(PEERS[MAIBOT], python=(3, 99))})
    monkeypatch.setattr("benchmarks.columns.python_of_published", lambda *_: python.python)
    monkeypatch.setattr("benchmarks.columns.find_interpreters", lambda: {python.minor: python})
    monkeypatch.setattr("benchmarks.columns.measure_with", lambda *_: column().figures)
    columns = list(everywhere(TINY))
    assert {each.absent[BESIDE] for each in columns} == {"needs Python 3.99", "no such Python found"}
    assert f"NOT MEASURED on Python {python.minor[0]}.{python.minor[1]}: {BESIDE}: needs Python 3.99." in verdict(
        columns
    )


def test_a_figure_is_the_median_and_the_quartiles_of_all_processes() -> None:
    parts = [Samples(values=[5.0, 1.0, 3.0], micros=9.0, base_micros=2.0), Samples(values=[2.0, 4.0], micros=8.0)]
    assert figure_of(parts) == Figure(value=3.0, low=2.0, high=4.0, micros=8.0, base_micros=2.0)
    assert figure_of([Samples(values=[7.0])]) == Figure(value=7.0, low=7.0, high=7.0)


def test_where_the_worst_counts_a_figure_is_the_largest_of_all_processes() -> None:
    assert figure_of([Samples(values=[1.0, 9.0], worst=True), Samples(values=[2.0], worst=True)]).value == 9.0


@pytest.mark.parametrize(
    ("measured", "arguments", "status"),
    [
        (column(none_1=9.0), [], 0),
        (column(none_1=9.0), ["--strict"], 1),
        (column(none_1=1.0), ["--strict"], 0),
        (Column(minor=(3, 12), version="3.12.1", absent={KERNEL: "crashed"}, crashed=True), [], 1),
    ],
)
def test_the_exit_status_tells_of_crashes_and_under_strict_of_missed_targets(
    measured: Column, arguments: list[str], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "here", lambda effort: [measured])
    assert bench.main(["--here", *arguments]) == status


def test_a_partial_run_leaves_the_published_report_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bench, "ROOT", tmp_path)
    monkeypatch.setattr(bench, "here", lambda effort: [column(none_1=1.0)])
    monkeypatch.setattr(bench, "everywhere", lambda effort: [column(none_1=1.0)])
    bench.main(["--here"])
    bench.main(["--quick"])
    assert not (tmp_path / "docs").exists()
    bench.main([])
    assert sorted(file.name for file in (tmp_path / "docs").iterdir()) == [SHARE_CHART, TABLE, CHART]


def test_a_run_during_which_the_kernel_changed_is_not_published(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    states = iter(["before", "after"])
    monkeypatch.setattr(bench, "source_digest", lambda: next(states))
    monkeypatch.setattr(bench, "here", lambda effort: [column(none_1=1.0)])
    assert bench.main(["--here", "--out", str(tmp_path / "report")]) == 1
    assert "changed while it was measured" in capsys.readouterr().err
    assert not (tmp_path / "report").exists()
