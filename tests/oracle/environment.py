"""The environment that the published package is installed into, kept in the user's cache folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

import pydantic

PUBLISHED = "maibot-plugin-sdk==2.16.0"
_INSTALL_SECONDS = 50


class InstallationError(Exception):
    """The published package could not be installed."""


def python_of_published() -> Path:
    """An interpreter like this one, with the published package and the pydantic that is used here.

    Raises:
        InstallationError: it was never made, and cannot be made now.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "maibot-host")
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    environment = cache / f"{PUBLISHED}-python{version}-pydantic{pydantic.VERSION}"
    if not environment.exists():
        cache.mkdir(parents=True, exist_ok=True)
        _make(cache, environment)
    return _python(environment)


def _make(cache: Path, environment: Path) -> None:
    # Made under another name, so that what stands under the right one is complete.
    unfinished = Path(mkdtemp(prefix="unfinished-", dir=cache))
    try:
        _run(sys.executable, "-m", "venv", str(unfinished))
        pip = (
            str(_python(unfinished)),
            "-m",
            "pip",
            "--disable-pip-version-check",
            "--retries",
            "1",
            "--timeout",
            "15",
        )
        _run(*pip, "install", "--quiet", PUBLISHED, f"pydantic=={pydantic.VERSION}")
        if not environment.exists():
            unfinished.rename(environment)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _run(*command: str) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=_INSTALL_SECONDS)
    except subprocess.CalledProcessError as error:
        raise InstallationError(
            f"{PUBLISHED} could not be installed: {error.stderr.strip().splitlines()[-1]}"
        ) from error
    except subprocess.TimeoutExpired as error:
        raise InstallationError(f"{PUBLISHED} could not be installed in {_INSTALL_SECONDS} seconds") from error


def _python(environment: Path) -> Path:
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
