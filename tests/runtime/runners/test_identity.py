"""What a plugin may ask of the host is bound to its socket: neither another's name nor another method gets through."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from host.hooks import Hooks
from host.runtime import Isolation, Plugin
from host.runtime.host_methods import HostCall
from tests.runtime.plugin_folders import process_only, write_plugin
from tests.runtime.runners.household import household

HOSTILE = """
    import gc, logging, os, socket, stat
    import msgspec
    from maibot_sdk import HookHandler, MaiBotPlugin

    def peer():
        from host.runtime.runners.peer import Peer
        [found] = [each for each in gc.get_objects() if isinstance(each, Peer)]
        return found

    class Hostile(MaiBotPlugin):
        async def on_load(self): ...

        async def on_unload(self): ...

        @HookHandler("room.say", timeout_ms=20_000)
        async def speak(self, text, **kwargs):
            try:
                return {"custom_result": await eval(text)}
            except Exception as error:
                return {"custom_result": f"{type(error).__name__}: {error}"}

        async def descriptors(self):
            return {name: os.readlink(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")
                    if os.path.exists(f"/proc/self/fd/{name}")}

        async def log(self, name, text):
            logging.getLogger(name).warning(text)

    def create_plugin():
        return Hostile()
"""


class Asked:
    """A host that answers everything, and keeps who asked for what."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []

    def of(self, hooks: Hooks) -> HostCall:
        async def answer(plugin: Plugin, method: str, payload: Mapping[str, Any]) -> Any:
            self.calls.append((plugin.id, method))
            return "done"

        return answer


async def _does(root: Path, isolation: Isolation, deed: str) -> tuple[Any, list[tuple[str, str]]]:
    """What came of something that a plugin tried, and what the host was asked by it."""
    write_plugin(root, "team.hostile", HOSTILE)
    asked = Asked()
    async with household(root, isolation=isolation, answer=asked.of) as house:
        result = await house.say(deed)
        assert result.errors == ()
        [custom] = result.custom_results
        return custom.value, asked.calls


@pytest.mark.parametrize(
    "deed",
    [
        'self.ctx.call_host_method("cap.call", plugin_id="team.other", payload={})',
        'self.ctx._rpc_call("cap.call", "team.other", {"plugin_id": "team.other"})',
        'self.ctx._rpc_call("host.route_message", "", None)',
    ],
)
async def test_whoever_a_plugin_says_it_is_the_host_knows_who_asks(
    tmp_path: Path, isolation: Isolation, deed: str
) -> None:
    outcome, calls = await _does(tmp_path, isolation, deed)
    assert outcome == "done"
    assert [plugin_id for plugin_id, _ in calls] == ["team.hostile"]


@pytest.mark.parametrize("method", ["plugins.reload", "cap.call ", "", "__class__", "cap.call\\0", "host"])
async def test_other_methods_of_the_host_are_refused(tmp_path: Path, isolation: Isolation, method: str) -> None:
    outcome, calls = await _does(tmp_path, isolation, f'self.ctx._rpc_call("{method}", "team.other", {{}})')
    assert calls == []
    assert "may not be called" in outcome


@process_only
@pytest.mark.parametrize(
    "method", ["prepare", "start", "stop", "leave", "ping", "configure", "handle 0 0", "host\\0", "log", ""]
)
async def test_the_wire_carries_nothing_but_host_methods(tmp_path: Path, isolation: Isolation, method: str) -> None:
    outcome, calls = await _does(tmp_path, isolation, f'peer().call("{method}", b"\\xc0")')
    assert outcome.startswith("RemoteFailureError: PermissionError")
    assert calls == []


@process_only
@pytest.mark.parametrize(
    "body",
    ["b''", "b'\\xc1'", "b'\\x93\\x01\\x02\\x03'", "msgspec.msgpack.encode(['cap.call', [1], 5])", "bytes(9999)"],
)
async def test_a_call_that_cannot_be_read_fails_and_hurts_nobody(
    tmp_path: Path, isolation: Isolation, body: str
) -> None:
    outcome, calls = await _does(tmp_path, isolation, f'peer().call("host", {body})')
    assert outcome.startswith("RemoteFailureError: ")
    assert calls == []


@process_only
@pytest.mark.parametrize("milliseconds", [-5, 0, 2**62, -(2**62)])
async def test_a_deadline_out_of_all_bounds_fails_or_is_cut_down(
    tmp_path: Path, isolation: Isolation, milliseconds: int
) -> None:
    body = f"msgspec.msgpack.encode(['cap.call', {{}}, {milliseconds}])"
    outcome, _ = await _does(tmp_path, isolation, f'peer().call("host", {body})')
    assert outcome == b"\xa4done" or "was not answered within" in outcome


@process_only
async def test_no_descriptor_leads_anywhere_but_to_the_host(tmp_path: Path, isolation: Isolation) -> None:
    descriptors, _ = await _does(tmp_path, isolation, "self.descriptors()")
    kinds = sorted(target.split(":")[0] for target in descriptors.values())
    # Standard input, output and error, the plugin's socket and shared memory, and the event loop's own three.
    assert kinds == ["/dev/null", "/memfd", "/memfd", "anon_inode", "pipe", "pipe", "socket", "socket", "socket"]


@process_only
async def test_a_log_line_bears_the_name_of_the_plugin_that_wrote_it(tmp_path: Path, isolation: Isolation) -> None:
    write_plugin(tmp_path, "team.hostile", HOSTILE)
    async with household(tmp_path, isolation=isolation) as house:
        for name in ("plugin.team.other", "host.runtime.plugins", "", "plugin.team.hostile"):
            await house.say(f'self.log("{name}", "it was {name}!")')
        await house.log.holds("it was", times=4)
        origins = [line.split(" ", 1)[1].split(":")[0] for line in house.log.lines if "it was" in line]
        assert origins == [
            "team.hostile team.other",
            "team.hostile host.runtime.plugins",
            "team.hostile root",
            "team.hostile",
        ]
