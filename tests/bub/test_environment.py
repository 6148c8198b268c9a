"""The environment on this machine, with real processes."""

import asyncio
import sys
from pathlib import Path

import pytest

from host.bub.environment import LocalEnvironment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="process groups")


def alive(pid: int) -> bool:
    """Whether a process runs; one that ended and that nobody has asked about does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def pid_in(file: Path) -> int:
    """What a shell writes there, once it has."""

    def written() -> str:
        return file.read_text().strip() if file.exists() else ""

    async with asyncio.timeout(10):
        while not (text := written()):  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.01)
    return int(text)


async def test_files_and_paths(tmp_path: Path) -> None:
    here = LocalEnvironment(tmp_path)
    await here.write_text("a/b.txt", "你好")
    assert await here.read_text("a/b.txt") == "你好"
    assert here.resolve_path("a/../c") == tmp_path / "c"


async def test_commands_and_code_run_in_the_workspace(tmp_path: Path) -> None:
    here = LocalEnvironment(tmp_path)
    code, output = await (await here.spawn("pwd; echo oops >&2; exit 3")).wait()
    assert [code, output] == [3, f"{tmp_path}\noops\n"]
    code, output = await here.run_code("import os; print(os.getcwd())")
    assert [code, output] == [0, f"{tmp_path}\n"]
    with pytest.raises(TimeoutError):
        await here.run_code("import time; time.sleep(60)", timeout_seconds=0.2)
    await here.close()


async def test_closing_ends_the_whole_tree(tmp_path: Path) -> None:
    """The shell's child runs on behind its back, with its output elsewhere."""
    here = LocalEnvironment(tmp_path)
    shell = await here.spawn("sleep 60 >/dev/null 2>&1 & echo $! > child; wait")
    child = await pid_in(tmp_path / "child")
    await here.close()
    assert shell.returncode is not None
    assert not alive(child)


async def test_what_ignores_the_request_is_killed(tmp_path: Path) -> None:
    here = LocalEnvironment(tmp_path)
    shell = await here.spawn("trap '' TERM; echo $$ > pid; while :; do sleep 1; done")
    leader = await pid_in(tmp_path / "pid")
    await shell.terminate(grace_seconds=0.1)
    assert shell.returncode == -9
    assert not alive(leader)


async def test_what_wants_to_tidy_up_may(tmp_path: Path) -> None:
    here = LocalEnvironment(tmp_path)
    await here.spawn("(trap 'sleep 0.2; touch tidied; exit' TERM; echo $$ > pid; while :; do sleep 0.05; done) & wait")
    await pid_in(tmp_path / "pid")
    await here.close()
    assert (tmp_path / "tidied").exists()
