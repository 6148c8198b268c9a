"""What was wrong can be put right, and what is active stays as it is."""

from pathlib import Path

import pytest

from host.hooks import Hooks, RegistrationError
from host.runtime import (
    DuplicatePluginError,
    ManifestError,
    PluginState,
    UnknownPluginError,
)
from tests.runtime.plugin_folders import GREETER, PluginsIn, said, write_files, write_plugin


async def test_one_wrong_handler_keeps_all_of_the_plugin_out_until_it_is_put_right(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    wrong = GREETER.replace(
        "def word(self):",
        """@HookHandler("room.shout")
        async def shout(self, **kwargs): ...

        @HookHandler("room.say", timeout_ms=-1)
        async def late(self, **kwargs): ...

        def word(self):""",
    )
    write_plugin(tmp_path, "team.one", wrong)
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    problem = plugins["team.one"].problem
    assert isinstance(problem, RegistrationError)
    assert {each.handler for each in problem.problems} == {"shout", "late"}
    assert await said(hooks, "hi") == "hi"
    assert caplog.messages == []

    write_plugin(tmp_path, "team.one")
    assert (await plugins.load("team.one")).state is PluginState.ACTIVE
    assert await said(hooks, "hi") == "hi!"


async def test_a_manifest_that_is_put_right_loads_under_its_own_id(plugins_in: PluginsIn, tmp_path: Path) -> None:
    folder = write_plugin(tmp_path, "team.one", folder="greeter")
    (folder / "_manifest.json").write_text("{}", encoding="utf-8")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    (blocked,) = plugins
    assert (blocked.id, blocked.name, blocked.version) == ("greeter", "greeter", "")
    assert isinstance(blocked.problem, ManifestError)

    write_plugin(tmp_path, "team.one", folder="greeter")
    await plugins.load("team.one")
    assert [(plugin.id, plugin.state) for plugin in plugins] == [("team.one", PluginState.ACTIVE)]


async def test_asking_for_it_by_the_name_of_its_folder_then_names_its_id(plugins_in: PluginsIn, tmp_path: Path) -> None:
    write_files(tmp_path / "greeter", {"_manifest.json": "{}"})
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    write_plugin(tmp_path, "team.one", folder="greeter")
    with pytest.raises(UnknownPluginError, match=r"'greeter'.*team.one"):
        await plugins.load("greeter")


async def test_two_folders_with_one_id_are_both_blocked_until_one_is_gone(
    plugins_in: PluginsIn, tmp_path: Path
) -> None:
    write_plugin(tmp_path, "team.one", folder="first")
    second = write_plugin(tmp_path, "team.one", folder="second")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    assert [plugin.state for plugin in plugins] == [PluginState.BLOCKED, PluginState.BLOCKED]
    assert all(isinstance(plugin.problem, DuplicatePluginError) for plugin in plugins)
    assert (await plugins.load("team.one")).state is PluginState.BLOCKED

    (second / "_manifest.json").unlink()
    (second / "plugin.py").unlink()
    assert (await plugins.load("team.one")).state is PluginState.ACTIVE
    assert len(list(plugins)) == 1


async def test_a_copy_of_an_active_plugin_is_blocked_and_the_active_one_stays(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    write_plugin(tmp_path, "team.one", folder="z")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    write_plugin(tmp_path, "team.one", folder="a")
    await plugins.load_all()
    assert [plugin.state for plugin in plugins] == [PluginState.BLOCKED, PluginState.ACTIVE]
    assert plugins["team.one"].path.name == "z"
    assert await said(hooks, "hi") == "hi!"


async def test_loading_again_finds_new_folders_and_leaves_active_plugins_as_they_are(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_plugin(tmp_path, "team.one")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    first = plugins["team.one"]
    write_plugin(tmp_path, "team.two")
    await plugins.load_all()
    assert await plugins.load("team.one") is first
    assert caplog.messages == ["on_load", "on_load"]
    assert await said(hooks, "hi") == "hi!!"


async def test_an_unknown_id_is_refused_and_the_known_ones_are_named(plugins_in: PluginsIn, tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.one")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    for act in (plugins.load, plugins.unload):
        with pytest.raises(UnknownPluginError, match=r"'team.oen'.*team.one"):
            await act("team.oen")
