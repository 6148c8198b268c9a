"""The hook table as the web shows it: every hook, what it allows, who handles it in which order, and how that goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import APIRouter, Depends, HTTPException, Response, status
from pydantic import BaseModel, Field

from host.bub.builtin import NAME as BUB_BUILTIN
from host.bub.table import FAMILY as BUB
from host.bub.table import BubRow
from host.bub.table import rows as bub_rows
from host.hooks import (
    BreakerPosition,
    BreakerState,
    Handler,
    HookDescription,
    Implementation,
    Source,
    UnknownHandlerError,
)
from host.hooks.texts import Locale
from maibot_sdk.types import ErrorPolicy, HookMode, HookOrder
from webui_api.gate import Refusal
from webui_api.language import caller_locale
from webui_api.plugin_views import Text, sendable

if TYPE_CHECKING:
    from host.app import Host


_UNKNOWN: Final[dict[int | str, dict[str, Any]]] = {
    404: {"model": Refusal, "description": "No active plugin has this handler; the answer offers the nearest names."}
}


class BreakerView(BaseModel):
    """The breaker of a handler, which skips it for a while when it fails too often."""

    state: BreakerPosition = Field(description="closed: it is called; open: it is skipped; half_open: one call tries.")
    reason: Text = Field(description="Why it opened last; empty while it is closed.")
    remaining_sec: float = Field(ge=0, description="Seconds until it is tried again; 0 unless it is open.")
    calls: int = Field(ge=0, description="Calls in the window, counted from the first failure in it on.")
    failures: int = Field(ge=0, description="Failures among them.")
    skipped: int = Field(ge=0, description="Calls that were skipped since it opened.")
    opened: int = Field(ge=0, description="How often it opened since the handler was registered or it was reset.")

    @classmethod
    def of(cls, breaker: BreakerState) -> BreakerView:
        """The view of a breaker as it stands."""
        return cls(
            state=breaker.position,
            reason=breaker.reason,
            remaining_sec=round(breaker.seconds_left, 1),
            calls=breaker.calls,
            failures=breaker.failures,
            skipped=breaker.skipped,
            opened=breaker.opened,
        )


class HandlerView(BaseModel):
    """A plugin's handler of a hook."""

    plugin_id: str
    name: str
    description: str
    position: int = Field(ge=1, description="Place in the order of dispatch, from 1.")
    mode: HookMode = Field(
        description="blocking: awaited, may change and stop; observe: in the background, reads only."
    )
    order: HookOrder
    source: Source = Field(description="Decided by where the plugin lies, never by what it says of itself.")
    timeout_ms: int = Field(ge=0, description="The deadline in effect, in milliseconds; 0: there is none.")
    error_policy: ErrorPolicy
    placed: bool = Field(description="Whether the owner's settings put it in its place, before the rule does.")
    dropped: int = Field(ge=0, description="Calls that an observer was too slow for, since it was registered.")
    breaker: BreakerView

    @classmethod
    def of(cls, handler: Handler, position: int, row: HookDescription) -> HandlerView:
        """The view of `handler`, the `position`-th of its hook in `row`."""
        return cls(
            plugin_id=handler.plugin_id,
            name=handler.name,
            description=handler.description,
            position=position,
            mode=handler.mode,
            order=handler.order,
            source=handler.source,
            timeout_ms=handler.timeout_ms,
            error_policy=handler.policy,
            placed=handler in row.placed,
            dropped=row.dropped.get((handler.plugin_id, handler.name), 0),
            breaker=BreakerView.of(row.breakers[handler.plugin_id, handler.name]),
        )

    @classmethod
    def of_bub(cls, implementation: Implementation, position: int, row: BubRow) -> HandlerView:
        """The view of a plugin of Bub, which has neither deadline nor breaker: it runs in the host's process."""
        never = BreakerView(
            state=BreakerPosition.CLOSED, reason="", remaining_sec=0, calls=0, failures=0, skipped=0, opened=0
        )
        return cls(
            plugin_id=implementation.plugin,
            name=implementation.name,
            description="",
            position=position,
            mode=HookMode.BLOCKING,
            order=implementation.slot,
            source=Source.BUILTIN if implementation.plugin == BUB_BUILTIN else Source.THIRD_PARTY,
            timeout_ms=0,
            error_policy=ErrorPolicy.SKIP if row.hook.isolates else ErrorPolicy.ABORT,
            placed=False,
            dropped=0,
            breaker=never,
        )


class HookView(BaseModel):
    """A named hook, with its handlers as they stand now."""

    name: str
    family: str = Field(description="Whose rules hold: maibot, or bub, whose plugins run in the host's process.")
    dispatch: str = Field(description="How the handlers' results are combined.")
    description: str = Field(description="English or Chinese, by Accept-Language.")
    parameters_schema: dict[str, Any] = Field(description="JSON Schema of the payload.")
    default_timeout_ms: int = Field(ge=0, description="For handlers that set none, in milliseconds; 0: the host's own.")
    allow_blocking: bool
    allow_observe: bool
    allow_abort: bool
    allow_kwargs_mutation: bool
    handlers: list[HandlerView] = Field(description="In the order of dispatch.")

    @classmethod
    def of(cls, row: HookDescription, locale: Locale) -> HookView:
        """The view of one row of the table for a reader of `locale`."""
        spec = row.spec
        return cls(
            name=spec.name,
            family=spec.family.name,
            dispatch=spec.dispatch,
            description=spec.describe(locale),
            parameters_schema=row.parameters_schema,
            default_timeout_ms=spec.default_timeout_ms,
            allow_blocking=spec.allow_blocking,
            allow_observe=spec.allow_observe,
            allow_abort=spec.allow_abort,
            allow_kwargs_mutation=spec.allow_kwargs_mutation,
            handlers=[HandlerView.of(handler, position, row) for position, handler in enumerate(row.handlers, start=1)],
        )

    @classmethod
    def of_bub(cls, row: BubRow, locale: Locale) -> HookView:
        """The view of a hook of Bub for a reader of `locale`."""
        hook = row.hook
        return cls(
            name=hook.name,
            family=BUB,
            dispatch=hook.dispatch,
            description=hook.describe(locale),
            parameters_schema={"type": "object", "properties": {name: {} for name in hook.parameters}},
            default_timeout_ms=0,
            allow_blocking=True,
            allow_observe=False,
            allow_abort=hook.dispatch == "waterfall",
            allow_kwargs_mutation=hook.dispatch == "waterfall",
            handlers=[HandlerView.of_bub(each, position, row) for position, each in enumerate(row.implementations, 1)],
        )


class HookTable(BaseModel):
    """All hooks that are registered, sorted by name."""

    success: bool = True
    hooks: list[HookView]


class BreakerReset(BaseModel):
    """Whose breaker is to be closed."""

    plugin_id: str
    handler: str = Field(description="The handler's name.")


class BreakerAnswer(BaseModel):
    """A breaker as it stands after what was done."""

    success: bool = True
    breaker: BreakerView


def hook_routes(host: Host) -> APIRouter:
    """The routes under ``/plugins/runtime`` that show the hooks of `host`, and close breakers of their handlers."""
    router = APIRouter(prefix="/plugins/runtime", tags=["plugins"])

    # A coroutine, so that it runs in the event loop that owns the table, and not in a thread beside it.
    @router.get("/hooks", summary="The live hook table")
    async def list_hooks(response: Response, locale: Annotated[Locale, Depends(caller_locale)]) -> HookTable:
        """Every registered hook, with what it allows and its handlers in the order of dispatch, as of this moment."""
        response.headers["Cache-Control"] = "no-store"
        views = [HookView.of(row, locale) for row in host.hooks.describe()]
        views += [HookView.of_bub(row, locale) for row in bub_rows(host.bub)]
        return HookTable(hooks=sorted(views, key=lambda view: view.name))

    @router.post("/breakers/reset", summary="Close the breaker of a handler", responses=_UNKNOWN)
    async def reset_breaker(
        asked: BreakerReset, response: Response, locale: Annotated[Locale, Depends(caller_locale)]
    ) -> BreakerAnswer:
        """Have a handler called again at once, whatever its breaker counted."""
        response.headers["Cache-Control"] = "no-store"
        try:
            return BreakerAnswer(breaker=BreakerView.of(host.hooks.reset_breaker(asked.plugin_id, asked.handler)))
        except UnknownHandlerError as error:
            raise HTTPException(status.HTTP_404_NOT_FOUND, detail=sendable(error.text(locale))) from error

    return router
