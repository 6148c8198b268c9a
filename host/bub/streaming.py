"""A model's output as events."""

from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from host.bub.errors import BubError


@dataclass
class StreamState:
    """What a stream knows of itself once it was read: an error, the use of tokens."""

    error: BubError | None = None
    usage: dict[str, Any] | None = None


@dataclass(frozen=True)
class StreamEvent:
    """One event: ``text`` with a ``delta``, ``error`` with ``kind`` and ``message``, and others."""

    kind: str
    data: dict[str, Any] = field(default_factory=dict)


class AsyncStreamEvents:
    """Events to be read once, with the state that they leave behind.

    Args:
        events: where they come from; closed with this.
        state: what is known at the end.
        on_close: awaited once, when this is closed.
    """

    def __init__(
        self,
        events: AsyncIterable[Any],
        *,
        state: StreamState | None = None,
        on_close: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._events = aiter(events)
        self._on_close = on_close
        self._state = state or StreamState()

    def __aiter__(self) -> AsyncIterator[Any]:
        return self._events

    @property
    def error(self) -> BubError | None:
        """What went wrong, once it was read."""
        return self._state.error

    @property
    def usage(self) -> dict[str, Any] | None:
        """Of tokens, once it was read."""
        return self._state.usage

    async def aclose(self) -> None:
        """Close where the events come from, read to the end or not."""
        on_close, self._on_close = self._on_close, None
        try:
            await close(self._events)
        finally:
            if on_close is not None:
                await on_close()


def is_stream(value: object) -> bool:
    """Whether `value` has the shape of `AsyncStreamEvents`. A bare async generator knows no usage, and is none."""
    return all(hasattr(value, name) for name in ("__aiter__", "aclose", "error", "usage"))


async def close(events: object) -> None:
    """Close what can be closed."""
    if hasattr(events, "aclose"):
        await events.aclose()


def of_text(text: Callable[[], Awaitable[Any]]) -> AsyncStreamEvents:
    """A stream of one event with all the text, which is asked for when the stream is read."""

    async def events() -> AsyncIterator[StreamEvent]:
        yield StreamEvent("text", {"delta": await text()})

    return AsyncStreamEvents(events())


async def text_of(
    events: AsyncIterable[Any], on_error: Callable[[BubError], Awaitable[None]] | None = None
) -> str | None:
    """All text deltas of a stream, which is closed in any case.

    Args:
        events: the stream.
        on_error: awaited with each ``error`` event; reading goes on.

    Returns:
        The text; None where all that was said is that there is none.
    """
    parts: list[str] = []
    nothing = False
    try:
        async for event in events:
            if event.kind == "text":
                delta = event.data.get("delta")
                nothing = nothing or delta is None
                parts += [] if delta is None else [str(delta)]
            elif event.kind == "error" and on_error is not None:
                kind, message = event.data.get("kind", "unknown"), event.data.get("message", "")
                await on_error(BubError(str(kind), str(message), event.data.get("details")))
    finally:
        await close(events)
    return None if nothing and not parts else "".join(parts)
