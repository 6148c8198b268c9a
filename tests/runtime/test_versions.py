"""The releases that a host offers are compared by their three numbers, whatever build they are."""

import pytest

import maibot_sdk
from host.runtime.dependencies.plan import plan
from host.runtime.dependencies.reasons import HostTooNew, HostTooOld
from host.runtime.manifests.versions import HostVersionError, HostVersions, Release, VersionRange
from tests.runtime.made_manifests import NOTHING_INSTALLED, made, reasons


@pytest.mark.parametrize("build", ["1.3.0", "1.3.0.dev1", "1.3.0rc1", "1.3.0+local", "1.3.0rc1.post2.dev3+a.b"])
@pytest.mark.parametrize(
    ("made_for", "too_old", "too_new"),
    [
        ({}, False, False),
        ({"min_version": "1.3.0"}, False, False),
        ({"max_version": "1.3.0"}, False, False),
        ({"min_version": "1.3.0", "max_version": "1.3.0"}, False, False),
        ({"min_version": "1.2.99", "max_version": "1.10.0"}, False, False),
        ({"min_version": "1.3.1"}, True, False),
        ({"max_version": "1.2.99"}, False, True),
    ],
)
def test_a_build_of_a_host_fits_what_its_release_fits(
    build: str, made_for: dict[str, str], too_old: bool, too_new: bool
) -> None:
    offered = Release.of(build)
    read = VersionRange.model_validate(made_for)
    assert (read.begins_above(offered), read.ends_below(offered)) == (too_old, too_new)


@pytest.mark.parametrize(
    "found",
    ["", "1.3", "1.3.0.1", "one", "1!1.3.0", "1.3.x", "1.3.0 or so", "1" * 5_000 + ".0.0", "1.3.0" + " " * 99 + "x"],
)
def test_what_is_no_version_of_a_host_is_refused_with_the_text(found: str) -> None:
    with pytest.raises(HostVersionError) as caught:
        Release.of(found)
    assert caught.value.found == found
    assert repr(found) in str(caught.value)
    assert repr(found) in caught.value.text("zh")


def test_this_host_stands_for_a_release_of_maibot_and_of_its_sdk() -> None:
    assert str(HostVersions().host) == "1.3.15"
    assert str(HostVersions().sdk) == maibot_sdk.__version__ == "2.16.0"


def test_a_minimum_above_the_maximum_is_a_problem_of_the_manifest() -> None:
    with pytest.raises(ValueError, match=r"min_version 2\.0\.0 is above max_version 1\.99\.99"):
        VersionRange(min_version="2.0.0", max_version="1.99.99")


def test_a_host_or_sdk_below_the_minimum_blocks_the_plugin() -> None:
    asking = made("a.b", host_application={"min_version": "1.3.16"}, sdk={"min_version": "2.17.0"})
    load_plan = plan([asking], HostVersions(), NOTHING_INSTALLED)
    assert reasons(load_plan) == {
        "a.b": [HostTooOld("MaiBot", "1.3.16", "1.3.15"), HostTooOld("SDK", "2.17.0", "2.16.0")]
    }
    assert "needs SDK 2.17.0 or newer, and this host offers 2.16.0" in load_plan.blocked["a.b"].text()


def test_a_host_above_the_maximum_blocks_the_plugin_only_where_that_is_asked_for() -> None:
    dated = made("a.b", host_application={"max_version": "1.3.14"}, sdk={"max_version": "2.16.0"})
    assert plan([dated], HostVersions(), NOTHING_INSTALLED).order == ("a.b",)
    strict = plan([dated], HostVersions(strict=True), NOTHING_INSTALLED)
    assert reasons(strict) == {"a.b": [HostTooNew("MaiBot", "1.3.14", "1.3.15")]}
