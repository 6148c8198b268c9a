"""Other hook systems at the same task: ten keys and the hook's name to handlers that return None, everyone called.

Each is called as its documentation says, in an environment of its own, against the same bare loop as the kernel. Their
handlers name their parameters, since none of them fills ``**kwargs``. No import of the kernel here.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.cases import APLUGGY, BUB, MAIBOT, PLUGGY
from benchmarks.handlers import HOOK, Plugin, bare_loop
from benchmarks.harness import Action, Effort, Samples, paired
from benchmarks.payloads import TEN_SCALARS

PROJECT = "bench"
COUNTS = (1, 10, 100)


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """Another hook system.

    Args:
        requirements: what to install, pinned.
        python: the first version of Python that it runs on.
        shown: its name and version for the report.
    """

    requirements: tuple[str, ...]
    python: tuple[int, int] = (3, 11)
    shown: str


PEERS: Mapping[str, Peer] = {
    PLUGGY: Peer(requirements=("pluggy==1.7.0",), shown="pluggy 1.7.0 (plain functions)"),
    APLUGGY: Peer(requirements=("apluggy==1.1.2", "pluggy==1.7.0"), shown="apluggy 1.1.2"),
    BUB: Peer(requirements=("bub==0.5.1",), python=(3, 12), shown="Bub 0.5.1 HookRuntime.call_many"),
    MAIBOT: Peer(requirements=("maibot==1.3.15",), python=(3, 12), shown="MaiBot 1.3.15"),
}


def measurements(peer: str) -> Mapping[str, Callable[[Effort], Awaitable[Samples]]]:
    """How each case of `peer` is measured."""
    return {f"{peer}-{count}": partial(_none, _FIRES[peer], count) for count in COUNTS}


async def _none(fires: Callable[[int], Action], count: int, effort: Effort) -> Samples:
    handlers = [Plugin(number).returns_none for number in range(count)]
    return await paired(fires(count), partial(bare_loop, handlers, TEN_SCALARS), effort)


class _Spec:
    def fire(
        self,
        hook: str,
        text: str,
        session_id: str,
        user_id: str,
        group_id: str,
        platform: str,
        timestamp: float,
        priority: int,
        attempt: int,
        is_mentioned: bool,
        is_command: bool,
    ) -> None:
        """The hook, as all three have it declared."""


class _PlainPlugin:
    def fire(
        self,
        hook: str,
        text: str,
        session_id: str,
        user_id: str,
        group_id: str,
        platform: str,
        timestamp: float,
        priority: int,
        attempt: int,
        is_mentioned: bool,
        is_command: bool,
    ) -> None:
        """Looks on."""


class _AsyncPlugin:
    async def fire(
        self,
        hook: str,
        text: str,
        session_id: str,
        user_id: str,
        group_id: str,
        platform: str,
        timestamp: float,
        priority: int,
        attempt: int,
        is_mentioned: bool,
        is_command: bool,
    ) -> None:
        """Looks on."""


def _fill(manager: Any, library: Any, plugin: type[_PlainPlugin] | type[_AsyncPlugin], count: int) -> None:
    """Declare the hook and register so many plugins, in the one way that all three share."""
    library.HookspecMarker(PROJECT)(_Spec.fire)
    library.HookimplMarker(PROJECT)(plugin.fire)
    manager.add_hookspecs(_Spec)
    for _ in range(count):
        manager.register(plugin())


def _pluggy(count: int) -> Action:
    import pluggy

    manager = pluggy.PluginManager(PROJECT)
    _fill(manager, pluggy, _PlainPlugin, count)

    async def fires() -> object:
        return manager.hook.fire(hook=HOOK, **TEN_SCALARS)

    return fires


def _apluggy(count: int) -> Action:
    import apluggy  # type: ignore[import-not-found]

    manager = apluggy.PluginManager(PROJECT)
    _fill(manager, apluggy, _AsyncPlugin, count)

    async def fires() -> object:
        return await manager.ahook.fire(hook=HOOK, **TEN_SCALARS)

    return fires


def _bub(count: int) -> Action:
    import pluggy
    from bub.hooks.runtime import HookRuntime  # type: ignore[import-not-found]

    manager = pluggy.PluginManager(PROJECT)
    _fill(manager, pluggy, _AsyncPlugin, count)
    return partial(HookRuntime(manager).call_many, "fire", hook=HOOK, **TEN_SCALARS)


_FIRES: Mapping[str, Callable[[int], Action]] = {PLUGGY: _pluggy, APLUGGY: _apluggy, BUB: _bub}
