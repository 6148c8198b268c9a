"""The host is killed, or the warm parent: nothing outlives them, and no plugin is charged for it."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from host.runtime.runners.interpreter import python_running
from host.runtime.runners.warm_parent import WarmParent
from tests.runtime.runners.processes import alive, wait_dead
from tests.runtime.runners.told import START_FAMILY, ask, hang_up, value_of


class _LittleHost:
    """A host in a process of its own, and the processes that it made."""

    def __init__(self, process: asyncio.subprocess.Process, there_are: dict[str, list[int]]) -> None:
        self.process = process
        self.parent = there_are["parent"][0]
        self.runners = there_are["runners"]
        self.families = there_are["families"]
        self.strangers = there_are["strangers"]
        self.copies = there_are["copies"]
        self.made = [self.parent, *self.runners, *self.families, *self.strangers]


@asynccontextmanager
async def _little_host(*arguments: str) -> AsyncIterator[_LittleHost]:
    command = python_running("tests.runtime.runners.little_host", *arguments)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    host = _LittleHost(process, json.loads(await process.stdout.readline()))
    try:
        yield host
    finally:
        for pid in host.copies:
            os.kill(pid, signal.SIGKILL)
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
async def test_nothing_outlives_a_host_that_is_killed(how: signal.Signals) -> None:
    async with _little_host() as host:
        assert alive(host.made) == host.made
        host.process.send_signal(how)
        await wait_dead(host.made)


async def test_nothing_outlives_a_host_that_is_killed_while_its_runners_are_stopped() -> None:
    async with _little_host() as host:
        for pid in host.runners + host.families:
            os.kill(pid, signal.SIGSTOP)
        host.process.kill()
        await wait_dead(host.made)


async def test_nothing_outlives_a_host_of_which_a_forked_copy_holds_all_sockets() -> None:
    async with _little_host("copied") as host:
        host.process.kill()
        await wait_dead(host.made)
        assert alive(host.copies) == host.copies


async def test_runners_die_with_the_warm_parent_though_the_host_does_nothing() -> None:
    async with _little_host() as host:
        host.process.send_signal(signal.SIGSTOP)
        os.kill(host.parent, signal.SIGKILL)
        await wait_dead(host.runners)
        host.process.send_signal(signal.SIGCONT)
        await wait_dead(host.families)
        # Nothing on them said whose they were.
        for pid in host.strangers:
            os.kill(pid, signal.SIGKILL)


async def test_the_warm_parents_death_takes_all_with_it_and_charges_nobody(warm_parent: WarmParent) -> None:
    processes = [await warm_parent.launch(f"team.p{number}") for number in range(2)]
    families = [await ask(process, START_FAMILY) for process in processes]
    first = warm_parent.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    endings = await asyncio.gather(*[process.ended for process in processes])
    assert [ending.charged for ending in endings] == [False, False]
    await processes[0].kill()
    assert alive([pid for family in families for pid in family] + [process.pid for process in processes]) == []
    hang_up(*processes)


async def test_the_next_launch_makes_a_new_parent_once_all_of_the_old_is_gone(warm_parent: WarmParent) -> None:
    old = await warm_parent.launch("team.one")
    family = await ask(old, START_FAMILY)
    first = warm_parent.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    await old.ended
    new = await warm_parent.launch("team.one")
    assert alive([old.pid, *family]) == []
    assert warm_parent.pid not in (first, None)
    assert await value_of(new, "1") == 1
    assert old.pid != new.pid
    hang_up(old, new)


async def test_a_parent_that_dies_in_the_middle_of_launches_leaves_none_of_them_waiting(
    warm_parent: WarmParent,
) -> None:
    hang_up(await warm_parent.launch("first"))
    launching = [asyncio.create_task(warm_parent.launch(f"team.p{number}")) for number in range(30)]
    await asyncio.sleep(0)  # So far that they have asked.
    assert warm_parent.pid is not None
    os.kill(warm_parent.pid, signal.SIGKILL)
    outcomes = await asyncio.gather(*launching, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            assert getattr(outcome, "code", None) == "parent_gone"
        else:
            hang_up(outcome)
