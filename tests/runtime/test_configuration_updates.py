"""A plugin's update and its owner's file come together, and nothing that the owner wrote is lost."""

import tomllib
from pathlib import Path

import pytest

from maibot_sdk import Field, MaiBotPlugin, PluginConfigBase
from tests.runtime.configured import FRESH, Wordy, backups_in, configuration, file_in, problems_of, written_in


class NewSection(PluginConfigBase):
    config_version: str = "2.0.0"
    enabled: bool = True


class NewWords(PluginConfigBase):
    limit: int = Field(default=3, ge=1)
    style: str = Field(default="plain", description="Was called mode.")


class Extra(PluginConfigBase):
    size: int = 1


class NewConfig(PluginConfigBase):
    plugin: NewSection = NewSection()
    words: NewWords = NewWords()
    extra: Extra = Field(default=Extra(), description="New in 2.")


class Updated(MaiBotPlugin):
    config_model = NewConfig


OLD = """\
# My settings.
[plugin]
enabled = false       # not now
config_version = '1.2.0'

[words]  # all about words
limit = 0x10          # was 3
mode = "on"           # renamed by the update to: style
gone = [
    1,  # removed by the update
]

# Mine alone.
[mine]
x = 1
"""

UPDATED = """\
# My settings.
[plugin]
enabled = false       # not now
config_version = "2.0.0"

[words]  # all about words
limit = 0x10          # was 3
mode = "on"           # renamed by the update to: style
gone = [
    1,  # removed by the update
]
# Was called mode.
style = "plain"

# Mine alone.
[mine]
x = 1

# New in 2.
[extra]
size = 1
"""


def test_values_unknown_keys_comments_and_layout_survive_an_update(tmp_path: Path) -> None:
    config = configuration(tmp_path, Updated(), OLD)
    loaded = config.load()
    assert written_in(tmp_path) == UPDATED
    assert loaded.data == {
        "plugin": {"config_version": "2.0.0", "enabled": False},
        "words": {"limit": 16, "style": "plain"},
        "extra": {"size": 1},
    }
    assert (loaded.version, loaded.enabled, loaded.warnings) == ("2.0.0", False, ())


def test_an_update_is_backed_up_once(tmp_path: Path) -> None:
    config = configuration(tmp_path, Updated(), OLD)
    config.load()
    config.load()
    assert backups_in(tmp_path) == [OLD]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_line_ends_of_the_file_stay(tmp_path: Path, newline: str) -> None:
    configuration(tmp_path, Updated(), OLD.replace("\n", newline)).load()
    assert written_in(tmp_path) == UPDATED.replace("\n", newline)


@pytest.mark.parametrize("version", ["", "config_version = ''", "config_version = 1", "config_version = 'first'"])
def test_a_file_with_a_lower_strange_or_missing_version_is_brought_up(tmp_path: Path, version: str) -> None:
    loaded = configuration(tmp_path, Updated(), f"[plugin]\n{version}\n[words]\nlimit = 5\n").load()
    assert tomllib.loads(written_in(tmp_path))["plugin"]["config_version"] == loaded.version == "2.0.0"
    assert loaded.data["words"]["limit"] == 5


@pytest.mark.parametrize("text", ["", "\n", "# nothing here\n", "[plugin]\n"])
def test_a_file_that_says_nothing_is_filled(tmp_path: Path, text: str) -> None:
    loaded = configuration(tmp_path, Wordy(), text).load()
    assert tomllib.loads(written_in(tmp_path)) == tomllib.loads(FRESH)
    assert written_in(tmp_path).count("# nothing here") == text.count("# nothing here")
    assert loaded.enabled


def test_a_key_that_the_model_gained_without_a_new_version_is_added_too(tmp_path: Path) -> None:
    text = UPDATED.replace("size = 1\n", "# size is up to the plugin\n")
    loaded = configuration(tmp_path, Updated(), text).load()
    assert loaded.data["extra"] == {"size": 1}
    assert tomllib.loads(written_in(tmp_path))["extra"] == {"size": 1}


def test_a_file_that_is_newer_than_the_model_is_used_and_left_as_it_is(tmp_path: Path) -> None:
    text = "[plugin]\nconfig_version = '2.10.0'\n[words]\nlimit = 5\n[later]\nx = 1\n"
    loaded = configuration(tmp_path, Updated(), text).load()
    assert loaded.data == {
        "plugin": {"config_version": "2.10.0", "enabled": True},
        "words": {"limit": 5, "style": "plain"},
        "extra": {"size": 1},
    }
    assert loaded.version == "2.10.0"
    assert [warning.code for warning in loaded.warnings] == ["config_newer"]
    assert '"2.10.0"' in loaded.warnings[0].text()
    assert written_in(tmp_path) == text
    assert backups_in(tmp_path) == []


def test_values_of_a_newer_file_that_do_not_fit_give_way_to_defaults_with_a_warning_each(tmp_path: Path) -> None:
    text = "extra = 5\n[plugin]\nconfig_version = '3'\nenabled = false\n[words]\nlimit = 'many'\nstyle = 'wild'\n"
    loaded = configuration(tmp_path, Updated(), text).load()
    assert loaded.data["words"] == {"limit": 3, "style": "wild"}
    assert loaded.data["extra"] == {"size": 1}
    assert not loaded.enabled
    assert [(warning.code, warning.key) for warning in loaded.warnings] == [
        ("config_newer", ""),
        ("config_default_used", "words.limit"),
        ("config_default_used", "extra"),
    ]
    assert written_in(tmp_path) == text


def test_a_newer_file_can_still_be_changed_on_request(tmp_path: Path) -> None:
    config = configuration(tmp_path, Updated(), "[plugin]\nconfig_version = '3'\n")
    config.write({"words.limit": 9})
    assert tomllib.loads(written_in(tmp_path)) == {"plugin": {"config_version": "3"}, "words": {"limit": 9}}


def test_a_value_that_the_new_model_does_not_allow_is_refused_and_the_file_left_as_it_is(tmp_path: Path) -> None:
    text = OLD.replace("0x10", "-1  ")
    problems = problems_of(configuration(tmp_path, Updated(), text))
    assert problems.keys() == {"words.limit"}
    assert written_in(tmp_path) == text
    assert backups_in(tmp_path) == []


def test_edits_by_hand_by_request_and_by_update_add_up(tmp_path: Path) -> None:
    configuration(tmp_path, Wordy()).load()
    file_in(tmp_path).write_text(FRESH.replace("limit = 3", "limit = 30  # by hand"))
    configuration(tmp_path, Wordy()).write({"words.token": "abc"})
    loaded = configuration(tmp_path, Updated()).load()
    assert loaded.data["words"]["limit"] == 30
    text = written_in(tmp_path)
    assert "limit = 30  # by hand\n" in text
    assert 'token = "abc"\n' in text
    assert tomllib.loads(text)["words"].keys() >= {"mode", "names", "style"}
    assert len(backups_in(tmp_path)) == 2
