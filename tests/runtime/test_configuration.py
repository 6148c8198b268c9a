"""A plugin's configuration is made from its model, read as its owner wrote it, and changed where asked to only."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from host.runtime import PluginError
from host.runtime.config.file import CONFIG_FILE
from maibot_sdk import Field, MaiBotPlugin, PluginConfigBase
from tests.runtime.configured import (
    FRESH,
    Config,
    PluginSection,
    Wordy,
    backups_in,
    configuration,
    file_in,
    names_in,
    written_in,
)


class SwitchedOff(PluginSection):
    enabled: bool = False


class QuietConfig(PluginConfigBase):
    plugin: SwitchedOff = SwitchedOff()


class VersionSection(PluginConfigBase):
    config_version: str = "1"


class Versioned(PluginConfigBase):
    plugin: VersionSection = VersionSection()
    named: dict[str, PluginSection] = Field(default={})


class Quiet(MaiBotPlugin):
    config_model = QuietConfig


def test_a_missing_file_is_made_from_the_model_with_its_descriptions(tmp_path: Path) -> None:
    loaded = configuration(tmp_path, Wordy()).load()
    assert written_in(tmp_path) == FRESH
    assert loaded.data == Config().model_dump()
    assert (loaded.version, loaded.enabled, loaded.warnings) == ("1.2.0", True, ())
    assert names_in(tmp_path) == {CONFIG_FILE}


def test_loading_again_changes_nothing(tmp_path: Path) -> None:
    config = configuration(tmp_path, Wordy())
    first = config.load()
    before = file_in(tmp_path).stat()
    second = config.load()
    assert not first.changed_by(second)
    assert file_in(tmp_path).stat() == before


def test_what_the_owner_wrote_is_what_the_plugin_has(tmp_path: Path) -> None:
    plugin = Wordy()
    config = configuration(tmp_path, plugin, FRESH.replace("limit = 3", "limit = 30"))
    loaded = config.load()
    assert plugin.config.words.limit == 30
    assert plugin.get_plugin_config_data() == loaded.data
    assert config.current is loaded


def test_an_update_is_told_with_scope_data_and_version(tmp_path: Path) -> None:
    config = configuration(tmp_path, Wordy())
    before = config.load()
    config.write({"words.limit": 30})
    after = config.load()
    assert before.changed_by(after)
    assert after.update_arguments == ("self", after.data, "1.2.0")


@pytest.mark.parametrize(
    ("text", "enabled"),
    [
        ("", True),
        ("[plugin]\nenabled = true\n", True),
        ("[plugin]\nenabled = false\n", False),
        ('[plugin]\nenabled = "off"\n', False),
        ("enabled = false\n", True),
    ],
)
def test_without_an_instance_or_a_model_the_file_alone_switches_the_plugin_on_or_off(
    tmp_path: Path, text: str, enabled: bool
) -> None:
    for instance in (None, object(), MaiBotPlugin()):
        assert configuration(tmp_path, instance, text).load().enabled is enabled
        assert written_in(tmp_path) == text


def test_the_model_says_whether_a_plugin_without_a_file_is_switched_on(tmp_path: Path) -> None:
    assert configuration(tmp_path, Quiet()).load().enabled is False
    assert "enabled = false" in written_in(tmp_path)


def test_a_model_without_the_switch_leaves_it_to_the_file(tmp_path: Path) -> None:
    class Switchless(MaiBotPlugin):
        config_model = Versioned

    config = configuration(tmp_path, Switchless())
    assert config.load().enabled is True
    config.set_enabled(False)
    assert config.load().enabled is False


def test_a_plugin_without_a_model_and_a_file_gets_none(tmp_path: Path) -> None:
    loaded = configuration(tmp_path, MaiBotPlugin()).load()
    assert (loaded.data, loaded.version, loaded.enabled) == ({}, "", True)
    assert names_in(tmp_path) == set()


def test_a_plugin_without_a_model_gets_its_file_as_it_is(tmp_path: Path) -> None:
    plugin = MaiBotPlugin()
    loaded = configuration(tmp_path, plugin, '[plugin]\nconfig_version = "7"\n[a]\nb = [1, {c = 2}]\n').load()
    assert loaded.data == {"plugin": {"config_version": "7"}, "a": {"b": [1, {"c": 2}]}}
    assert loaded.version == "7"
    assert plugin.get_plugin_config_data() == loaded.data


def test_a_plugin_that_changes_what_it_was_given_changes_nothing_of_the_hosts(tmp_path: Path) -> None:
    class Greedy:
        def set_plugin_config(self, config: dict[str, Any]) -> None:
            config["a"].append("mine")

    loaded = configuration(tmp_path, Greedy(), "a = [1]\n").load()
    assert loaded.data == {"a": [1]}


@pytest.mark.parametrize("enabled", [True, False])
def test_switching_a_plugin_touches_that_one_value(tmp_path: Path, enabled: bool) -> None:
    text = f"# mine\n[plugin]  # here\nenabled = {str(not enabled).lower()}  # there\nx={{a=1}}\n"
    config = configuration(tmp_path, Wordy(), text)
    config.set_enabled(enabled)
    assert written_in(tmp_path) == text.replace(str(not enabled).lower(), str(enabled).lower())
    assert backups_in(tmp_path) == [text]


def test_a_plugin_can_be_switched_off_whatever_is_wrong_with_its_values(tmp_path: Path) -> None:
    config = configuration(tmp_path, Wordy(), FRESH.replace("limit = 3", 'limit = "many"'))
    config.set_enabled(False)
    assert tomllib.loads(written_in(tmp_path))["plugin"]["enabled"] is False


def test_a_plugin_without_a_file_can_be_switched_off(tmp_path: Path) -> None:
    configuration(tmp_path).set_enabled(False)
    assert written_in(tmp_path) == "[plugin]\nenabled = false\n"
    assert configuration(tmp_path, Wordy()).load().enabled is False


def test_switching_to_what_is_so_already_writes_nothing(tmp_path: Path) -> None:
    configuration(tmp_path, Wordy(), FRESH).set_enabled(True)
    assert backups_in(tmp_path) == []


def test_changes_are_merged_by_key_and_by_dotted_key(tmp_path: Path) -> None:
    configuration(tmp_path, Wordy(), FRESH).write({"words": {"mode": "on"}, "words.limit": 7, "debug": True})
    expected = FRESH.replace('"off"', '"on"').replace("limit = 3", "limit = 7").replace("debug = false", "debug = true")
    assert written_in(tmp_path) == expected


def test_changes_come_into_effect_when_loaded(tmp_path: Path) -> None:
    plugin = Wordy()
    config = configuration(tmp_path, plugin)
    before = config.load()
    config.write({"words.limit": 7})
    assert config.current is before
    assert plugin.config.words.limit == 3
    config.load()
    assert plugin.config.words.limit == 7


def test_a_whole_form_can_be_sent_back_and_touches_what_differs_only(tmp_path: Path) -> None:
    text = FRESH.replace("weight = 1.0", "weight = 1.0 # heavy").replace("limit = 3", "limit = 0x03")
    config = configuration(tmp_path, Wordy(), text)
    form = config.load().data
    form["words"]["rules"][0] = {"word": "eggs", "weight": 1}
    config.write(form)
    assert written_in(tmp_path) == text.replace('"spam"', '"eggs"').replace("1.0 #", "1 #")


def test_numbers_that_differ_in_their_spelling_alone_are_left_as_they_are(tmp_path: Path) -> None:
    config = configuration(tmp_path, MaiBotPlugin(), "a = 3.0\nb = 4\n")
    config.write({"a": 3, "b": 4.0})
    assert written_in(tmp_path) == "a = 3.0\nb = 4\n"


def test_a_table_with_free_keys_is_replaced_and_a_section_merged(tmp_path: Path) -> None:
    config = configuration(tmp_path, Wordy(), FRESH)
    config.write({"words": {"aliases": {"b": "Ben"}}})
    data = tomllib.loads(written_in(tmp_path))
    assert data["words"]["aliases"] == {"b": "Ben"}
    assert data["words"]["limit"] == 3


def test_a_table_of_sections_by_free_names_is_replaced_too(tmp_path: Path) -> None:
    class Naming(MaiBotPlugin):
        config_model = Versioned

    config = configuration(tmp_path, Naming(), "[named.one]\n[named.two]\n")
    config.write({"named": {"two": {"enabled": False}}})
    assert tomllib.loads(written_in(tmp_path))["named"] == {"two": {"enabled": False}}


def test_one_entry_of_a_table_with_free_keys_can_be_changed_by_dotted_key(tmp_path: Path) -> None:
    config = configuration(tmp_path, Wordy(), FRESH)
    config.write({"words.aliases.b": "Ben"})
    assert tomllib.loads(written_in(tmp_path))["words"]["aliases"] == {"a": "Anna", "b": "Ben"}


def test_a_key_with_a_dot_that_is_in_the_file_is_meant_itself(tmp_path: Path) -> None:
    configuration(tmp_path, MaiBotPlugin(), '"a.b" = 1\n').write({"a.b": 2})
    assert written_in(tmp_path) == '"a.b" = 2\n'


def test_none_takes_a_key_out_so_that_its_default_counts(tmp_path: Path) -> None:
    config = configuration(tmp_path, Wordy(), FRESH + "\n[other]\nx = 1\n")
    config.write({"words": {"limit": None}, "other.x": None})
    assert tomllib.loads(written_in(tmp_path))["other"] == {}
    assert config.load().data["words"]["limit"] == 3


def test_a_write_before_there_is_a_file_makes_it_whole(tmp_path: Path) -> None:
    configuration(tmp_path, Wordy()).write({"words.limit": 7})
    assert written_in(tmp_path) == FRESH.replace("limit = 3", "limit = 7")


def test_an_error_in_the_plugins_own_code_is_said_as_that(tmp_path: Path) -> None:
    class Broken(Wordy):
        def get_default_config(self) -> dict[str, Any]:
            raise LookupError("no defaults today")

    with pytest.raises(PluginError, match="no defaults today"):
        configuration(tmp_path, Broken()).load()
    assert names_in(tmp_path) == set()
