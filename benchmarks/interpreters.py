"""The Pythons to measure on, and environments of their own for what is measured there."""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

WANTED = ((3, 11), (3, 12), (3, 13))
"""The versions that the table has a column for."""

CACHE = Path.home() / ".cache" / "maibot-host" / "bench"
"""Where environments are kept from one run to the next."""


class NotInstalledError(Exception):
    """An environment could not be made; what the installer said stands in the standard error."""


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


def environment(interpreter: Interpreter, name: str, requirements: Sequence[str], cache: Path = CACHE) -> Path:
    """The Python of a virtual environment with `requirements`, made when there is none yet.

    Args:
        interpreter: what it is made with.
        name: names it for people.
        requirements: lines for pip.
        cache: where environments are kept.

    Raises:
        NotInstalledError: it could not be made.
    """
    digest = hashlib.sha256("\n".join(requirements).encode()).hexdigest()[:12]
    folder = cache / f"{name}-{interpreter.text}-{digest}"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    complete = folder / ".complete"
    if complete.exists():
        return python
    print(f"Making an environment for {name} on Python {interpreter.text}", file=sys.stderr)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements]
    for command in ([str(interpreter.python), "-m", "venv", "--clear", str(folder)], install):
        if subprocess.run(command, stdout=sys.stderr, check=False).returncode:
            raise NotInstalledError
    complete.touch()
    return python


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
