"""Who fired whom: a chain id and a depth travel with every dispatch, so that hooks cannot fire hooks for ever."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from msgspec import Struct


class Chain(Struct, eq=False):
    """One dispatch (or one observer's call) in the chain of those that caused it.

    Args:
        hook: the hook that was fired.
        number: the same for the whole chain; 128 bits.
        depth: 1 for the outermost.
        parent: the dispatch whose handler fired this one.
        ended: once true, what is still running in its tasks starts chains of its own.
    """

    hook: str
    number: int
    depth: int = 1
    parent: Chain | None = None
    ended: bool = False

    @property
    def trace_id(self) -> str:
        """32 hex digits, the same for the whole chain."""
        return f"{self.number:032x}"

    def path(self) -> list[str]:
        """The hooks from the outermost to this one."""
        hooks = [self.hook]
        link = self.parent
        while link is not None:
            hooks.append(link.hook)
            link = link.parent
        return hooks[::-1]


current_chain: ContextVar[Chain | None] = ContextVar("current_chain", default=None)
"""The dispatch whose handler is running in this task."""


@contextmanager
def inside(chain: Chain) -> Iterator[None]:
    """Run what is inside as the handler of a link: what it fires goes on with the chain, until the context is left.

    Args:
        chain: as `Hooks.link` makes one.
    """
    token = current_chain.set(chain)
    try:
        yield
    finally:
        chain.ended = True
        current_chain.reset(token)
