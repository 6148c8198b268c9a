"""One process that measures one subject on one Python: ``python -m benchmarks.measure SUBJECT EFFORT``.

The effort is JSON, and so is what it prints: a figure for each case. `measure_with` starts one and reads it.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from pathlib import Path

from benchmarks.cases import KERNEL
from benchmarks.harness import Effort, Figure
from benchmarks.peers import measurements

ROOT = Path(__file__).parents[1]


class CrashedError(Exception):
    """A measuring process ended with an error; what it said stands in the standard error.

    Args:
        subject: what it measured.
        status: its exit status.
    """

    def __init__(self, subject: str, status: int) -> None:
        self.subject = subject
        self.status = status
        super().__init__(f"measuring {subject} crashed with exit status {status}")


def measure_with(python: Path, subject: str, effort: Effort) -> dict[str, Figure]:
    """Measure `subject` in a process of its own.

    Args:
        python: the interpreter, of an environment that has the subject.
        subject: the kernel or a peer.
        effort: how much.

    Returns:
        A figure for each of the subject's cases.

    Raises:
        CrashedError: the process failed.
    """
    command = [str(python), "-m", "benchmarks.measure", subject, json.dumps(asdict(effort))]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise CrashedError(subject, done.returncode)
    return {case: Figure(**figure) for case, figure in json.loads(done.stdout).items()}


def _measurements(subject: str) -> Mapping[str, Callable[[Effort], Awaitable[Figure]]]:
    if subject != KERNEL:
        return measurements(subject)
    # Here and not above: the peers' environments lack the kernel's dependencies.
    from loguru import logger

    from benchmarks.kernel import DISPATCHES
    from benchmarks.surroundings import SURROUNDINGS

    logger.remove()  # overrun deadlines are warned about; writing that down is not what is measured
    return {**DISPATCHES, **SURROUNDINGS}


async def _measure(subject: str, effort: Effort) -> dict[str, Figure]:
    return {case: await measurement(effort) for case, measurement in _measurements(subject).items()}


if __name__ == "__main__":
    figures = asyncio.run(_measure(sys.argv[1], Effort(**json.loads(sys.argv[2]))))
    json.dump({case: asdict(figure) for case, figure in figures.items()}, sys.stdout)
