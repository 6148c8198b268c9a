"""``maibot-host run`` end to end: real processes, real sockets, the sample chat, good plugins and bad ones."""

import asyncio
import json
import re
import signal
import stat
from collections import Counter
from pathlib import Path

import httpx
import pytest

from tests.cli.running import LIMIT_S, environment, finished, line_with, sample_lines, started, write_plugin

BAD_PLUGIN = """
import asyncio
from maibot_sdk import HookHandler, MaiBotPlugin

class Bad(MaiBotPlugin):
    @HookHandler("chat.receive.before_process", order="early")
    async def raises(self, **kwargs):
        raise ValueError("bad plugin raised")

    @HookHandler("chat.receive.after_process", timeout_ms=30)
    async def hangs(self, **kwargs):
        await asyncio.Event().wait()

    @HookHandler("send_service.before_send")
    async def nonsense(self, **kwargs):
        return {"action": "fail", "modified_kwargs": [1]}

    @HookHandler("send_service.after_build_message")
    async def wrong_message(self, **kwargs):
        return {"modified_kwargs": {"message": {"not": "a message"}, "typing": False}}

    @HookHandler("send_service.after_send", mode="observe")
    async def observer_exits(self, **kwargs):
        raise SystemExit(3)

def create_plugin():
    return Bad()
"""


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "chat.jsonl"
    path.write_bytes(b"".join(sample_lines()))
    return path


async def test_the_sample_chat_goes_through_the_three_bundled_plugins(tmp_path: Path, recording: Path) -> None:
    run = await finished("run", "--no-web", "--input", str(recording), cwd=tmp_path)
    assert run.code == 0, run.err
    outcomes = run.outcomes()
    assert len(outcomes) == len(sample_lines())
    stopped = [line for line in outcomes if line.startswith("stopped")]
    assert len(stopped) == 2
    assert all("maibot-host.word-filter" in line and "chat.receive.before_process" in line for line in stopped)
    assert sum(line.startswith("replied") for line in outcomes) > 15
    assert "failed" not in run.out
    assert len(re.findall(r"maibot-host\.message-log \[", run.err)) > 60
    assert f"{len(outcomes)} message(s)" in run.out


async def test_a_recording_waits_neither_for_typing_nor_for_people_to_go_on(tmp_path: Path) -> None:
    (tmp_path / "host.toml").write_text("[splitting]\nmin_pause_seconds = 3600\nmax_pause_seconds = 3600\n")
    message = json.loads(sample_lines()[12])
    for text in ("who are you?", "wait"):
        message["raw_message"] = [{"type": "text", "data": text}]
        with (tmp_path / "chat.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(message) + "\n")
    run = await finished("run", "--no-web", "--input", "chat.jsonl", cwd=tmp_path)
    assert [line.split(" | ")[0] for line in run.outcomes()] == ["replied"] * 2, run.err
    assert len(re.findall("Sent to", run.err)) == 3, "the first reply has two pieces"


async def test_a_plugin_that_raises_hangs_and_returns_nonsense_changes_no_outcome(
    tmp_path: Path, recording: Path
) -> None:
    good = await finished("run", "--no-web", "--input", str(recording), cwd=tmp_path)
    plugins = write_plugin(tmp_path / "plugins", "test.bad", BAD_PLUGIN)
    bad = await finished("run", "--no-web", "--plugins", str(plugins), "--input", str(recording), cwd=tmp_path)
    assert bad.code == 0, bad.err
    plain = [re.sub(r" \(\d+ handler error.*$", "", line) for line in bad.outcomes()]
    replied = next(line for line in bad.outcomes() if line.startswith("replied"))
    for handler in ("raises", "hangs", "nonsense", "wrong_message"):
        assert f"test.bad/{handler}" in replied
    assert plain == good.outcomes()
    assert "bad plugin raised" in bad.err
    assert "SystemExit: 3" in bad.err


async def test_the_web_interface_is_read_while_the_chat_goes_on(tmp_path: Path) -> None:
    plugins = write_plugin(tmp_path / "plugins", "test.bad", BAD_PLUGIN)
    async with started("run", "--plugins", str(plugins), "--port", "0", "--input", "-", cwd=tmp_path) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        address = (await line_with(process, "Web interface")).split()[2]
        token = (await line_with(process, "Access token")).split()[2]
        lines = sample_lines()
        process.stdin.writelines(lines[:5])
        await line_with(process, "   5  ")
        async with httpx.AsyncClient(base_url=address, timeout=LIMIT_S) as client:
            assert (await client.get("/health")).json()["status"] == "healthy"
            assert (await client.get("/plugins/runtime/hooks")).status_code == 401
            answer = await client.get("/plugins/runtime/hooks", headers={"Authorization": f"Bearer {token}"})
        assert answer.json()["success"] is True
        hooks = {hook["name"]: hook["handlers"] for hook in answer.json()["hooks"]}
        assert Counter(hook["family"] for hook in answer.json()["hooks"]) == {"maibot": 25, "bub": 28}
        assert [(each["position"], each["plugin_id"]) for each in hooks["chat.receive.before_process"]] == [
            (1, "maibot-host.word-filter"),
            (2, "test.bad"),
        ]
        process.stdin.writelines(lines[5:])
        process.stdin.close()
        await line_with(process, f"{len(lines)} message(s)")
        async with asyncio.timeout(LIMIT_S):
            assert await process.wait() == 0
        log = (await process.stderr.read()).decode()
    again = await finished("run", "--port", "0", cwd=tmp_path)
    assert "Access token: kept in data/webui.json" in again.out
    assert token not in log + again.out + again.err
    file = tmp_path / "data" / "webui.json"
    assert json.loads(file.read_text())["access_token"] == token
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(token) == 64


async def test_lines_typed_on_the_console_are_answered_and_the_end_of_input_ends_it(tmp_path: Path) -> None:
    run = await finished("run", "--no-web", cwd=tmp_path, typed="hello\n\nthis has a forbiddenword in it\n")
    assert run.code == 0, run.err
    assert "3 plugin(s)" in run.out
    assert "Hello" in run.out
    assert "stopped" in run.out
    assert "maibot-host.word-filter" in run.out


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("console", ["--console", "--no-console"])
async def test_ctrl_c_and_sigterm_end_it_cleanly_and_unload_the_plugins(
    tmp_path: Path, end: signal.Signals, console: str
) -> None:
    code = """
from pathlib import Path
from maibot_sdk import MaiBotPlugin

class Leaves(MaiBotPlugin):
    async def on_unload(self):
        Path("unloaded.txt").write_text("yes")

def create_plugin():
    return Leaves()
"""
    plugins = write_plugin(tmp_path / "plugins", "test.leaves", code)
    async with started("run", console, "--port", "0", "--plugins", str(plugins), cwd=tmp_path) as process:
        assert process.stderr is not None
        await line_with(process, "plugin(s)")
        process.send_signal(end)
        async with asyncio.timeout(LIMIT_S):
            assert await process.wait() == 0
        log = (await process.stderr.read()).decode()
    assert (tmp_path / "unloaded.txt").read_text() == "yes"
    assert "Traceback" not in log


async def test_plugins_that_cannot_be_loaded_are_reported_with_traceback_and_leave_the_others_alone(
    tmp_path: Path, recording: Path
) -> None:
    plugins = tmp_path / "plugins"
    write_plugin(plugins, "test.syntax", "def create_plugin(:\n")
    write_plugin(plugins, "test.raises", "raise RuntimeError('at import')\n")
    write_plugin(
        plugins,
        "test.old",
        "from maibot_sdk import WorkflowStep\n\nclass P:\n    @WorkflowStep(stage='pre_process', blocking=True)\n"
        "    async def step(self, **kwargs): ...\n",
    )
    run = await finished("run", "--no-web", "--plugins", str(plugins), "--input", str(recording), cwd=tmp_path)
    assert run.code == 0, run.err
    for plugin in ("test.syntax", "test.raises", "test.old"):
        assert f"Plugin {plugin} was not loaded" in run.out
    assert "RuntimeError: at import" in run.err
    assert "chat.receive.before_process" in run.err
    assert "plugin.py" in run.err
    assert len(run.outcomes()) == len(sample_lines())


async def test_a_bad_line_is_named_and_the_rest_is_played(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    lines = sample_lines()
    path.write_bytes(lines[0] + b"{broken\n" + b"[1]\n" + b'{"message_id": "x"}\n' + lines[1])
    run = await finished("run", "--no-web", "--input", str(path), cwd=tmp_path)
    assert run.code == 1
    assert re.search(r"line 2\b", run.out, re.IGNORECASE)
    assert re.search(r"line 3\b", run.out, re.IGNORECASE)
    assert "2 line(s) could not be used." in run.out
    assert [line.split()[0] for line in run.outcomes()][1] == "invalid"
    assert len(run.outcomes()) == 3


async def test_a_recording_that_does_not_exist_is_refused_in_the_readers_language(tmp_path: Path) -> None:
    run = await finished("run", "--input", "nowhere.jsonl", cwd=tmp_path)
    assert (run.code, "nowhere.jsonl cannot be read" in run.err) == (2, True)
    run = await finished("run", "--input", "nowhere.jsonl", cwd=tmp_path, env=environment(LANG="zh_CN.UTF-8"))
    assert (run.code, "无法读取 nowhere.jsonl" in run.err) == (2, True)


async def test_a_port_in_use_is_said_and_the_bot_runs_without_the_web(tmp_path: Path) -> None:
    server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        run = await finished("run", "--port", str(port), cwd=tmp_path, typed="hello\n")
    assert run.code == 0, run.err
    assert "The web interface is off" in run.out
    assert "Hello" in run.out


async def test_a_settings_file_is_read_and_a_wrong_one_is_refused_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / "host.toml").write_text('language = "zh"\n[bot]\nnickname = "小麦"\n', encoding="utf-8")
    run = await finished("run", "--no-web", cwd=tmp_path, typed="你好\n")
    assert "小麦 已就绪" in run.out
    (tmp_path / "host.toml").write_text('[hooks]\nmax_timeout = 1\n[web]\nport = "many"\n', encoding="utf-8")
    run = await finished("run", "--no-web", cwd=tmp_path)
    assert run.code == 2
    assert "hooks.max_timeout" in run.err
    assert "web.port" in run.err
    (tmp_path / "host.toml").write_text("[hooks\n", encoding="utf-8")
    run = await finished("run", "--no-web", cwd=tmp_path)
    assert (run.code, "not valid TOML" in run.err, "line 1" in run.err) == (2, True, True)


async def test_the_hooks_command_prints_the_table_with_handlers_in_order_and_why(tmp_path: Path) -> None:
    code = """
from maibot_sdk import HookHandler, MaiBotPlugin

class P(MaiBotPlugin):
    @HookHandler("chat.receive.before_process", name="second", order="late")
    async def a(self, **kwargs): ...
    @HookHandler("chat.receive.before_process", name="first", order="early", timeout_ms=1234)
    async def b(self, **kwargs): ...

def create_plugin():
    return P()
"""
    plugins = write_plugin(tmp_path / "plugins", "a.plugin", code)
    run = await finished("hooks", "--plugins", str(plugins), cwd=tmp_path)
    assert run.code == 0, run.err
    lines = run.out.splitlines()
    at = next(index for index, line in enumerate(lines) if line.startswith("chat.receive.before_process"))
    assert lines[at].split()[1:] == ["block", "observe", "abort", "change", "60000", "ms"]
    assert [line.strip() for line in lines[at + 1 : at + 7]] == [
        "1. maibot-host.word-filter / block_listed_words",
        "blocking · early · built-in · 60000 ms",
        "2. a.plugin / first",
        "blocking · early · third-party · 1234 ms",
        "3. a.plugin / second",
        "blocking · late · third-party · 60000 ms",
    ]
    chinese = await finished("hooks", "--lang", "zh", cwd=tmp_path)
    assert "blocking · early · 内置" in chinese.out


async def test_trace_prints_each_dispatch_as_a_tree_with_changes_times_and_why_skipped(tmp_path: Path) -> None:
    code = """
from maibot_sdk import HookHandler, MaiBotPlugin

class P(MaiBotPlugin):
    @HookHandler("send_service.after_build_message", name="1 rewrites", order="early")
    async def rewrites(self, **kwargs):
        kwargs["message"]["raw_message"][0]["data"] = "rewritten"
        return {"modified_kwargs": kwargs}

    @HookHandler("send_service.after_build_message", name="2 raises", order="early")
    async def raises(self, **kwargs):
        raise ValueError("boom")

    @HookHandler("send_service.before_send", name="1 stops", order="early")
    async def stops(self, **kwargs):
        return {"action": "abort"}

def create_plugin():
    return P()
"""
    plugins = write_plugin(tmp_path / "plugins", "a.plugin", code)
    run = await finished("run", "--no-web", "--trace", "--plugins", str(plugins), cwd=tmp_path, typed="hello\n")
    assert run.code == 0, run.err
    told = re.sub(r"\d+\.\d\d ms", "TIME", re.sub(r"  [0-9a-f]{8}$", "", run.out, flags=re.MULTILINE))
    assert re.search(
        r"send_service\.after_build_message  TIME\n"
        r"├─ 1\. a\.plugin / 1 rewrites  TIME\n"
        r"│     message\.raw_message\[0\]\.data: '.*' -> 'rewritten'\n"
        r"└─ 2\. a\.plugin / 2 raises  TIME  exception: ValueError: boom\n"
        r"send_service\.before_send  TIME\n"
        r"├─ 1\. a\.plugin / 1 stops  TIME  ended the dispatch\n"
        r"└─ 2\. maibot-host\.send-modifier / modify  skipped: a\.plugin / 1 stops ended the dispatch\n",
        told,
    ), told
    assert re.search(r"└─ observer maibot-host\.message-log / log_received  TIME\n", told), told


async def test_a_plugins_folder_that_cannot_be_meant_is_refused_with_the_right_one(tmp_path: Path) -> None:
    plugins = write_plugin(tmp_path / "plugins", "a.plugin", "x = 1")
    run = await finished("run", "--no-web", "--plugins", str(plugins / "a.plugin"), cwd=tmp_path)
    assert (run.code, f"--plugins {plugins}" in run.err) == (2, True)
    run = await finished("run", "--no-web", "--plugins", "nowhere", cwd=tmp_path)
    assert (run.code, "nowhere is no folder" in run.err) == (2, True)


async def test_a_handler_that_an_order_names_and_that_is_not_there_is_warned_about(tmp_path: Path) -> None:
    order = '[hooks."chat.receive.before_process"]\norder = ["no.such.plugin", "maibot-host.word-filter"]\n'
    (tmp_path / "host.toml").write_text(order, encoding="utf-8")
    run = await finished("hooks", cwd=tmp_path)
    assert run.code == 0
    assert run.err.count("WARNING") == 1
    assert "'no.such.plugin'" in run.err
    assert "maibot-host.word-filter / block_listed_words\n     blocking · placed by the settings" in run.out


async def test_with_reload_a_plugin_is_reloaded_when_it_is_saved_while_the_bot_runs(tmp_path: Path) -> None:
    code = """
from maibot_sdk import HookHandler

class P:
    @HookHandler("send_service.after_build_message")
    async def says(self, message, **kwargs):
        message["raw_message"] = [{"type": "text", "data": "VERSION"}]
        return {"modified_kwargs": {"message": message}}

def create_plugin():
    return P()
"""
    plugins = write_plugin(tmp_path / "plugins", "a.plugin", code.replace("VERSION", "version one"))
    async with started("run", "--no-web", "--reload", "--plugins", str(plugins), cwd=tmp_path) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        await line_with(process, "plugin(s)")
        process.stdin.write(b"hello\n")
        await line_with(process, "version one")
        file = plugins / "a.plugin" / "plugin.py"
        file.write_text(code.replace("VERSION", "version two"), encoding="utf-8")
        async with asyncio.timeout(LIMIT_S):
            active = b"plugin a.plugin 1.0.0 is active"
            seen = 0
            while seen < 2:
                seen += active in await process.stderr.readline()
        process.stdin.write(b"hello\n")
        await line_with(process, "version two")
