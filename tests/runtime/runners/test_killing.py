"""Killing a runner takes everything with it that descends from it, and nothing else."""

import asyncio
import os
import signal

from host.runtime.runners.process import Launcher
from host.runtime.runners.warm_parent import WarmParent
from tests.runtime.runners.processes import alive, is_alive, wait_dead
from tests.runtime.runners.told import START_FAMILY, START_STRANGER, ask, hang_up, tell, value_of


async def test_all_that_a_runner_started_goes_with_it_and_nothing_of_its_neighbour(launcher: Launcher) -> None:
    one, two = [await launcher.launch(name) for name in ("team.one", "team.two")]
    ones, twos = [[*await ask(each, START_FAMILY), await ask(each, START_STRANGER)] for each in (one, two)]
    assert alive(ones) == ones
    await one.kill()
    assert alive([one.pid, *ones]) == []
    assert alive([two.pid, *twos]) == [two.pid, *twos]
    assert (await one.ended).signal == "SIGKILL"
    assert await value_of(two, "1") == 1
    await two.kill()
    assert alive(twos) == []
    hang_up(one, two)


async def test_what_a_runner_leaves_when_it_ends_is_killed(launcher: Launcher) -> None:
    one, two = [await launcher.launch(name) for name in ("team.one", "team.two")]
    ones, twos = [await ask(process, START_FAMILY) for process in (one, two)]
    if isinstance(launcher, WarmParent):
        ones.append(await ask(one, START_STRANGER))
        twos.append(await ask(two, START_STRANGER))
    await tell(one, "os._exit(0)")
    assert (await one.ended).code == 0
    await wait_dead(ones)
    assert alive(twos) == twos
    hang_up(one, two)


async def test_killing_a_runner_that_ended_waits_for_what_it_left(launcher: Launcher) -> None:
    process = await launcher.launch("team.one")
    family = await ask(process, START_FAMILY)
    await tell(process, "os._exit(0)")
    await process.ended
    await process.kill()
    assert alive(family) == []
    await process.kill()
    hang_up(process)


async def test_runners_that_ignore_signals_are_stopped_or_spin_are_killed(launcher: Launcher) -> None:
    processes = [await launcher.launch(name) for name in ("team.deaf", "team.stopped", "team.spinning")]
    deaf, stopped, spinning = processes
    await ask(deaf, "for each in (15, 2, 1): signal.signal(each, signal.SIG_IGN)\nanswer(1)")
    os.kill(deaf.pid, signal.SIGTERM)
    await tell(stopped, "os.kill(os.getpid(), signal.SIGSTOP)")
    await ask(spinning, "answer(1)\nwhile True: pass")
    await asyncio.gather(*[process.kill() for process in processes])
    assert alive(process.pid for process in processes) == []
    hang_up(*processes)


async def test_kills_may_overlap_with_each_other_and_with_an_ending(launcher: Launcher) -> None:
    process = await launcher.launch("team.one")
    await tell(process, "os._exit(0)")
    await asyncio.gather(*[process.kill() for _ in range(5)])
    assert not is_alive(process.pid)
    hang_up(process)


async def test_a_family_that_keeps_forking_is_killed(warm_parent: WarmParent) -> None:
    process = await warm_parent.launch("team.one")
    # Ends by itself after some seconds, should it not be killed.
    source = """
        reading, writing = os.pipe()
        if os.fork() == 0:
            for generation in range(20_000):
                if generation % 20 == 0:
                    os.setsid()
                if os.fork():
                    os._exit(0)
                if generation == 50:
                    os.write(writing, b"1")
            os._exit(0)
        answer(len(os.read(reading, 1)))
    """
    await ask(process, source)
    await process.kill()
    # Each of them holds the pipe, and it is read to its end: none is left.
    assert os.read(process.stdout, 1) == b""
    hang_up(process)
