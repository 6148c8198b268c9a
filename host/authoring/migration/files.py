"""The files that a migration changes: how they differ, and how they are written, each in one step, with a backup."""

import os
import re
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import diff_bytes, unified_diff
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

from host.authoring.migration.remarks import Remark
from host.hooks.texts import Locale

_LINE = re.compile(rb"[^\n]*\n|[^\n]+")


class ChangedMeanwhileError(Exception):
    """A file is not any more what the change was made for; it is left as it is.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(str(path))


@dataclass(frozen=True)
class FileChange:
    """What a migration makes of one file.

    Args:
        path: the file.
        before: its bytes.
        after: its bytes afterwards.
        notes: what is worth knowing.
        left: what is left to do by hand.
    """

    path: Path
    before: bytes
    after: bytes
    notes: list[Remark] = field(default_factory=list)
    left: list[Remark] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        """Whether anything is to be written."""
        return self.before != self.after

    def diff(self) -> bytes:
        """The change as a unified diff, for ``patch -p1`` in the working directory; for a file that lies elsewhere, in
        the root directory."""
        path, here = self.path.absolute(), Path.cwd()
        name = (
            (path.relative_to(here) if path.is_relative_to(here) else path.relative_to(path.anchor)).as_posix().encode()
        )
        before, after = (_LINE.findall(content) for content in (self.before, self.after))
        return b"".join(
            line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"
            for line in diff_bytes(unified_diff, before, after, b"a/" + name, b"b/" + name)
        )

    def write(self) -> Path:
        """Write the file in one step.

        Returns:
            Where the backup is.

        Raises:
            ChangedMeanwhileError: somebody else changed it since it was read.
            OSError: it cannot be written.
        """
        # What a link leads to is written, and the link stays.
        file = self.path.resolve()
        if file.read_bytes() != self.before:
            raise ChangedMeanwhileError(self.path)
        backup = next(each for each in _backups(file) if not each.exists())
        shutil.copy2(file, backup)
        draft = file.with_name(f".{file.name}.{uuid4().hex}.tmp")
        try:
            with draft.open("xb") as opened:
                draft.chmod(stat.S_IMODE(file.stat().st_mode))
                opened.write(self.after)
                opened.flush()
                os.fsync(opened.fileno())
            draft.replace(file)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        return backup

    def as_dict(self, locale: Locale = "en") -> dict[str, Any]:
        """For machines."""
        return {
            "path": str(self.path),
            "changed": self.changed,
            "diff": self.diff().decode("utf-8", "backslashreplace"),
            "notes": [remark.as_dict(locale) for remark in self.notes],
            "left": [remark.as_dict(locale) for remark in self.left],
        }


def _backups(file: Path) -> Iterator[Path]:
    yield file.with_name(f"{file.name}.bak")
    for number in count(1):
        yield file.with_name(f"{file.name}.bak{number}")
