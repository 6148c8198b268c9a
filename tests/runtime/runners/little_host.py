"""A host of one runner, for tests that kill it: prints the processes that there are, and waits."""

import asyncio
import json
import sys

from host.runtime.runners.warm_parent import WarmParent
from tests.runtime.runners.told import ENTRY, START_FAMILY, START_STRANGER, ask


def main() -> None:
    """Start two runners with a family each, and wait to be killed."""
    asyncio.run(_host())


async def _host() -> None:
    launcher = WarmParent(entry=ENTRY)
    processes = [await launcher.launch(f"team.p{number}") for number in range(2)]
    families = [[*await ask(each, START_FAMILY), await ask(each, START_STRANGER)] for each in processes]
    pids = [launcher.pid, *[process.pid for process in processes], *[pid for family in families for pid in family]]
    sys.stdout.write(json.dumps(pids) + "\n")
    sys.stdout.flush()
    await asyncio.Event().wait()
