"""A host of one runner, for tests that kill it: prints the processes that there are, and waits."""

import asyncio
import json
import os
import signal
import sys

from host.runtime.runners.warm_parent import WarmParent
from tests.runtime.runners.told import ENTRY, START_FAMILY, START_STRANGER, ask


def main() -> None:
    """Start two runners with a family each, and wait to be killed; with an argument, leave a forked copy of itself."""
    asyncio.run(_host(copied=len(sys.argv) > 1))


async def _host(*, copied: bool) -> None:
    launcher = WarmParent(entry=ENTRY)
    processes = [await launcher.launch(f"team.p{number}") for number in range(2)]
    there_are: dict[str, list[int | None]] = {
        "parent": [launcher.pid],
        "runners": [process.pid for process in processes],
        "families": [pid for process in processes for pid in await ask(process, START_FAMILY)],
        "strangers": [await ask(process, START_STRANGER) for process in processes],
        "copies": [],
    }
    if copied:
        copy = os.fork()
        if copy == 0:
            signal.pause()
        there_are["copies"].append(copy)
    sys.stdout.write(json.dumps(there_are) + "\n")
    sys.stdout.flush()
    await asyncio.Event().wait()
