"""The published MaiBot's runner at the same task: a text to a plugin in its process and back.

The package is installed in an environment of its own and used from outside, by what its host offers: a supervisor that
starts a runner for a folder of plugins, and calls their components. Nothing of ours but the harness is there.
"""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, redirect_stdout
from functools import partial
from json import dumps
from pathlib import Path
from sys import stderr
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.echo import bare_echo
from benchmarks.handlers import HOOK
from benchmarks.harness import Action, Effort, Samples, paired_at_once

_PLUGIN = "bench.echo"
_SOURCE = """
from maibot_sdk import API, HookHandler, MaiBotPlugin


class Echo(MaiBotPlugin):
    async def on_load(self):
        pass

    async def on_unload(self):
        pass

    async def on_config_update(self, scope, config_data, version):
        pass

    @HookHandler("bench.measured")
    async def look(self, text, **kwargs):
        return {"custom_result": text}

    @API("back", description="Returns its text.", public=True)
    async def back(self, text, **kwargs):
        return text


def create_plugin():
    return Echo()
"""
_MANIFEST = {
    "manifest_version": 2,
    "id": _PLUGIN,
    "version": "1.0.0",
    "name": "Echo",
    "description": "Returns what it gets.",
    "author": {"name": "Somebody", "url": "https://example.org"},
    "license": "MIT",
    "urls": {"repository": "https://example.org/echo"},
    "host_application": {"min_version": "1.0.0", "max_version": "9.99.99"},
    "sdk": {"min_version": "2.0.0", "max_version": "2.99.99"},
    "dependencies": [],
    "capabilities": [],
    "i18n": {"default_locale": "zh-CN", "supported_locales": ["zh-CN"]},
}
"""All that its host asks for."""
_ROOM_FOR_KEYS = 32
"""Bytes by which a frame is longer than its text, about."""


async def component(size: int, count: int, effort: Effort) -> Samples:
    """A component that returns its text, called through the supervisor, against the bare echo.

    Args:
        size: bytes of the text.
        count: calls at once.
        effort: how much.
    """
    text = "a" * size
    with redirect_stdout(stderr):  # where it tells what it does
        async with _supervised() as supervisor:

            async def call() -> object:
                return await supervisor.invoke_api(_PLUGIN, "back", {"text": text})

            answer = await supervisor.invoke_api(_PLUGIN, "back", {"text": text})
            assert answer.payload == {"success": True, "result": text}, answer
            return await _against_bare(call, size, count, effort)


async def dispatch(size: int, count: int, effort: Effort) -> Samples:
    """A hook fired that one handler subscribes to, which returns its text; as above."""
    text = "a" * size
    with redirect_stdout(stderr):
        async with _supervised() as supervisor:

            async def call() -> object:
                return await supervisor.invoke_hook(HOOK, text=text)

            result = await supervisor.invoke_hook(HOOK, text=text)
            assert result.custom_results, result
            return await _against_bare(call, size, count, effort)


async def _against_bare(call: Action, size: int, count: int, effort: Effort) -> Samples:
    frame = b"a" * (size + _ROOM_FOR_KEYS)
    async with bare_echo(len(frame)) as bare:
        return await paired_at_once(call, partial(bare.call, frame), count, effort)


@asynccontextmanager
async def _supervised() -> AsyncIterator[Any]:
    """A supervisor with a runner that has the plugin."""
    before = Path.cwd()
    with TemporaryDirectory() as name:
        folder = Path(name)
        instance = folder / "instance"
        instance.mkdir()
        plugin = folder / "plugins" / "bench_echo"
        plugin.mkdir(parents=True)
        (plugin / "plugin.py").write_text(_SOURCE, encoding="utf-8")
        (plugin / "_manifest.json").write_text(dumps(_MANIFEST), encoding="utf-8")
        os.environ["MAIBOT_INSTANCE_DIR"] = str(instance)
        os.chdir(instance)  # where it writes its log
        from src.plugin_runtime.host.hook_spec_registry import (  # type: ignore[import-not-found]
            HookSpec,
            HookSpecRegistry,
        )
        from src.plugin_runtime.host.supervisor import PluginSupervisor  # type: ignore[import-not-found]

        hooks = HookSpecRegistry()
        hooks.register_hook_spec(HookSpec(name=HOOK))
        supervisor = PluginSupervisor(plugin_dirs=[folder / "plugins"], hook_spec_registry=hooks)
        await supervisor.start()
        try:
            yield supervisor
        finally:
            await supervisor.stop()
            os.chdir(before)


COUNTS = (1, 32)
PUBLISHED_RUNNER: Mapping[str, Callable[[Effort], Awaitable[Samples]]] = {
    f"published-{name}-1k-{count}": partial(measured, 1 << 10, count)
    for count in COUNTS
    for name, measured in {"call": component, "invoke": dispatch}.items()
}
"""How each case is measured."""
