"""The configuration file of one plugin on disk: read as a whole, replaced as a whole, and backed up before."""

import codecs
import os
import re
import shutil
import stat
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from host.runtime.config.problems import ConfigError, ConfigProblem

CONFIG_FILE = "config.toml"
BACKUP_FOLDER = "config_back"
BACKUPS_KEPT = 20
"""How many backups of one file there are at most; the oldest go."""

_BOM = codecs.BOM_UTF8
_LEVELS = 100
_TOO_DEEP = ConfigProblem(code="config_unusable_toml", found=f"nested deeper than {_LEVELS} levels")
_PLACE = re.compile(r" \((?:at line (?P<line>\d+), column (?P<column>\d+)|at end of document)\)$")


@dataclass(frozen=True, slots=True)
class ConfigText:
    """A configuration file as it was read.

    Args:
        content: its bytes.
        text: its text, without the byte-order mark that it may begin with.
        data: what it says.
    """

    content: bytes
    text: str
    data: dict[str, Any]


class NoTomlError(Exception):
    """The content of a file is no TOML that can be used.

    Args:
        problem: why, with the place.
    """

    def __init__(self, problem: ConfigProblem) -> None:
        self.problem = problem
        super().__init__(problem.text())


def text_of(content: bytes) -> ConfigText:
    """What a file with this content says.

    Raises:
        NoTomlError: it is no TOML.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = _end_of(error.object[: error.start].decode())
        found = f"0x{error.object[error.start]:02x}"
        raise NoTomlError(ConfigProblem(code="config_not_utf8", found=found, line=line, column=column)) from error
    try:
        data = tomllib.loads(text)
    except RecursionError as error:
        raise NoTomlError(_TOO_DEEP) from error
    # Not only TOMLDecodeError: a number of thousands of digits is refused by Python itself.
    except ValueError as error:
        raise NoTomlError(_syntax_problem(str(error), text)) from error
    if _is_deeper(data, _LEVELS):
        raise NoTomlError(_TOO_DEEP)
    return ConfigText(content, text, data)


class ConfigFile:
    """The file ``config.toml`` in a plugin's folder.

    Args:
        plugin_id: whose; for the errors.
        folder: the plugin's folder.
    """

    def __init__(self, plugin_id: str, folder: Path) -> None:
        self._plugin_id = plugin_id
        self._folder = folder
        self.path = folder / CONFIG_FILE

    def content(self) -> bytes | None:
        """Its bytes; None when it does not exist.

        Raises:
            ConfigError: it cannot be read.
        """
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self.refused(ConfigProblem(code="config_unreadable", found=_reason(error))) from error

    def read(self) -> ConfigText | None:
        """What it says; None when it does not exist.

        Raises:
            ConfigError: it cannot be read, or is no TOML; with the place.
        """
        content = self.content()
        return None if content is None else self.parsed(content)

    def parsed(self, content: bytes) -> ConfigText:
        """What a file with this content would say.

        Raises:
            ConfigError: it is no TOML; with the place.
        """
        try:
            return text_of(content)
        except NoTomlError as error:
            raise self.refused(error.problem) from error

    def replace(self, text: str, former: bytes | None) -> None:
        """Give the file a new text, after a backup of the present one. Readers see the old file or the new one.

        Its mode stays, and so does a byte-order mark at its beginning.

        Args:
            text: the whole new text.
            former: what the file is known to hold; None when it does not exist.

        Raises:
            ConfigError: it holds something else by now, or cannot be written. It is left as it is.
        """
        bom = _BOM if former is not None and former.startswith(_BOM) else b""
        if self.content() != former:
            raise self.refused(ConfigProblem(code="config_changed_meanwhile"))
        with self._writing():
            if former:
                shutil.copy2(self.path, self._new_backup())
            _replace(self.path.resolve(), bom + text.encode())

    def move_away(self) -> Path | None:
        """Move the file to the backups, whatever it holds.

        Returns:
            Where it is now; None when there was none.

        Raises:
            ConfigError: it cannot be moved.
        """
        with self._writing():
            return self.path.replace(self._new_backup()) if self.path.exists() else None

    def refused(self, *problems: ConfigProblem) -> ConfigError:
        """An error about this file."""
        return ConfigError(self._plugin_id, self.path, problems)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise self.refused(ConfigProblem(code="config_unwritable", found=_reason(error))) from error

    def _new_backup(self) -> Path:
        """Where the next backup goes. The oldest make room for it."""
        folder = self._folder / BACKUP_FOLDER
        folder.mkdir(exist_ok=True)
        backups = sorted(folder.glob(f"{CONFIG_FILE}.backup.*"))
        for oldest in backups[: max(0, len(backups) + 1 - BACKUPS_KEPT)]:
            oldest.unlink(missing_ok=True)
        return folder / f"{CONFIG_FILE}.backup.{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}"


def _replace(file: Path, content: bytes) -> None:
    """Replace a file in one step. The new one is hidden until then, and so is what a crash may leave of it."""
    new = file.with_name(f".{file.name}.{uuid4().hex}.tmp")
    try:
        with new.open("xb") as opened:
            if file.exists():
                new.chmod(stat.S_IMODE(file.stat().st_mode))
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        new.replace(file)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__


def _is_deeper(value: object, levels: int) -> bool:
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels == 0 or any(_is_deeper(member, levels - 1) for member in members)


def _syntax_problem(message: str, text: str) -> ConfigProblem:
    """tomllib says the place in its message only."""
    place = _PLACE.search(message)
    if place is None:
        return ConfigProblem(code="config_unusable_toml", found=message)
    line, column = (int(place["line"]), int(place["column"])) if place["line"] else _end_of(text)
    return ConfigProblem(code="config_not_toml", found=message[: place.start()], line=line, column=column)


def _end_of(text: str) -> tuple[int, int]:
    """The line and the column, both from 1, at which the next character would stand."""
    return text.count("\n") + 1, len(text) - text.rfind("\n")
