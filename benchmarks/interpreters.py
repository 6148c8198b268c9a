"""The Pythons to measure on, and environments of their own for what is measured there."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

WANTED = ((3, 11), (3, 12), (3, 13))
"""The versions that the table has a column for."""

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "maibot-host", "bench")
"""Where environments are kept from one run to the next."""


class NotInstalledError(Exception):
    """An environment could not be made.

    Args:
        name: of the environment.
        reason: why not.
    """

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason
        super().__init__(f"{name} could not be installed: {reason}")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python that runs here.

    Args:
        python: what to run.
        version: like (3, 11, 7).
    """

    python: Path
    version: tuple[int, int, int]

    @property
    def minor(self) -> tuple[int, int]:
        """Like (3, 11)."""
        return self.version[:2]

    @property
    def text(self) -> str:
        """Like ``3.11.7``."""
        return ".".join(map(str, self.version))


def this_interpreter() -> Interpreter:
    """The Python that runs the bench; the kernel's dependencies are installed for it."""
    return Interpreter(Path(sys.executable), sys.version_info[:3])


def find_interpreters() -> dict[tuple[int, int], Interpreter]:
    """One CPython for each wanted version that is found, this one first."""
    found = {this_interpreter().minor: this_interpreter()}
    for python in _candidates():
        interpreter = _ask(python)
        if interpreter is not None and interpreter.minor in WANTED:
            found.setdefault(interpreter.minor, interpreter)
    return dict(sorted(found.items()))


def environment(
    interpreter: Interpreter,
    name: str,
    requirements: Sequence[str],
    *,
    cache: Path = CACHE,
    seconds: float | None = None,
) -> Path:
    """The Python of a virtual environment with `requirements`, made when there is none yet.

    Args:
        interpreter: what it is made with.
        name: names it for people.
        requirements: lines for pip.
        cache: where environments are kept.
        seconds: how long each step of making it may take; any time when None.

    Raises:
        NotInstalledError: it could not be made.
    """
    digest = hashlib.sha256("\n".join(requirements).encode()).hexdigest()[:12]
    folder = cache / f"{name}-{interpreter.text}-{digest}"
    if not folder.exists():
        print(f"Making an environment for {name} on Python {interpreter.text}", file=sys.stderr)
        cache.mkdir(parents=True, exist_ok=True)
        # Made under another name, so that what stands under the right one is complete.
        unfinished = Path(mkdtemp(prefix="unfinished-", dir=cache))
        try:
            _fill(unfinished, interpreter, name, requirements, seconds)
            if not folder.exists():
                unfinished.rename(folder)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return _python_in(folder)


def _fill(
    folder: Path, interpreter: Interpreter, name: str, requirements: Sequence[str], seconds: float | None
) -> None:
    pip = [str(_python_in(folder)), "-m", "pip", "--disable-pip-version-check", "--retries", "1", "--timeout", "15"]
    for command in ([str(interpreter.python), "-m", "venv", str(folder)], [*pip, "install", "--quiet", *requirements]):
        try:
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=seconds)
        except subprocess.CalledProcessError as error:
            raise NotInstalledError(name, error.stderr.strip().rpartition("\n")[2]) from error
        except subprocess.TimeoutExpired as error:
            raise NotInstalledError(name, f"it takes more than {seconds} seconds") from error


def _python_in(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def _candidates() -> Iterator[Path]:
    for major, minor in WANTED:
        named = shutil.which(f"python{major}.{minor}")
        if named is not None:
            yield Path(named)
    yield from sorted(Path.home().glob(".pyenv/versions/*/bin/python"), reverse=True)


def _ask(python: Path) -> Interpreter | None:
    """What `python` is; None when it does not run (a shim without a version behind it), or is no CPython."""
    question = "import sys; print(sys.implementation.name, *sys.version_info[:3])"
    try:
        answer = subprocess.run([python, "-c", question], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = answer.stdout.split()
    if answer.returncode or len(words) != 4 or words[0] != "cpython":
        return None
    major, minor, micro = map(int, words[1:])
    return Interpreter(python, (major, minor, micro))
