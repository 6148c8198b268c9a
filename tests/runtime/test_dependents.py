"""Plugins load after what they need, go before it, and wait for it; those that need nothing are not held up."""

import json
from pathlib import Path

import pytest

from host.hooks import Hooks
from host.runtime import PluginState
from tests.runtime.plugin_folders import GREETER, PluginsIn, manifest, said, write_plugin

JOURNALED = GREETER.replace('journal.warning("on_load")', 'journal.warning("ID loads")').replace(
    'journal.warning("on_unload")', 'journal.warning("ID goes")'
)


def _write(folder: Path, plugin_id: str, *needs: str, source: str = "", version: str = "1.2.3") -> None:
    code = source or JOURNALED.replace("ID", plugin_id).replace('return "!"', f'return "{plugin_id[-1]}"')
    path = write_plugin(folder, plugin_id, code)
    dependencies = [
        {
            "type": "plugin",
            "id": each.split(">=")[0],
            "version_spec": f">={each.split('>=')[1]}" if ">=" in each else "",
        }
        for each in needs
    ]
    content = manifest(plugin_id, version=version, dependencies=dependencies)
    (path / "_manifest.json").write_text(json.dumps(content), encoding="utf-8")


def _said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [message for message in caplog.messages if message != "hook"]


async def test_plugins_load_after_what_they_need_and_go_before_it(
    plugins_in: PluginsIn, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    _write(tmp_path, "team.a", "team.c", "team.b")
    _write(tmp_path, "team.b", "team.c")
    _write(tmp_path, "team.c")
    _write(tmp_path, "team.d")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    await plugins.unload_all()
    loads = [line.split()[0] for line in _said(caplog) if line.endswith("loads")]
    goes = [line.split()[0] for line in _said(caplog) if line.endswith("goes")]
    assert loads == ["team.c", "team.b", "team.a", "team.d"]
    assert goes == loads[::-1]
    assert plugins.graph()["team.a"] == ("team.b", "team.c")


async def test_each_plugin_is_blocked_for_its_own_reason_and_the_others_load(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    _write(tmp_path, "team.a", "team.missing")
    _write(tmp_path, "team.b", "team.c")
    _write(tmp_path, "team.c", "team.b")
    _write(tmp_path, "team.d", "team.b")
    for name in "vwxyz":
        _write(tmp_path, f"team.{name}")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    assert await said(hooks, "") == "vwxyz"
    for name, fact in [
        ("a", "team.missing"),
        ("b", "team.b -> team.c -> team.b"),
        ("c", "team.c -> team.b -> team.c"),
        ("d", "team.b -> team.c -> team.b"),
    ]:
        plugin = plugins[f"team.{name}"]
        assert plugin.state is PluginState.BLOCKED
        assert plugin.problem is not None
        assert fact in plugin.problem.text()


async def test_what_needs_a_plugin_that_fails_is_blocked_and_loads_once_that_one_was_put_right(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    _write(tmp_path, "team.a", source="raise OSError('not today')")
    _write(tmp_path, "team.b", "team.a")
    _write(tmp_path, "team.c", "team.b")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    assert [each.state for each in plugins] == [PluginState.FAILED, PluginState.BLOCKED, PluginState.BLOCKED]
    problem = plugins["team.c"].problem
    assert problem is not None
    assert "team.a" in problem.text()
    _write(tmp_path, "team.a")
    await plugins.load("team.a")
    assert await said(hooks, "") == "abc"


async def test_unloading_takes_down_what_needs_it_first_and_loading_brings_it_back(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    _write(tmp_path, "team.a")
    _write(tmp_path, "team.b", "team.a")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    caplog.clear()
    await plugins.unload("team.a")
    assert _said(caplog) == ["team.b goes", "team.a goes"]
    assert [each.state for each in plugins] == [PluginState.INACTIVE, PluginState.BLOCKED]
    caplog.clear()
    await plugins.load("team.a")
    assert _said(caplog) == ["team.a loads", "team.b loads"]
    assert await said(hooks, "") == "ab"


async def test_reloading_loads_what_needs_it_again_and_a_broken_version_touches_nothing(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    _write(tmp_path, "team.a")
    _write(tmp_path, "team.b", "team.a")
    _write(tmp_path, "team.c")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    caplog.clear()
    await plugins.reload("team.a")
    assert _said(caplog) == ["team.b goes", "team.a goes", "team.a loads", "team.b loads"]
    assert await said(hooks, "") == "abc"
    caplog.clear()
    _write(tmp_path, "team.a", source="raise OSError('not today')")
    assert (await plugins.reload("team.a")).reload_problem is not None
    assert _said(caplog) == []
    assert await said(hooks, "") == "abc"


async def test_a_new_version_that_needs_what_is_not_there_is_not_taken(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    _write(tmp_path, "team.a")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    _write(tmp_path, "team.a", "team.missing", version="2.0.0")
    plugin = await plugins.reload("team.a")
    assert plugin.reload_problem is not None
    assert "team.missing" in plugin.reload_problem.text()
    assert plugin.version == "1.2.3"
    assert await said(hooks, "") == "a"
