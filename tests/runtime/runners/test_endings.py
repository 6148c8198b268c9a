"""How processes end, and what is said about it."""

import pytest

from host.runtime.runners.ending import Ending
from host.runtime.runners.process import Launcher
from tests.runtime.runners.told import hang_up, tell


@pytest.mark.parametrize(
    ("source", "ending"),
    [
        ("sys.exit(3)", Ending(code=3)),
        ("sys.exit()", Ending(code=0)),
        ("raise ValueError", Ending(code=1)),
        ("os._exit(7)", Ending(code=7)),
        ("os.kill(os.getpid(), signal.SIGKILL)", Ending(signal="SIGKILL")),
        ("os.kill(os.getpid(), signal.SIGTERM)", Ending(signal="SIGTERM")),
        ("import ctypes; ctypes.string_at(0)", Ending(signal="SIGSEGV")),
        ("os.abort()", Ending(signal="SIGABRT")),
    ],
)
async def test_an_ending_says_what_happened(launcher: Launcher, source: str, ending: Ending) -> None:
    process = await launcher.launch("team.one")
    await tell(process, source)
    assert await process.ended == ending
    hang_up(process)


async def test_a_real_time_signal_has_a_number_for_a_name(launcher: Launcher) -> None:
    process = await launcher.launch("team.one")
    await tell(process, "os.kill(os.getpid(), signal.SIGRTMIN + 1)")
    assert (await process.ended).signal == "signal 35"
    hang_up(process)


def test_endings_are_told_in_both_languages() -> None:
    assert Ending.of(3).text() == "the process ended by itself with exit code 3"
    assert Ending.of(-9).text("zh") == "进程被 SIGKILL 终止"
    assert Ending.of(-11).text() == "the process crashed in native code (SIGSEGV)"
    assert "no fault of its own" in Ending.with_parent().text()
