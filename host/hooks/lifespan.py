"""The strategy *lifespan*: generators entered in order and left in reverse, each with exactly one ``yield``."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Any


def is_lifespan(value: object) -> bool:
    """Whether `value` can be entered: an iterator, sync or async. A context manager is an ordinary value."""
    return isinstance(value, AsyncIterator | Iterator)


async def enter(stack: AsyncExitStack, value: Any) -> Any:
    """Enter `value` until `stack` ends, and give what it yields; what cannot be entered is given back as it is.

    Raises:
        RuntimeError: it did not yield. One that yields twice raises it when the stack ends.
        Exception: the generator's own, from before its ``yield``; whatever `stack` holds already is left in reverse.
    """
    if isinstance(value, AsyncIterator):
        return await stack.enter_async_context(asynccontextmanager(lambda: value)())
    if isinstance(value, Iterator):
        return stack.enter_context(contextmanager(lambda: value)())
    return value
