"""The access token: made once, kept in a file that only its owner can read, compared in constant time."""

from __future__ import annotations

import json
import os
import re
import secrets
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from loguru import logger

from webui_api.errors import TokenFileError

SHORTEST_TOKEN: Final = 10
"""Characters that a token chosen by the owner must have at least; one made here has 64."""

_USABLE = re.compile(rf"[!-~]{{{SHORTEST_TOKEN},}}")


@dataclass(frozen=True, slots=True, eq=False)
class AccessToken:
    """The secret that opens the web routes. Its `repr` hides it; print `secret` to a terminal, never to a log.

    Attributes:
        secret: the token itself, visible ASCII.
        path: the file that it is kept in.
        is_new: whether this start made it.
    """

    secret: str = field(repr=False)
    path: Path
    is_new: bool = False

    @classmethod
    def load_or_create(cls, path: Path) -> AccessToken:
        """The token in the file at `path`, which is made with a random token of 256 bits if it is not there.

        The file is a JSON object with the keys access_token, created_at, updated_at, first_setup_completed and
        token_source, as front ends of this interface know it; all but access_token are passed over when reading.
        Where other users could read the file, its mode is set to 0600 and a warning is logged.

        Raises:
            TokenFileError: the file cannot be read or written, or holds no usable token. It is left as it is.
        """
        try:
            created = _create(path)
            return cls(created, path, is_new=True) if created else cls(_read(path), path)
        except OSError as error:
            raise TokenFileError("token_file_unreadable", path, reason=error.strerror) from None

    def matches(self, presented: str) -> bool:
        """Whether `presented`, any text at all, is the token; takes as long for a near miss as for a far one."""
        return secrets.compare_digest(presented.encode("utf-8", "surrogatepass"), self.secret.encode("ascii"))


def _create(path: Path) -> str | None:
    """The token of a new file at `path`, or None if there is a file already."""
    if path.exists():
        return None
    path.parent.mkdir(parents=True, exist_ok=True)
    token = secrets.token_hex(32)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    record = {
        "access_token": token,
        "created_at": now,
        "updated_at": now,
        "first_setup_completed": False,
        "token_source": "temporary",
    }
    # mkstemp makes the file with mode 0600; the link shows it under its name complete, and fails if another was first.
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(record, file, indent=2)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    except FileExistsError:
        return None
    finally:
        Path(draft).unlink()
    return token


def _read(path: Path) -> str:
    if os.name == "posix" and path.stat().st_mode & 0o077:
        path.chmod(0o600)
        logger.warning(
            "{} could be read by other users of this machine; its mode is 0600 now. "
            "If one of them may have seen the token, delete the file and start again to get a new one.",
            path,
        )
    # Errors are raised from None: a parser's error carries the document, and with it the token.
    try:
        record = json.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError:
        raise TokenFileError("token_file_not_json", path) from None
    match record:
        case {"access_token": str(token)} if _USABLE.fullmatch(token):
            return token
        case dict():
            raise TokenFileError("token_file_no_token", path, shortest=SHORTEST_TOKEN)
        case _:
            raise TokenFileError("token_file_not_json", path)
