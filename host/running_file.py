"""Where a running host says how it is reached: ``host.json`` in its data folder, there only while it serves the web."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

RUNNING_FILE: Final = "host.json"
"""The file's name in the data folder."""
HEALTH_SECONDS: Final = 2.0
"""How long a host may take to give a sign of life."""


class RunningHost(BaseModel):
    """A host that serves its web interface.

    Attributes:
        address: its base address, ``http://127.0.0.1:8001``.
        pid: its process.
        started_at: when it began to serve.
    """

    model_config = ConfigDict(frozen=True)

    address: Annotated[str, Field(pattern=r"^http://[^/]+$")]
    pid: Annotated[int, Field(gt=0, lt=2**31)]
    started_at: datetime

    @classmethod
    def find(cls, data_dir: Path) -> Self | None:
        """The host that runs on this data folder, if one does.

        A file that a host left behind is passed over: its process is gone, or nothing healthy answers at its address.
        """
        try:
            told = cls.model_validate_json((data_dir / RUNNING_FILE).read_bytes())
        except (OSError, ValidationError):
            return None
        return told if _is_another_process(told.pid) and _is_healthy(told.address) else None


@contextmanager
def announced(data_dir: Path, address: str) -> Iterator[RunningHost]:
    """Say in the data folder that this process serves at `address`, for as long as the context lasts.

    The file is readable by its owner only, and complete whenever it is there. What another host left is replaced.

    Args:
        data_dir: the data folder, which exists.
        address: base address of the web interface; where it listens on all addresses, the loopback one is told.

    Raises:
        OSError: the file cannot be written.
    """
    host = RunningHost(address=_reachable(address), pid=os.getpid(), started_at=datetime.now(UTC))
    path = data_dir / RUNNING_FILE
    text = host.model_dump_json(indent=2)
    _replace(path, text)
    try:
        yield host
    finally:
        # Not where it was deleted, or where another host has put its own there.
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            path.unlink()


def _replace(path: Path, text: str) -> None:
    # mkstemp makes the file with mode 0600.
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink()
        raise


def _reachable(address: str) -> str:
    parts = urlsplit(address)
    host = ip_address(parts.hostname or "")
    if not host.is_unspecified:
        return address
    return f"http://[::1]:{parts.port}" if host.version == 6 else f"http://127.0.0.1:{parts.port}"


def _is_another_process(pid: int) -> bool:
    # A host in a container often has the number that the one before had.
    if pid == os.getpid():
        return False
    # On Windows signal 0 is no question; there only the address is asked.
    if os.name == "posix":
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
    return True


def _is_healthy(address: str) -> bool:
    try:
        parts = urlsplit(address)
        with closing(HTTPConnection(parts.hostname or "", parts.port, timeout=HEALTH_SECONDS)) as connection:
            connection.request("GET", "/health")
            answer = connection.getresponse()
            return answer.status == 200 and b'"healthy"' in answer.read(1000)
    except (OSError, HTTPException, ValueError):
        return False
