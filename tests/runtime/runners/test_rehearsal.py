"""What the warm parent does before it forks leaves nothing behind in it; what runners keep is given back."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is no warm parent elsewhere")

_REHEARSED = """
import asyncio, logging, os, sys, tempfile, threading
from pathlib import Path

import host.runtime.runners.runner, host.runtime.runners.socket_channel
before = sorted(os.listdir("/proc/self/fd"))
from host.runtime.runners.rehearsal import rehearse
assert sorted(os.listdir("/proc/self/fd")) == before
assert len(os.listdir("/proc/self/task")) == 1
assert not [name for name in sys.modules if name.startswith("_maibot_plugin_")]
assert logging.getLogger().handlers == []
with tempfile.TemporaryDirectory() as folder:
    asyncio.run(rehearse(Path(folder)))
    Path(folder, "rehearsal.plugin", "plugin.py").unlink()
"""

_KEPT = """
import asyncio
from host.runtime.runners.allocation import FreedMemory

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096

async def main():
    freed = FreedMemory(quiet_seconds=0.2)
    before = resident()
    blocks = [bytearray(256 << 10) for _ in range(64)]
    del blocks
    kept = resident() - before
    assert kept > 8 << 20, kept
    freed.large()
    async with asyncio.timeout(10):
        while resident() - before > 4 << 20:
            await asyncio.sleep(0.01)
    for _ in range(3):
        freed.large()

asyncio.run(main())
"""


def test_a_rehearsal_loads_a_plugin_and_leaves_no_thread_descriptor_module_or_log_handler() -> None:
    subprocess.run([sys.executable, "-c", _REHEARSED], check=True)


def test_memory_of_large_messages_is_kept_for_the_next_one_and_given_back_after_a_while() -> None:
    subprocess.run([sys.executable, "-c", _KEPT], check=True)
