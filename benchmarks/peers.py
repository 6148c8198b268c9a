"""Other hook systems at the same task: ten keys and the hook's name to handlers that return None, everyone called.

Each is called as its documentation says, in an environment of its own, against the same bare loop as the kernel. Their
handlers name their parameters, since none of them fills ``**kwargs``. No import of the kernel here.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.cases import APLUGGY, BUB, PLUGGY
from benchmarks.handlers import HOOK, Plugin, bare_loop
from benchmarks.harness import Action, Effort, Figure, paired
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
}


def measurements(peer: str) -> Mapping[str, Callable[[Effort], Awaitable[Figure]]]:
    """How each case of `peer` is measured."""
    return {f"{peer}-{count}": partial(_none, _FIRES[peer], count) for count in COUNTS}


async def _none(fires: Callable[[int], Action], count: int, effort: Effort) -> Figure:
    handlers = [Plugin(number).returns_none for number in range(count)]
    return await paired(fires(count), partial(bare_loop, handlers, TEN_SCALARS), effort)
