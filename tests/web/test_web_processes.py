"""The processes of plugins over HTTP, with real ones."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from loguru import logger

from host import Host, Settings
from host.hooks import Hooks
from host.runtime import RestartSettings, RunnerSettings
from host.settings import PluginSettings
from tests.cli.running import write_plugin
from webui_api import AccessToken, create_app, processes

from .serving import SECRET, app_over, bearer, serving

PROCESSES = "/plugins/runtime/processes"
HOOK = "chat.receive.before_process"
MESSAGE = {
    "message_id": "1",
    "platform": "test",
    "message_info": {"user_info": {"user_id": "7", "user_nickname": "Lin"}},
    "raw_message": [{"type": "text", "data": "hello"}],
}

TWO_HANDLERS = """
from maibot_sdk import HookHandler, MaiBotPlugin

class Two(MaiBotPlugin):
    @HookHandler("chat.receive.before_process", name="greets")
    async def greets(self, **kwargs): ...

    @HookHandler("chat.receive.before_process", name="fails")
    async def fails(self, **kwargs):
        raise ValueError("no")

def create_plugin():
    return Two()
"""
STUCK = """
import time
from maibot_sdk import HookHandler, MaiBotPlugin

class Stuck(MaiBotPlugin):
    @HookHandler("chat.receive.before_process", timeout_ms=20)
    def waits(self, **kwargs):
        time.sleep(2)

def create_plugin():
    return Stuck()
"""


@asynccontextmanager
async def served(plugins: Path, **isolation: str) -> AsyncIterator[tuple[Host, httpx.AsyncClient]]:
    """A host that has loaded the plugins in a folder, and a client with the right token.

    Args:
        plugins: the folder.
        isolation: where single plugins run, by their folders' names with ``_`` for ``.``.
    """
    overrides = {plugin_id.replace("_", "."): {"isolation": where} for plugin_id, where in isolation.items()}
    settings = Settings(
        data_dir=plugins.parent / "data",
        plugin_dirs=(plugins,),
        bundled_plugins=False,
        plugins=PluginSettings.model_validate(overrides),
        runners=RunnerSettings(restarts=RestartSettings(first_pause_seconds=0.5)),
    )
    token = AccessToken(SECRET, Path("webui.json"))
    async with Host(settings) as host, serving(create_app(host, token)) as client:
        client.headers.update(bearer())
        yield host, client


async def shown(client: httpx.AsyncClient, **headers: str) -> Any:
    answer = await client.get(PROCESSES, headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.json()


@asynccontextmanager
async def logged(text: str) -> AsyncIterator[Callable[[], Any]]:
    """Yields what waits until a line with `text` is logged."""
    seen = asyncio.Event()
    sink = logger.add(lambda line: seen.set() if text in line else None, format="{message}")
    try:
        yield seen.wait
    finally:
        logger.remove(sink)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "plugins"
    path.mkdir()
    return path


async def test_each_plugin_is_shown_with_its_process_and_how_its_calls_went(folder: Path) -> None:
    write_plugin(folder, "a.two", TWO_HANDLERS)
    write_plugin(folder, "b.inline", TWO_HANDLERS)
    write_plugin(folder, "c.raises", "raise RuntimeError('at import')")
    async with served(folder, b_inline="inline") as (host, client):
        for _ in range(3):
            await host.hooks.invoke(HOOK, {"message": MESSAGE})
        answer = await shown(client)
        chinese = await shown(client, **{"Accept-Language": "zh"})
    two, inline, raises = answer["plugins"]
    assert (answer["success"], answer["host"]["pid"]) == (True, os.getpid())
    assert (two["id"], two["state"], two["problem"], two["isolation"]) == ("a.two", "active", None, "process")
    assert two["pid"] not in (None, os.getpid())
    assert (two["calls"], two["failures"], two["in_flight"], two["restarts"]) == (6, 3, 0, 0)
    assert (two["responding"], two["hung_threads"], two["dropped_lines"]) == (True, 0, 0)
    assert two["uptime_sec"] > 0
    fails, greets = two["handlers"]
    assert (fails["name"], fails["hook"], fails["calls"], fails["failures"]) == ("fails", HOOK, 3, 3)
    assert (greets["name"], greets["calls"], greets["failures"]) == ("greets", 3, 0)
    assert 0 < greets["p50_ms"] <= greets["p95_ms"] <= greets["p99_ms"]
    assert fails["breaker"] == {**greets["breaker"], "calls": 3, "failures": 3}
    assert (inline["isolation"], inline["state"]) == ("inline", "active")
    assert {key: inline[key] for key in ("pid", "uptime_sec", "calls", "memory_bytes", "responding")} == dict.fromkeys(
        ("pid", "uptime_sec", "calls", "memory_bytes", "responding")
    )
    assert [each["calls"] for each in inline["handlers"]] == [None, None]
    assert inline["handlers"][0]["breaker"]["failures"] == 3
    assert (raises["state"], raises["pid"], raises["handlers"]) == ("failed", None, [])
    assert "RuntimeError: at import" in raises["problem"]["text"]
    assert chinese["plugins"][2]["problem"]["text"].startswith("插件 'c.raises' 无法导入")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell")
async def test_the_memory_of_each_process_is_told(folder: Path) -> None:
    write_plugin(folder, "a.small", TWO_HANDLERS)
    write_plugin(folder, "b.large", "HELD = b'x' * (40 << 20)\n" + TWO_HANDLERS)
    async with served(folder) as (_, client):
        answer = await shown(client)
    small, large = answer["plugins"]
    assert 1 << 20 < small["memory_bytes"] < 40 << 20 < large["memory_bytes"] < 120 << 20
    assert answer["host"]["memory_bytes"] > 1 << 20


async def test_the_host_answers_others_while_memory_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_plugin(folder, "a.two", TWO_HANDLERS)
    reading, go_on = threading.Event(), threading.Event()

    def slow(pid: int) -> int:
        reading.set()
        assert go_on.wait(20)
        return pid

    monkeypatch.setattr(processes, "proportional_bytes", slow)
    async with served(folder) as (_, client):
        asked = asyncio.create_task(shown(client))
        assert await asyncio.to_thread(reading.wait, 20)
        assert (await client.get("/health")).status_code == 200
        go_on.set()
        answer = await asked
    assert answer["host"]["memory_bytes"] == os.getpid()


async def test_a_process_that_ended_is_shown_as_down_and_then_with_its_restart_counted(folder: Path) -> None:
    write_plugin(folder, "a.two", TWO_HANDLERS)
    write_plugin(folder, "b.other", TWO_HANDLERS)
    async with served(folder) as (host, client):
        await host.hooks.invoke(HOOK, {"message": MESSAGE})
        before = (await shown(client))["plugins"][0]
        async with logged("a.two 1.0.0 is active") as back, logged("is started again in") as down:
            os.kill(before["pid"], signal.SIGKILL)
            await down()
            gone = (await shown(client))["plugins"][0]
            await back()
        after, untouched = (await shown(client))["plugins"]
    assert (gone["state"], gone["pid"], gone["problem"]["code"]) == ("loading", None, "process_lost")
    assert "SIGKILL" in gone["problem"]["text"]
    assert [each["name"] for each in gone["handlers"]] == ["fails", "greets"]
    assert (after["state"], after["problem"], after["restarts"], after["calls"]) == ("active", None, 1, 0)
    assert after["pid"] != before["pid"]
    assert untouched["restarts"] == 0


async def test_threads_that_are_stuck_in_the_hosts_process_are_counted(folder: Path) -> None:
    write_plugin(folder, "a.stuck", STUCK)
    async with served(folder, a_stuck="inline") as (host, client):
        result = await host.hooks.invoke(HOOK, {"message": MESSAGE})
        (plugin,) = (await shown(client))["plugins"]
    assert [error.kind for error in result.errors] == ["timeout"]
    assert plugin["hung_threads"] == 1


async def test_one_plugin_tells_where_it_runs(folder: Path) -> None:
    write_plugin(folder, "a.two", TWO_HANDLERS)
    write_plugin(folder, "b.inline", TWO_HANDLERS)
    async with served(folder, b_inline="inline") as (_, client):
        listed = {each["id"]: each["pid"] for each in (await shown(client))["plugins"]}
        plugins = [(await client.get(f"/plugins/runtime/plugins/{each}")).json()["plugin"] for each in listed]
    told = [(plugin["isolation"], plugin["pid"]) for plugin in plugins]
    assert told == [("process", listed["a.two"]), ("inline", None)]
    assert listed["a.two"] is not None


async def test_the_route_needs_the_token_and_is_described() -> None:
    async with serving(app_over(Hooks())) as client:
        stranger = await client.get(PROCESSES)
        document = (await client.get("/openapi.json")).json()
    assert stranger.status_code == 401
    told = {
        status: answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for status, answer in document["paths"][PROCESSES]["get"]["responses"].items()
    }
    assert told == {"200": "ProcessList", "401": "Refusal", "403": "Refusal", "422": "HTTPValidationError"}
    names = ("ProcessList", "HostProcessView", "PluginProcessView", "HandlerVitalsView")
    schemas = document["components"]["schemas"]
    assert {name: sorted(schemas[name]["properties"]) for name in names} == {
        "ProcessList": ["host", "plugins", "success"],
        "HostProcessView": ["memory_bytes", "pid", "uptime_sec"],
        "PluginProcessView": [
            "calls",
            "dropped_lines",
            "failures",
            "handlers",
            "hung_threads",
            "id",
            "in_flight",
            "isolation",
            "memory_bytes",
            "name",
            "pid",
            "problem",
            "responding",
            "restarts",
            "state",
            "uptime_sec",
        ],
        "HandlerVitalsView": ["breaker", "calls", "failures", "hook", "name", "p50_ms", "p95_ms", "p99_ms"],
    }
