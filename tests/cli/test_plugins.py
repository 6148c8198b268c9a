"""``maibot-host plugins`` end to end: on the folders, and through the web interface of a host that runs."""

import asyncio
import json
import os
import re
import signal
import socket
import stat
import sys
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from xml.etree import ElementTree

import pytest

from host.running_file import RunningHost
from tests.cli.running import GOOD, Finished, ended, finished, host_over, on_a_terminal, write_plugin

LEAVES_A_TRACE = "from pathlib import Path\nPath(__file__).with_name('imported').touch()\n" + GOOD


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "plugins"
    path.mkdir()
    return path


async def plugins(*arguments: str, cwd: Path, typed: str = "", env: dict[str, str] | None = None) -> Finished:
    """Run ``maibot-host plugins`` to its end with `typed` on its standard input."""
    return await finished("plugins", *arguments, cwd=cwd, typed=typed, env=env)


def states(listed: Finished) -> dict[str, str]:
    """Each plugin's state in the table."""
    return {match[1]: match[2] for match in re.finditer(r"^(\S+\.\S+) +[\d.]* +(\w+) ", listed.out, re.MULTILINE)}


def imported(folder: Path) -> list[Path]:
    """What plugins in a folder left that were imported and leave a trace then."""
    return list(folder.glob("*/imported"))


def enabled(folder: Path, plugin_id: str) -> bool:
    """What the configuration file of a plugin says."""
    content = tomllib.loads((folder / plugin_id / "config.toml").read_text(encoding="utf-8"))
    switch: bool = content["plugin"]["enabled"]
    return switch


async def test_without_a_host_the_folders_are_read_and_no_plugin_is_run(folder: Path) -> None:
    needs = [{"type": "plugin", "id": "z.missing", "version_spec": ">=1.0.0"}]
    write_plugin(folder, "a.good", LEAVES_A_TRACE)
    write_plugin(folder, "b.off", LEAVES_A_TRACE)
    (folder / "b.off" / "config.toml").write_text("[plugin]\nenabled = false\n")
    write_plugin(folder, "c.lost", LEAVES_A_TRACE, dependencies=needs)
    write_plugin(folder, "d.wrong", LEAVES_A_TRACE, version="one")
    arguments = ("--plugins", str(folder))
    listed = await plugins("list", *arguments, cwd=folder.parent)
    assert listed.code == 0, listed.err
    assert listed.out.startswith("No host serves its web interface for the data folder data")
    assert {each: state for each, state in states(listed).items() if "maibot-host." not in each} == {
        "a.good": "found",
        "b.off": "inactive",
        "c.lost": "blocked",
        "d.wrong": "blocked",
    }
    assert re.search(r"^c\.lost: .*'z\.missing'", listed.out, re.MULTILINE)
    assert "$.version" in listed.out
    assert listed.out.endswith("Plugins: 4 found, 2 blocked, 1 inactive.\n")
    as_json = json.loads((await plugins("list", "--json", *arguments, cwd=folder.parent)).out)
    assert [each["id"] for each in as_json["plugins"] if each["state"] == "inactive"] == ["b.off"]
    told = await plugins("info", "c.lost", *arguments, cwd=folder.parent)
    assert told.code == 0
    assert re.search(r"^c\.lost 1\.0\.0: blocked$", told.out, re.MULTILINE)
    assert re.search(r"^  Needs +z\.missing \(not there\)$", told.out, re.MULTILINE)
    tree = await plugins("graph", *arguments, cwd=folder.parent)
    assert re.search(r"^c\.lost .*\n└── z\.missing ", tree.out, re.MULTILINE)
    assert imported(folder) == []


async def test_without_a_host_a_plugin_is_switched_in_its_file_and_cannot_be_reloaded(folder: Path) -> None:
    write_plugin(folder, "a.good", LEAVES_A_TRACE)
    config = folder / "a.good" / "config.toml"
    config.write_text("# mine\n[plugin]\nenabled = false  # for now\n")
    arguments = ("a.good", "--plugins", str(folder))
    on = await plugins("enable", *arguments, cwd=folder.parent)
    assert (on.code, on.out) == (0, "a.good is switched on. It is loaded when the host starts.\n")
    assert config.read_text() == "# mine\n[plugin]\nenabled = true  # for now\n"
    off = await plugins("disable", *arguments, "--lang", "zh", cwd=folder.parent)
    assert (off.code, off.out) == (0, "a.good 已停用。\n")
    assert not enabled(folder, "a.good")
    config.write_text("[plugin\n")
    broken = await plugins("enable", *arguments, cwd=folder.parent)
    assert (broken.code, "config.toml" in broken.err) == (1, True)
    assert config.read_text() == "[plugin\n"
    reload = await plugins("reload", *arguments, cwd=folder.parent)
    assert (reload.code, reload.out, "maibot-host run" in reload.err) == (2, "", True)
    assert imported(folder) == []


async def test_wrong_use_is_code_2_with_what_would_be_right(folder: Path) -> None:
    write_plugin(folder, "a.good", GOOD)
    unknown = await plugins("info", "no.such", "--plugins", str(folder), cwd=folder.parent)
    assert (unknown.code, unknown.out) == (2, "")
    assert "a.good" in unknown.err
    nowhere = await plugins("graph", "--svg", "no/such.svg", "--plugins", str(folder), cwd=folder.parent)
    assert (nowhere.code, "no/such.svg cannot be written" in nowhere.err) == (2, True)
    assert (await plugins("explode", "a.good", cwd=folder.parent)).code == 2


async def test_a_running_host_is_asked_and_does_what_it_is_told(folder: Path) -> None:
    write_plugin(folder, "a.good", GOOD)
    write_plugin(folder, "b.raises", "raise RuntimeError('at import')")
    cwd = folder.parent
    async with host_over(folder, "--data", "elsewhere"):
        here = ("--data", "elsewhere")
        listed = await plugins("list", *here, cwd=cwd)
        assert listed.code == 0, listed.err
        assert (states(listed)["a.good"], states(listed)["b.raises"]) == ("active", "failed")
        assert re.search(r"^b\.raises: .*RuntimeError: at import", listed.out, re.MULTILINE)
        assert listed.out.endswith("Plugins: 4 active, 1 failed.\n")
        off = await plugins("disable", "a.good", *here, cwd=cwd)
        assert (off.code, off.out) == (0, "a.good 1.0.0: inactive\n")
        assert not enabled(folder, "a.good")
        told = json.loads((await plugins("info", "a.good", "--json", *here, cwd=cwd)).out)["plugin"]
        assert (told["state"], told["hook_handlers"]) == ("inactive", [])
        on = await plugins("enable", "a.good", *here, cwd=cwd)
        assert (on.code, on.out) == (0, "a.good 1.0.0: active\n")
        assert enabled(folder, "a.good")
        info = await plugins("info", "a.good", *here, cwd=cwd)
        assert re.search(r"^  Hook handlers +chat\.receive\.before_process / greets ", info.out, re.MULTILINE)
        failed = await plugins("enable", "b.raises", "--lang", "zh", *here, cwd=cwd)
        assert (failed.code, failed.out) == (1, "")
        assert failed.err.startswith("插件 'b.raises' 无法导入")
        assert "raise RuntimeError('at import')" in failed.err
        unknown = await plugins("reload", "no.such", *here, cwd=cwd)
        assert (unknown.code, "a.good" in unknown.err) == (2, True)


async def test_a_new_version_is_taken_over_or_the_old_one_serves_on(folder: Path) -> None:
    write_plugin(folder, "a.good", GOOD)
    code, cwd = folder / "a.good" / "plugin.py", folder.parent
    async with host_over(folder):
        code.write_text(GOOD.replace('name="greets"', 'name="waves"'))
        assert (await plugins("reload", "a.good", cwd=cwd)).code == 0
        code.write_text("raise RuntimeError('the new one')")
        refused = await plugins("reload", "a.good", cwd=cwd)
        assert refused.code == 1
        assert "the old one serves on" in refused.err
        assert "raise RuntimeError('the new one')" in refused.err
        info = await plugins("info", "a.good", cwd=cwd)
    assert "a.good 1.0.0: active" in info.out
    assert "/ waves " in info.out
    assert re.search(r"^  Not reloaded +.*RuntimeError: the new one", info.out, re.MULTILINE)


async def test_the_graph_of_a_running_host_is_shown_and_drawn(folder: Path) -> None:
    needs = [{"type": "plugin", "id": "a.base", "version_spec": ">=1.0.0"}]
    write_plugin(folder, "a.base", GOOD)
    write_plugin(folder, "b.top", GOOD, dependencies=needs)
    async with host_over(folder):
        tree = await plugins("graph", cwd=folder.parent)
        drawn = await plugins("graph", "--svg", "graph.svg", cwd=folder.parent)
    assert re.search(r"^b\.top .*\n└── a\.base ", tree.out, re.MULTILINE)
    assert (drawn.code, drawn.out) == (0, "The graph is in graph.svg.\n")
    picture = ElementTree.fromstring((folder.parent / "graph.svg").read_text(encoding="utf-8"))
    assert {"a.base", "b.top"} <= set(picture.itertext())


async def test_names_do_not_move_the_cursor_of_the_terminal(folder: Path) -> None:
    write_plugin(folder, "a.sly", GOOD, name="\x1b[2J[bold]sly\x9b1m", description="one\x07two")
    for command in ("list", "info"):
        arguments = [*([] if command == "list" else ["a.sly"]), "--plugins", str(folder)]
        told = await plugins(command, *arguments, cwd=folder.parent)
        assert "\ufffd[2J[bold]sly\ufffd1m" in told.out
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", told.out)


async def test_a_host_says_where_it_is_reached_while_it_serves_and_only_then(folder: Path) -> None:
    file = folder.parent / "data" / "host.json"
    async with host_over(folder) as process:
        told = json.loads(file.read_text())
        assert set(told) == {"address", "pid", "started_at"}
        assert told["pid"] == process.pid
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        found = await asyncio.to_thread(RunningHost.find, file.parent)
        assert found is not None
        assert (found.address, found.pid) == (told["address"], process.pid)
        await ended(process, signal.SIGTERM)
    assert not file.exists()
    await finished("run", "--no-web", cwd=folder.parent, typed="hello\n")
    assert not file.exists()


async def test_what_a_host_left_that_was_killed_is_ignored_and_replaced(folder: Path) -> None:
    file = folder.parent / "data" / "host.json"
    async with host_over(folder) as process:
        await ended(process, signal.SIGKILL)
    assert file.exists()
    listed = await plugins("list", cwd=folder.parent)
    assert (listed.code, listed.out.startswith("No host serves")) == (0, True)
    async with host_over(folder) as process:
        assert json.loads(file.read_text())["pid"] == process.pid
        assert (await plugins("list", cwd=folder.parent)).out.endswith("Plugins: 3 active.\n")


async def test_a_second_host_on_the_same_data_leaves_the_first_one_reachable(folder: Path) -> None:
    file = folder.parent / "data" / "host.json"
    async with host_over(folder) as first:
        second = await finished("run", "--port", "0", cwd=folder.parent, typed="hello\n")
        assert f"Another host (process {first.pid}) runs on the data folder" in second.out
        assert json.loads(file.read_text())["pid"] == first.pid


def write_file(data: Path, address: str, pid: int) -> None:
    content = {"address": address, "pid": pid, "started_at": "2025-01-01T00:00:00Z"}
    (data / "host.json").write_text(json.dumps(content))


def test_a_file_that_tells_of_no_host_is_passed_over(tmp_path: Path) -> None:
    assert RunningHost.find(tmp_path / "nowhere") is None
    for content in (b"", b"{", b"[]", b"{}", b'{"address": "file:///etc", "pid": 1, "started_at": "now"}', b"\xff"):
        (tmp_path / "host.json").write_bytes(content)
        assert RunningHost.find(tmp_path) is None
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    for address in (f"http://127.0.0.1:{port}", "http://127.0.0.1:99999", "http://no host"):
        write_file(tmp_path, address, os.getppid())
        assert RunningHost.find(tmp_path) is None


@asynccontextmanager
async def answering(body: bytes) -> AsyncIterator[str]:
    """The address of a server that answers everything with `body`."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def test_a_host_counts_as_running_when_its_process_is_there_and_its_address_is_healthy(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "")
    await process.wait()

    async def found(address: str, pid: int) -> bool:
        write_file(tmp_path, address, pid)
        return await asyncio.to_thread(RunningHost.find, tmp_path) is not None

    async with answering(b'{"status":"healthy"}') as healthy, answering(b"hi") as foreign:
        assert await found(healthy, os.getppid())
        assert not await found(foreign, os.getppid())
        assert not await found(healthy, process.pid)
        assert not await found(healthy, os.getpid()), "a file of an earlier process of the same number"


async def test_a_host_that_answers_something_else_is_said_to_be_of_another_version(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "webui.json").write_text(json.dumps({"access_token": "0123456789"}))
    async with answering(b'{"status":"healthy"}') as address:
        write_file(tmp_path / "data", address, os.getpid())
        listed = await plugins("list", cwd=tmp_path)
    assert (listed.code, f"What answered at {address} is no host of this version" in listed.err) == (2, True)


async def test_without_the_token_the_running_host_is_not_asked_and_no_new_token_is_made(folder: Path) -> None:
    token = folder.parent / "data" / "webui.json"
    async with host_over(folder):
        content = json.loads(token.read_text())
        token.unlink()
        missing = await plugins("list", cwd=folder.parent)
        assert (missing.code, "webui.json is not there" in missing.err) == (2, True)
        assert not token.exists()
        token.write_text(json.dumps({**content, "access_token": "another-token"}))
        wrong = await plugins("list", cwd=folder.parent)
        assert (wrong.code, "Not authorised" in wrong.err) == (2, True)
        assert "another-token" not in wrong.err


async def test_a_host_that_listens_on_all_addresses_is_reached_on_the_loopback_one(folder: Path) -> None:
    async with host_over(folder, "--host", "0.0.0.0"):
        assert json.loads((folder.parent / "data" / "host.json").read_text())["address"].startswith("http://127.0.0.1:")
        assert (await plugins("list", cwd=folder.parent)).out.endswith("Plugins: 3 active.\n")


async def test_a_run_sums_up_the_states_of_its_plugins(folder: Path) -> None:
    write_plugin(folder, "a.good", GOOD)
    write_plugin(folder, "b.raises", "raise RuntimeError")
    write_plugin(folder, "c.wrong", GOOD, version="one")
    run = await finished("run", "--no-web", "--plugins", str(folder), cwd=folder.parent)
    assert "\nPlugins: 4 active, 1 blocked, 1 failed.\n" in run.out
    assert "Loading plugins" not in run.out + run.err
    run = await finished("run", "--no-web", "--plugins", str(folder), "--lang", "zh", cwd=folder.parent)
    assert "\n插件：4 个运行中, 1 个被阻止, 1 个失败。\n" in run.out


@pytest.mark.skipif(os.name != "posix", reason="takes a pseudo-terminal")
async def test_on_a_terminal_a_line_tells_how_far_loading_has_come_and_the_log_goes_above_it(folder: Path) -> None:
    write_plugin(folder, "a.slow", "import time; time.sleep(0.5)\n" + GOOD)
    arguments = ("run", "--no-web", "--no-console", "--plugins", str(folder))
    async with on_a_terminal(*arguments, cwd=folder.parent) as terminal:
        text = await terminal.shows("is here")
    assert re.search(r"Loading plugins 0/4 a\.slow", text)
    log_line = next(line for line in text.splitlines() if "a.slow 1.0.0 is active" in line)
    assert "Loading" not in re.split(r"\x1b\[2K|\r", log_line)[-1]
    assert "Plugins: 4 active." in text


async def test_install_deps_shows_what_it_would_do_and_does_nothing_without_the_owners_word(tmp_path: Path) -> None:
    need = {"type": "python_package", "name": "no-such-package-anywhere", "version_spec": ">=1.0"}
    plugins = write_plugin(tmp_path / "plugins", "a.plugin", "x = 1", dependencies=[need])
    run = await finished("plugins", "install-deps", "--plugins", str(plugins), cwd=tmp_path, typed="n\n")
    assert run.code == 1, run.err
    assert "no-such-package-anywhere>=1.0" in run.out
    assert "a.plugin" in run.out
    assert "-m pip install" in run.out
    assert "Nothing was installed." in run.out
    none = await finished("plugins", "install-deps", cwd=tmp_path)
    assert (none.code, none.out) == (0, "Nothing is missing.\n")
