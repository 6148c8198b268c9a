"""The processes that plugins run in, as the web shows them: how each is doing, and how its handlers' calls went."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from time import monotonic
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from host.hooks import Handler
from host.hooks.texts import Locale
from host.runtime import HandlerVitals, Isolation, Plugin, PluginState, Vitals, proportional_bytes
from webui_api.hooks import BreakerView
from webui_api.language import caller_locale
from webui_api.plugin_views import ProblemView, Text

if TYPE_CHECKING:
    from host.app import Host

Memory = Annotated[
    int | None,
    Field(ge=0, description="With its share of what it shares with others; null where the system does not tell."),
]


class HandlerVitalsView(BaseModel):
    """How the calls of one hook handler went. In the host's own process calls are not measured: those are null."""

    name: Text
    hook: str
    calls: int | None = Field(ge=0, description="Since its process began.")
    failures: int | None = Field(ge=0, description="How many of them failed.")
    p50_ms: float | None = Field(ge=0, description="The median of the latest calls, in milliseconds; null before any.")
    p95_ms: float | None = Field(ge=0, description="The 95th percentile of them.")
    p99_ms: float | None = Field(ge=0, description="The 99th percentile of them.")
    breaker: BreakerView

    @classmethod
    def of(cls, handler: Handler, vitals: HandlerVitals | None) -> HandlerVitalsView:
        """The view of `handler`."""
        return cls(
            name=handler.name,
            hook=handler.hook,
            calls=vitals.calls if vitals else None,
            failures=vitals.failures if vitals else None,
            p50_ms=_milliseconds(vitals.p50) if vitals else None,
            p95_ms=_milliseconds(vitals.p95) if vitals else None,
            p99_ms=_milliseconds(vitals.p99) if vitals else None,
            breaker=BreakerView.of(handler.gate.breaker.state()),
        )


class PluginProcessView(BaseModel):
    """A plugin and the process that it runs in. What is told of a process is null for one that has none of its own."""

    id: Text
    name: Text
    state: PluginState
    problem: ProblemView | None = Field(description="Why it does not run, or how its process ended last.")
    isolation: Isolation = Field(description="process: in a process of its own; inline: in the host's. Or it would be.")
    pid: int | None
    uptime_sec: float | None = Field(ge=0, description="Seconds since its process began.")
    restarts: int = Field(ge=0, description="How often it came back after its process had ended, since the host began.")
    calls: int | None = Field(ge=0, description="Of all its handlers, since its process began.")
    failures: int | None = Field(ge=0, description="How many of them failed.")
    in_flight: int | None = Field(ge=0, description="Calls that its process has not answered yet.")
    responding: bool | None = Field(description="Whether its process answered when it was last asked.")
    hung_threads: int = Field(ge=0, description="Threads in calls that nobody waits for any more.")
    dropped_lines: int | None = Field(ge=0, description="Lines of its output that were dropped: there were too many.")
    memory_bytes: Memory
    handlers: list[HandlerVitalsView] = Field(description="By hook, then by name.")

    @classmethod
    def of(
        cls, plugin: Plugin, host: Host, vitals: Vitals | None, memory: int | None, locale: Locale
    ) -> PluginProcessView:
        """The view of `plugin` for a reader of `locale`.

        Args:
            plugin: one of the host's.
            host: whose it is.
            vitals: how its own process is doing; None where it has none.
            memory: what that uses, in bytes.
            locale: of the texts.
        """
        measured = vitals.handlers if vitals else {}
        registered = plugin.registration.handlers if plugin.registration else ()
        return cls(
            id=plugin.id,
            name=plugin.name,
            state=plugin.state,
            problem=ProblemView.of(plugin.problem, locale),
            isolation=host.plugins.isolation(plugin),
            pid=vitals.pid if vitals else None,
            uptime_sec=round(vitals.uptime, 1) if vitals else None,
            restarts=host.plugins.restarts(plugin),
            calls=sum(each.calls for each in measured.values()) if vitals else None,
            failures=sum(each.failures for each in measured.values()) if vitals else None,
            in_flight=vitals.in_flight if vitals else None,
            responding=vitals.responding if vitals else None,
            hung_threads=vitals.hung if vitals else host.hooks.hung_calls().get(plugin.id, 0),
            dropped_lines=vitals.dropped_lines if vitals else None,
            memory_bytes=memory,
            handlers=[
                HandlerVitalsView.of(each, measured.get(each.name))
                for each in sorted(registered, key=lambda each: (each.hook, each.name))
            ],
        )


class HostProcessView(BaseModel):
    """The host's own process, which plugins that run inline are part of."""

    pid: int
    uptime_sec: float = Field(ge=0, description="Seconds since its web interface began.")
    memory_bytes: Memory


class ProcessList(BaseModel):
    """The host's process, and all plugins with theirs, by id, then by path."""

    success: bool = True
    host: HostProcessView
    plugins: list[PluginProcessView]


def process_routes(host: Host) -> APIRouter:
    """The route under ``/plugins/runtime`` that shows the processes of the plugins of `host`."""
    router = APIRouter(prefix="/plugins/runtime", tags=["plugins"])
    own_pid, began = os.getpid(), monotonic()

    # A coroutine, so that it runs in the event loop that owns the plugins, and not in a thread beside it.
    @router.get("/processes", summary="The processes of the plugins")
    async def list_processes(response: Response, locale: Annotated[Locale, Depends(caller_locale)]) -> ProcessList:
        """Every plugin with its process: whether it lives, what it uses, how the calls of its handlers went."""
        response.headers["Cache-Control"] = "no-store"
        vitals = {plugin: _vitals(plugin) for plugin in host.plugins}
        pids = [None if each is None else each.pid for each in vitals.values()]
        own_memory, *memory = await asyncio.to_thread(_memory, [own_pid, *pids])
        uptime = round(monotonic() - began, 1)
        return ProcessList(
            host=HostProcessView(pid=own_pid, uptime_sec=uptime, memory_bytes=own_memory),
            plugins=[
                PluginProcessView.of(plugin, host, own, used, locale)
                for (plugin, own), used in zip(vitals.items(), memory, strict=True)
            ],
        )

    return router


def _memory(pids: Iterable[int | None]) -> list[int | None]:
    """What each process uses, in bytes. Reading it takes some milliseconds for each."""
    return [None if pid is None else proportional_bytes(pid) for pid in pids]


def _vitals(plugin: Plugin) -> Vitals | None:
    return plugin.code.vitals() if plugin.code is not None else None


def _milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * 1000, 3)
