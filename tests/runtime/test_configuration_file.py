"""The file itself is replaced as a whole, backed up before, and stays the kind of file that it was."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from host.runtime.config.file import BACKUP_FOLDER, BACKUPS_KEPT, CONFIG_FILE
from host.runtime.config.problems import ConfigError
from maibot_sdk import MaiBotPlugin
from tests.runtime.configured import (
    FRESH,
    Wordy,
    backups_in,
    configuration,
    file_in,
    names_in,
    written_in,
)


def test_a_new_text_is_written_as_it_is_after_a_backup(tmp_path: Path) -> None:
    config = configuration(tmp_path, Wordy(), "not [ toml")
    config.replace_text("# mine\ndebug=true")
    assert config.text == written_in(tmp_path) == "# mine\ndebug=true"
    assert backups_in(tmp_path) == ["not [ toml"]


def test_resetting_moves_the_file_to_the_backups_and_loading_makes_a_new_one(tmp_path: Path) -> None:
    config = configuration(tmp_path, Wordy(), "not [ toml")
    backup = config.reset()
    assert backup is not None
    assert backup.parent == tmp_path / BACKUP_FOLDER
    assert backup.name.startswith("config.toml.backup.")
    assert backup.read_text() == "not [ toml"
    assert config.text == ""
    config.load()
    assert written_in(tmp_path) == FRESH


def test_resetting_without_a_file_does_nothing(tmp_path: Path) -> None:
    assert configuration(tmp_path, Wordy()).reset() is None
    assert names_in(tmp_path) == set()


def test_the_oldest_backups_make_room(tmp_path: Path) -> None:
    config = configuration(tmp_path, MaiBotPlugin(), "a = -1\n")
    for number in range(BACKUPS_KEPT + 5):
        config.write({"a": number})
    assert backups_in(tmp_path) == [f"a = {number}\n" for number in range(4, BACKUPS_KEPT + 4)]


def test_the_mode_of_the_file_stays(tmp_path: Path) -> None:
    config = configuration(tmp_path, MaiBotPlugin(), "a = 1\n")
    file_in(tmp_path).chmod(0o600)
    config.write({"a": 2})
    assert [stat.S_IMODE(file.stat().st_mode) for file in tmp_path.rglob("config.toml*")] == [0o600, 0o600]


def test_a_file_that_is_a_link_stays_one(tmp_path: Path) -> None:
    real = tmp_path / "elsewhere.toml"
    real.write_text("a = 1\n")
    file_in(tmp_path).symlink_to(real)
    configuration(tmp_path, MaiBotPlugin()).write({"a": 2})
    assert file_in(tmp_path).is_symlink()
    assert real.read_text() == "a = 2\n"


def test_a_byte_order_mark_stays(tmp_path: Path) -> None:
    config = configuration(tmp_path, MaiBotPlugin(), "\ufeffa = 1\r\n")
    assert config.text == "a = 1\r\n"
    config.write({"a": 2})
    assert written_in(tmp_path) == "\ufeffa = 2\r\n"


def test_what_somebody_else_wrote_in_the_meantime_stays(tmp_path: Path) -> None:
    class Slow(Wordy):
        def set_plugin_config(self, config: dict[str, Any]) -> None:
            file_in(tmp_path).write_text("debug = true\n")

    loaded = configuration(tmp_path, Slow(), "debug = false\n").load()
    assert written_in(tmp_path) == "debug = true\n"
    assert [warning.code for warning in loaded.warnings] == ["config_changed_meanwhile"]


def test_a_configuration_that_cannot_be_written_can_be_used_all_the_same(tmp_path: Path) -> None:
    (tmp_path / BACKUP_FOLDER).write_text("a file where the folder should be")
    config = configuration(tmp_path, Wordy(), "debug = true\n")
    loaded = config.load()
    assert loaded.data["debug"] is True
    assert [warning.code for warning in loaded.warnings] == ["config_unwritable"]
    with pytest.raises(ConfigError, match="cannot be written"):
        config.write({"debug": False})
    assert written_in(tmp_path) == "debug = true\n"


def test_a_write_that_fails_half_way_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    config = configuration(tmp_path, MaiBotPlugin(), "a = 1\n")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ConfigError, match="No space left"):
        config.write({"a": 2})
    assert written_in(tmp_path) == "a = 1\n"
    assert names_in(tmp_path) == {CONFIG_FILE, BACKUP_FOLDER}
