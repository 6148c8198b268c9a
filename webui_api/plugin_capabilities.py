"""What plugins may ask of the host, over HTTP: what their manifests list, what the owner took away, what they did."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, status
from pydantic import BaseModel, Field

from host.capabilities import Grant, RevocationsFileError
from host.hooks.texts import Locale
from host.runtime import Plugin, UnknownPluginError
from webui_api.gate import Refusal
from webui_api.language import caller_locale
from webui_api.plugin_views import Text, sendable
from webui_api.texts import WEB_TEXTS

if TYPE_CHECKING:
    from host.app import Host

Reader = Annotated[Locale, Depends(caller_locale)]


class Decision(str, Enum):
    """What the owner decides about a capability of a plugin."""

    GRANT = "grant"
    REVOKE = "revoke"


class CapabilityView(BaseModel):
    """How a plugin stands with one capability."""

    name: Text
    listed: bool = Field(description="The plugin's manifest lists it; what it does not list is always denied.")
    revoked: bool = Field(description="The owner of the host took it away.")
    available: bool | None = Field(description="This host can do it; null where no host runs that could say.")
    uses: int = Field(description="How often the plugin called it since the host began.")
    denials: int = Field(description="How often that was denied.")

    @classmethod
    def of(cls, grant: Grant, available: bool | None) -> CapabilityView:
        """The view of a grant."""
        return cls(
            name=grant.capability,
            listed=grant.listed,
            revoked=grant.revoked,
            available=available,
            uses=grant.uses,
            denials=grant.denials,
        )


class CapabilityList(BaseModel):
    """The capabilities that a plugin lists or called, by name."""

    plugin: Text = Field(description="The plugin's id.")
    capabilities: list[CapabilityView]


def capability_routes(host: Host) -> APIRouter:
    """The routes under ``/plugins/runtime/plugins/{plugin_id}/capabilities``."""
    router = APIRouter(prefix="/plugins/runtime/plugins/{plugin_id}/capabilities", tags=["plugins"])
    unknown: dict[int | str, dict[str, Any]] = {
        404: {"model": Refusal, "description": "There is no such plugin, or it lists no such capability."}
    }

    def listed(plugin: Plugin) -> CapabilityList:
        can = host.capabilities.available()
        views = [
            CapabilityView.of(each, can.get(each.capability, False)) for each in host.capabilities.grants.of(plugin)
        ]
        return CapabilityList(plugin=plugin.id, capabilities=views)

    @router.get("", summary="What one plugin may ask of the host", responses=unknown)
    async def list_capabilities(plugin_id: str, locale: Reader) -> CapabilityList:
        """Each capability that the plugin's manifest lists or that it called, with counts since the host began."""
        return listed(_find(host, plugin_id, locale))

    @router.post(
        "/{capability}/{decision}",
        summary="Take a capability away from one plugin, or give it back",
        responses={**unknown, 409: {"model": Refusal, "description": "That cannot be kept; nothing is changed."}},
    )
    async def decide(plugin_id: str, capability: str, decision: Decision, locale: Reader) -> CapabilityList:
        """It counts from the next call on, and after restarts."""
        plugin = _find(host, plugin_id, locale)
        known = [each.capability for each in host.capabilities.grants.of(plugin) if each.listed or each.revoked]
        if capability not in known:
            fields = {"plugin_id": plugin.id, "capability": capability, "known": ", ".join(known) or "-"}
            detail = WEB_TEXTS.render("capability_not_listed", fields, locale)
            raise HTTPException(status.HTTP_404_NOT_FOUND, detail=sendable(detail))
        revocations = host.capabilities.grants.revocations
        try:
            change = revocations.revoke if decision is Decision.REVOKE else revocations.grant
            change(plugin.id, capability)
        except RevocationsFileError as error:
            raise HTTPException(status.HTTP_409_CONFLICT, detail=sendable(error.text(locale))) from error
        return listed(plugin)

    return router


def _find(host: Host, plugin_id: str, locale: Locale) -> Plugin:
    try:
        return host.plugins[plugin_id]
    except UnknownPluginError as problem:
        raise HTTPException(status.HTTP_404_NOT_FOUND, detail=sendable(problem.text(locale))) from problem
