"""One process that measures one subject on one Python: ``python -m benchmarks.measure SUBJECT EFFORT``.

The effort is JSON, and so is what it prints: the samples of each case. `measure_with` starts some and reads them.
"""

import asyncio
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from pathlib import Path

from benchmarks.bub_calls import OURS, THEIRS
from benchmarks.cases import BOT, BUB, FAMILY, KERNEL, LIBRARY, MAIBOT, RUNNERS, SDK
from benchmarks.harness import Effort, Figure, Samples, figure_of
from benchmarks.imports import IMPORTS
from benchmarks.peers import measurements
from benchmarks.published_runner import PUBLISHED_RUNNER

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


def source_digest() -> str:
    """Ten digits that tell one state of host and SDK from another: what a figure was measured on."""
    digest = hashlib.sha256()
    folders = (ROOT / folder for folder in ("host", "maibot_sdk"))
    for file in sorted(file for folder in folders for file in folder.rglob("*.py")):
        digest.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:10]


def measure_with(python: Path, subject: str, effort: Effort) -> dict[str, Figure]:
    """Measure `subject` in processes of its own.

    Args:
        python: the interpreter, of an environment that has the subject.
        subject: the kernel, its runners, the bot, its library, the SDK or a peer.
        effort: how much.

    Returns:
        A figure for each of the subject's cases.

    Raises:
        CrashedError: one of the processes failed.
    """
    command = [str(python), "-m", "benchmarks.measure", subject, json.dumps(asdict(effort))]
    # What is installed has its bytecode beside it, and so have both sides here from the second import on.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    parts: list[dict[str, Samples]] = []
    for _ in range(effort.processes):
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=False)
        if done.returncode:
            raise CrashedError(subject, done.returncode)
        parts.append({case: Samples(**samples) for case, samples in json.loads(done.stdout).items()})
    return {case: figure_of([part[case] for part in parts]) for case in parts[0]}


def _measurements(subject: str) -> Mapping[str, Callable[[Effort], Awaitable[Samples]]]:
    if subject == SDK:
        return IMPORTS
    if subject == MAIBOT:
        return PUBLISHED_RUNNER
    if subject == BUB:
        return {**measurements(BUB), **THEIRS}
    if subject not in (KERNEL, FAMILY, RUNNERS, BOT, LIBRARY):
        return measurements(subject)
    # Here and not above: the other environments lack the kernel's dependencies.
    from loguru import logger

    logger.remove()  # overrun deadlines are warned about; writing that down is not what is measured
    if subject == FAMILY:
        return OURS
    if subject == BOT:
        from benchmarks.messages import MESSAGES

        return MESSAGES
    if subject == RUNNERS:
        from benchmarks.neighbours import NEIGHBOURS
        from benchmarks.processes import PROCESSES
        from benchmarks.wire import CALLS

        return {**CALLS, **PROCESSES, **NEIGHBOURS}

    if subject == LIBRARY:
        from benchmarks.library import LIBRARY as LIBRARIES

        return LIBRARIES

    from benchmarks.kernel import DISPATCHES
    from benchmarks.startup import STARTS
    from benchmarks.surroundings import SURROUNDINGS

    return {**DISPATCHES, **SURROUNDINGS, **STARTS}


async def _measure(subject: str, effort: Effort) -> dict[str, Samples]:
    return {case: await measurement(effort) for case, measurement in _measurements(subject).items()}


if __name__ == "__main__":
    measured = asyncio.run(_measure(sys.argv[1], Effort(**json.loads(sys.argv[2]))))
    json.dump({case: asdict(samples) for case, samples in measured.items()}, sys.stdout)
