"""Configuration in the life of a plugin: there before its components are asked for, told when it changes, a switch."""

from pathlib import Path

import pytest

from host.hooks import Hooks
from host.runtime import PluginState
from tests.runtime.plugin_folders import PluginsIn, said, write_plugin

SPEAKER = """
    import logging
    from maibot_sdk import Field, HookHandler, MaiBotPlugin, PluginConfigBase

    journal = logging.getLogger("journal")

    class PluginSection(PluginConfigBase):
        config_version: str = Field(default="1.0.0")
        enabled: bool = Field(default=True)

    class Words(PluginConfigBase):
        word: str = Field(default="hello", min_length=1)

    class Config(PluginConfigBase):
        plugin: PluginSection = Field(default_factory=PluginSection)
        words: Words = Field(default_factory=Words)

    class Speaker(MaiBotPlugin):
        config_model = Config

        def get_components(self):
            journal.warning("components with %s", self.config.words.word)
            return super().get_components()

        async def on_load(self): ...

        async def on_config_update(self, scope, config_data, version):
            journal.warning("%s %s %s", scope, config_data["words"]["word"], version)

        @HookHandler("room.say")
        async def speak(self, text, **kwargs):
            return {"modified_kwargs": {"text": text + self.config.words.word}}

    def create_plugin():
        return Speaker()
"""


def _set(folder: Path, old: str, new: str) -> None:
    file = folder / "config.toml"
    content = file.read_text(encoding="utf-8")
    assert old in content
    file.write_text(content.replace(old, new), encoding="utf-8")


async def test_the_file_is_made_and_its_values_are_there_before_the_components(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = write_plugin(tmp_path, "team.one", SPEAKER)
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    assert 'word = "hello"' in (folder / "config.toml").read_text(encoding="utf-8")
    assert await said(hooks, "") == "hello"
    assert caplog.messages == ["components with hello"]


async def test_a_change_is_told_once_and_counts_at_once(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = write_plugin(tmp_path, "team.one", SPEAKER)
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    caplog.clear()
    _set(folder, '"hello"', '"bye"')
    await plugins.reconfigure("team.one")
    await plugins.reconfigure("team.one")
    assert caplog.messages == ["self bye 1.0.0"]
    assert await said(hooks, "") == "bye"


@pytest.mark.parametrize(("broken", "place"), [('"hello', "line"), ('""', "words.word"), ("5", "words.word")])
async def test_a_broken_file_keeps_the_last_good_configuration_and_says_where(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, broken: str, place: str
) -> None:
    folder = write_plugin(tmp_path, "team.one", SPEAKER)
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    _set(folder, '"hello"', broken)
    plugin = await plugins.reconfigure("team.one")
    assert plugin.state is PluginState.ACTIVE
    assert plugin.config_problem is not None
    assert place in plugin.config_problem.text()
    assert await said(hooks, "") == "hello"
    _set(folder, f"word = {broken}", 'word = "right"')
    assert (await plugins.reconfigure("team.one")).config_problem is None
    assert await said(hooks, "") == "right"


async def test_a_file_that_is_broken_from_the_start_fails_the_plugin_and_stays_as_it_is(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    folder = write_plugin(tmp_path, "team.one", SPEAKER, {"config.toml": "[plugin\n"})
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    plugin = plugins["team.one"]
    assert plugin.state is PluginState.FAILED
    assert plugin.problem is not None
    assert "config.toml" in plugin.problem.text()
    assert (folder / "config.toml").read_text(encoding="utf-8") == "[plugin\n"
    assert await said(hooks, "") == ""


async def test_a_plugin_is_switched_off_and_on_again_and_is_called_once(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    folder = write_plugin(tmp_path, "team.one", SPEAKER)
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    for _ in range(2):
        assert (await plugins.disable("team.one")).state is PluginState.INACTIVE
        assert "enabled = false" in (folder / "config.toml").read_text(encoding="utf-8")
        assert await said(hooks, "") == ""
        await plugins.load_all()
        assert plugins["team.one"].state is PluginState.INACTIVE
        assert (await plugins.enable("team.one")).state is PluginState.ACTIVE
        assert await said(hooks, "") == "hello"
        await plugins.reload("team.one")
        assert await said(hooks, "") == "hello"


async def test_one_that_ships_switched_off_is_not_even_imported(plugins_in: PluginsIn, tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.one", "raise AssertionError", {"config.toml": "[plugin]\nenabled = false\n"})
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    plugin = plugins["team.one"]
    assert (plugin.state, plugin.problem) == (PluginState.INACTIVE, None)


async def test_one_whose_model_switches_it_off_does_not_load_and_gets_its_file(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    source = SPEAKER.replace("enabled: bool = Field(default=True)", "enabled: bool = Field(default=False)")
    folder = write_plugin(tmp_path, "team.one", source)
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    assert plugins["team.one"].state is PluginState.INACTIVE
    assert await said(hooks, "") == ""
    _set(folder, "enabled = false", "enabled = true")
    assert (await plugins.reconfigure("team.one")).state is PluginState.ACTIVE
    assert await said(hooks, "") == "hello"


async def test_switching_it_off_in_the_file_unloads_it(plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path) -> None:
    folder = write_plugin(tmp_path, "team.one", SPEAKER)
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    _set(folder, "enabled = true", "enabled = false")
    assert (await plugins.reconfigure("team.one")).state is PluginState.INACTIVE
    assert await said(hooks, "") == ""


async def test_a_plugin_without_a_model_can_be_switched_off_too(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    write_plugin(tmp_path, "team.one")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    await plugins.disable("team.one")
    assert await said(hooks, "") == ""
    await plugins.enable("team.one")
    assert await said(hooks, "") == "!"
