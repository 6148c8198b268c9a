"""Every move of a plugin's record from one state to another is either stated or refused."""

from itertools import product
from pathlib import Path

import pytest

from host.hooks import Source
from host.runtime import Plugin, PluginState

ALLOWED = {
    ("discovered", "loading"),
    ("discovered", "blocked"),
    ("discovered", "inactive"),
    ("loading", "active"),
    ("loading", "failed"),
    ("loading", "inactive"),
    ("loading", "unloading"),
    ("active", "unloading"),
    ("active", "loading"),
    ("unloading", "inactive"),
    ("unloading", "loading"),
}


@pytest.mark.parametrize(("now", "then"), list(product(PluginState, PluginState)))
def test_a_move_is_stated_or_refused(now: PluginState, then: PluginState) -> None:
    plugin = Plugin(id="a.b", path=Path("a.b"), source=Source.THIRD_PARTY, state=now)
    if (now.value, then.value) in ALLOWED:
        plugin.move_to(then)
        assert plugin.state is then
    else:
        with pytest.raises(ValueError, match=f"'a.b' is {now.value} and cannot be {then.value}"):
            plugin.move_to(then)
        assert plugin.state is now
