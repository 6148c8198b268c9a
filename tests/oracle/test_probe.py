"""The probes ask what they are meant to ask."""

import pytest

from tests.oracle.comparison import Both, differences
from tests.oracle.sdk import ROOT

pytestmark = pytest.mark.oracle


def test_one_is_the_published_package_and_the_other_the_one_of_this_tree(both: Both) -> None:
    (theirs,), (ours,) = both.answers([{"ask": "origin"}])
    assert theirs["returns"]["version"] == ours["returns"]["version"] == "2.16.0"
    assert ours["returns"]["file"].startswith(str(ROOT))
    assert "site-packages" in theirs["returns"]["file"]


def test_a_failure_is_an_answer(both: Both) -> None:
    (theirs,), (ours,) = both.answers([{"ask": "declare", "decorator": "HomeCard", "arguments": "'', ''"}])
    assert theirs["raises"] == ours["raises"] == "ValueError"


def test_differences_are_found_at_every_depth() -> None:
    theirs = {"a": [1, {"b": 1}], "c": 1, "same": [True]}
    ours = {"a": [1, {"b": True}], "d": 1, "same": [True]}
    assert [told.split(":")[0] for told in differences(theirs, ours)] == [".a.1.b", ".c", ".d"]
    assert list(differences([1], [1, 2])) == [": published [1], ours [1, 2]"]
