"""What a call into a plugin's own process costs, against a bare echo with frames of the same size."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from typing_extensions import TypedDict

from benchmarks.echo import bare_echo, wire_echo
from benchmarks.handlers import HOOK
from benchmarks.harness import Action, Effort, Samples, paired_at_once
from benchmarks.plugin_folders import loaded_apart, write_plugin
from host.hooks import Hooks, HookSpec
from host.hooks.chain import Chain
from host.hooks.outcome import PortableReturn
from host.hooks.version import PayloadVersion

PLUGIN = "bench.echo"
_DEADLINE = 60.0

_SOURCE = f"""
from maibot_sdk import HookHandler, MaiBotPlugin


class Echo(MaiBotPlugin):
    async def on_load(self):
        pass

    async def on_unload(self):
        pass

    async def on_config_update(self, scope, config_data, version):
        pass

    @HookHandler("{HOOK}")
    async def back(self, text, **kwargs):
        return {{"custom_result": text}}


def create_plugin():
    return Echo()
"""


class OneText(TypedDict):
    """A payload that is all text."""

    text: str


@asynccontextmanager
async def echoing_plugin() -> AsyncIterator[Hooks]:
    """A kernel with one hook, whose one handler returns its text from a process of its own."""
    hooks = Hooks()
    hooks.register_spec(HookSpec(name=HOOK, payload=OneText))
    with TemporaryDirectory() as folder:
        write_plugin(Path(folder) / "plugins", PLUGIN, _SOURCE)
        async with loaded_apart(hooks, Path(folder)):
            yield hooks


def payload_of(size: int) -> dict[str, Any]:
    """A payload as handlers get it, with a text of so many bytes."""
    return {"text": "a" * size, "hook_name": HOOK}


async def handler(size: int, count: int, effort: Effort) -> Samples:
    """The handler called as a dispatch calls it: from a payload in the host to the handler's return in the host."""
    payload, chain = payload_of(size), Chain(HOOK, 1 << 127)
    async with echoing_plugin() as hooks:
        start = hooks.table.of(PLUGIN)[0].start

        async def call() -> object:
            return await start(PayloadVersion(payload, False), chain, monotonic() + _DEADLINE)

        returned = await call()
        assert isinstance(returned, PortableReturn)
        assert returned.custom == payload["text"]
        return await _against_bare(call, size, count, effort)


async def dispatch(size: int, count: int, effort: Effort) -> Samples:
    """A whole dispatch to that handler."""
    given = {"text": payload_of(size)["text"]}
    async with echoing_plugin() as hooks:

        async def call() -> None:
            result = await hooks.invoke(HOOK, given)
            assert not result.errors, result.errors

        return await _against_bare(call, size, count, effort)


async def wire(size: int, count: int, effort: Effort) -> Samples:
    """A call of a peer that is answered with its body: nothing is encoded, no handler is there."""
    body = PayloadVersion(payload_of(size), False).encoded()
    async with wire_echo() as peer:

        async def call() -> object:
            return await peer.call("echo", body, due=monotonic() + _DEADLINE)

        assert await call() == body
        return await _against_bare(call, size, count, effort)


async def _against_bare(call: Action, size: int, count: int, effort: Effort) -> Samples:
    frame = PayloadVersion(payload_of(size), False).encoded()
    async with bare_echo(len(frame)) as bare:
        return await paired_at_once(call, partial(bare.call, frame), count, effort)


SIZES: Mapping[str, tuple[int, int]] = {
    "1k-1": (1 << 10, 1),
    "1k-32": (1 << 10, 32),
    "1k-256": (1 << 10, 256),
    "256k-1": (256 << 10, 1),
    "4m-1": (4 << 20, 1),
}
"""Bytes of the text and calls at once, by how the cases name them."""

CALLS: Mapping[str, Callable[[Effort], Awaitable[Samples]]] = {
    f"{name}-{key}": partial(measured, size, count)
    for key, (size, count) in SIZES.items()
    for name, measured in {"call": handler, "wire": wire, "invoke": dispatch}.items()
}
"""How each case is measured."""
