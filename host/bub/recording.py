"""A run's tape: a fork that nobody else sees, merged into the session's tape when the run ends; sidecars beside it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from inspect import iscoroutinefunction
from typing import Any

from loguru import logger

from host.bub.tapes import InMemoryTapeStore, TapeEntry, TapeQuery

UNKEPT = "temp/"
"""How the names of sessions begin that leave nothing behind."""


class Tape:
    """One tape as a run has it.

    Args:
        name: of the session's tape.
        store: where it is kept.
        run_id: put into the meta of all that is written.
        sidecars: have a tape of their own beside it.

    Attributes:
        name: as given.
        run_id: as given.
    """

    def __init__(self, name: str, store: Any, run_id: str = "", sidecars: Sequence[Any] = ()) -> None:
        self.name = name
        self.run_id = run_id
        self._store = store
        self._sidecars = sidecars
        self._written = InMemoryTapeStore()
        self._beside: dict[str, Tape] = {}

    async def append(self, kind: str, payload: dict[str, Any], **meta: Any) -> None:
        """Write something down. Of a list of content, text alone is kept: media are not for tapes."""
        content = payload.get("content")
        if isinstance(content, list):
            payload = {**payload, "content": [each for each in content if _is_text(each)]}
        self._written.append(self.name, TapeEntry(kind, payload, {**meta, "run_id": self.run_id}))

    async def entries(self, query: TapeQuery | None = None) -> list[TapeEntry]:
        """What stands on the session's tape and what this run wrote; of that, what is asked for."""
        kept = await in_store(self._store, self._store.fetch_all, TapeQuery(self.name))
        new = self._written.fetch_all(TapeQuery(self.name))
        return (query or TapeQuery(self.name)).select([*kept, *new])

    async def handoff(self, name: str, state: dict[str, Any] | None = None) -> None:
        """Set an anchor: what comes before it is told to models no more."""
        await self.append("anchor", {"name": name, "state": state or {}})

    def sidecar(self, name: str) -> "Tape":
        """The tape of the sidecar of this name, forked and merged with this one.

        Raises:
            KeyError: there is no such sidecar.
        """
        return self._beside[name]

    @asynccontextmanager
    async def forked(self) -> AsyncIterator["Tape"]:
        """Write, and merge at the end, whatever happened. A sidecar that fails is noted there, and stops nothing."""
        self._beside = {
            each.name: Tape(f"{self.name}__sidecar__{each.name}", self._store, self.run_id) for each in self._sidecars
        }
        for each in self._sidecars:
            await self._isolated(each, "fork")
        try:
            yield self
        finally:
            if not self.name.startswith(UNKEPT):
                for each in self._sidecars:
                    await self._isolated(each, "merge")
                    await self._beside[each.name]._merge()
                await self._merge()

    async def reset(self) -> None:
        """Forget the session's tape and those beside it."""
        for name in (self.name, *(f"{self.name}__sidecar__{each.name}" for each in self._sidecars)):
            await in_store(self._store, self._store.reset, name)

    async def _merge(self) -> None:
        for entry in self._written.fetch_all(TapeQuery(self.name)):
            await in_store(self._store, self._store.append, self.name, replace(entry, id=0))
        self._written = InMemoryTapeStore()

    async def _isolated(self, sidecar: Any, step: str) -> None:
        """Let a sidecar do its own part of a step, where it has one."""
        if not hasattr(sidecar, step):
            return
        try:
            answer = getattr(sidecar, step)(self._beside[sidecar.name])
            if hasattr(answer, "__await__"):
                await answer
        except Exception as error:
            logger.opt(exception=error).warning("Tape sidecar {} failed to {}", sidecar.name, step)
            await self.append("event", {"name": "sidecar.failed", "sidecar": sidecar.name, "step": step})


async def in_store(store: Any, method: Callable[..., Any], *arguments: Any) -> Any:
    """Call a store's method: one of an async store is awaited, one of a plain store runs in a thread."""
    if iscoroutinefunction(store.append):
        return await method(*arguments)
    return await asyncio.to_thread(method, *arguments)


def messages_of(entries: Iterable[TapeEntry]) -> list[dict[str, Any]]:
    """The messages of a request, from what stands on a tape behind its last anchor."""
    return [dict(each.payload) for each in TapeQuery("", after_anchor="").select([*entries]) if each.kind == "message"]


def _is_text(part: Any) -> bool:
    return isinstance(part, str) or (isinstance(part, dict) and part.get("type") == "text")
