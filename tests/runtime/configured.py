"""Plugins with a configuration, and their files, for the tests of those."""

from pathlib import Path
from typing import Literal

import pytest

from host.hooks import Source
from host.runtime.config.configuration import PluginConfiguration
from host.runtime.config.file import BACKUP_FOLDER, CONFIG_FILE
from host.runtime.config.problems import ConfigError, ConfigProblem
from host.runtime.state import Plugin
from maibot_sdk import Field, MaiBotPlugin, PluginConfigBase


class PluginSection(PluginConfigBase):
    """The section that every plugin has."""

    config_version: str = "1.2.0"
    enabled: bool = True


class Rule(PluginConfigBase):
    """What to do with a word."""

    word: str = ""
    weight: float = 1.0


class Words(PluginConfigBase):
    """A section with every kind of value."""

    mode: Literal["off", "on"] = Field(default="off", description="When words are looked for.\n\n  Off: never.")
    limit: int = Field(default=3, ge=1, le=60, description="How many, at most.")
    names: list[str] = Field(default=["Anna", "Ben"])
    aliases: dict[str, str] = Field(default={"a": "Anna"})
    rules: list[Rule] = Field(default=[Rule(word="spam")], description="What is looked for.")
    note: str | None = None
    token: str = Field(default="", max_length=8, json_schema_extra={"x-widget": "password"})


class Config(PluginConfigBase):
    """The configuration of `Wordy`."""

    plugin: PluginSection = PluginSection()
    words: Words = Field(default=Words(), description="About words.")
    debug: bool = False


class Wordy(MaiBotPlugin):
    """A plugin with a configuration."""

    config_model = Config


FRESH = """\
debug = false

[plugin]
config_version = "1.2.0"
enabled = true

# About words.
[words]
# When words are looked for.
# Off: never.
mode = "off"
# How many, at most.
limit = 3
names = ["Anna", "Ben"]
token = ""

[words.aliases]
a = "Anna"

# What is looked for.
[[words.rules]]
word = "spam"
weight = 1.0
"""
"""The file that is made for `Wordy`."""


def configuration(folder: Path, instance: object = None, text: str | None = None) -> PluginConfiguration:
    """The configuration of a plugin in `folder`, whose file says `text`."""
    if text is not None:
        file_in(folder).write_bytes(text.encode())
    return PluginConfiguration(Plugin(id="a.b", path=folder, source=Source.THIRD_PARTY, instance=instance))


def file_in(folder: Path) -> Path:
    """The configuration file of the plugin in `folder`."""
    return folder / CONFIG_FILE


def written_in(folder: Path) -> str:
    """What the file says, byte for byte."""
    return file_in(folder).read_bytes().decode()


def names_in(folder: Path) -> set[str]:
    """The names of all that is in a folder."""
    return {file.name for file in folder.iterdir()}


def backups_in(folder: Path) -> list[str]:
    """What the backups say, the oldest first."""
    return [file.read_bytes().decode() for file in sorted((folder / BACKUP_FOLDER).glob("*"))]


def problems_of(configuration: PluginConfiguration) -> dict[str, ConfigProblem]:
    """What is wrong with the file, by key path."""
    with pytest.raises(ConfigError) as caught:
        configuration.load()
    return {problem.key: problem for problem in caught.value.problems}
