"""The hook table as the web shows it: every hook, what it allows, and who handles it in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from host.hooks import Handler, HookDescription, Source
from host.hooks.texts import Locale
from maibot_sdk.types import ErrorPolicy, HookMode, HookOrder
from webui_api.language import caller_locale

if TYPE_CHECKING:
    from host.app import Host


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
    timeout_ms: int = Field(gt=0, description="The deadline in effect, in milliseconds.")
    error_policy: ErrorPolicy
    placed: bool = Field(description="Whether the owner's settings put it in its place, before the rule does.")
    dropped: int = Field(ge=0, description="Calls that an observer was too slow for, since it was registered.")

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
        )


class HookView(BaseModel):
    """A named hook, with its handlers as they stand now."""

    name: str
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
            description=spec.describe(locale),
            parameters_schema=row.parameters_schema,
            default_timeout_ms=spec.default_timeout_ms,
            allow_blocking=spec.allow_blocking,
            allow_observe=spec.allow_observe,
            allow_abort=spec.allow_abort,
            allow_kwargs_mutation=spec.allow_kwargs_mutation,
            handlers=[HandlerView.of(handler, position, row) for position, handler in enumerate(row.handlers, start=1)],
        )


class HookTable(BaseModel):
    """All hooks that are registered, sorted by name."""

    success: bool = True
    hooks: list[HookView]


def hook_routes(host: Host) -> APIRouter:
    """The routes under ``/plugins/runtime`` that show the hooks of `host`."""
    router = APIRouter(prefix="/plugins/runtime", tags=["plugins"])

    # A coroutine, so that it runs in the event loop that owns the table, and not in a thread beside it.
    @router.get("/hooks", summary="The live hook table")
    async def list_hooks(response: Response, locale: Annotated[Locale, Depends(caller_locale)]) -> HookTable:
        """Every registered hook, with what it allows and its handlers in the order of dispatch, as of this moment."""
        response.headers["Cache-Control"] = "no-store"
        return HookTable(hooks=[HookView.of(row, locale) for row in host.hooks.describe()])

    return router
