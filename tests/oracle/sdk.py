"""An SDK in a process of its own, as the tests talk to it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.interpreters import this_interpreter
from benchmarks.published import python_of_published

ROOT = Path(__file__).parents[2]
_PROBE = str(Path(__file__).with_name("probe.py"))
_INSTALL_SECONDS = 50


class Sdk:
    """Asks the probe of one SDK, a batch of questions at a time: `send`, then `receive`."""

    def __init__(self, *command: str, **environment: str) -> None:
        self._process = subprocess.Popen(
            [*command, _PROBE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONUTF8": "1", **environment},
        )

    def send(self, questions: list[dict[str, Any]]) -> None:
        """Ask; what can be asked stands in the probe."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(questions) + "\n")
        self._process.stdin.flush()

    def receive(self) -> list[Any]:
        """The answers to the questions sent, in their order."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the probe ended with status {self._process.wait()}; its error output says why")
        answers: list[Any] = json.loads(line)
        return answers

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def ours() -> Sdk:
    """The SDK of this tree."""
    return Sdk(sys.executable, "-P", PYTHONPATH=str(ROOT))


def published() -> Sdk:
    """The published SDK.

    Raises:
        NotInstalledError: it cannot be installed.
    """
    return Sdk(str(python_of_published(this_interpreter(), _INSTALL_SECONDS)), "-I")
