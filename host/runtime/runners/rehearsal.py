"""A small plugin loaded, called and taken down again, once, in the process that all runners are forked from.

The warm parent imports this last: what a runner does for the first time is done by then, and what that made (models,
caches, code that the interpreter fitted to its use) is shared by all runners instead of being made in each of them.
Nothing else imports it.
"""

import asyncio
import socket
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import msgspec

from host.runtime.runners.messages import HANDLE, LEAVE, PREPARE, START, STOP, Answer, Preparation
from host.runtime.runners.peer import Peer, Request
from host.runtime.runners.records import pass_on
from host.runtime.runners.runner import Runner
from host.runtime.runners.socket_channel import open_socket_channel

_ID = "rehearsal.plugin"
_SECONDS = 10.0
_FRAME_LIMIT = 1 << 20
_MANIFEST = (
    f'{{"manifest_version": 2, "id": "{_ID}", "version": "1.0.0", "name": "-", "description": "-", '
    '"author": {"name": "-", "url": "https://example.org"}}'
)
_CONFIG = '[plugin]\nenabled = true\nconfig_version = "1.0.0"\n'
_SOURCE = """
from maibot_sdk import Command, Field, HookHandler, MaiBotPlugin, PluginConfigBase


class PluginSection(PluginConfigBase):
    enabled: bool = Field(default=True, description="-")
    config_version: str = Field(default="1.0.0", description="-")


class Config(PluginConfigBase):
    plugin: PluginSection = Field(default_factory=PluginSection)


class Rehearsal(MaiBotPlugin):
    config_model = Config

    async def on_load(self):
        pass

    async def on_unload(self):
        pass

    async def on_config_update(self, scope, config_data, version):
        pass

    @HookHandler("chat.receive.before_process")
    async def handle(self, **kwargs):
        return {"modified_kwargs": kwargs}

    @Command("rehearse", pattern="^/rehearse$")
    async def command(self, **kwargs):
        return True, "", 1


def create_plugin():
    return Rehearsal()
"""


class RehearsalError(Exception):
    """The plugin could not be loaded.

    Args:
        why: what its runner says.
    """

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(f"the rehearsal failed: {why}")


async def rehearse(folder: Path) -> None:
    """Serve a host that loads a plugin, calls it, and lets it leave.

    Args:
        folder: an empty one, for the plugin and its data.

    Raises:
        RehearsalError: the plugin could not be loaded.
        OSError: the folder cannot be written to.
    """
    plugin = folder / _ID
    plugin.mkdir()
    for name, text in {"plugin.py": _SOURCE, "_manifest.json": _MANIFEST, "config.toml": _CONFIG}.items():
        (plugin / name).write_text(text, encoding="utf-8")
    ours, theirs = socket.socketpair()
    runner = await Runner.connected(theirs)
    host = Peer(_refuse, event=lambda *_: None, ended=lambda _: None)
    await open_socket_channel(ours, host, limit=_FRAME_LIMIT)
    preparation = Preparation(_ID, str(plugin), False, str(folder), _SECONDS, 1, None, _FRAME_LIMIT, True)
    payload = {"hook_name": "chat.receive.before_process", "message": {"raw_message": [{"type": "text", "data": "-"}]}}
    for method, argument in {
        PREPARE: preparation,
        START: None,
        f"{HANDLE} 0 -": payload,
        STOP: None,
        LEAVE: None,
    }.items():
        await _ask(host, method, argument)
    await host.aclose()
    await runner.over


async def _ask(host: Peer, method: str, argument: Any) -> None:
    answer = await host.call(method, msgspec.msgpack.encode(argument), due=monotonic() + _SECONDS)
    if method == PREPARE:
        problem = msgspec.msgpack.decode(answer, type=Answer).problem
        if problem is not None:
            raise RehearsalError(str(problem))


async def _refuse(request: Request) -> bytes:
    raise PermissionError(request.method)


def _run() -> None:
    # Without it, as on a full disk, everything works and takes a little more.
    with suppress(OSError, RehearsalError), TemporaryDirectory() as name:
        asyncio.run(rehearse(Path(name).resolve()))
    pass_on(None)


_run()
