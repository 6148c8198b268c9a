"""What a runner process is when it begins, and what is left of its making."""

import asyncio
import json
import os
import resource
import time
from pathlib import Path

import pytest

from host.runtime.runners import zygote_link
from host.runtime.runners.fresh_interpreter import FreshInterpreter
from host.runtime.runners.process import Launcher, LaunchError
from host.runtime.runners.warm_parent import WarmParent
from tests.runtime.runners.processes import children_of, is_alive, open_descriptors, wait_dead
from tests.runtime.runners.told import ENTRY, ask, hang_up, tell, value_of


async def test_a_runner_has_its_socket_its_pipes_and_nothing_else(launcher: Launcher) -> None:
    unrelated = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(unrelated, True)
    process = await launcher.launch("team.one")
    os.close(unrelated)
    # The last is that of the listing.
    assert await value_of(process, "[int(each) for each in os.listdir('/proc/self/fd')]") == [0, 1, 2, 3, 4]
    assert await value_of(process, "own_socket.fileno()") == 3
    assert await value_of(process, "[os.get_inheritable(each) for each in range(4)]") == [True, True, True, False]
    assert await value_of(process, "[os.read(0, 10).decode(), sys.stdin.read()]") == ["", ""]
    assert await value_of(process, "os.getpid()") == process.pid
    hang_up(process)


async def test_a_runner_leads_a_session_and_handles_signals_as_a_fresh_interpreter_does(launcher: Launcher) -> None:
    process = await launcher.launch("team.one")
    assert await value_of(process, "[os.getsid(0), os.getpgid(0)]") == [process.pid, process.pid]
    handlers = await ask(process, "answer({each.name: str(signal.getsignal(each)) for each in signal.Signals})")
    assert handlers.pop("SIGINT").startswith("<built-in function default_int_handler>")
    assert {name for name, handler in handlers.items() if handler != "0"} == {"SIGPIPE", "SIGXFSZ"}
    assert await value_of(process, "list(signal.pthread_sigmask(signal.SIG_BLOCK, []))") == []
    assert await value_of(process, "signal.set_wakeup_fd(-1)") == -1
    hang_up(process)


async def test_lists_of_processes_show_whose_a_runner_is(launcher: Launcher) -> None:
    process = await launcher.launch("团队.很长的插件名字")
    title = await value_of(process, "Path('/proc/self/cmdline').read_bytes().rstrip(b'\\0').decode()")
    assert title == "maibot:团队.很长的插件名字"
    assert (await value_of(process, "Path('/proc/self/comm').read_text(errors='replace')")).startswith("maibot:团队")
    assert await value_of(process, "sys.argv") == ["团队.很长的插件名字"]
    hang_up(process)


async def test_no_two_runners_have_the_same_random_numbers(warm_parent: WarmParent) -> None:
    processes = [await warm_parent.launch("team.one") for _ in range(2)]
    one, two = [await value_of(process, "random.random()") for process in processes]
    assert one != two
    hang_up(*processes)


async def test_fifty_overlapping_launches_are_fast(warm_parent: WarmParent) -> None:
    first = await warm_parent.launch("first")
    begun = time.perf_counter()
    processes = await asyncio.gather(*[warm_parent.launch(f"team.p{number}") for number in range(50)])
    names = await asyncio.gather(*[value_of(process, "sys.argv[0]") for process in processes])
    # Measured 0.15 s where nothing else runs.
    assert time.perf_counter() - begun < 1.5
    assert names == [f"team.p{number}" for number in range(50)]
    hang_up(first, *processes)


async def test_each_further_runner_adds_little_memory() -> None:
    warm_parent = WarmParent(entry=ENTRY)
    processes = [await warm_parent.launch(f"team.p{number}") for number in range(10)]
    serve = """
        async def serve():
            own_socket.setblocking(False)
            reader, writer = await asyncio.open_connection(sock=own_socket)
            writer.write(b"1\\n")
            await reader.read()
        asyncio.run(serve())
    """
    await asyncio.gather(*[ask(process, serve) for process in processes])
    assert warm_parent.pid is not None
    before = sum(map(_proportional_kb, [warm_parent.pid, *[process.pid for process in processes]]))
    further = [await warm_parent.launch(f"team.q{number}") for number in range(10)]
    await asyncio.gather(*[ask(process, serve) for process in further])
    after = sum(map(_proportional_kb, [warm_parent.pid, *[process.pid for process in processes + further]]))
    assert (after - before) / 10 < 7 * 1024
    await warm_parent.aclose()
    hang_up(*processes, *further)


def _proportional_kb(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


async def test_descriptors_are_given_back(warm_parent: WarmParent) -> None:
    first = await warm_parent.launch("first")
    await first.kill()
    hang_up(first)
    assert warm_parent.pid is not None
    before = open_descriptors(os.getpid()), open_descriptors(warm_parent.pid)
    processes = await asyncio.gather(*[warm_parent.launch(f"team.p{number}") for number in range(50)])
    await asyncio.gather(*[process.kill() for process in processes])
    hang_up(*processes)
    assert (open_descriptors(os.getpid()), open_descriptors(warm_parent.pid)) == before


async def test_descriptors_of_fresh_interpreters_are_given_back() -> None:
    launcher = FreshInterpreter(ENTRY)
    first = await launcher.launch("first")
    await first.kill()
    hang_up(first)
    before = open_descriptors(os.getpid())
    processes = await asyncio.gather(*[launcher.launch(f"team.p{number}") for number in range(5)])
    await launcher.aclose()
    hang_up(*processes)
    assert open_descriptors(os.getpid()) == before


async def test_a_host_without_free_descriptors_says_so_and_goes_on(launcher: Launcher) -> None:
    first = await launcher.launch("first")
    assert await value_of(first, "1") == 1
    before = open_descriptors(os.getpid())
    free = os.dup(0)
    os.close(free)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free + 5, limits[1]))
    try:
        with pytest.raises(LaunchError, match="Too many open files") as caught:
            await launcher.launch("team.one")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert caught.value.code == "refused"
    assert open_descriptors(os.getpid()) == before
    second = await launcher.launch("team.one")
    assert await value_of(second, "1") == 1
    hang_up(first, second)


async def test_a_launch_that_is_cancelled_leaves_no_process(warm_parent: WarmParent) -> None:
    first = await warm_parent.launch("first")
    before = open_descriptors(os.getpid())
    launching = [asyncio.create_task(warm_parent.launch(f"team.p{number}")) for number in range(10)]
    await asyncio.sleep(0)  # So far that they have asked.
    for task in launching:
        task.cancel()
    outcomes = await asyncio.gather(*launching, return_exceptions=True)
    assert all(isinstance(outcome, asyncio.CancelledError) for outcome in outcomes)
    # What is asked later is answered later: all of them are known by now.
    last = await warm_parent.launch("last")
    await last.kill()
    assert warm_parent.pid is not None
    # Each has been told to end, though not all may have had a moment to.
    await wait_dead(set(children_of(warm_parent.pid)) - {first.pid})
    assert is_alive(first.pid)
    hang_up(last)
    assert open_descriptors(os.getpid()) == before
    hang_up(first)


async def test_an_import_that_starts_a_thread_is_told_and_nothing_is_forked() -> None:
    launcher = WarmParent(imports=["tests.runtime.runners.threaded"], entry=ENTRY)
    with pytest.raises(LaunchError, match="2 threads") as caught:
        await launcher.launch("team.one")
    assert caught.value.code == "refused"
    await launcher.aclose()


async def test_what_cannot_be_imported_is_told_and_tried_again_at_the_next_launch() -> None:
    launcher = WarmParent(imports=["no_such_module"], entry=ENTRY)
    for _ in range(2):
        with pytest.raises(LaunchError, match="No module named 'no_such_module'") as caught:
            await launcher.launch("team.one")
        assert caught.value.code == "not_warm"
        assert "预热父进程" in caught.value.text("zh")
    assert launcher.pid is None
    await launcher.aclose()


async def test_a_closed_launcher_launches_nothing(launcher: Launcher) -> None:
    process = await launcher.launch("team.one")
    await launcher.aclose()
    assert not is_alive(process.pid)
    with pytest.raises(LaunchError, match="launcher is closed"):
        await launcher.launch("team.two")
    hang_up(process)


async def test_a_warm_parent_that_answers_nothing_is_replaced(
    warm_parent: WarmParent, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = await warm_parent.launch("team.one")
    assert warm_parent.pid is not None
    os.kill(warm_parent.pid, 19)
    with monkeypatch.context() as patch:
        patch.setattr(zygote_link, "ANSWER_SECONDS", 0.2)
        with pytest.raises(LaunchError) as caught:
            await warm_parent.launch("team.two")
    assert caught.value.code == "parent_stuck"
    assert not (await process.ended).charged
    again = await warm_parent.launch("team.two")
    assert await value_of(again, "1") == 1
    hang_up(process, again)


async def test_plugins_start_other_pythons_that_import_nothing_of_the_runner(launcher: Launcher) -> None:
    process = await launcher.launch("team.one")
    source = """
        import multiprocessing
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            answer(pool.map(abs, [-1]))
    """
    assert await ask(process, source) == [1]
    hang_up(process)


async def test_exit_functions_of_a_plugin_run(launcher: Launcher, tmp_path: Path) -> None:
    process = await launcher.launch("team.one")
    mark = tmp_path / "mark"
    await tell(process, f"import atexit; atexit.register(Path({json.dumps(str(mark))}).touch); own_socket.close()")
    await tell(process, "0")
    await process.ended
    assert mark.exists()
    hang_up(process)
