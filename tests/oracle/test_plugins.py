"""Whole plugin files, written by hand after what public plugins do: a host learns the same of them."""

from pathlib import Path

import pytest

from tests.oracle.comparison import Both

pytestmark = pytest.mark.oracle

PLUGINS = sorted((Path(__file__).parents[1] / "data" / "sdk_plugins").glob("*.py"))

SCANNING = "scanning never runs code of the plugin, so what answers any attribute does no harm"
FOREIGN_MARK = "a mark that is no description of a component is passed over"
AROUND = "a component is found on whichever side of staticmethod its decorator stands, and not lost in silence"
OWN_DECISION = "an instance may decide on its scopes; there its attribute is ignored without a word"
FILLER = "the words for a parameter without a description are our own"

DIFFERENCES = {
    "decorator_around_staticmethod": {".returns.components.returns": AROUND},
    "foreign_mark": {".returns.components.raises": FOREIGN_MARK, ".returns.components.returns": FOREIGN_MARK},
    "generous_getattr": {
        ".returns.components.raises": SCANNING,
        ".returns.components.returns": SCANNING,
        ".returns.providers.raises": SCANNING,
        ".returns.providers.returns": SCANNING,
    },
    "legacy_actions": {
        ".returns.components.returns.0.metadata.parameters_raw.properties.how.description": FILLER,
    },
    "subscriptions_of_an_instance": {".returns.subscriptions.returns": OWN_DECISION},
}
"""By plugin and place, why the answers differ there."""


@pytest.mark.parametrize("path", PLUGINS, ids=lambda path: path.stem)
def test_a_host_learns_the_same_of_a_plugin(both: Both, path: Path) -> None:
    (told,) = both.differences([{"ask": "plugin", "path": str(path)}])
    assert {place.split(":")[0] for place in told} == DIFFERENCES.get(path.stem, {}).keys(), told


def test_every_difference_belongs_to_a_plugin() -> None:
    assert DIFFERENCES.keys() <= {path.stem for path in PLUGINS}
